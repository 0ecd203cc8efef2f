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
    {"return {tostring(redis.call):sub(1,9), tostring(cjson.null)}",
     "*[$'function:', $'userdata: (nil)']"},
    {"return {struct.pack(\"Bc0I\",3,\"abc\",7), struct.size(\"i4\"), "
     "struct.pack(\">I2\",\"258\"), struct.pack(\"<i3\",-2), struct.pack(\"s\",\"ab\"), "
     "struct.pack(\"d\",1.5), struct.pack(\"f\",1.5), "
     "struct.pack(\"h\",-1),struct.pack(\"H\",65535),struct.pack(\"l\",-1),struct.pack(\"T\",5),"
     "struct.pack(\"b\",-1),struct.pack(\"x\"),struct.pack(\"c3\",\"abcdef\"),struct.pack(\"!4Bi\","
     "1,2),struct.pack(\"!Bd\",1,2),struct.pack(\">!8bI8\",1,2)}",
     "*[$'\\x03abc\\x07\\x00\\x00\\x00', :4, $'\\x01\\x02', $'\\xfe\\xff\\xff', $'ab\\x00', "
     "$'\\x00\\x00\\x00\\x00\\x00\\x00\\xf8\?', $'\\x00\\x00\\xc0\?', $'\\xff\\xff', "
     "$'\\xff\\xff', $'\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff', "
     "$'\\x05\\x00\\x00\\x00\\x00\\x00\\x00\\x00', $'\\xff', $'\\x00', $'abc', "
     "$'\\x01\\x00\\x00\\x00\\x02\\x00\\x00\\x00', "
     "$'\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00@', "
     "$'\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02']"},
    {"return {struct.unpack(\"Bc0I\",struct.pack(\"Bc0I\",3,\"abc\",7))}", "*[$'abc', :7, :9]"},
    {"return {struct.unpack(\"s\",\"ab\\0cd\")}", "*[$'ab', :4]"},
    {"return {pcall(struct.unpack,\"s\",\"abcd\")}", "*[$-1, $'unfinished string in data']"},
    {"return {pcall(struct.unpack,\"I\",\"abc\")}",
     "*[$-1, $'bad argument #2 to '\?' (data string too short)']"},
    {"return {pcall(struct.unpack,\"c0\",\"abc\")}",
     "*[$-1, $'format 'c0' needs a previous size']"},
    {"return {pcall(struct.unpack,\"Bc0\",\"\\5abc\")}",
     "*[$-1, $'bad argument #2 to '\?' (data string too short)']"},
    {"return {pcall(struct.pack,\"Bc0I\",3,\"ab\",7)}", "*[:1, $'\\x03ab\\x07\\x00\\x00\\x00']"},
    {"return {pcall(struct.pack,\"c5\",\"ab\")}",
     "*[$-1, $'bad argument #3 to '\?' (string too short)']"},
    {"return {pcall(struct.pack,\"y\",3)}",
     "*[$-1, $'bad argument #1 to '\?' (invalid format option 'y')']"},
    {"return {pcall(struct.pack,\"I33\",3)}",
     "*[$-1, $'integral size 33 is larger than limit of 32']"},
    {"return {pcall(struct.pack,\"I9\",3)}",
     "*[:1, $'\\x03\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00']"},
    {"return {pcall(struct.pack,\"!3I\",3)}", "*[$-1, $'alignment 3 is not a power of 2']"},
    {"return {pcall(struct.pack,\"!64I\",3)}", "*[:1, $'\\x03\\x00\\x00\\x00']"},
    {"return {pcall(struct.pack,\"I\")}",
     "*[$-1, $'bad argument #2 to '\?' (number expected, got nil)']"},
    {"return {pcall(struct.pack,\"I\",\"x\")}",
     "*[$-1, $'bad argument #2 to '\?' (number expected, got string)']"},
    {"return {pcall(struct.size,\"s\")}",
     "*[$-1, $'bad argument #1 to '\?' (option 's' has no fixed size)']"},
    {"return {pcall(struct.size,\"c0\")}",
     "*[$-1, $'bad argument #1 to '\?' (option 'c0' has no fixed size)']"},
    {"return "
     "{struct.size(\"Bi\"),struct.size(\"!Bi\"),struct.size(\"!4Bi4\"),struct.size(\"c5\"),struct."
     "size(\"d f\"),struct.size(\"LlTnhH\")}",
     "*[:5, :8, :8, :5, :12, :28]"},
    {"return {pcall(struct.size,\"n\")}", "*[:1, :0]"},
    {"return {struct.unpack(\"I2I2\",\"\\1\\2\\3\\4\",2)}",
     "-ERR user_script:1: bad argument #2 to 'unpack' (data string too short) script: "
     "1980dfa02aeed35d8475d593ca24d6e5307b69a8, on @user_script:1."},
    {"return {pcall(struct.unpack,\"I2\",\"\\1\\2\",0)}",
     "*[$-1, $'bad argument #3 to '\?' (offset must be 1 or greater)']"},
    {"return {pcall(struct.unpack,\"I2\",\"\\1\\2\",-1)}",
     "*[$-1, $'bad argument #2 to '\?' (data string too short)']"},
    {"return {pcall(struct.unpack,\"I2\",\"\\1\\2\",9)}",
     "*[$-1, $'bad argument #2 to '\?' (data string too short)']"},
    {"return {pcall(struct.unpack,\"c3\",\"ab\")}",
     "*[$-1, $'bad argument #2 to '\?' (data string too short)']"},
    {"return {tostring(struct.unpack(\"i8\",struct.pack(\"i8\",-5))), "
     "tostring(struct.unpack(\"I8\",struct.pack(\"I8\",2^53))),tostring(struct.unpack(\"I8\","
     "string.rep(\"\\255\",8))),tostring(struct.unpack(\"i8\",string.rep(\"\\255\",8))),tostring("
     "struct.unpack(\"i3\",\"\\255\\255\\255\")),tostring(struct.unpack(\"f\",struct.pack(\"f\",0."
     "1)))}",
     "*[$'-5', $'9.007199254741e+15', $'1.844674407371e+19', $'-1', $'-1', $'0.10000000149012']"},
    {"return "
     "{struct.pack(\"i4\",2^40+5),struct.pack(\"I4\",-1),struct.pack(\"B\",300),struct.pack(\"i8\","
     "1e19),struct.pack(\"I8\",2^63),struct.pack(\"I8\",-1),struct.pack(\"I4\",1.9),struct.pack("
     "\"i4\",-1.9)}",
     "*[$'\\x05\\x00\\x00\\x00', $'\\xff\\xff\\xff\\xff', $',', "
     "$'\\x00\\x00\\xe8\\x89\\x04#\\xc7\\x8a', $'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x80', "
     "$'\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff', $'\\x01\\x00\\x00\\x00', "
     "$'\\xff\\xff\\xff\\xff']"},
    {"return {struct.pack(\"=I2\",1),struct.pack(\"@I2\",1),struct.pack(\" I2 \",1)}",
     "-ERR user_script:1: bad argument #1 to 'pack' (invalid format option '=') script: "
     "544556f8b0e90aa7816fe4360a25fdbbb266bf64, on @user_script:1."},
    {"return {pcall(struct.pack,\"%\",1)}",
     "*[$-1, $'bad argument #1 to '\?' (invalid format option '%')']"},
    {"return "
     "{bit.band(0xff,0x0f),bit.bor(1,2,4),bit.bxor(5,1),bit.bnot(0),bit.lshift(1,31),bit.rshift(-1,"
     "28),bit.arshift(-8,1),bit.rol(0x12345678,8),bit.ror(1,1),bit.bswap(1),bit.tobit(2^32+5),bit."
     "tohex(255),bit.tohex(255,4),bit.tohex(255,-4),bit.tobit(1.5),bit.tobit(2.5),bit.tobit(-1.5),"
     "bit.lshift(1,33),bit.band(\"7\",3)}",
     "*[:15, :7, :4, :-1, :-2147483648, :15, :-4, :878082066, :-2147483648, :16777216, :5, "
     "$'000000ff', $'00ff', $'00FF', :2, :2, :-2, :2, :3]"},
    {"return {pcall(bit.band)}",
     "*[$-1, $'bad argument #1 to '\?' (number expected, got no value)']"},
    {"return {pcall(bit.band,{})}",
     "*[$-1, $'bad argument #1 to '\?' (number expected, got table)']"},
    {"return {bit.tohex(-1,-100),bit.tohex(5,0),bit.tobit(0/0),bit.tobit(1e30)}",
     "*[$'FFFFFFFF', $'', :0, :966823194]"},
    {"return {pcall(cjson.encode,0/0)}",
     "*[$-1, $'Cannot serialise number: must not be NaN or Inf']"},
    {"return {pcall(cjson.encode,1/0)}",
     "*[$-1, $'Cannot serialise number: must not be NaN or Inf']"},
    {"return {pcall(cjson.encode,{[1]=1,[100]=2})}",
     "*[$-1, $'Cannot serialise table: excessively sparse array']"},
    {"return {pcall(cjson.encode,{[{}]=1})}",
     "*[$-1, $'Cannot serialise table: table key must be a number or string']"},
    {"return {pcall(cjson.encode,print or redis.call)}",
     "-ERR user_script:1: Script attempted to access nonexistent global variable 'print' script: "
     "b36fcfea4af47668d3e0edc5674208045a8d80f5, on @user_script:1."},
    {"return {pcall(cjson.encode,{f=redis.call})}",
     "*[$-1, $'Cannot serialise function: type not supported']"},
    {"return {pcall(cjson.encode)}", "*[$-1, $'bad argument #1 to '\?' (expected 1 argument)']"},
    {"return {pcall(cjson.encode,1,2)}",
     "*[$-1, $'bad argument #1 to '\?' (expected 1 argument)']"},
    {"return {pcall(cjson.decode)}", "*[$-1, $'bad argument #1 to '\?' (expected 1 argument)']"},
    {"return {pcall(cjson.decode,\"\")}",
     "*[$-1, $'Expected value but found T_END at character 1']"},
    {"return {pcall(cjson.decode,\"{\")}",
     "*[$-1, $'Expected object key string but found T_END at character 2']"},
    {"return {pcall(cjson.decode,\"[1,]\")}",
     "*[$-1, $'Expected value but found T_ARR_END at character 4']"},
    {"return {pcall(cjson.decode,\"nope\")}",
     "*[$-1, $'Expected value but found invalid token at character 1']"},
    {"return {pcall(cjson.decode,\"{\\\"a\\\":1,}\")}",
     "*[$-1, $'Expected object key string but found T_OBJ_END at character 8']"},
    {"return {pcall(cjson.decode,\"[1 2]\")}",
     "*[$-1, $'Expected comma or array end but found T_NUMBER at character 4']"},
    {"return {pcall(cjson.decode,\"\\\"\\\\x\\\"\")}",
     "*[$-1, $'Expected value but found invalid escape code at character 2']"},
    {"return {pcall(cjson.decode,\"1 2\")}",
     "*[$-1, $'Expected the end but found T_NUMBER at character 3']"},
    {"return {pcall(cjson.decode,string.rep(\"[\",1001))}",
     "*[$-1, $'Found too many nested data structures (1001) at character 1001']"},
    {"return {pcall(cjson.decode,{})}",
     "*[$-1, $'bad argument #1 to '\?' (string expected, got table)']"},
    {"return {pcall(cjson.decode,5)}", "*[:1, :5]"},
    {"local "
     "t=cjson.decode('{\"a\":[1,2.5,\"x\",true,false,null],\"b\":{\"c\":"
     "\"\\\\u00e9\\\\ud83d\\\\ude00\"}}') return "
     "{t.a[1],tostring(t.a[2]),t.a[3],t.a[4],tostring(t.a[5]),tostring(t.a[6]),t.a[6]==cjson.null,"
     "t.b.c}",
     "*[:1, $'2.5', $'x', :1, $'false', $'userdata: (nil)', :1, "
     "$'\\xc3\\xa9\\xf0\\x9f\\x98\\x80']"},
    {"return "
     "{tostring(cjson.decode(\"[1e400]\")[1]),tostring(cjson.decode(\"[-0]\")[1]),tostring(cjson."
     "decode(\"[12345678901234567890]\")[1]),tostring(cjson.decode(\"[0x10]\")[1]),tostring(cjson."
     "decode(\"[nan]\")[1]),tostring(cjson.decode(\"[inf]\")[1])}",
     "*[$'inf', $'-0', $'1.2345678901235e+19', $'16', $'nan', $'inf']"},
    {"return "
     "{cjson.encode_max_depth(),cjson.decode_max_depth(),cjson.encode_number_precision(),cjson."
     "encode_keep_buffer(),cjson.encode_invalid_numbers(),cjson.decode_invalid_numbers(),cjson."
     "encode_sparse_array()}",
     "*[:1000, :1000, :14, :1, $-1, :1, $-1, :2, :10]"},
    {"return {cjson.encode_max_depth()}", "*[:1000]"},
    {"cjson.encode_max_depth(1000) cjson.encode_number_precision(3) local r=cjson.encode(1/3) "
     "cjson.encode_number_precision(14) return r",
     "$'0.333'"},
    {"return type(cjson.new())", "$'table'"},
    {"return {pcall(cmsgpack.pack)}",
     "*[$-1, $'bad argument #0 to '\?' (MessagePack pack needs input.)']"},
    {"return {pcall(cmsgpack.unpack)}",
     "*[$-1, $'bad argument #1 to '\?' (string expected, got no value)']"},
    {"return {pcall(cmsgpack.unpack,\"\")}", "*[:1]"},
    {"return {pcall(cmsgpack.unpack,\"\\147\\1\")}", "*[$-1, $'Missing bytes in input.']"},
    {"return {pcall(cmsgpack.unpack,string.rep(\"\\145\",100000)..\"\\1\")}",
     "*[$-1, $'stack overflow (in function mp_decode_to_lua_array)']"},
    {"return type(cmsgpack.unpack(string.rep(\"\\129\\1\",3999)..\"\\1\"))", "$'table'"},
    {"return {pcall(cmsgpack.unpack,string.rep(\"\\129\\1\",4000)..\"\\1\")}",
     "*[$-1, $'stack overflow (too many return values at once; use unpack_one or unpack_limit "
     "instead.)']"},
    {"return {pcall(cmsgpack.unpack,\"\\193\")}", "*[$-1, $'Bad data format in input.']"},
    {"return {pcall(cmsgpack.unpack,{})}",
     "*[$-1, $'bad argument #1 to '\?' (string expected, got table)']"},
    {"return {cmsgpack.unpack(\"\\1\\2\\163abc\")}", "*[:1, :2, $'abc']"},
    {"return {cmsgpack.unpack_one(\"\\1\\2\\3\")}", "*[:1, :1]"},
    {"return {cmsgpack.unpack_one(\"\\1\\2\\3\",1)}", "*[:2, :2]"},
    {"return {cmsgpack.unpack_one(\"\\1\\2\\3\",2)}", "*[:-1, :3]"},
    {"return {cmsgpack.unpack_limit(\"\\1\\2\\3\",2)}", "*[:2, :1, :2]"},
    {"return {cmsgpack.unpack_limit(\"\\1\\2\\3\",2,1)}", "*[:-1, :2, :3]"},
    {"return {cmsgpack.unpack_limit(\"\\1\\2\\3\",5)}", "*[:-1, :1, :2, :3]"},
    {"return {pcall(cmsgpack.unpack_one,\"\\1\",5)}",
     "*[$-1, $'Start offset 5 greater than input length 1.']"},
    {"return {pcall(cmsgpack.unpack_one,\"\\1\",-1)}",
     "*[$-1, $'Invalid request to unpack with offset of -1 and limit of 1.']"},
    {"return {pcall(cmsgpack.unpack_limit,\"\\1\",-1)}",
     "*[$-1, $'Invalid request to unpack with offset of 0 and limit of 1.']"},
    {"return {pcall(cmsgpack.unpack_limit,\"\\1\",0)}", "*[:1, :1]"},
    {"return {pcall(cmsgpack.unpack_limit,\"\\1\")}",
     "*[$-1, $'bad argument #2 to '\?' (number expected, got no value)']"},
    {"local t=cmsgpack.unpack(cmsgpack.pack({a={1,2,\"x\"},b=true,c=1.5})) return "
     "{t.a[1],t.a[3],t.b,tostring(t.c)}",
     "*[:1, $'x', :1, $'1.5']"},
    {"return "
     "{tostring(cmsgpack.unpack(\"\\202\\63\\192\\0\\0\")),tostring(cmsgpack.unpack("
     "\"\\207\\255\\255\\255\\255\\255\\255\\255\\255\")),tostring(cmsgpack.unpack("
     "\"\\211\\255\\255\\255\\255\\255\\255\\255\\255\")),cmsgpack.unpack(\"\\196\\2ab\"),cmsgpack."
     "unpack(\"\\217\\2ab\"),cmsgpack.unpack(\"\\218\\0\\2ab\")}",
     "-ERR user_script:1: Bad data format in input. script: "
     "e9d1442af39de16d7e27f49ec741c6a887cf5969, on @user_script:1."},
    {"return {cmsgpack.unpack(\"\\202\\63\\192\\0\\0\"), "
     "tostring(cmsgpack.unpack(\"\\207\\255\\255\\255\\255\\255\\255\\255\\255\")),tostring("
     "cmsgpack.unpack(\"\\211\\255\\255\\255\\255\\255\\255\\255\\255\"))}",
     "*[:1, $'-1', $'-1']"},
    {"return {pcall(cmsgpack.unpack,\"\\196\\2ab\")}", "*[$-1, $'Bad data format in input.']"},
    {"return {pcall(cmsgpack.unpack,\"\\199\\2ab\")}", "*[$-1, $'Bad data format in input.']"},
    {"return {pcall(cmsgpack.unpack,\"\\217\\2ab\")}", "*[:1, $'ab']"},
    {"return {pcall(cmsgpack.unpack,\"\\218\\0\\2ab\")}", "*[:1, $'ab']"},
    {"return {pcall(cmsgpack.unpack,\"\\129\\192\\1\")}", "*[$-1, $'table index is nil']"},
    {"return {cmsgpack.unpack(\"\\129\\1\\2\")[1]}", "*[:2]"},
    {"local s=string.rep(\"\\145\",100)..\"\\1\" local t=cmsgpack.unpack(s) return type(t)",
     "$'table'"},
    {"return {pcall(cmsgpack.unpack_one,\"\\1\",\"x\")}",
     "*[$-1, $'bad argument #2 to '\?' (number expected, got string)']"},
    {"return struct.pack(\"I\",5,6,7)", "$'\\x05\\x00\\x00\\x00'"},
    {"return cjson.encode(cjson.decode('{\"a\":{\"b\":[1,2,{\"c\":null}]}}'))",
     "$'{\"a\":{\"b\":[1,2,{\"c\":null}]}}'"},
    {"return "
     "{cjson.encode({1,2,nil,4}),cjson.encode({[1]=\"a\",[2]=\"b\",[4]=\"d\"}),cjson.encode({{}}),"
     "cjson.encode(\"\"),cjson.encode(\"\\226\\130\\172\"),cjson.encode(1/"
     "3),cjson.encode(123456789012),cjson.encode(1e20),cjson.encode(-1.5e-10)}",
     "*[$'[1,2,null,4]', $'[\"a\",\"b\",null,\"d\"]', $'[{}]', $'\"\"', $'\"\\xe2\\x82\\xac\"', "
     "$'0.33333333333333', $'123456789012', $'1e+20', $'-1.5e-10']"},
    {"return "
     "{cjson.decode('\"\\\\u0041\\\\n\"'),cjson.decode('5'),tostring(cjson.decode('true')),"
     "tostring(cjson.decode('null')),cjson.decode(' [1 , 2] ')[2]}",
     "*[$'A\\x0a', :5, $'true', $'userdata: (nil)', :2]"},
    {"return {pcall(cjson.decode,'\"\\\\ud800\"')}",
     "*[$-1, $'Expected value but found invalid unicode escape code at character 2']"},
    {"return {pcall(cjson.decode,'\"\\1\"')}", "*[:1, $'\\x01']"},
    {"return {pcall(cjson.decode,\"'a'\")}",
     "*[$-1, $'Expected value but found invalid token at character 1']"},
    {"return {pcall(cjson.encode_max_depth,0)}",
     "*[$-1, $'bad argument #1 to '\?' (expected integer between 1 and 2147483647)']"},
    {"return {pcall(cjson.encode_number_precision,20)}",
     "*[$-1, $'bad argument #1 to '\?' (expected integer between 1 and 14)']"},
    {"return {pcall(cjson.encode_keep_buffer,\"x\")}",
     "*[$-1, $'bad argument #1 to '\?' (invalid option 'x')']"},
    {"cjson.encode_sparse_array(true) local r=cjson.encode({[1000]=1}) "
     "cjson.encode_sparse_array(false,2,10) return r",
     "$'{\"1000\":1}'"},
    {"cjson.encode_invalid_numbers(true) local r=cjson.encode({1/0,-1/0,0/0}) "
     "cjson.encode_invalid_numbers(false) return r",
     "$'[inf,-inf,nan]'"},
    {"cjson.encode_invalid_numbers(\"null\") local r=cjson.encode({1/0}) "
     "cjson.encode_invalid_numbers(false) return r",
     "$'[null]'"},
    {"return cjson.null", "$-1"},
};

TEST(Codecs, encode_and_refuse_as_in_redis) {
  for (const Case& wanted : cases) {
    ScriptBench bench;
    EXPECT_EQ(bench.run(wanted.script), wanted.reply) << wanted.script;
  }
}

}  // namespace
}  // namespace scripting_tests
