// Where things lie inside an Entry (layout: entry.hpp). For the engine's own storage code.
#pragma once

#include "engine/entry.hpp"
#include "engine/entry_allocator.hpp"
#include "engine/large_value.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace engine {

struct EntryBody {
  static constexpr std::size_t inline_bytes_max = 255;
  static constexpr std::size_t short_key_bytes_max = 254;
  static constexpr std::size_t wide_length_bytes = sizeof(std::uint32_t);

  [[nodiscard]] static const char* start(const Entry& entry) {
    return reinterpret_cast<const char*>(&entry + 1);
  }
  [[nodiscard]] static std::size_t key_tag(const Entry& entry) {
    return entry.chain_.tag() & 0xFFU;
  }
  [[nodiscard]] static std::string_view key(const Entry& entry) {
    const std::size_t tag = key_tag(entry);
    if (tag <= short_key_bytes_max) [[likely]]
      return {start(entry), tag};
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, start(entry), sizeof bytes);
    return {start(entry) + wide_length_bytes, bytes};
  }
  [[nodiscard]] static char* value(const Entry& entry) {
    const std::string_view name = key(entry);
    return const_cast<char*>(name.data() + name.size());
  }
  [[nodiscard]] static bool is_outlined(const Entry& entry) {
    return ((entry.state_ >> Entry::outlined_shift) & 1U) != 0;
  }
  [[nodiscard]] static std::size_t inline_bytes(const Entry& entry) {
    return entry.expiry_.next.tag() & 0xFFU;
  }
  [[nodiscard]] static std::string_view inline_value(const Entry& entry) {
    return {value(entry), inline_bytes(entry)};
  }
  [[nodiscard]] static std::size_t inline_fields(const Entry& entry) {
    return entry.chain_.tag() >> 8U;
  }
  template <typename Value>
  [[nodiscard]] static Value* outlined(const Entry& entry) {
    std::uintptr_t address = 0;
    std::memcpy(&address, value(entry), sizeof address);
    return reinterpret_cast<Value*>(address);  // NOLINT(performance-no-int-to-ptr)
  }

  // Of any type but string.
  template <typename Value>
  [[nodiscard]] static Value* large(const Entry& entry) {
    return static_cast<Value*>(outlined<LargeValue>(entry));
  }

  // Of the value that hangs on the pointer.
  [[nodiscard]] static std::size_t outlined_bytes(const Entry& entry);

  // Allocated size of an entry with such a key and value.
  [[nodiscard]] static std::size_t total_bytes(std::size_t key_bytes, std::size_t value_bytes) {
    const std::size_t wide = key_bytes > short_key_bytes_max ? wide_length_bytes : 0;
    return sizeof(Entry) + wide + key_bytes + value_bytes;
  }
  [[nodiscard]] static std::size_t total_bytes(const Entry& entry) {
    return total_bytes(key(entry).size(), is_outlined(entry) ? sizeof(void*) : inline_bytes(entry));
  }

  static void write_key(Entry& entry, std::string_view key_text) {
    char* at = const_cast<char*>(start(entry));
    std::uint16_t tag = 0xFF;
    if (key_text.size() <= short_key_bytes_max) {
      tag = static_cast<std::uint16_t>(key_text.size());
    } else {
      const auto bytes = static_cast<std::uint32_t>(key_text.size());
      std::memcpy(at, &bytes, sizeof bytes);
      at += sizeof bytes;
    }
    entry.chain_.set_tag(tag);
    std::memcpy(at, key_text.data(), key_text.size());
  }
  static void set_outlined(Entry& entry, void* pointer) {
    entry.state_ |= std::uint64_t{1} << Entry::outlined_shift;
    set_inline_bytes(entry, 0);
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    std::memcpy(value(entry), &address, sizeof address);
  }
  static void set_inlined(Entry& entry, std::size_t bytes) {
    entry.state_ &= ~(std::uint64_t{1} << Entry::outlined_shift);
    set_inline_bytes(entry, bytes);
  }
  static void set_inline_fields(Entry& entry, std::size_t fields) {
    const auto low = static_cast<unsigned>(key_tag(entry));
    entry.chain_.set_tag(static_cast<std::uint16_t>(low | (static_cast<unsigned>(fields) << 8U)));
  }
  static void set_access_seconds(Entry& entry, std::uint32_t seconds) {
    entry.expiry_.previous.set_tag(static_cast<std::uint16_t>(seconds & 0xFFFFU));
    const unsigned low = entry.expiry_.next.tag() & 0xFFU;
    const unsigned high = (seconds >> 16U) & 0xFFU;
    entry.expiry_.next.set_tag(static_cast<std::uint16_t>(low | (high << 8U)));
  }
  [[nodiscard]] static std::uint32_t access_seconds(const Entry& entry) {
    const std::uint32_t high = entry.expiry_.next.tag() >> 8U;
    return entry.expiry_.previous.tag() | (high << 16U);
  }

 private:
  static void set_inline_bytes(Entry& entry, std::size_t bytes) {
    const unsigned high = entry.expiry_.next.tag() & 0xFF00U;
    entry.expiry_.next.set_tag(static_cast<std::uint16_t>(high | static_cast<unsigned>(bytes)));
  }
};

}  // namespace engine
