#include "scripting/dialect_output.hpp"

#include <algorithm>

namespace scripting {

std::size_t DialectOutput::mark(int line) {
  if (line_ < line) {
    text_.append(static_cast<std::size_t>(line - line_), '\n');
    line_ = line;
  } else if (!text_.empty() && text_.back() != '\n' && text_.back() != ' ') {
    text_ += ' ';
  }
  return text_.size();
}

void DialectOutput::insert(std::size_t place, std::string_view text) {
  insertions_.push_back({place, std::string(text)});
}

void DialectOutput::replace_from(std::size_t place, std::string_view text) {
  text_.resize(place);
  text_ += text;
}

bool DialectOutput::has_insertions_from(std::size_t place) const {
  return std::any_of(insertions_.rbegin(), insertions_.rend(),
                     [place](const Insertion& insertion) { return insertion.place >= place; });
}

std::string DialectOutput::finished() const {
  std::vector<const Insertion*> ordered;
  ordered.reserve(insertions_.size());
  for (auto it = insertions_.rbegin(); it != insertions_.rend(); ++it) ordered.push_back(&*it);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Insertion* a, const Insertion* b) { return a->place < b->place; });
  std::string result;
  std::size_t done = 0;
  for (const Insertion* insertion : ordered) {
    result.append(text_, done, insertion->place - done);
    result += insertion->text;
    done = insertion->place;
  }
  result.append(text_, done);
  return result;
}

}  // namespace scripting
