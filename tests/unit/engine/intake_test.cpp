// What is refused, by its effect, while the journal cannot take everything.
#include "keyspace_fixture.hpp"

#include <optional>
#include <string>

namespace {

using engine::Error;
using engine::Intake;

class IntakeTest : public KeyspaceTest {
 protected:
  IntakeTest() {
    set("lock", "owner-a", in_ms(30'000));
    hset("rlock", {{"owner", "1"}});
    hset("deep", {{"owner", "2"}});
    set("permits", "9");
  }
  void only(Intake intake) { keyspace.set_limits({.intake = intake}); }
  template <typename Change>
  std::optional<Error> refusal(Change change) {
    const auto outcome = frame(change);
    return outcome ? std::nullopt : std::optional(outcome.error());
  }
};

TEST_F(IntakeTest, a_full_disk_refuses_new_holdings) {
  only(Intake::no_growth);
  EXPECT_EQ(refusal([&] { return db().set_string("new", "o", in_ms(9)); }), Error::journal_full);
  EXPECT_EQ(refusal([&] { return db().set_string("lock", "owner-b", in_ms(9)); }),
            Error::journal_full);
  EXPECT_EQ(refusal([&] { return db().hash_increment("new", "o", 1); }), Error::journal_full);
  EXPECT_EQ(refusal([&] { return db().hash_increment("rlock", "other", 1); }), Error::journal_full);
  EXPECT_EQ(refusal([&] { return db().increment("new", 1); }), Error::journal_full);
  EXPECT_EQ(refusal([&] { return db().rename("lock", "other"); }), Error::journal_full);
  EXPECT_EQ(refusal([&] { return db().move("lock", db(1)); }), Error::journal_full);
  EXPECT_EQ(refusal([&] { return db().append("lock", "x"); }), Error::journal_full);
}

TEST_F(IntakeTest, a_full_disk_takes_releases_and_renewals) {
  only(Intake::no_growth);
  EXPECT_EQ(refusal([&] { return db().set_deadline("lock", in_ms(60'000)); }), std::nullopt);
  EXPECT_EQ(refusal([&] { return db().set_string("lock", "owner-a", in_ms(9)); }), std::nullopt);
  EXPECT_EQ(refusal([&] { return db().hash_increment("rlock", "owner", 1); }), std::nullopt);
  EXPECT_EQ(refusal([&] { return db().hash_increment("deep", "owner", -1); }), std::nullopt);
  EXPECT_EQ(refusal([&] { return db().increment("permits", 1); }), std::nullopt);
  EXPECT_TRUE(frame([&] { return db().remove("lock"); }));
}

TEST_F(IntakeTest, a_failed_journal_takes_only_releases) {
  only(Intake::releases);
  EXPECT_EQ(refusal([&] { return db().set_string("new", "o", in_ms(9)); }), Error::journal_failed);
  EXPECT_EQ(refusal([&] { return db().set_deadline("lock", in_ms(60'000)); }),
            Error::journal_failed);
  EXPECT_EQ(refusal([&] { return db().set_string("lock", "owner-a", in_ms(9)); }),
            Error::journal_failed);
  EXPECT_EQ(refusal([&] { return db().hash_increment("rlock", "owner", 1); }),
            Error::journal_failed);
  EXPECT_EQ(refusal([&] {
              return db().hash_set("rlock",
                                   std::initializer_list<engine::FieldValue>{{"owner", "2"}});
            }),
            Error::journal_failed);
  EXPECT_EQ(refusal([&] { return db().hash_increment("deep", "owner", -1); }), std::nullopt);
  EXPECT_EQ(refusal([&] { return db().increment("permits", -1); }), std::nullopt);
  EXPECT_EQ(hdel("rlock", {"owner"}), 1U);
  EXPECT_TRUE(frame([&] { return db().remove("lock"); }));
}

TEST_F(IntakeTest, what_has_changed_something_is_finished) {
  only(Intake::releases);
  frame([&] {
    EXPECT_TRUE(db().remove("lock"));
    EXPECT_TRUE(db().set_string("latch", "1", in_ms(1000)));
    EXPECT_TRUE(db().set_deadline("rlock", in_ms(1000)));
    return true;
  });
  EXPECT_EQ(get("latch"), "1");
}

}  // namespace
