#include "engine/frame_reader.hpp"
#include "engine/list_keys.hpp"
#include "engine/list_value.hpp"
#include "keyspace_fixture.hpp"

#include <array>

namespace {

class ListsTest : public KeyspaceTest {
 protected:
  using Elements = std::vector<std::string>;

  void push(std::string_view key, engine::Side side, std::initializer_list<std::string_view> all) {
    ASSERT_TRUE(
        frame([&] { return engine::ListKeys(db()).push(key, side, {all.begin(), all.size()}); }));
  }
  void right(std::string_view key, std::initializer_list<std::string_view> all) {
    push(key, engine::Side::right, all);
  }
  Elements elements(std::string_view key) {
    Elements all;
    if (const engine::Entry* entry = look(key)) {
      engine::list_of(*entry).visit_forward(0, [&](std::string_view element) {
        all.emplace_back(element);
        return true;
      });
    }
    return all;
  }
  const engine::ListValue& list(std::string_view key) { return engine::list_of(*look(key)); }
};

TEST_F(ListsTest, elements_are_pushed_one_by_one) {
  push("l", engine::Side::left, {"a", "b"});
  EXPECT_EQ(elements("l"), (Elements{"b", "a"}));
  push("l", engine::Side::left, {"c", "d"});
  right("l", {"e", "f"});
  EXPECT_EQ(elements("l"), (Elements{"d", "c", "b", "a", "e", "f"}));
  EXPECT_EQ(look("l")->encoding(), engine::Encoding::quicklist);
  EXPECT_EQ(look("l")->token(), 1001U);
}

TEST_F(ListsTest, the_key_goes_with_the_last_element) {
  right("l", {"a", "b", "c"});
  frame([&] {
    engine::ListKeys(db()).pop("l", engine::Side::right, 2);
    return 0;
  });
  EXPECT_EQ(elements("l"), (Elements{"a"}));
  frame([&] {
    engine::ListKeys(db()).erase("l", 0, 1);
    return 0;
  });
  EXPECT_EQ(look("l"), nullptr);
}

TEST_F(ListsTest, big_elements_lie_between_small_ones) {
  const std::string big(5000, 'x');
  const std::string huge(300'000, 'y');
  right("l", {"a", "b", "c", "d"});
  frame([&] { return engine::ListKeys(db()).insert("l", 2, big).has_value(); });
  frame([&] { return engine::ListKeys(db()).set("l", 0, huge).has_value(); });
  keyspace.validate();
  EXPECT_EQ(elements("l"), (Elements{huge, "b", big, "c", "d"}));
  frame([&] { return engine::ListKeys(db()).set("l", 2, "small").has_value(); });
  EXPECT_EQ(elements("l"), (Elements{huge, "b", "small", "c", "d"}));
  list("l").validate();
}

TEST_F(ListsTest, a_queue_stays_small) {
  right("q", {"first"});
  for (int number = 0; number < 20'000; ++number) {
    right("q", {"0123456789"});
    frame([&] {
      engine::ListKeys(db()).pop("q", engine::Side::left, 1);
      return 0;
    });
  }
  EXPECT_EQ(list("q").size(), 1U);
  EXPECT_LT(list("q").allocated_bytes(), 10'000U);
  list("q").validate();
}

TEST_F(ListsTest, many_small_elements_take_little_more_than_their_bytes) {
  for (int number = 0; number < 10'000; ++number) right("l", {"0123456789"});
  EXPECT_LT(list("l").allocated_bytes(), 10'000U * 15);
  list("l").validate();
}

TEST_F(ListsTest, moving_within_a_list_turns_it_over) {
  right("l", {"a", "b", "c"});
  const auto move = [&](engine::Side from, engine::Side to) {
    return frame([&] { return engine::ListKeys(db()).move("l", from, "l", to); }).value();
  };
  EXPECT_EQ(move(engine::Side::right, engine::Side::left), "c");
  EXPECT_EQ(elements("l"), (Elements{"c", "a", "b"}));
  EXPECT_EQ(move(engine::Side::left, engine::Side::left), "c");
  EXPECT_EQ(elements("l"), (Elements{"c", "a", "b"}));
  right("one", {"x"});
  const auto token = look("one")->token();
  frame([&] {
    return engine::ListKeys(db()).move("one", engine::Side::right, "one", engine::Side::left);
  });
  EXPECT_EQ(elements("one"), (Elements{"x"}));
  EXPECT_EQ(look("one")->token(), token) << "the key never went";
}

TEST_F(ListsTest, removing_many_keeps_deadline_and_token) {
  for (int number = 0; number < 3000; ++number) right("l", {number % 2 == 0 ? "even" : "odd"});
  frame([&] { return db().set_deadline("l", in_ms(1000)); });
  const auto token = look("l")->token();
  EXPECT_EQ(frame([&] { return engine::ListKeys(db()).remove("l", "odd", 0); }), 1500U);
  EXPECT_EQ(elements("l"), Elements(1500, "even"));
  EXPECT_EQ(look("l")->token(), token);
  EXPECT_EQ(look("l")->deadline_ms(), in_ms(1000));
  EXPECT_EQ(frame([&] { return engine::ListKeys(db()).remove("l", "even", -3); }), 3U);
  EXPECT_EQ(list("l").size(), 1497U);
}

TEST_F(ListsTest, growth_is_refused_and_removal_is_not) {
  right("l", {"a", "b", "c"});
  keyspace.set_limits({.bytes_max = 1});
  const std::array<std::string_view, 1> more{"d"};
  const auto pushed =
      frame([&] { return engine::ListKeys(db()).push("l", engine::Side::left, more); });
  EXPECT_EQ(pushed.error(), engine::Error::out_of_memory);
  EXPECT_FALSE(frame([&] { return engine::ListKeys(db()).insert("l", 0, "x"); }).has_value());
  EXPECT_FALSE(frame([&] { return engine::ListKeys(db()).set("l", 0, "longer"); }).has_value());
  EXPECT_TRUE(frame([&] { return engine::ListKeys(db()).set("l", 0, "A"); }).has_value());
  EXPECT_FALSE(frame([&] { return engine::ListKeys(db()).store("m", more); }).has_value());
  EXPECT_EQ(frame([&] { return engine::ListKeys(db()).remove("l", "b", 0); }), 1U);
  frame([&] {
    engine::ListKeys(db()).pop("l", engine::Side::left, 1);
    return 0;
  });
  EXPECT_EQ(elements("l"), (Elements{"c"}));
}

TEST_F(ListsTest, frames_repeat_every_change) {
  keyspace.set_frames_wanted(true);
  right("l", {"a", "b", "c", "d"});
  push("l", engine::Side::left, {"x", "y"});
  frame([&] { return engine::ListKeys(db()).set("l", 1, std::string(2000, 'z')).has_value(); });
  frame([&] { return engine::ListKeys(db()).insert("l", 3, "in").has_value(); });
  frame([&] {
    engine::ListKeys(db()).pop("l", engine::Side::right, 1);
    engine::ListKeys(db()).erase("l", 0, 1);
    return engine::ListKeys(db())
        .move("l", engine::Side::left, "m", engine::Side::right)
        .has_value();
  });
  frame([&] { return db().rename("m", "n"); });
  frame([&] { return db().copy("l", db(1), "copy"); });
  const auto batch = keyspace.take_batch();
  engine::Keyspace replica(0, 7);
  ASSERT_TRUE(replica.replay(batch.bytes));
  replica.validate();
  const auto same = [&](std::string_view key, int index) {
    replica.begin_frame(clock.lease_ms());
    const engine::Entry* there = replica.database(index).peek(key);
    std::string theirs;
    std::string ours;
    engine::list_of(*there).write_items(theirs);
    engine::list_of(*look(key, index)).write_items(ours);
    EXPECT_EQ(there->token(), look(key, index)->token());
    replica.end_frame();
    return theirs == ours;
  };
  EXPECT_TRUE(same("l", 0));
  EXPECT_TRUE(same("n", 0));
  EXPECT_TRUE(same("copy", 1));
  for (std::size_t length = 1; length < batch.bytes.size(); length += 7) {
    engine::Keyspace damaged(0, 7);
    static_cast<void>(damaged.replay(std::string_view(batch.bytes).substr(0, length)));
    damaged.validate();
  }
}

TEST_F(ListsTest, mutations_that_do_not_fit_are_refused) {
  right("l", {"a", "b"});
  const auto refused = [&](engine::MutationKind kind, std::uint64_t number, std::uint64_t count) {
    engine::Mutation mutation(kind);
    mutation.key = "l";
    mutation.value = "x";
    mutation.number = number;
    mutation.count = count;
    std::string body;
    std::string bytes;
    engine::encode(mutation, body);
    engine::encode_frame(clock.lease_ms(), body, bytes);
    return !keyspace.replay(bytes);
  };
  EXPECT_TRUE(refused(engine::MutationKind::pop, 0, 3));
  EXPECT_TRUE(refused(engine::MutationKind::set_element, 2, 0));
  EXPECT_TRUE(refused(engine::MutationKind::insert_element, 3, 0));
  EXPECT_TRUE(refused(engine::MutationKind::erase_elements, 1, 2));
  EXPECT_TRUE(refused(engine::MutationKind::erase_elements, 3, 0));
  EXPECT_TRUE(refused(engine::MutationKind::add_members, 0, 0));
  EXPECT_EQ(elements("l"), (Elements{"a", "b"}));
}

}  // namespace
