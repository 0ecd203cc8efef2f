// A keyspace against the model of it.
#pragma once

#include "engine/keyspace.hpp"
#include "tests/simulation/model.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace simulation {

// The first difference in what readers would see at `now_ms`, for people; nullopt: there is none.
// Tokens that the model does not know are taken from the keyspace.
[[nodiscard]] std::optional<std::string> difference(engine::Keyspace& keyspace, const Model& model,
                                                    std::int64_t now_ms);
// As readers see it; nullopt: it is not there.
[[nodiscard]] std::optional<Key> key_in(engine::Keyspace& keyspace, const std::string& name,
                                        std::int64_t now_ms);

}  // namespace simulation
