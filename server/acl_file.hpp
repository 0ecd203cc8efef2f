// The aclfile setting's file, for ACL LOAD and ACL SAVE.
#pragma once

#include "commands/server_control.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace server {

class Config;

class AclFileOnDisk final : public commands::AclFile {
 public:
  // `config` outlives the object.
  explicit AclFileOnDisk(const Config& config) : config_(config) {}

  [[nodiscard]] std::string path() const override;
  [[nodiscard]] std::expected<std::string, std::string> read() override;
  [[nodiscard]] std::expected<void, std::string> write(std::string_view content) override;

 private:
  const Config& config_;
};

}  // namespace server
