#include "commands/acl_unserved_commands.hpp"

#include <array>

namespace commands::acl {
namespace {

constexpr auto table = std::to_array<UnservedCommand>({
    {"bitcount", "read bitmap slow"},
    {"bitfield", "write bitmap slow"},
    {"bitfield_ro", "read bitmap fast"},
    {"bitop", "write bitmap slow"},
    {"bitpos", "read bitmap slow"},
    {"geoadd", "write geo slow"},
    {"geodist", "read geo slow"},
    {"geohash", "read geo slow"},
    {"geopos", "read geo slow"},
    {"georadius", "write geo slow"},
    {"georadius_ro", "read geo slow"},
    {"georadiusbymember", "write geo slow"},
    {"georadiusbymember_ro", "read geo slow"},
    {"geosearch", "read geo slow"},
    {"geosearchstore", "write geo slow"},
    {"getbit", "read bitmap fast"},
    {"migrate", "keyspace write slow dangerous"},
    {"pfadd", "write hyperloglog fast"},
    {"pfcount", "read hyperloglog slow"},
    {"pfdebug", "write hyperloglog admin slow dangerous"},
    {"pfmerge", "write hyperloglog slow"},
    {"pfselftest", "hyperloglog admin slow dangerous"},
    {"replconf", "admin slow dangerous"},
    {"restore-asking", "keyspace write slow dangerous"},
    {"setbit", "write bitmap slow"},
    {"xack", "write stream fast"},
    {"xadd", "write stream fast"},
    {"xautoclaim", "write stream fast"},
    {"xclaim", "write stream fast"},
    {"xdel", "write stream fast"},
    {"xgroup", "slow"},
    {"xgroup|create", "write stream slow"},
    {"xgroup|createconsumer", "write stream slow"},
    {"xgroup|delconsumer", "write stream slow"},
    {"xgroup|destroy", "write stream slow"},
    {"xgroup|help", "stream slow"},
    {"xgroup|setid", "write stream slow"},
    {"xinfo", "slow"},
    {"xinfo|consumers", "read stream slow"},
    {"xinfo|groups", "read stream slow"},
    {"xinfo|help", "stream slow"},
    {"xinfo|stream", "read stream slow"},
    {"xlen", "read stream fast"},
    {"xpending", "read stream slow"},
    {"xrange", "read stream slow"},
    {"xread", "read stream slow blocking"},
    {"xreadgroup", "write stream slow blocking"},
    {"xrevrange", "read stream slow"},
    {"xsetid", "write stream fast"},
    {"xtrim", "write stream slow"},
});

}  // namespace

std::span<const UnservedCommand> unserved_commands() {
  return table;
}

}  // namespace commands::acl
