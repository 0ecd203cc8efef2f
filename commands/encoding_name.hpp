// The names OBJECT ENCODING and DEBUG OBJECT give.
#pragma once

#include "base/assert.hpp"
#include "engine/entry.hpp"

#include <string_view>

namespace commands {

[[nodiscard]] inline std::string_view encoding_name(engine::Encoding encoding) {
  switch (encoding) {
    case engine::Encoding::integer:
      return "int";
    case engine::Encoding::embstr:
      return "embstr";
    case engine::Encoding::raw:
      return "raw";
    case engine::Encoding::listpack:
      return "listpack";
    case engine::Encoding::hashtable:
      return "hashtable";
    case engine::Encoding::intset:
      return "intset";
    case engine::Encoding::quicklist:
      return "quicklist";
    case engine::Encoding::skiplist:
      return "skiplist";
  }
  ASSERT(false && "an encoding without a name");
}

}  // namespace commands
