// The lists of a Database: every change of one, as mutations. What is pushed, set or inserted is no
// view into a list of the database. For its preconditions see database.hpp.
#pragma once

#include "engine/database.hpp"
#include "engine/error.hpp"
#include "engine/mutation.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace engine {

class ListKeys {
 public:
  explicit ListKeys(Database& database) : database_(database) {}

  // Of at least one element, one by one; makes the list. Result: new length.
  Result<std::size_t> push(std::string_view key, Side side,
                           std::span<const std::string_view> elements);
  // Replaces a key of any type by a new list of at least one element; those may be views into it.
  Result<void> store(std::string_view key, std::span<const std::string_view> elements,
                     std::int64_t deadline_ms = no_deadline);

  // --- from here on: the list at `key` (`from`) exists and has what they name. It goes with its
  // last element.
  void pop(std::string_view key, Side side, std::size_t count);
  void erase(std::string_view key, std::size_t index, std::size_t count);
  // Elements like this one: all (count 0), the first `count`, the last `-count`. Result: how many.
  std::size_t remove(std::string_view key, std::string_view element, std::int64_t count);
  Result<void> set(std::string_view key, std::size_t index, std::string_view element);
  Result<void> insert(std::string_view key, std::size_t index, std::string_view element);
  // One element from one end to another, also of the same list. Never refused for memory: ask
  // Database::growth_refusal(). Result: the element.
  Result<std::string> move(std::string_view from, Side from_side, std::string_view to,
                           Side to_side);

 private:
  using Place = Database::Place;
  [[nodiscard]] Place place(std::string_view key);
  void change(const Mutation& mutation);
  std::size_t put_or_push(std::string_view key, const Place& place, Side side,
                          std::span<const std::string_view> elements);
  void erase_found(std::string_view key, const Place& place, std::span<const std::size_t> found);
  void keep_others(std::string_view key, const Place& place, std::span<const std::size_t> found);

  Database& database_;
};

}  // namespace engine
