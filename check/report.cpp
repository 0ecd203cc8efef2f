#include "check/report.hpp"

#include "check/mutation_text.hpp"

#include <algorithm>
#include <string>

namespace check {
namespace {

std::string amount(std::uint64_t number, std::string_view noun, std::string_view plural) {
  return grouped(number) + " " + std::string(number == 1 ? noun : plural);
}

std::string batches_text(std::uint64_t number) {
  return amount(number, "batch", "batches");
}

engine::Position last_known(const Loss& loss) {
  return std::max(loss.last, loss.durable);
}

std::string state_text(const Finding& finding, Subject subject) {
  std::string text = "position " + grouped(finding.position);
  if (finding.wall_us != 0) text += " of " + moment_text(finding.wall_us);
  if (subject == Subject::file) {
    text += finding.images > 0 ? ", " + amount(finding.images, "image", "images")
                               : ", " + batches_text(finding.batches);
    return text;
  }
  // Where a start stops, only the position is known.
  if (finding.verdict != Verdict::damaged) text += ", " + batches_text(finding.batches);
  if (finding.snapshot_position > 0) {
    text += " behind the snapshot at " + grouped(finding.snapshot_position);
  }
  if (finding.keys) text += ", " + amount(*finding.keys, "key", "keys");
  return text;
}

std::string place_text(const Finding& finding) {
  return finding.file + " at offset " + std::to_string(finding.offset);
}

void write_lost_batches(std::ostream& out, const Finding& finding) {
  const Loss& loss = finding.loss;
  const engine::Position first = finding.position + 1;
  const engine::Position last = last_known(loss);
  out << "lost:    ";
  if (last < first) {
    out << "what stood behind batch " << grouped(finding.position) << ", no batch of it is whole";
  } else if (last == first) {
    out << "batch " << grouped(first);
  } else {
    out << "batches " << grouped(first) << " to " << grouped(last) << " ("
        << grouped(last - finding.position) << ")";
  }
  out << ", " << amount(loss.bytes, "byte", "bytes");
  if (loss.intact_batches > 0) {
    out << "; " << batches_text(loss.intact_batches)
        << " of it whole, but not to be applied without what is before";
  }
  out << '\n';
}

void write_durability(std::ostream& out, const Finding& finding) {
  if (finding.loss.durable > finding.position) {
    out << "durable: all up to position " << grouped(finding.loss.durable)
        << " was; answers that clients were given are lost\n";
  } else {
    out << "durable: nothing of it was known to be\n";
  }
}

void write_torn(std::ostream& out, const Finding& finding, Subject subject, InUse in_use) {
  if (in_use == InUse::yes) {
    out << "in use:  a server writes here; the batch behind position " << grouped(finding.position)
        << " is not complete yet, which is normal\n";
    return;
  }
  out << "torn:    " << place_text(finding) << '\n';
  write_lost_batches(out, finding);
  write_durability(out, finding);
  if (subject == Subject::directory) {
    out << "start:   works; the server cuts such an end, a crash leaves it\n";
  }
}

void write_damaged(std::ostream& out, const Finding& finding, Subject subject) {
  out << "damaged: " << place_text(finding) << ": " << finding.reason << '\n';
  if (finding.is_of_snapshot()) {
    out << "lost:    the state at that position as far as it is not in other files\n";
  } else {
    write_lost_batches(out, finding);
    write_durability(out, finding);
  }
  if (subject == Subject::directory) {
    out << "start:   stops here; --fix keeps what is before, and copies of what it changes\n";
  }
}

}  // namespace

void write_finding(std::ostream& out, const Finding& finding, Subject subject, InUse in_use) {
  for (const std::string& name : finding.left_over) {
    out << "left over: " << name << " (the server removes it when it starts)\n";
  }
  switch (finding.verdict) {
    case Verdict::unreadable:
      out << "cannot tell: " << finding.file << ": " << finding.reason << '\n';
      return;
    case Verdict::whole:
      out << "whole:   " << state_text(finding, subject) << '\n';
      if (in_use == InUse::yes) out << "in use:  a server writes here\n";
      return;
    case Verdict::torn:
      write_torn(out, finding, subject, in_use);
      break;
    case Verdict::damaged:
      write_damaged(out, finding, subject);
      // A start comes no further than the snapshot.
      if (subject == Subject::directory && finding.is_of_snapshot()) return;
      break;
  }
  out << "good:    " << state_text(finding, subject) << '\n';
}

void write_loss(std::ostream& out, const Finding& before, const Finding& after) {
  const engine::Position last =
      std::max({last_known(before.loss), before.position, after.position});
  if (last > after.position) {
    out << "lost:    " << batches_text(last - after.position) << ", those behind position "
        << grouped(after.position);
    if (before.loss.durable > after.position) {
      out << "; up to " << grouped(before.loss.durable) << " they were durable";
    }
    out << '\n';
  } else if (!before.is_of_snapshot()) {
    out << "lost:    " << amount(before.loss.bytes, "byte", "bytes")
        << " that held no whole batch\n";
  }
}

int exit_code_of(const Finding& finding, InUse in_use) {
  switch (finding.verdict) {
    case Verdict::whole:
      return 0;
    case Verdict::torn:
      return in_use == InUse::yes ? 0 : 1;
    case Verdict::damaged:
      return 1;
    case Verdict::unreadable:
      return 2;
  }
  return 2;
}

}  // namespace check
