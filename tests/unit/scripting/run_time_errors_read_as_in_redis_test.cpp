// Each reply is what redis-server 7.0.15 gave to the same script.
#include "script_bench.hpp"

#include <gtest/gtest.h>

namespace scripting_tests {
namespace {

struct Case {
  std::string_view script;
  std::string_view reply;
};

constexpr Case cases[] = {
    {"local t={} setmetatable(t,{__index=t}) return t.x",
     "-ERR user_script:1: loop in gettable script: 769848f9f3e41ce72c254fc94238e99b515eca08, on "
     "@user_script:1."},
    {"error(true)",
     "-ERR true script: 4fafe2149f68a1618a3eef40aeef55f5af6951da, on @user_script:1."},
    {"error('a\\0b')",
     "-ERR user_script:1: a script: 5f5ac4831d66dd38653b036c54cfd07d78762d8c, on @user_script:1."},
    {"return {ok='abc\\r\\ndef\\0g'}", "+abc  def"},
    {"error(\"foo\",0)",
     "-ERR foo script: cfe07b82eb391b881cf8d2f16d252da9fdda97b5, on @user_script:1."},
    {"error(\"foo\",2)",
     "-ERR foo script: 08cffb13fced1d7d8920a2f20981de45a6638a62, on @user_script:1."},
    {"return redis.error_reply(\"foo\")", "-ERR foo"},
    {"return redis.error_reply(\"-foo\")", "-ERR foo"},
    {"return redis.error_reply(\"foo\",\"bar\")", "-ERR wrong number or type of arguments"},
    {"return redis.error_reply(5)", "-ERR wrong number or type of arguments"},
    {"return redis.error_reply({})", "-ERR wrong number or type of arguments"},
    {"return redis.error_reply()", "-ERR wrong number or type of arguments"},
    {"return redis.status_reply(5)", "-ERR wrong number or type of arguments"},
    {"redis.setresp(4)",
     "-ERR RESP version must be 2 or 3. script: 68e72e4d8a428b9f599dce492315f2455a425a82, on "
     "@user_script:1."},
    {"redis.setresp()",
     "-ERR redis.setresp() requires one argument. script: "
     "42aacaf580759e59c97e8b1974d08a62f960014f, on @user_script:1."},
    {"redis.setresp(3,4)",
     "-ERR redis.setresp() requires one argument. script: "
     "a2a38a23cbf548ad45dd55f69b5ea385179e474c, on @user_script:1."},
    {"local f=nil return redis.pcall(\"get\")",
     "-ERR Wrong number of args calling Redis command from script"},
    {"local ok,e=pcall(redis.call,\"x\") return {tostring(ok),type(e),tostring(e)}",
     "*[$'false', $'string', $'ERR Unknown Redis command called from script']"},
    {"local ok,e=pcall(redis.call,\"get\") return {tostring(ok),type(e),tostring(e)}",
     "*[$'false', $'string', $'ERR Wrong number of args calling Redis command from script']"},
    {"local ok,e=pcall(redis.call) return {tostring(ok),type(e),tostring(e)}",
     "*[$'false', $'string', $'ERR Please specify at least one argument for this redis lib call']"},
    {"redis.call(\"set\",\"x\",\"1\") return redis.pcall(\"lpush\",\"x\",\"y\")",
     "-WRONGTYPE Operation against a key holding the wrong kind of value"},
    {"redis.call(\"set\",\"x\",\"1\") local e=redis.pcall(\"lpush\",\"x\",\"y\") error(e)",
     "-WRONGTYPE Operation against a key holding the wrong kind of value script: "
     "c32a549478176e1daa7a3811adb24db3fd40f230, on @user_script:1."},
    {"redis.call(\"set\",\"x\",\"1\") local e=redis.pcall(\"lpush\",\"x\",\"y\") error(e.err)",
     "-ERR user_script:1: WRONGTYPE Operation against a key holding the wrong kind of value "
     "script: 645968ddbe2ce1a2a55837e7258b3205df86cdaf, on @user_script:1."},
    {"local function f() return 1+nil end\nf()",
     "-ERR user_script:1: attempt to perform arithmetic on a nil value script: "
     "fce7d0d127261bdc65fed26ac61e9036db7aa823, on @user_script:1."},
    {"local function f()\n redis.call(\"get\") end\nf()",
     "-ERR Wrong number of args calling Redis command from script script: "
     "a8485fb91a1351472a6d0a2635d7bd7299b2cc28, on @user_script:2."},
    {"assert(false,\"hello\")",
     "-ERR user_script:1: hello script: c4f4883a23c79fae7bb88421de28837b849fd519, on "
     "@user_script:1."},
    {"assert(false)",
     "-ERR user_script:1: assertion failed! script: 2878c2ae3cafd05c022d4f19e4b521d97df409a2, on "
     "@user_script:1."},
    {"assert(nil,{err=\"x\"})",
     "-ERR user_script:1: bad argument #2 to 'assert' (string expected, got table) script: "
     "b3e5b7d31b50c7051fc4968d43bcb79c3245c2ef, on @user_script:1."},
    {"assert(redis.pcall(\"x\"))", "$-1"},
    {"local x = nil; x()",
     "-ERR user_script:1: attempt to call local 'x' (a nil value) script: "
     "08176a12c7441b3579927fa1ba7fd7b07aff46c9, on @user_script:1."},
    {"return tostring(nil)..nil",
     "-ERR user_script:1: attempt to concatenate a nil value script: "
     "dde77869d024b0a62ddc383bc379f14c4ebad312, on @user_script:1."},
    {"local t={} t.x.y=1",
     "-ERR user_script:1: attempt to index field 'x' (a nil value) script: "
     "e729d5df0845af3c152d4f65b3c5cb1246627f81, on @user_script:1."},
    {"local t={} t[nil]=1",
     "-ERR user_script:1: table index is nil script: 38da88515ddc492b292197f02e532c6220d978c6, on "
     "@user_script:1."},
    {"local t={} t[0/0]=1",
     "-ERR user_script:1: table index is NaN script: 5b6541202c9cd17a1be6a05035aeedbfc5bcccb4, on "
     "@user_script:1."},
    {"return #5",
     "-ERR user_script:1: attempt to get length of a number value script: "
     "ffe83ca6101f6ad505d8608927f3d3b8a836e154, on @user_script:1."},
    {"return {}<{}",
     "-ERR user_script:1: attempt to compare two table values script: "
     "b231389a47fd694af34e45da7210550077bfba64, on @user_script:1."},
    {"return 1<\"2\"",
     "-ERR user_script:1: attempt to compare number with string script: "
     "6dc9ddaf98b217bb6cca3b7f2e6a08c6e7974c2f, on @user_script:1."},
    {"return \"a\"<1",
     "-ERR user_script:1: attempt to compare string with number script: "
     "2004998fd5d4e0d38599280eae6376299f7748f3, on @user_script:1."},
    {"return -{}",
     "-ERR user_script:1: attempt to perform arithmetic on a table value script: "
     "95c805f07fef0f190a24e3197cab48b4e80c185b, on @user_script:1."},
    {"return {}..{}",
     "-ERR user_script:1: attempt to concatenate a table value script: "
     "a0e52be9aed5fcbfafba0591512b794cf8c9c9d6, on @user_script:1."},
    {"local a=\"x\" return a+1",
     "-ERR user_script:1: attempt to perform arithmetic on local 'a' (a string value) script: "
     "30cee4a131f57753ae61bfa1ed9bfd011914adfa, on @user_script:1."},
    {"local a,b={},{} return a..b",
     "-ERR user_script:1: attempt to concatenate local 'a' (a table value) script: "
     "e1080f0b11626d11dab26088c9721e4e01cde099, on @user_script:1."},
    {"local a={} return a.b.c.d",
     "-ERR user_script:1: attempt to index field 'b' (a nil value) script: "
     "20a649505be24db40c2af8b4455647e23b9d0ce6, on @user_script:1."},
    {"local a={} return a:foo()",
     "-ERR user_script:1: attempt to call method 'foo' (a nil value) script: "
     "93d547a050f6e4e1c022d811abd08ed60aeddf01, on @user_script:1."},
    {"string.rep()",
     "-ERR user_script:1: bad argument #1 to 'rep' (string expected, got no value) script: "
     "2ec92a5bc2be10279b788c84861101755037b120, on @user_script:1."},
    {"(\"x\"):rep({})",
     "-ERR user_script:1: bad argument #1 to 'rep' (number expected, got table) script: "
     "cc220349cff8f32138175aa0bba96c3f5939791a, on @user_script:1."},
    {"(\"x\"):bad()",
     "-ERR user_script:1: attempt to call method 'bad' (a nil value) script: "
     "8a19063566d8b96c4b3e4b4ee2bc0994be9c3af7, on @user_script:1."},
    {"local s=\"x\" s.y.z=1",
     "-ERR user_script:1: attempt to index field 'y' (a nil value) script: "
     "ce7fe45b762c8d1ed26dd97cdb0175f50fbed164, on @user_script:1."},
    {"return math.floor(\"a\")",
     "-ERR user_script:1: bad argument #1 to 'floor' (number expected, got string) script: "
     "5546d3f3cf571a03821f90b4d68f961bad32adaf, on @user_script:1."},
    {"return redis.sha1hex()",
     "-ERR wrong number of arguments script: 3c7ce947ae74a835cc575b6ee87fb27503cb7ba4, on "
     "@user_script:1."},
    {"return redis.sha1hex(1,2)",
     "-ERR wrong number of arguments script: 52b52c154ad664c278ff80060d09fe36369770cd, on "
     "@user_script:1."},
    {"redis.set_repl()",
     "-ERR redis.set_repl() requires two arguments. script: "
     "e39b47fd8e0d5dc1c7155bbafcefaf48cf163f82, on @user_script:1."},
    {"redis.set_repl(99)",
     "-ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE. script: "
     "d771ce5945d8966ba7b2527e297070ef439fb0b8, on @user_script:1."},
    {"return __redis__err__handler(\"x\")", "-ERR x"},
    {"return {pcall(error)}", "*[$-1]"},
    {"return {pcall(error,nil)}", "*[$-1]"},
    {"return {pcall(error,{err=\"x\"})}", "*[$-1, $'x']"},
    {"local ok,e=xpcall(function() return 1+{} end, function(m) return \"H:\"..m end) return e",
     "$'H:user_script:1: attempt to perform arithmetic on a table value'"},
    {"local ok,e=xpcall(function() error({1}) end, function(m) return m[1] end) return e", ":1"},
    {"return {xpcall(function(...) return ... end, function() end, 5)}", "*[:1]"},
    {"return tostring(coroutine.wrap(function() error(\"x\") end)())",
     "-ERR user_script:1: user_script:1: x script: c669727b6c11dd5839f750aebd1e9f133b73f54a, on "
     "@user_script:1."},
    {"return tostring(print)",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'print' script: "
     "50e61e85eba593e1799109dab972c83f9ff690fc, on @user_script:1."},
    {"return {load(\"return 1\")}",
     "-ERR user_script:1: bad argument #1 to 'load' (function expected, got string) script: "
     "889c3a606a73a725ccd2878e43ae451ff0940158, on @user_script:1."},
    {"return loadstring(\"return x\")()",
     "-ERR [string \"return x\"]:1: Script attempted to access nonexistent global variable 'x' "
     "script: bf8589f0df8e6b47cb7e4bef04ccf4868ba9d60c, on return x:1."},
    {"return loadstring(\"x=1\")()",
     "-ERR [string \"x=1\"]:1: Attempt to modify a readonly table script: "
     "5249378bd70e46e8a86a79f36149f4f0a5eff072, on x=1:1."},
    {"loadstring(\"error('a')\")()",
     "-ERR [string \"error('a')\"]:1: a script: 296b8ed02289aa75ebf7a39b3bc26a26e411f7f3, on "
     "error('a'):1."},
    {"loadstring(\"error('a')\",\"=my\")()",
     "-ERR my:1: a script: f0aa062893cda40297ceb426e36f5d38e730b1ad, on =my:1."},
    {"loadstring(\"redis.call('x')\",\"=my\")()",
     "-ERR Unknown Redis command called from script script: "
     "3298bd55ce12a975ade0f765e58d437166fd3117, on =my:1."},
    {"return string.format(\"%d\", \"x\")",
     "-ERR user_script:1: bad argument #2 to 'format' (number expected, got string) script: "
     "2714514976d29de62ff2f6b753dbd72dd21b38d9, on @user_script:1."},
    {"return string.format(\"%s\")",
     "-ERR user_script:1: bad argument #2 to 'format' (no value) script: "
     "cab9f0303dcbab16f22c4f6409a92a977efbbecd, on @user_script:1."},
    {"return string.format(\"%y\", 1)",
     "-ERR user_script:1: invalid option '%y' to 'format' script: "
     "8210e1bbccb02fa85504b115095fbb7ded36ff79, on @user_script:1."},
    {"return string.format(\"%\", 1)",
     "-ERR user_script:1: invalid option '%' to 'format' script: "
     "333056cf6de4a658b51c5a9ac982e420e7ef3f08, on @user_script:1."},
    {"return string.format(\"%s\", nil)",
     "-ERR user_script:1: bad argument #2 to 'format' (string expected, got nil) script: "
     "ab3ddf5d80c7046c5b873cc4db5e35a3b411d28d, on @user_script:1."},
    {"return string.format(\"%s\", {}):sub(1,6)",
     "-ERR user_script:1: bad argument #2 to 'format' (string expected, got table) script: "
     "471a647a7f05a2870ad69a3863e27318164e71aa, on @user_script:1."},
    {"return string.format(\"%123d\", 1)",
     "-ERR user_script:1: invalid format (width or precision too long) script: "
     "28f27899bc35b46e1ab4a48aabd1cfb0441e2613, on @user_script:1."},
    {"return string.format(\"%.123f\", 1)",
     "-ERR user_script:1: invalid format (width or precision too long) script: "
     "23a41d132a54a18ffaafc01274e9b8f4d72edd80, on @user_script:1."},
    {"return string.format(\"%5%\")",
     "-ERR user_script:1: bad argument #2 to 'format' (no value) script: "
     "6e3d9327fa4482e926404f93968eddbbe05ed631, on @user_script:1."},
    {"return string.format(\"%a\", 1)",
     "-ERR user_script:1: invalid option '%a' to 'format' script: "
     "d5308f75e5d609fada2fc57a76ae136f59606893, on @user_script:1."},
    {"return string.format(\"%p\", 1)",
     "-ERR user_script:1: invalid option '%p' to 'format' script: "
     "7189efe6ea8d25e6c3781fc2e6e359cbf3dae073, on @user_script:1."},
    {"return string.format(\"%-+ #0-5d\", 1)",
     "-ERR user_script:1: invalid format (repeated flags) script: "
     "845854074c4b2f23619e2718b3827ccd75d00541, on @user_script:1."},
    {"return string.format(\"%s %s\", 1, true)",
     "-ERR user_script:1: bad argument #3 to 'format' (string expected, got boolean) script: "
     "9de5187c5553a5a3c7bef4c628b958412091b698, on @user_script:1."},
    {"return math.max()",
     "-ERR user_script:1: bad argument #1 to 'max' (number expected, got no value) script: "
     "ea184ab21d1cc115e2cbb27490136c9d0e484013, on @user_script:1."},
    {"return math.max(\"a\")",
     "-ERR user_script:1: bad argument #1 to 'max' (number expected, got string) script: "
     "e8b4691c968654402578d3330d31852c409fc599, on @user_script:1."},
    {"return table.concat({1,{},3})",
     "-ERR user_script:1: invalid value (table) at index 2 in table for 'concat' script: "
     "eb0534684e031e702003122cf0f200157f632621, on @user_script:1."},
    {"return table.concat({1,2,3},\",\",2,5)",
     "-ERR user_script:1: invalid value (nil) at index 4 in table for 'concat' script: "
     "407f77c5fceab004041240a9451565c16d31db0c, on @user_script:1."},
    {"table.setn({},1)",
     "-ERR user_script:1: 'setn' is obsolete script: 8adcf59c3dc4222e8603cffc27584cb1e4d57ae4, on "
     "@user_script:1."},
    {"table.insert({},1,2,3)",
     "-ERR user_script:1: wrong number of arguments to 'insert' script: "
     "034634df7933fa68a6108b8bebecc7b3a25f531a, on @user_script:1."},
    {"table.insert({})",
     "-ERR user_script:1: wrong number of arguments to 'insert' script: "
     "2ae31ceb4ea10295af75ccfec65e505c277f0840, on @user_script:1."},
    {"table.insert(nil,1)",
     "-ERR user_script:1: bad argument #1 to 'insert' (table expected, got nil) script: "
     "b26c4dee8ebe0f90d3f7ee997042bb410d0cf80b, on @user_script:1."},
    {"table.insert({1},\"x\",1)",
     "-ERR user_script:1: bad argument #2 to 'insert' (number expected, got string) script: "
     "1deef95099128c0f3976d00aed3536e4ec84151d, on @user_script:1."},
    {"local t={3,1,\"x\"} table.sort(t) return t",
     "-ERR attempt to compare string with number script: 375cc65e56a445387299bb4966a30c47e8831c29, "
     "on @user_script:1."},
    {"local t={3,1,2} table.sort(t,5)",
     "-ERR user_script:1: bad argument #2 to 'sort' (function expected, got number) script: "
     "becfdb52ee0ce881a93b72a5c353455a9dada359, on @user_script:1."},
    {"local t={3,nil,2} table.sort(t) return t",
     "-ERR attempt to compare nil with number script: c72a4c14fed16c14a203446ebdb3008b0166cb5d, on "
     "@user_script:1."},
    {"return select(0,1)",
     "-ERR user_script:1: bad argument #1 to 'select' (index out of range) script: "
     "3f2c6b425e89bab7f5f06e2c3db1b9faea0cdb2a, on @user_script:1."},
    {"return select(-5,1)",
     "-ERR user_script:1: bad argument #1 to 'select' (index out of range) script: "
     "b0c398c6578ece23b222e1600804f6edc4ce5a23, on @user_script:1."},
    {"tonumber()",
     "-ERR user_script:1: bad argument #1 to 'tonumber' (value expected) script: "
     "a5b582d5f4321bbc7606967d5525c7421e77a5ae, on @user_script:1."},
    {"tonumber(\"1\",1)",
     "-ERR user_script:1: bad argument #2 to 'tonumber' (base out of range) script: "
     "d7d1240f37d9aacaf073b1a844941db4b9b830f2, on @user_script:1."},
    {"tonumber(\"1\",37)",
     "-ERR user_script:1: bad argument #2 to 'tonumber' (base out of range) script: "
     "938391152d2ad0a968bdc3d3ff252d69f8d592f9, on @user_script:1."},
    {"tostring()",
     "-ERR user_script:1: bad argument #1 to 'tostring' (value expected) script: "
     "67335d97891434d9b2fc13c58d72fc58ea4a3509, on @user_script:1."},
    {"return type()",
     "-ERR user_script:1: bad argument #1 to 'type' (value expected) script: "
     "49749cbfc8696dfdf0abcd40bf0d1d0a6ea3ea0d, on @user_script:1."},
    {"unpack({},1,1e8)",
     "-ERR user_script:1: too many results to unpack script: "
     "aa82c0791928d2152f0ebfc7dd72aac9fed375f3, on @user_script:1."},
    {"unpack()",
     "-ERR user_script:1: bad argument #1 to 'unpack' (table expected, got no value) script: "
     "6c5f10b5021d4ccc2b8b43a8e3eee9d2c8a7cfdf, on @user_script:1."},
    {"unpack(\"x\")",
     "-ERR user_script:1: bad argument #1 to 'unpack' (table expected, got string) script: "
     "4e37e45bda0f9ef08c88b8d4ca7b2ac329156c7c, on @user_script:1."},
    {"rawequal(1)",
     "-ERR user_script:1: bad argument #2 to 'rawequal' (value expected) script: "
     "a7a23432457b57e51e282f89cfc57fd3708adebb, on @user_script:1."},
    {"rawget(1,1)",
     "-ERR user_script:1: bad argument #1 to 'rawget' (table expected, got number) script: "
     "f3ce073c9b1cd19ce0ddecd53223eb393c6323ea, on @user_script:1."},
    {"rawset({},nil,1)",
     "-ERR table index is nil script: 776444a7f93de67cf947227f43de079b5ae44167, on "
     "@user_script:1."},
    {"rawset(1)",
     "-ERR user_script:1: bad argument #1 to 'rawset' (table expected, got number) script: "
     "e3cf4d5874e78bde8166752086d4fc8e44f69993, on @user_script:1."},
    {"setmetatable(1,{})",
     "-ERR user_script:1: bad argument #1 to 'setmetatable' (table expected, got number) script: "
     "8df16be4e748cd3e7657b800bebb4031a8782fbe, on @user_script:1."},
    {"setmetatable({})",
     "-ERR user_script:1: bad argument #2 to 'setmetatable' (nil or table expected) script: "
     "114a29f25338df5f4d36b23ce4b6ad13d9e55631, on @user_script:1."},
    {"setmetatable({},1)",
     "-ERR user_script:1: bad argument #2 to 'setmetatable' (nil or table expected) script: "
     "6b776f7e2f56f8e59dc1086ffc62a0fe2c6f0ffa, on @user_script:1."},
    {"setmetatable(setmetatable({},{__metatable=\"x\"}),{})",
     "-ERR user_script:1: cannot change a protected metatable script: "
     "7d52de172a0e0d2137bc0e4114d7fc22aae7734e, on @user_script:1."},
    {"next({},1)",
     "-ERR invalid key to 'next' script: b4d2424b77c1513ab3143200685ba3ba7817eac3, on "
     "@user_script:1."},
    {"next(1)",
     "-ERR user_script:1: bad argument #1 to 'next' (table expected, got number) script: "
     "0a81fc7ca12d7ba8e2ead1e5866e915d3057e812, on @user_script:1."},
    {"next({},\"zz\")",
     "-ERR invalid key to 'next' script: 62dac2bba66e38e49e43a3391900d984c7194f8b, on "
     "@user_script:1."},
    {"pairs()",
     "-ERR user_script:1: bad argument #1 to 'pairs' (table expected, got no value) script: "
     "b9b4cc59dc3aeca62636a97763e2b62a1e1f5ac3, on @user_script:1."},
    {"ipairs()",
     "-ERR user_script:1: bad argument #1 to 'ipairs' (table expected, got no value) script: "
     "7f6ad977f87ec66b3c78d79c080664dfe651a035, on @user_script:1."},
    {"ipairs(\"x\")",
     "-ERR user_script:1: bad argument #1 to 'ipairs' (table expected, got string) script: "
     "659b858c6dca8daeb7969f495d31f40970bf6e9e, on @user_script:1."},
    {"return pcall()", "$-1"},
    {"return {pcall(5)}", "*[$-1, $'attempt to call a number value']"},
    {"return xpcall()",
     "-ERR user_script:1: bad argument #2 to 'xpcall' (value expected) script: "
     "4ffa146be44b8351d7fd53b4efd48d195c6cb734, on @user_script:1."},
    {"xpcall(error)",
     "-ERR user_script:1: bad argument #2 to 'xpcall' (value expected) script: "
     "da4daeb8a51f0e0e2a35bc965a14a14366df8974, on @user_script:1."},
    {"return {xpcall(5,function(m) return m end)}", "*[$-1, $'attempt to call a number value']"},
    {"assert()",
     "-ERR user_script:1: bad argument #1 to 'assert' (value expected) script: "
     "63ae10d79f4a0c4781e4e9b2dacd5c9896a57556, on @user_script:1."},
    {"local ok,e=pcall(error,{foo=1}) return {type(e),tostring(e.foo)}", "*[$'table', $'1']"},
    {"local ok,e=pcall(error,{err=\"x\",foo=1}) return {type(e),tostring(e)}",
     "*[$'string', $'x']"},
    {"local ok,e=pcall(error,{err=5}) return {type(e),tostring(e)}", "*[$'number', $'5']"},
    {"local ok,e=pcall(error,5) return {type(e),tostring(e)}", "*[$'string', $'5']"},
    {"local ok,e=xpcall(function() redis.call(\"x\") end,function(e) return e end) return type(e)",
     "$'table'"},
    {"coroutine.wrap(function() redis.call(\"x\") end)()",
     "-ERR Unknown Redis command called from script script: "
     "91633574078c64165f9cddeebde7361363795fc1, on @user_script:1."},
    {"error(redis.pcall(\"x\"))",
     "-ERR Unknown Redis command called from script script: "
     "9f425c848da6187b4aa3f98d4d2c9d713a538abd, on @user_script:1."},
    {"return redis.error_reply(\"\")", "-ERR "},
    {"return redis.error_reply(\"-\")", "-ERR "},
    {"return {coroutine.resume(coroutine.create(function() return pcall(coroutine.yield,1) end))}",
     "*[:1, $-1, $'attempt to yield across metamethod/C-call boundary']"},
    {"return {pcall(coroutine.yield,1)}",
     "*[$-1, $'attempt to yield across metamethod/C-call boundary']"},
    {"coroutine.yield(1)",
     "-ERR attempt to yield across metamethod/C-call boundary script: "
     "72ff8263a9a7024a2bb6d14fdef2014006cc8c9f, on @user_script:1."},
    {"return {pcall(pcall)}", "*[:1, $-1, $'attempt to call a boolean value']"},
    {"return {pcall(pcall,error,\"x\")}", "*[:1, $-1, $'x']"},
    {"return {xpcall(function() error() end,error)}", "*[$-1, $'error in error handling']"},
    {"local mt={__le=function() return true end} local a,b=setmetatable({},mt),setmetatable({},mt) "
     "return {a<=b,pcall(function() return a<b end)}",
     "*[:1, $-1, $'user_script:1: attempt to compare two table values']"},
    {"return {pcall(function() for i=\"a\",2 do end end)}",
     "*[$-1, $'user_script:1: 'for' initial value must be a number']"},
    {"return {pcall(function() for i=1,\"a\" do end end)}",
     "*[$-1, $'user_script:1: 'for' limit must be a number']"},
    {"return {pcall(function() for i=1,2,{} do end end)}",
     "*[$-1, $'user_script:1: 'for' step must be a number']"},
    {"local a=\"x\" return {pcall(function() return a+1 end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on upvalue 'a' (a string value)']"},
    {"local t={} return {pcall(function() return t.x+1 end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on field 'x' (a nil value)']"},
    {"local t={} return {pcall(function() return 1+t.x.y end)}",
     "*[$-1, $'user_script:1: attempt to index field 'x' (a nil value)']"},
    {"local t={} return {pcall(function() return t[1]+1 end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on field '\?' (a nil value)']"},
    {"local t={} return {pcall(function() return t[1].x end)}",
     "*[$-1, $'user_script:1: attempt to index field '\?' (a nil value)']"},
    {"local t={} return {pcall(function() t[1][2]=5 end)}",
     "*[$-1, $'user_script:1: attempt to index field '\?' (a nil value)']"},
    {"local t={} return {pcall(function() t.a.b.c=5 end)}",
     "*[$-1, $'user_script:1: attempt to index field 'a' (a nil value)']"},
    {"local t={} return {pcall(function() return t.x..'a' end)}",
     "*[$-1, $'user_script:1: attempt to concatenate field 'x' (a nil value)']"},
    {"local t={} return {pcall(function() return 'a'..t.x..'b' end)}",
     "*[$-1, $'user_script:1: attempt to concatenate field 'x' (a nil value)']"},
    {"local t,u={} return {pcall(function() return 'a'..u..t.x end)}",
     "*[$-1, $'user_script:1: attempt to concatenate upvalue 'u' (a nil value)']"},
    {"local t={} return {pcall(function() return t.x() end)}",
     "*[$-1, $'user_script:1: attempt to call field 'x' (a nil value)']"},
    {"local t={} return {pcall(function() return t.x.y() end)}",
     "*[$-1, $'user_script:1: attempt to index field 'x' (a nil value)']"},
    {"local t={} return {pcall(function() return t[1]() end)}",
     "*[$-1, $'user_script:1: attempt to call field '\?' (a nil value)']"},
    {"local t={} return {pcall(function() local a=1 return a() end)}",
     "*[$-1, $'user_script:1: attempt to call local 'a' (a number value)']"},
    {"return {pcall(function() return (\"x\")() end)}",
     "*[$-1, $'user_script:1: attempt to call a string value']"},
    {"return {pcall(function() return #nil end)}",
     "*[$-1, $'user_script:1: attempt to get length of a nil value']"},
    {"return {pcall(function() local x return #x end)}",
     "*[$-1, $'user_script:1: attempt to get length of local 'x' (a nil value)']"},
    {"return {pcall(function() return -{} end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on a table value']"},
    {"return {pcall(function() return {}+1 end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on a table value']"},
    {"return {pcall(function() return nil..'x' end)}",
     "*[$-1, $'user_script:1: attempt to concatenate a nil value']"},
    {"return {pcall(function() return 2^{} end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on a table value']"},
    {"return {pcall(function() return nil>1 end)}",
     "*[$-1, $'user_script:1: attempt to compare number with nil']"},
    {"return {pcall(function() return {}>1 end)}",
     "*[$-1, $'user_script:1: attempt to compare number with table']"},
    {"return {pcall(function() return redis.foo() end)}",
     "*[$-1, $'user_script:1: attempt to call field 'foo' (a nil value)']"},
    {"return {pcall(function() return KEYS.x.y end)}",
     "*[$-1, $'user_script:1: attempt to index field 'x' (a nil value)']"},
    {"return {pcall(function() return KEYS() end)}",
     "*[$-1, $'user_script:1: attempt to call global 'KEYS' (a table value)']"},
    {"return {pcall(function() return redis() end)}",
     "*[$-1, $'user_script:1: attempt to call global 'redis' (a table value)']"},
    {"return {pcall(function() return string.foo.bar end)}",
     "*[$-1, $'user_script:1: attempt to index field 'foo' (a nil value)']"},
    {"return {pcall(function() return (\"x\").y.z end)}",
     "*[$-1, $'user_script:1: attempt to index field 'y' (a nil value)']"},
    {"return {pcall(string.rep)}",
     "*[$-1, $'bad argument #1 to '\?' (string expected, got no value)']"},
    {"return {pcall((\"x\").rep,\"x\",-1)}", "*[:1, $'']"},
    {"return {pcall(function() local f=string.rep f() end)}",
     "*[$-1, $'user_script:1: bad argument #1 to 'f' (string expected, got no value)']"},
    {"return {pcall(function() (\"x\"):rep() end)}",
     "*[$-1, $'user_script:1: bad argument #1 to 'rep' (number expected, got no value)']"},
    {"return {pcall(function() string.rep({},1) end)}",
     "*[$-1, $'user_script:1: bad argument #1 to 'rep' (string expected, got table)']"},
    {"return {pcall(function() local s=\"x\" s.rep({},1) end)}",
     "*[$-1, $'user_script:1: bad argument #1 to 'rep' (string expected, got table)']"},
    {"return {pcall(function() local s=\"x\" return s:rep({}) end)}",
     "*[$-1, $'user_script:1: bad argument #1 to 'rep' (number expected, got table)']"},
    {"return arg",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'arg' script: "
     "0b8e5b4bc814c3a46de16e9eb2d7c40ba532a9f9, on @user_script:1."},
    {"return _ENV",
     "-ERR user_script:1: Script attempted to access nonexistent global variable '_ENV' script: "
     "a7645a0005288196cd111b706ea105523e19061d, on @user_script:1."},
    {"local L51_x=5 return L51_x+L51_y",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'L51_y' script: "
     "6b13c920e5c9f24f8b88e620ba01f2ae9a768d68, on @user_script:1."},
    {"for k in nil do end",
     "-ERR user_script:1: attempt to call a nil value script: "
     "4f893b9b6b59c52234359164326c32835ae0d1a6, on @user_script:1."},
    {"for k in 5 do end",
     "-ERR user_script:1: attempt to call a number value script: "
     "3f890e8a179481a04056837a12f1c1fe60091323, on @user_script:1."},
    {"for k in next,5 do end",
     "-ERR user_script:1: bad argument #1 to '(for generator)' (table expected, got number) "
     "script: 469432b971c9d9518a0ed38e5647e4e7543ba802, on @user_script:1."},
    {"for k,v in pairs({1}),nil,nil,5 do return v end",
     "-ERR user_script:1: bad argument #1 to '(for generator)' (table expected, got nil) script: "
     "f5e6d92afec0c9dbcad463ca172eb289c014d0d8, on @user_script:1."},
    {"return {pcall(coroutine.create,print or 5)}",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'print' script: "
     "0f1d55dc0ea62f1fb9c8f2ae7da9023c2693da84, on @user_script:1."},
    {"return {pcall(coroutine.create,5)}",
     "*[$-1, $'bad argument #1 to '\?' (Lua function expected)']"},
    {"return {pcall(coroutine.create,tostring)}",
     "*[$-1, $'bad argument #1 to '\?' (Lua function expected)']"},
    {"return {pcall(coroutine.wrap)}",
     "*[$-1, $'bad argument #1 to '\?' (Lua function expected)']"},
    {"return {pcall(coroutine.resume,5)}",
     "*[$-1, $'bad argument #1 to '\?' (coroutine expected)']"},
    {"return {pcall(coroutine.status,5)}",
     "*[$-1, $'bad argument #1 to '\?' (coroutine expected)']"},
    {"local co=coroutine.wrap(function() return 1 end) co() co()",
     "-ERR user_script:1: cannot resume dead coroutine script: "
     "cf8d1a1eb2dca08c6bd4fc7634eace9ae20d33e5, on @user_script:1."},
    {"return {pcall(string.find,\"a\",\"[a\")}", "*[$-1, $'malformed pattern (missing ']')']"},
    {"return {pcall(string.find,\"a\",\"%\")}", "*[$-1, $'malformed pattern (ends with '%')']"},
    {"return {pcall(string.find,\"a\",\"(a\")}", "*[$-1, $'unfinished capture']"},
    {"return {pcall(string.find,\"a\",\"a)\")}", "*[:1]"},
    {"return {pcall(string.find,\"a\",\"%1\")}", "*[$-1, $'invalid capture index']"},
    {"return {pcall(string.find,\"a\",\"%f\")}", "*[$-1, $'missing '[' after '%f' in pattern']"},
    {"return {pcall(string.find,\"a\",\"%b\")}", "*[$-1, $'unbalanced pattern']"},
    {"return {pcall(string.find,\"a\",\"%bx\")}", "*[$-1, $'unbalanced pattern']"},
    {"return {pcall(string.gsub,\"a\",\"a\",\"%2\")}", "*[$-1, $'invalid capture index']"},
    {"return {pcall(string.gsub,\"a\",\"a\",\"%\")}", "*[:1, $'\\x00', :1]"},
    {"return {pcall(string.gsub,\"a\",\"a\",\"%x\")}", "*[:1, $'x', :1]"},
    {"return {pcall(string.gsub,\"a\",\"a\",nil)}",
     "*[$-1, $'bad argument #3 to '\?' (string/function/table expected)']"},
    {"return {pcall(string.gsub,\"a\",\"a\",function() return {} end)}",
     "*[$-1, $'invalid replacement value (a table)']"},
    {"return "
     "{string.byte(\"abc\",-1),string.byte(\"abc\",10),string.byte(\"abc\",0),string.byte(\"\"),"
     "string.char(),pcall(string.char,256),string.sub(\"abc\",0),string.sub(\"abc\",2,1),string."
     "sub(\"abc\",-100,100),string.sub(\"abc\",2,-2),string.rep(\"a\",0),string.rep(\"a\",-1),"
     "string.rep(\"ab\",2.9)}",
     "*[:99]"},
    {"return {pcall(function() return (\"x\")+1 end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on a string value']"},
    {"return {pcall(function() local t=string; t.rep() end)}",
     "*[$-1, $'user_script:1: bad argument #1 to 'rep' (string expected, got no value)']"},
    {"return {pcall(function() return math.floor({}) end)}",
     "*[$-1, $'user_script:1: bad argument #1 to 'floor' (number expected, got table)']"},
    {"return {pcall(function() return tonumber() end)}",
     "*[$-1, $'user_script:1: bad argument #1 to 'tonumber' (value expected)']"},
    {"return {pcall(setmetatable,{},{},1)}", "*[:1, *[]]"},
    {"return {pcall(function() error({code=5}) end)}", "*[$-1, *[]]"},
    {"return {pcall(function() error(\"a\",1) end)}", "*[$-1, $'user_script:1: a']"},
    {"return {pcall(function() error(\"a\",2) end)}", "*[$-1, $'a']"},
    {"local function f() error(\"lvl2\",2) end\nlocal function g()\n f()\nend\nreturn {pcall(g)}",
     "*[$-1, $'user_script:3: lvl2']"},
    {"return {xpcall(function() return 1,2 end,function() end)}", "*[:1, :1, :2]"},
    {"return {xpcall(function() error(\"x\") end,function(m) return m..\"!\" end)}",
     "*[$-1, $'user_script:1: x!']"},
    {"return {select('#',pcall(error,nil))}", "*[:2]"},
    {"return {pcall(function() return 1 < {} end)}",
     "*[$-1, $'user_script:1: attempt to compare number with table']"},
    {"return {pcall(function() return {} < {} end)}",
     "*[$-1, $'user_script:1: attempt to compare two table values']"},
    {"return {pcall(function() return nil < 1 end)}",
     "*[$-1, $'user_script:1: attempt to compare nil with number']"},
    {"return {pcall(function() return \"a\" < 1 end)}",
     "*[$-1, $'user_script:1: attempt to compare string with number']"},
    {"return {pcall(function() return print < print end)}",
     "*[$-1, $'user_script:1: Script attempted to access nonexistent global variable 'print'']"},
    {"return {pcall(function() local t={} t[nil]=1 end)}",
     "*[$-1, $'user_script:1: table index is nil']"},
    {"return {pcall(function() local t={} return t[nil] end)}", "*[:1]"},
    {"return {pcall(function() local a; a.b=1 end)}",
     "*[$-1, $'user_script:1: attempt to index local 'a' (a nil value)']"},
    {"return {pcall(function() local a={} ; a.b.c=1 end)}",
     "*[$-1, $'user_script:1: attempt to index field 'b' (a nil value)']"},
    {"return {pcall(function() local a={} ; a.b.c.d=1 end)}",
     "*[$-1, $'user_script:1: attempt to index field 'b' (a nil value)']"},
    {"return {pcall(function() local a=\"x\" ; a.b=1 end)}",
     "*[$-1, $'user_script:1: attempt to index local 'a' (a string value)']"},
    {"return {pcall(function() local a=5 ; a.b=1 end)}",
     "*[$-1, $'user_script:1: attempt to index local 'a' (a number value)']"},
    {"return {pcall(function() local a=5 ; return a.b end)}",
     "*[$-1, $'user_script:1: attempt to index local 'a' (a number value)']"},
    {"return {pcall(function() local a=5 ; return a:b() end)}",
     "*[$-1, $'user_script:1: attempt to index local 'a' (a number value)']"},
    {"return {pcall(function() local a=5 ; return a[1] end)}",
     "*[$-1, $'user_script:1: attempt to index local 'a' (a number value)']"},
    {"return {pcall(function() local a=nil ; return #a end)}",
     "*[$-1, $'user_script:1: attempt to get length of local 'a' (a nil value)']"},
    {"return {pcall(function() local a=nil ; return -a end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on local 'a' (a nil value)']"},
    {"return {pcall(function() local a=nil ; return a..\"x\" end)}",
     "*[$-1, $'user_script:1: attempt to concatenate local 'a' (a nil value)']"},
    {"return {pcall(function() local a=nil ; return \"x\"..a end)}",
     "*[$-1, $'user_script:1: attempt to concatenate local 'a' (a nil value)']"},
    {"return {pcall(function() local a={} ; return 1+a end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on local 'a' (a table value)']"},
    {"return {pcall(function() local a={} ; return a.x.y.z+1 end)}",
     "*[$-1, $'user_script:1: attempt to index field 'x' (a nil value)']"},
    {"return {pcall(function() local a={} ; return a.x+a.y end)}",
     "*[$-1, $'user_script:1: attempt to perform arithmetic on field 'x' (a nil value)']"},
    {"return {pcall(function() local a={} ; return a.f(1) end)}",
     "*[$-1, $'user_script:1: attempt to call field 'f' (a nil value)']"},
    {"return {pcall(function() local a={} ; return a:f(1) end)}",
     "*[$-1, $'user_script:1: attempt to call method 'f' (a nil value)']"},
    {"return {pcall(function() local a={} ; return a[1](1) end)}",
     "*[$-1, $'user_script:1: attempt to call field '\?' (a nil value)']"},
    {"return {pcall(function() return (nil)(1) end)}",
     "*[$-1, $'user_script:1: attempt to call a nil value']"},
    {"return {pcall(function() return (\"a\")(1) end)}",
     "*[$-1, $'user_script:1: attempt to call a string value']"},
    {"return {pcall(function() local f return f(1) end)}",
     "*[$-1, $'user_script:1: attempt to call local 'f' (a nil value)']"},
    {"local f return {pcall(function() return f(1) end)}",
     "*[$-1, $'user_script:1: attempt to call upvalue 'f' (a nil value)']"},
    {"local t={f={}} return {pcall(function() return t.f.g.h(1) end)}",
     "*[$-1, $'user_script:1: attempt to index field 'g' (a nil value)']"},
    {"return {pcall(function() return t.x end)}",
     "*[$-1, $'user_script:1: Script attempted to access nonexistent global variable 't'']"},
    {"return {pcall(function() x=1 end)}",
     "*[$-1, $'user_script:1: Attempt to modify a readonly table']"},
    {"return {pcall(function() string.len=1 end)}",
     "*[$-1, $'user_script:1: Attempt to modify a readonly table']"},
    {"return {pcall(function() _G.x=1 end)}",
     "*[$-1, $'user_script:1: Attempt to modify a readonly table']"},
    {"return {type(next(_G)),rawget(string,\"len\")==string.len,pcall(rawset,string,\"x\",1)}",
     "*[$'string', :1, $-1, $'Attempt to modify a readonly table']"},
    {"return {pcall(loadstring(\"local a = nil; return a.b\",\"=(x)\"))}",
     "*[$-1, $'(x):1: attempt to index local 'a' (a nil value)']"},
    {"return {pcall(loadstring(\"\\n\\nerror('z')\"))}", "*[$-1, $'[string \"...\"]:3: z']"},
    {"return {pcall(loadstring(\"local a='q' return a+1\"))}",
     "*[$-1, $'[string \"local a='q' return a+1\"]:1: attempt to perform arithmetic on local 'a' "
     "(a string value)']"},
    {"return {pcall(load,function() error(\"r\") end)}", "*[:1]"},
    {"return {redis.call(\"PING\"),redis.call(\"pInG\").ok,redis.pcall(\"nope\").err}",
     "*[+PONG, $'PONG', $'ERR Unknown Redis command called from script']"},
    {"goto=1",
     "-ERR user_script:1: Attempt to modify a readonly table script: "
     "1d707800eb702c8762be0aa256ae173632b4c4c5, on @user_script:1."},
    {"(f)()",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'f' script: "
     "dc30859360f45c5e4e876f07b88c7f3cccdd8408, on @user_script:1."},
    {"(a).b=1 return 1",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'a' script: "
     "fe3d74c95dcd44eeda06860b10ef15fbef63ccd2, on @user_script:1."},
    {"f() g()",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'f' script: "
     "b66c9c1b88525c0378a34b81715e393a16ccf681, on @user_script:1."},
    {"#!lua name=x\nreturn 1", "-ERR Unknown lua shebang option: name=x"},
    {"#!lua flags=foo\nreturn 1", "-ERR Unexpected flag in script shebang: foo"},
    {"#!lua foo=bar\nreturn 1", "-ERR Unknown lua shebang option: foo=bar"},
    {"#!lua foo\nreturn 1", "-ERR Unknown lua shebang option: foo"},
    {"#!foo\nreturn 1", "-ERR Unexpected engine in script shebang: #!foo"},
    {"#!lua", "-ERR Invalid script shebang"},
    {"#!", "-ERR Invalid script shebang"},
    {"#!lua\n\nreturn x",
     "-ERR user_script:3: Script attempted to access nonexistent global variable 'x' script: "
     "7c521c4c51e4c231cd844277c8da7c5de00bcf1c, on @user_script:3."},
    {"#!lua\011return 1", "-ERR Invalid script shebang"},
    {"#!LUA\nreturn 1", "-ERR Unexpected engine in script shebang: #!LUA"},
    {"#!lua name\nreturn 1", "-ERR Unknown lua shebang option: name"},
    {"#!lua flags=no-writes,\nreturn 1", "-ERR Unexpected flag in script shebang: "},
    {"#!lua flags=,no-writes\nreturn 1", "-ERR Unexpected flag in script shebang: "},
    {"#!lua engine=x\nreturn 1", "-ERR Unknown lua shebang option: engine=x"},
    {"#!lua \"x\nreturn 1", "-ERR Invalid engine in script shebang"},
    {"while true do if x then break end return 1 end",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'x' script: "
     "452541892e09b2c9f23fb80d073d516bdb51e7e8, on @user_script:1."},
    {"return f\n\"x\"",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'f' script: "
     "1cd1592b14c6ef5c1bf746c148b392fde137d0e4, on @user_script:1."},
    {"return a.b.c:d\"x\"",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'a' script: "
     "60647adb724f4d08e816d7fa83cd9480f2f920ba, on @user_script:1."},
};

TEST(RunTimeErrors, read_as_in_redis) {
  for (const Case& wanted : cases) {
    ScriptBench bench;
    EXPECT_EQ(bench.run(wanted.script), wanted.reply) << wanted.script;
  }
}

}  // namespace
}  // namespace scripting_tests
