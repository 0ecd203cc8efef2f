#include "commands/acl_lock_names.hpp"

#include "base/glob.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace commands::acl {
namespace {

constexpr std::string_view placeholder = "{key}";

constexpr auto table = std::to_array<DerivedName>({
    {"redisson_lock__channel:{key}", NameKind::channel, false, "RLock, RFencedLock, LOCK.ACQUIRE"},
    {"redisson_lock__channel:{key}:<holder>", NameKind::channel, false, "RFairLock"},
    {"redisson_rwlock:{key}", NameKind::channel, false, "RReadWriteLock"},
    {"redisson_sc:{key}", NameKind::channel, false, "RSemaphore, RPermitExpirableSemaphore"},
    {"redisson_countdownlatch__channel__{key}", NameKind::channel, true, "RCountDownLatch"},
    {"redisson_unlock_latch:{key}:<request>", NameKind::key, false, "every lock's unlock"},
    {"redisson_lock_queue:{key}", NameKind::key, false, "RFairLock"},
    {"redisson_lock_timeout:{key}", NameKind::key, false, "RFairLock"},
    {"redisson_lock_token:{key}", NameKind::key, false, "RFencedLock"},
    {"{key}", NameKind::key, false, "RReadWriteLock, from which its scripts build timeout keys"},
    {"{key}:<holder>:rwlock_timeout", NameKind::key, false, "RReadWriteLock"},
    {"{key}:<holder>:rwlock_timeout:<n>", NameKind::key, false, "RReadWriteLock"},
    {"{key}:timeout", NameKind::key, false, "RPermitExpirableSemaphore"},
    {"{key}:value", NameKind::key, false, "RRateLimiter"},
    {"{key}:permits", NameKind::key, false, "RRateLimiter"},
    {"{key}:value:<client>", NameKind::key, false, "RRateLimiter"},
    {"{key}:permits:<client>", NameKind::key, false, "RRateLimiter"},
    {"{key}:allocation", NameKind::key, false, "RIdGenerator"},
});

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}
bool is_hex(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

std::size_t digits(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  return static_cast<std::size_t>(end - text.begin());
}

// Length of the UUID at the beginning; 0: there is none.
std::size_t uuid(std::string_view text) {
  constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (text.size() < shape.size()) return 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '-' ? text[i] != '-' : !is_hex(text[i])) return 0;
  }
  return shape.size();
}

std::size_t holder(std::string_view text) {
  const std::size_t id = uuid(text);
  if (id == 0 || text.size() <= id || text[id] != ':') return 0;
  const std::size_t thread = digits(text.substr(id + 1));
  return thread == 0 ? 0 : id + 1 + thread;
}

std::size_t request(std::string_view text) {
  constexpr std::size_t size = 32;
  if (text.size() < size) return 0;
  return std::ranges::all_of(text.substr(0, size), is_hex) ? size : 0;
}

// Length of what the word of a form stands for at the beginning of the text; 0: it is not there.
std::size_t length_of(std::string_view word, std::string_view text) {
  if (word == "<holder>") return holder(text);
  if (word == "<client>") return uuid(text);
  if (word == "<request>") return request(text);
  return digits(text);
}

// Whether the whole text is what follows the key in a form.
bool matches_tail(std::string_view form, std::string_view text) {
  while (!form.empty()) {
    if (form.front() == '<') {
      const std::size_t end = form.find('>') + 1;
      const std::size_t length = length_of(form.substr(0, end), text);
      if (length == 0) return false;
      form.remove_prefix(end);
      text.remove_prefix(length);
    } else {
      if (text.empty() || text.front() != form.front()) return false;
      form.remove_prefix(1);
      text.remove_prefix(1);
    }
  }
  return text.empty();
}

bool has_brace(std::string_view key) {
  return key.find('{') != std::string_view::npos;
}

// Every way to cut `name` into the form's head, a key and the form's tail.
bool is_derived(const DerivedName& derived, std::string_view glob, std::string_view name) {
  const std::size_t at = derived.form.find(placeholder);
  const std::string_view head = derived.form.substr(0, at);
  const std::string_view tail = derived.form.substr(at + placeholder.size());
  if (!name.starts_with(head)) return false;
  const std::string_view rest = name.substr(head.size());
  for (std::size_t end = 0; end <= rest.size(); ++end) {
    if (!matches_tail(tail, rest.substr(end))) continue;
    const std::string_view key = rest.substr(0, end);
    if (!derived.has_braces_always && has_brace(key) && base::glob_matches(glob, key)) return true;
    const bool is_braced = key.size() >= 2 && key.front() == '{' && key.back() == '}';
    if (!is_braced) continue;
    const std::string_view inner = key.substr(1, key.size() - 2);
    if (!derived.has_braces_always && has_brace(inner)) continue;
    if (base::glob_matches(glob, inner)) return true;
  }
  return false;
}

}  // namespace

std::span<const DerivedName> derived_names() {
  return table;
}

bool is_name_of_lock(std::string_view glob, std::string_view name, NameKind kind) {
  if (kind == NameKind::key && base::glob_matches(glob, name)) return true;
  return std::ranges::any_of(table, [&](const DerivedName& derived) {
    return (kind == NameKind::key || derived.kind == kind) && is_derived(derived, glob, name);
  });
}

}  // namespace commands::acl
