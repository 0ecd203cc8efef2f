// %lock~glob: every form of the table in both of its shapes, nothing near it, and the table in
// docs/acl.md says the same.
#include "commands/acl_lock_names.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace commands::acl {
namespace {

constexpr std::string_view uuid = "01234567-89ab-cdef-0123-456789ABCDEF";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// The form with its words filled in; `key` stands for "{key}".
std::string filled(std::string_view form, std::string_view key) {
  std::string name(form);
  name = replaced(name, "<request>", "00112233445566778899aabbccddeeff");
  name = replaced(name, "<holder>", std::string(uuid) + ":57");
  name = replaced(name, "<client>", uuid);
  name = replaced(name, "<n>", "12");
  return replaced(name, "{key}", key);
}

bool grants(std::string_view glob, std::string_view name, NameKind kind = NameKind::key) {
  return is_name_of_lock(glob, name, kind);
}

TEST(LockRules, GrantEveryFormOfANameWithoutBraces) {
  for (const DerivedName& derived : derived_names()) {
    const std::string name = filled(derived.form, "{lock:a}");
    EXPECT_TRUE(grants("lock:*", name)) << name;
    EXPECT_FALSE(grants("lock:?b", name)) << name;
    EXPECT_FALSE(grants("other:*", name)) << name;
    EXPECT_EQ(grants("lock:*", name, NameKind::channel), derived.kind == NameKind::channel) << name;
  }
}

TEST(LockRules, GrantEveryFormOfANameWithABrace) {
  for (const DerivedName& derived : derived_names()) {
    const bool always = derived.has_braces_always;
    const std::string name = filled(derived.form, always ? "{lock:{a}}" : "lock:{a}");
    EXPECT_TRUE(grants("lock:*", name)) << name;
    EXPECT_FALSE(grants("other:*", name)) << name;
  }
}

TEST(LockRules, ABraceLessNameIsNotDerivedWithoutBraces) {
  EXPECT_FALSE(grants("lock:*", "redisson_lock_queue:lock:a"));
  EXPECT_FALSE(grants("lock:*", "redisson_lock_queue:{lock:{a}}"));
  EXPECT_FALSE(grants("*a", "a:timeout"));
}

TEST(LockRules, WordsOfFormsAreStrict) {
  EXPECT_FALSE(grants("a", "redisson_unlock_latch:{a}:00112233445566778899aabbccddee"));
  EXPECT_FALSE(grants("a", "redisson_unlock_latch:{a}:00112233445566778899aabbccddeeffaa"));
  EXPECT_FALSE(grants("a", "redisson_unlock_latch:{a}:0011223344556677889-aabbccddeeff"));
  EXPECT_FALSE(grants("a", "redisson_unlock_latch:{a}"));
  EXPECT_FALSE(grants("a", "{a}:" + std::string(uuid) + ":rwlock_timeout:1"));
  EXPECT_FALSE(grants("a", "{a}:" + std::string(uuid) + ":x:rwlock_timeout:1"));
  EXPECT_FALSE(grants("a", "{a}:" + std::string(uuid) + ":1:rwlock_timeout:"));
  EXPECT_FALSE(grants("a", "{a}:" + std::string(uuid) + ":1:rwlock_timeout:x"));
  EXPECT_FALSE(grants("a", "{a}:timeout:1"));
  EXPECT_FALSE(grants("a", "x{a}:timeout"));
  EXPECT_FALSE(grants("a", "{a}x:timeout"));
}

TEST(LockRules, AGlobDoesNotReachAcrossTheForm) {
  // "a*" matches "a}:timeout" as a name, but not as part of another name's form.
  EXPECT_TRUE(grants("a*", "a}:timeout"));
  EXPECT_TRUE(grants("a*", "{a}:timeout"));
  EXPECT_FALSE(grants("a*", "{b}:timeout"));
  EXPECT_FALSE(grants("redisson*", "{b}:timeout"));
  EXPECT_FALSE(grants("lock:*", "redisson_lock_queue:{other}:lock:a"));
  EXPECT_FALSE(grants("lock:*", "redisson_lock_queue:{x}{lock:a}"));
  EXPECT_FALSE(grants("", "{a}:timeout"));
}

TEST(LockRules, AStarGrantsAllNamesButOnlyDerivedChannels) {
  EXPECT_TRUE(grants("*", "anything"));
  EXPECT_TRUE(grants("*", "redisson_sc:{x}", NameKind::channel));
  EXPECT_FALSE(grants("*", "anything", NameKind::channel));
  EXPECT_FALSE(grants("*", "redisson_sc:x", NameKind::channel));
}

TEST(LockRules, TheTableStandsInTheDocs) {
  const std::filesystem::path root = MORTISE_SOURCE_DIR;
  std::ifstream file(root / "docs/acl.md");
  std::vector<std::string> documented;
  bool in_table = false;
  for (std::string line; std::getline(file, line);) {
    if (in_table && !line.starts_with("| `")) in_table = line.starts_with("| ---");
    if (in_table && line.starts_with("| `")) documented.push_back(line);
    if (line == "| name | is a | used by |") in_table = true;
  }
  std::vector<std::string> expected{"| `{key}`, the name itself | key | every lock |"};
  for (const DerivedName& derived : derived_names()) {
    const std::string_view kind = derived.kind == NameKind::channel ? "channel" : "key";
    expected.push_back("| `" + std::string(derived.form) + "`" +
                       (derived.has_braces_always ? " (always with braces)" : "") + " | " +
                       std::string(kind) + " | " + std::string(derived.used_by) + " |");
  }
  // The first row is the glob's own doing.
  ASSERT_FALSE(documented.empty());
  EXPECT_EQ(documented, expected);
}

}  // namespace
}  // namespace commands::acl
