// The limit on open files, which limits the clients.
#pragma once

#include <cstddef>

namespace server {

// Tries to make room for `clients` connections beside the files the server itself needs. Returns
// how many there is room for, at most `clients`.
[[nodiscard]] std::size_t raise_descriptor_limit(std::size_t clients);

}  // namespace server
