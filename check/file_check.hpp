// One segment or snapshot by itself: what can be seen without the files before it.
#pragma once

#include "check/finding.hpp"
#include "engine/file_system.hpp"

#include <string>

namespace check {

[[nodiscard]] Finding check_file(engine::FileSystem& files, const std::string& name);

}  // namespace check
