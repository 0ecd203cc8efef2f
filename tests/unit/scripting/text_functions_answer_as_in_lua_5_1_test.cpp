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
    {"redis.setresp(3) local r=redis.call(\"get\",\"nokey\") return {tostring(r),type(r)}",
     "*[$'nil', $'nil']"},
    {"return tostring(redis.call)==nil", "$-1"},
    {"return "
     "tostring(0/0)..tostring(-(0/0))..tostring(5%0)..tostring(5%(1/0))..tostring(-5%(1/"
     "0))..tostring(1%0.1)..tostring(1/0)..tostring(-1/0)",
     "$'-nannan-nan-nan-nan0inf-inf'"},
    {"return tostring({}):sub(1,6)", "$'table:'"},
    {"return {loadstring(\"x x\",string.rep(\"y\",100))}", "*[]"},
    {"return string.format(\"%d %s %5.2f %q %x %c %i %u %e %g %%\", 3.99, \"a\", 1/3, "
     "\"a\\nb\\\"\\0c\\r\\\\\", 255, 65, 5, 7, 1.5, 1e20)",
     "$'3 a  0.33 \"a\\\\x0ab\\\"\\000c\\r\\\\\" ff A 5 7 1.500000e+00 1e+20 %'"},
    {"return string.format(\"%s\", 1e15)", "$'1e+15'"},
    {"return string.format(\"%d\", \"10\")", "$'10'"},
    {"return string.format(\"%10.3s|%-5s|%05d|%+d|% d|%#x\", \"abcdef\", \"a\", 42, 42, 42, 255)",
     "$'       abc|a    |00042|+42| 42|0xff'"},
    {"return string.format(\"%d\", 1e30)", "$'-9223372036854775808'"},
    {"return string.format(\"%d\", -1.5)", "$'-1'"},
    {"return string.format(\"%x\", -1)", "$'ffffffffffffffff'"},
    {"return string.format(\"%u\", -1)", "$'18446744073709551615'"},
    {"return string.format(\"%i%o%X%E%G\", 1,8,255,1.5,1e-10)", "$'110FF1.500000E+001E-10'"},
    {"return string.format(\"%c%c\", 0, 300)", "$','"},
    {"return string.format(\"a%sb\", \"x\\0y\")", "$'axb'"},
    {"return string.format(\"%5s\", \"x\\0y\")", "$'    x'"},
    {"return string.format(\"%--5d\", 1)", "$'1    '"},
    {"return string.format(\"%q\", 5)", "$'\"5\"'"},
    {"return tostring(math.min(1,0/0))..tostring(math.max(0/0,1))", "$'1-nan'"},
    {"local t={} for i=1,100 do t[i]=(i*37)%101 end table.sort(t,function(a,b) return a>b end) "
     "return t[1]..t[50]",
     "$'10051'"},
    {"return {tonumber(\"10\"),tonumber(\" 10 "
     "\"),tonumber(\"0x10\"),tonumber(\"1e2\"),tonumber(\"10\",2),tonumber(\"zz\",36),tonumber("
     "\"8\",8) or \"nil\",tonumber(\"\") or \"nil\",tonumber(\"1 2\") or \"nil\", tonumber(\"0x\") "
     "or \"nil\",tonumber(\"1e\") or \"nil\"}",
     "*[:10, :10, :16, :100, :2, :1295, $'nil', $'nil', $'nil', $'nil', $'nil']"},
    {"return "
     "{tostring(tonumber(\"inf\")),tostring(tonumber(\"nan\")),tostring(tonumber(\"-inf\")),"
     "tostring(tonumber(\"infinity\")),tostring(tonumber(\"0x1p4\")),tostring(tonumber(\"0x.8\")),"
     "tostring(tonumber(\"1_0\")),tostring(tonumber(\"0b1\")),tostring(tonumber(\"1.\")),tostring("
     "tonumber(\".5\")),tostring(tonumber(\".\")),tostring(tonumber(\"5 "
     "\\0\")),tostring(tonumber(\"\\t5\\n\"))}",
     "*[$'inf', $'nan', $'-inf', $'inf', $'16', $'0.5', $'nil', $'nil', $'1', $'0.5', $'nil', "
     "$'5', $'5']"},
    {"return "
     "{tostring(tonumber(\"-ff\",16)),tostring(tonumber(\"ff\",10)),tostring(tonumber("
     "\"7fffffffffffffff\",16)),tostring(tonumber(\"ffffffffffffffffff\",16)),tostring(tonumber("
     "\"1.5\",10)),tostring(tonumber(\"1.5\",8)),tostring(tonumber(10,2)),tostring(tonumber(10.5,2)"
     "),tostring(tonumber(\"-0x10\",16))}",
     "*[$'1.844674407371e+19', $'nil', $'9.2233720368548e+18', $'1.844674407371e+19', $'1.5', "
     "$'nil', $'2', $'nil', $'1.844674407371e+19']"},
    {"tonumber({},10)", "$-1"},
    {"return tostring(tonumber({}))", "$'nil'"},
    {"return tostring(setmetatable({},{__tostring=function() return 5 end}))", ":5"},
    {"return tostring(getmetatable(setmetatable({},{__metatable=\"x\"})))", "$'x'"},
    {"local mt={__mod=function(a,b) return 77 end,__unm=function() return 5 end,__pow=function() "
     "return 6 end} local a=setmetatable({},mt) return {a%1,-a,a^2}",
     "*[:77, :5, :6]"},
    {"local r={} for i=0.1,1,0.3 do r[#r+1]=tostring(i) end return r",
     "*[$'0.1', $'0.4', $'0.7', $'1']"},
    {"return {\"10\"+5,\"0x10\"+0,\" 5 "
     "\"*2,tostring(\"1e1\"/3),-\"2\",tostring(-\"0\"),\"5\"%3,\"2\"^3}",
     "*[:15, :16, :10, $'3.3333333333333', :-2, $'-0', :2, :8]"},
    {"local function f(...) local x=... return tostring(arg) end return f(1,2,3)", "$'nil'"},
    {"local _ENV={} return tostring(tostring)~=nil", ":1"},
    {"return {string.gsub(\"hello "
     "world\",\"o\",\"0\",1),string.gsub(\"abc\",\"%w*\",\"x\"),string.gsub(\"abc\",\"\",\"-\"),"
     "string.gsub(\"abc\",\"b*\",\"-\"),string.gsub(\"hello\",\"^h\",\"H\"),string.gsub(\"a b "
     "c\",\"%s\",\"%%\")}",
     "*[$'hell0 world', $'xx', $'-a-b-c-', $'-a--c-', $'Hello', $'a%b%c', :2]"},
    {"return "
     "{string.find(\"a.b\",\".\",1,true),string.find(\"abc\",\"b\",-1),string.find(\"abc\",\"c\",-"
     "1),string.find(\"abc\",\"\",10),string.find(\"abc\",\"\",4),string.find(\"\",\"\",1),string."
     "find(\"abc\",\"^b\",2),string.find(\"a\\0b\",\"\\0\"),string.find(\"a\\0b\",\"%z\"),string."
     "find(\"abc\",\"[%a-z]\"),string.find(\"a-b\",\"[a%-]\",2),string.find(\"a]b\",\"[]]\"),"
     "string.find(\"ab\",\"[^a]\")}",
     "*[:2]"},
    {"return {string.match(\"key=val\",\"(%w+)=(%w+)\"),string.match(\"  "
     "x\",\"^%s*(.-)$\"),string.match(\"abc\",\"()b()\"),string.match(\"THE (quick) "
     "fox\",\"%((%a+)%)\"),string.match(\"f(a(b)c)d\",\"%b()\"),string.match(\"THE (quick) "
     "fox\",\"%f[%a]%a+\",5),string.match(\"abab\",\"(ab)%1\"),string.match(\"x\",\"y*\"),string."
     "match(\"2024-01-02\",\"(%d+)-(%d+)-(%d+)\")}",
     "*[$'key', $'x', :2, $'quick', $'(a(b)c)', $'quick', $'ab', $'', $'2024', $'01', $'02']"},
    {"local r={} for k,v in string.gmatch(\"a=1, b=2\",\"(%w+)=(%w+)\") do r[#r+1]=k..v end for w "
     "in string.gmatch(\"abc\",\"\") do r[#r+1]=\"e\" end for w in string.gmatch(\"^a\",\"^a\") do "
     "r[#r+1]=w end return r",
     "*[$'a1', $'b2', $'e', $'e', $'e', $'e', $'^a']"},
    {"return "
     "{string.len(12),string.sub(123.5,2),string.upper(1e15),string.rep(1,3),string.reverse(12),"
     "string.len(0.1)}",
     "*[:2, $'23.5', $'1E+15', $'111', $'21', :3]"},
    {"return {table.concat({1,2,3},1),#tostring(1e100),1e100}",
     "*[$'11213', :6, :-9223372036854775808]"},
    {"return {8%3.5,-8%3,8%-3,-8%-3,0%5,5.5%2,2^0.5*2^0.5==2,1/3*3==1}",
     "*[:1, :1, :-1, :-2, :0, :1, $-1, :1]"},
    {"return "
     "{tostring(1e14),tostring(123456789012345),tostring(0.1+0.2),tostring(100/3),tostring(-1/"
     "0*0),tostring(2^63),tostring(-2^63),tostring(1e-7),tostring(5e-324),tostring(1."
     "7976931348623157e308)}",
     "*[$'1e+14', $'1.2345678901234e+14', $'0.3', $'33.333333333333', $'-nan', "
     "$'9.2233720368548e+18', $'-9.2233720368548e+18', $'1e-07', $'4.9406564584125e-324', "
     "$'1.7976931348623e+308']"},
    {"return {tostring(3)==\"3\",3==\"3\",tostring(3.0),10/2 ..\"\",7/2 ..\"\",2^31 ..\"\",1e15 "
     "..\"\"}",
     "*[:1, $-1, $'3', $'5', $'3.5', $'2147483648', $'1e+15']"},
    {"local mt={__index=function(t,k) return k..\"\?\" end,__newindex=function(t,k,v) "
     "rawset(t,k,v..\"!\") end,__call=function(self,x) return x end,__tostring=function() return "
     "\"obj\" end,__unm=function() return \"neg\" end,__len=function() return 42 end} local "
     "o=setmetatable({},mt) o.a=\"x\" return {o.b,o.a,o(5),tostring(o),-o,#o}",
     "*[$'b\?', $'x!', :5, $'obj', $'neg', :0]"},
    {"return "
     "{getmetatable(\"\").__index==string,(\"x\").len==string.len,#\"abc\",(\"%d\"):format(7)}",
     "*[:1, :1, :3, $'7']"},
    {"return {_G.redis==redis,_G._G==_G,type(_G.KEYS),_G[\"tostring\"](5),rawget(_G,\"x\")}",
     "*[:1, :1, $'table', $'5']"},
    {"return {select(2,loadstring(\"x=\",string.rep(\"q\",100)))}",
     "*[$'[string \"qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq...\"]:1: "
     "unexpected symbol near '<eof>'']"},
    {"return {select(2,loadstring(\"x=\",\"@\"..string.rep(\"q\",100)))}",
     "*[$'...qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq:1: "
     "unexpected symbol near '<eof>'']"},
    {"return {select(2,loadstring(\"x=\",\"=\"..string.rep(\"q\",100)))}",
     "*[$'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq:1: "
     "unexpected symbol near '<eof>'']"},
    {"local a={} a.x,a.y,a.z=1,2 local i=1 i,a[i]=i+1,20 return "
     "{a.x,a.y,tostring(a.z),i,a[1],tostring(a[2])}",
     "*[:1, :2, $'nil', :2, :20, $'nil']"},
    {"local a,b,c=(function() return 1,2,3 end)() local d,e=((function() return 1,2 end)()) return "
     "{a,b,c,d,tostring(e)}",
     "*[:1, :2, :3, :1, $'nil']"},
    {"local a=\"10\" return {a+1,a*2,a-\"3\",a/4,a%3,a^2,-a,a..1,10 ..\"\"}",
     "*[:11, :20, :7, :2, :1, :100, :-10, $'101', $'10']"},
    {"return tostring(2^53+1)", "$'9.007199254741e+15'"},
    {"return string.format(\"%d\",2^53+1)", "$'9007199254740992'"},
    {"return string.format(\"%d\",9223372036854775807)", "$'-9223372036854775808'"},
    {"return {math.pi,tostring(math.huge)}", "*[:3, $'inf']"},
};

TEST(TextFunctions, answer_as_in_lua_5_1) {
  for (const Case& wanted : cases) {
    ScriptBench bench;
    EXPECT_EQ(bench.run(wanted.script), wanted.reply) << wanted.script;
  }
}

}  // namespace
}  // namespace scripting_tests
