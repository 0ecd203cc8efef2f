#include "tests/support/disk/keyspace_text.hpp"

#include "engine/collection.hpp"
#include "engine/frame_reader.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace test {
namespace {

// The items of a collection, each on its own; those of tables sorted.
std::vector<std::string> collected(const engine::Entry& entry) {
  engine::Mutation put(engine::put_of(entry.type()));
  put.source_use = engine::SourceUse::clone;
  put.source = const_cast<engine::Entry*>(&entry);  // only read
  std::string mutations;
  engine::encode(put, mutations);
  std::string frame;
  engine::encode_frame(0, mutations, frame);
  engine::FrameReader reader(frame);
  std::vector<std::string> items;
  if (!reader.next(put)) return {"unreadable"};
  for (const std::string_view name : put.names) items.emplace_back(name);
  for (const auto& [member, score] : put.scored) {
    items.push_back(std::string(member) + "=" + std::to_string(score));
  }
  for (const auto& [field, value] : put.fields) {
    items.push_back(std::string(field) + "=" + std::string(value));
  }
  const bool has_order =
      entry.type() == engine::Type::list ||
      (entry.type() == engine::Type::hash && entry.encoding() == engine::Encoding::listpack);
  if (!has_order) std::ranges::sort(items);
  return items;
}

}  // namespace

std::string text_of(engine::Keyspace& keyspace) {
  std::vector<std::string> lines;
  // Long before any deadline: what is overdue shows.
  const std::int64_t now_ms = keyspace.now_ms();
  keyspace.begin_frame(-1'000'000'000);
  for (int index = 0; index < engine::database_count; ++index) {
    keyspace.database(index).for_each([&](const engine::Entry& entry) {
      std::string line = std::to_string(index) + " " + std::string(entry.key());
      for (const std::uint64_t number :
           {static_cast<std::uint64_t>(entry.type()), static_cast<std::uint64_t>(entry.encoding()),
            entry.token(), static_cast<std::uint64_t>(entry.deadline_ms())}) {
        line += " " + std::to_string(number);
      }
      if (entry.type() == engine::Type::string) {
        line += " " + std::string(entry.string());
      } else {
        for (const std::string& item : collected(entry)) line += " " + item;
      }
      lines.push_back(std::move(line));
    });
  }
  keyspace.end_frame();
  keyspace.begin_frame(now_ms);
  keyspace.end_frame();
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace test
