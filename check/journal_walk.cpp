#include "check/journal_walk.hpp"

#include "engine/frame_reader.hpp"
#include "engine/journal_reader.hpp"

#include <utility>

namespace check {
namespace {

namespace journal = engine::journal;

class Walk {
 public:
  Walk(engine::File& file, const std::string& name, JournalVisitor& visitor)
      : reader_(file), name_(name), visitor_(visitor) {
    const auto named = journal::parse_file_name(name);
    if (!named) return;
    walked_.head.kind = named->kind;
    walked_.head.position = walked_.position = last_ = named->position;
  }

  WalkedFile run() {
    const auto head = reader_.read_head();
    if (head) {
      begin(*head);
    } else if (reader_.end() == journal::Reader::End::damaged) {
      break_off(0, "the head is damaged");
    }
    while (reader_.end() == journal::Reader::End::none && !is_complete_) {
      if (const auto record = reader_.next()) visit(*record);
    }
    finish();
    if (walked_.end == WalkedFile::End::damaged && !is_snapshot()) resume();
    return std::move(walked_);
  }

 private:
  [[nodiscard]] bool is_snapshot() const {
    return walked_.head.kind == journal::FileKind::snapshot;
  }
  // The first damage is what is told.
  void damage(std::uint64_t offset, std::string reason) {
    visitor_.damage(offset, reason);
    if (walked_.end != WalkedFile::End::whole) return;
    walked_.end = WalkedFile::End::damaged;
    walked_.offset = offset;
    walked_.reason = std::move(reason);
  }
  void break_off(std::uint64_t offset, std::string reason) {
    walked_.is_broken_off = is_good();
    damage(offset, std::move(reason));
  }
  [[nodiscard]] bool is_good() const { return walked_.end == WalkedFile::End::whole; }

  void begin(const journal::Head& head) {
    walked_.head = head;
    walked_.position = last_ = head.position;
    walked_.wall_us = head.stamp.wall_us;
    visitor_.file(name_, head);
    const auto named = journal::parse_file_name(name_);
    if (named && (named->kind != head.kind || named->position != head.position)) {
      damage(0, "the file is not what its name says");
    }
  }

  void visit(const journal::Record& record) {
    const RecordPlace place{record.offset, reader_.offset() - record.offset};
    if (record.kind == journal::RecordKind::batch && !is_snapshot()) {
      const auto batch = journal::read_batch(record.payload);
      if (batch) return visit_batch(*batch, place);
    } else if (record.kind == journal::RecordKind::image && is_snapshot()) {
      return visit_image(record.payload, place);
    } else if (record.kind == journal::RecordKind::end && is_snapshot()) {
      is_complete_ = true;
      const bool fits = journal::read_end(record.payload) == images_;
      if (!fits) damage(record.offset, "the snapshot has lost images");
      return;
    }
    damage(record.offset, "a record that does not belong there");
  }

  void visit_batch(const journal::BatchRecord& batch, const RecordPlace& place) {
    if (batch.position != last_ + 1) {
      damage(place.offset, "batches behind position " + std::to_string(last_) + " are missing");
    }
    last_ = batch.position;
    visitor_.batch(batch, place);
    if (!decodes(batch.frames)) damage(place.offset, "the frames of a batch are damaged");
    if (!is_good()) return;
    ++walked_.batches;
    walked_.position = batch.position;
    walked_.wall_us = batch.wall_us;
  }

  void visit_image(std::string_view frames, const RecordPlace& place) {
    ++images_;
    visitor_.image(frames, place);
    if (!decodes(frames)) damage(place.offset, "the frames of an image are damaged");
    if (is_good()) ++walked_.images;
  }

  static bool decodes(std::string_view frames) {
    return for_each_mutation(frames, [](const VisitedMutation&) {});
  }

  void finish() {
    switch (reader_.end()) {
      case journal::Reader::End::damaged:
        // Of the head it is told already.
        if (reader_.offset() > 0) break_off(reader_.offset(), "a record is damaged");
        return;
      case journal::Reader::End::clean:
        if (is_snapshot() && !is_complete_) damage(reader_.offset(), "the snapshot has no end");
        return;
      case journal::Reader::End::unknown_version:
        return fail("a newer version of this program wrote the file",
                    std::make_error_code(std::errc::not_supported));
      case journal::Reader::End::failed:
        return fail(reader_.error().message(), reader_.error());
      case journal::Reader::End::none:
        return;
    }
  }
  void fail(std::string reason, std::error_code error) {
    walked_.end = WalkedFile::End::unreadable;
    walked_.reason = std::move(reason);
    walked_.error = error;
  }

  // Behind a damaged record: what of the rest is intact.
  void resume() {
    if (reader_.end() != journal::Reader::End::damaged) return;
    while (const auto batch = reader_.find_batch_above(last_)) {
      last_ = batch->position;
      visitor_.batch(*batch, {0, 0});
    }
  }

  journal::Reader reader_;
  const std::string& name_;
  JournalVisitor& visitor_;
  WalkedFile walked_;
  engine::Position last_ = 0;
  std::uint64_t images_ = 0;
  bool is_complete_ = false;
};

}  // namespace

WalkedFile walk_file(engine::File& file, const std::string& name, JournalVisitor& visitor) {
  return Walk(file, name, visitor).run();
}

bool for_each_mutation(std::string_view frames,
                       base::FunctionRef<void(const VisitedMutation&)> visit) {
  for (std::uint64_t frame = 0; !frames.empty(); ++frame) {
    engine::FrameReader reader(frames);
    engine::Mutation mutation(engine::MutationKind::flush);
    std::size_t left = reader.left();
    while (reader.next(mutation)) {
      visit({mutation, reader.lease_ms(), left - reader.left(), frame});
      left = reader.left();
    }
    if (reader.damaged()) return false;
    frames = reader.rest();
  }
  return true;
}

}  // namespace check
