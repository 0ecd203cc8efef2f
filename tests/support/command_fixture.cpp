#include "tests/support/command_fixture.hpp"

#include "protocol/resp_writer.hpp"
#include "tests/support/resp_text.hpp"

#include <utility>

namespace tests {

void EventRecorder::deliver(engine::ChannelKind /*kind*/, std::string_view /*pattern*/,
                            std::string_view channel, std::string_view message) {
  // __keyevent@<db>__:<event>
  constexpr std::string_view prefix = "__keyevent@";
  if (!channel.starts_with(prefix)) return;
  const std::size_t colon = channel.find("__:");
  const std::string_view database = channel.substr(prefix.size(), colon - prefix.size());
  std::string event(channel.substr(colon + 3));
  if (database != "0") event.append("@").append(database);
  events_.push_back(event.append(" ").append(message));
}

std::vector<std::string> EventRecorder::take() {
  return std::exchange(events_, {});
}

CommandFixture::CommandFixture()
    : dispatcher({keyspace, channels, notifier, settings, clock, server.control}) {
  keyspace.set_events(&notifier);
  dispatcher.acl().admit(client);
}

std::string CommandFixture::answer_to(const std::vector<std::string_view>& args) {
  std::string out;
  protocol::RespWriter writer(out, client.version);
  dispatcher.refresh_now();
  dispatcher.execute(args, client, writer);
  return with_spaces(out);
}

std::string CommandFixture::run(std::initializer_list<std::string_view> args) {
  return answer_to(std::vector<std::string_view>(args));
}

std::string CommandFixture::run(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t start = 0;
  while (start <= line.size()) {
    const std::size_t end = std::min(line.find(' ', start), line.size());
    words.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  return answer_to(words);
}

void CommandFixture::advance_ms(std::int64_t ms) {
  clock.advance_ms(ms);
  constexpr std::int64_t budget_us = 1'000'000;
  while (keyspace.expire_due(clock.lease_ms(), budget_us)) {
  }
}

void CommandFixture::listen(std::string_view classes) {
  settings.notify_classes = commands::parse_notify_classes(classes).value();
  channels.subscribe(recorder_, engine::ChannelKind::pattern, "__keyevent@*");
}

}  // namespace tests
