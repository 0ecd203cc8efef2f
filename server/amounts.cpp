#include "server/amounts.hpp"

namespace server {

std::string megabytes(std::uint64_t bytes) {
  constexpr std::uint64_t tenths = (std::uint64_t{1} << 20U) / 10;
  const std::uint64_t count = bytes / tenths;
  return std::to_string(count / 10) + "." + std::to_string(count % 10) + " MB";
}

std::string seconds(std::int64_t us) {
  std::string hundredths = std::to_string(us / 10'000 % 100);
  if (hundredths.size() < 2) hundredths.insert(0, "0");
  return std::to_string(us / 1'000'000) + "." + hundredths + " s";
}

}  // namespace server
