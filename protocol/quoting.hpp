// Words of a line, quoted as in redis-cli, inline requests and the configuration file:
//   "…" with \n \r \t \b \a \xHH and \<any letter>;  '…' with \' only;  otherwise up to a blank.
// A closing quote must be followed by a blank or the end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace protocol {

// Whether a word outside of quotes ends here. Redis 7.0: VT and FF separate words only in front of
// one, they do not end it.
[[nodiscard]] bool ends_word(char letter);

// Nullopt: quotes are unbalanced.
[[nodiscard]] std::optional<std::vector<std::string>> split_words(std::string_view line);

// `text` as one double-quoted word that split_words() reads back.
[[nodiscard]] std::string quote_word(std::string_view text);

}  // namespace protocol
