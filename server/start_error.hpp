// Why a server does not start: one line, and what may help.
#pragma once

#include <string>

namespace server {

struct StartError {
  std::string reason;
  std::string hint;
};

}  // namespace server
