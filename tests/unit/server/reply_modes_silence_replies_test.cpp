// As redis-server 7.0.15 answers the same requests.
#include "tests/unit/server/server_in_process.hpp"

namespace server {
namespace {

using ReplyModes = ServerInProcess;

TEST_F(ReplyModes, OffSilencesUntilOn) {
  Session& client = connect();
  EXPECT_EQ(say(client, "CLIENT REPLY OFF\r\nPING\r\nFOO\r\nCLIENT REPLY ON\r\nPING\r\n"),
            "+OK\r\n+PONG\r\n");
}

TEST_F(ReplyModes, SkipSilencesOne) {
  Session& client = connect();
  EXPECT_EQ(say(client, "CLIENT REPLY SKIP\r\nPING\r\nECHO a\r\n"), "$1\r\na\r\n");
  EXPECT_EQ(say(client, "CLIENT REPLY SKIP\r\nCLIENT REPLY SKIP\r\nPING\r\nECHO a\r\n"),
            "$1\r\na\r\n");
  EXPECT_EQ(say(client, "CLIENT REPLY SKIP\r\nfoo\r\nECHO a\r\n"), "$1\r\na\r\n");
}

TEST_F(ReplyModes, MessagesAreHeardAllTheSame) {
  Session& client = connect();
  say(client, "HELLO 3\r\nSUBSCRIBE c\r\n");
  EXPECT_EQ(say(client, "CLIENT REPLY OFF\r\nPUBLISH c m\r\n"),
            ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n");
}

}  // namespace
}  // namespace server
