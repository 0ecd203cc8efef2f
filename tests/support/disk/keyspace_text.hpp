// All of a keyspace as text, in an order that does not depend on how it came to be: to compare two.
#pragma once

#include "engine/keyspace.hpp"

#include <string>

namespace test {

// Keys that are overdue but still there, encodings, deadlines and tokens included. Between frames.
[[nodiscard]] std::string text_of(engine::Keyspace& keyspace);

}  // namespace test
