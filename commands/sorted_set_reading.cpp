#include "commands/sorted_set_reading.hpp"

#include "commands/error_replies.hpp"

namespace commands {
namespace {

FoundSortedSet value_of(const Found& found) {
  if (!found) return std::unexpected(found.error());
  return *found == nullptr ? nullptr : &engine::sorted_set_of(**found);
}

}  // namespace

FoundSortedSet read_sorted_set(const CommandContext& c, std::string_view key) {
  return value_of(read_typed(c, key, engine::Type::sorted_set));
}

FoundSortedSet inspect_sorted_set(const CommandContext& c, std::string_view key) {
  return value_of(inspect_typed(c, key, engine::Type::sorted_set));
}

void store_sorted_set(CommandContext& c, std::string_view key,
                      std::span<const engine::ScoredMember> items, std::string_view event) {
  if (items.empty()) {
    if (c.db().remove(key)) c.notify(notify_generic, "del", key);
    return c.reply.integer(0);
  }
  const auto stored = c.db().put_sorted_set(key, items);
  if (!stored) return reply_error(c.reply, stored.error());
  c.notify(notify_zset, event, key);
  c.reply.integer(static_cast<std::int64_t>(items.size()));
}

ScoredReply::ScoredReply(protocol::ReplySink& reply, Shown shown, std::size_t count)
    : reply_(reply),
      with_scores_(shown == Shown::members_and_scores),
      nested_(with_scores_ && reply.version() == protocol::RespVersion::resp3) {
  reply_.array(with_scores_ && !nested_ ? 2 * count : count);
}

void ScoredReply::add(const engine::ScoredMember& item) {
  if (nested_) reply_.array(2);
  reply_.bulk(item.member);
  if (with_scores_) reply_.real(item.score);
}

}  // namespace commands
