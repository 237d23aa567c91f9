#include "analyzer/identity/pickle_key.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "analyzer/base/digest.h"

namespace autotune {
namespace {

struct Row {
  const char *value, *protocol4, *protocol5;
};

// Hashes that listings of torch 2.6 and 2.11 (protocol 4) and 2.14 on Python 3.14 (protocol 5) print for these values.
constexpr Row kSeen[] = {
    {"False", "esstihe2nyydk4mhzpvox3qkajyu5y5t23hk3fi2me7jn75xi3o",
     "cmurl6qpjk6tu6jzmefy2cepxpg77btoc624xmwaxxfto6bpjwr"},
    {"True", "cev5uo2jlwdhw2uyzcm7vr6cl23azjfw437f5r5lskm7spucos6",
     "kkapzzb6vgx32ypmfqvbnq2rdcxst2x2bcvc6x3rjzknzhgowwx"},
    {"None", "tquy2we2efmowuj4wuqzcfcfdcrkzkzmwdae6hprj7fa64jpusq",
     "nqewgxpmxakt2pas4n4cu2p5f2yjoqtpsesupu2rvbshwj6vlaf"},
    {"''", "v3hzzlv4tjgvp3pyhmzagjd25orl6n7nynoa7svlhhwk73b7u3c",
     "moy5b5jobi6pwce65shhaygml3bhexww3vlwxqd2samynhiy4cs"},
    {"0", "vrl5ktomgtzox5xucd3np6vug3vyj6hwwzahqijuwpmamlv7ohi", "mqnpto55jn4e4aaj6nheny44jdse7rx54jku2dxi77esxadhulw"},
    {"1", "aghvyrrgwvxijco2pk5wzc3cgmmthrbmgxitiibxuuscxdwrjd3", "xprqujkdbwzfnl7cq3zcsyxchsrs5koq6zioluygho4n2qnwoua"},
    {"5", "qs5hilycp4ew4ivtc7m5jaxp7q4pm5slioxw3fi3ur6ei65ybz4", "24vteyjyrg2rnipayj6wkiwzdkpkc2yv3l52gawogfvawqan3mc"},
    {"10", "j6c55jha5r2sdys2rwq7uqhtleea5dgjcye7nicfgft36v7xfvp",
     "lk3gts6ov6pdv22utw4aauf47u64djh66xqxif3edvrleyq6m3w"},
    {"-1", "sz3im5ogc6asp7g4uqocnovype63tkdexzfrniv6hn2oank3biu",
     "yawj3eysxcetmkq6mkatbr5a22fto7ua5w3jy6wqpqtzxamnfrv"},
    {"0.8", "ilsr6xhoysc7esxihewxuzweuym3lidxgs5zjs3e6cii7pv527s",
     "aacqv3qooutzs2kwlfkerkegkoi4iq5dk2ktstvby3ftia65mgm"},
    {"[]", "h25wqx6vliw4j5rtzzbv6latydxyei3deyg6v7wzvnzryfktuki",
     "3kkjdhskvhkktzl3oigxcelkoqlbtkvgqkf2eozw7y3hj532mhn"},
    {"{}", "4bryyl4ahh5whyg3zwqebpwmjnx6w77nqgqbdjlowju6lkqtn7w",
     "qxtj2b6lojdjwyfebhtbocusjwa6bzbmhl3fnjuyubr2l65k2k2"},
    {"'DEFAULT'", "jvchmi66fvqzlemhr5fcqorz5trfdtdalzfagtj2aolmimwqhdq",
     "lfr3ad7oj5w4safm2yomomausbmvcxxyy5qcrt35wbst65wtk5p"},
    {"'EXHAUSTIVE'", "sctfdol5oluc4qxhvloovjgckaomfi76rmqslyhwush7ig3fonk",
     "x5dvxgeb5ofcdzpuoglvwreprerkq2miwrf5ic2ahv5t24tcoki"},
    {"'ATEN'", "hklfuowiw5spv7qzsiol6br72nhmlbqrdmm3r7nk4rxjuwobhbw",
     "i7lvqen57maif7faghgjhfpunmodg7bdnkfgwmydr7s5cf4m7ms"},
    {"'TRITON'", "elqs7fomh363ujvyogez3sxp7ytzzsn5gwenf4iknfr55nlr3zy",
     "7mvrjhkemwdgzps5d4tfbwkaznsr4wearl2cyxpop4bnplubrox"},
    {"'ATEN,TRITON'", "uqlsbif4zxd75vt522p52txyuguieipi2lwz5g5awt56lccqk7s",
     "nqxypp5w3wmygnshwo6xwe4ph27pdhjzqunmg57s7lfogc6gari"},
    {"'TRITON,ATEN'", "snampv2ycbx7wurkskphshpr2qj36s52zlmmqzu4rl7y2stpt75",
     "mdygibnyzfu3c7etfh7ync6t2yad2n2qkzgipnl3h7tuqcb3wb3"},
    {"'ATEN,TRITON,CPP'", "2y7luesktjrque3nr7qtxnum2mkbeegzdrsvkm3rvdlhqboajhx",
     "zbjb36375upgxa2mvev6sp4fksgdrllxufy2gi2kjciuzdxcykt"},
    {"'ATEN,TRITON,CUTLASS'", "2uzkvipdwa3axarm74lwmelhcjiprcn4flaq3z3e7ujumgd4se2",
     "n6yauf2vziberauwjeuqawchay4crkzcm4kqifjoiqgu4sdk3go"},
    {"'ATEN,TRITON,CK'", "dde5xov3jk7trescdes5a7aclnrtdcejmambq2fenefqiafeu7l",
     "nkdnwlzuapui6yhpwekw6r5ypotmujomkv7uo3b2u5jpieputdw"},
};

TEST(ComponentHash, FrequentValues) {
  for (const Row& row : kSeen) {
    std::optional<PyValue> value = ParsePyLiteral(row.value);
    ASSERT_TRUE(value) << row.value;
    EXPECT_EQ(ComponentHash(*value, 4), row.protocol4) << row.value;
    EXPECT_EQ(ComponentHash(*value, 5), row.protocol5) << row.value;
  }
}

std::string Pickled(std::string_view literal) { return Pickle(*ParsePyLiteral(literal), 4); }
std::string Framed(std::string_view body) {
  std::string out = "\x80\x04\x95";
  out.push_back(static_cast<char>(body.size()));
  out.append(7, '\0');
  return out + std::string(body);
}

TEST(Pickle, BytesOfThePlainValues) {
  using namespace std::string_literals;
  EXPECT_EQ(Pickled("False"), "\x80\x04\x89.");
  EXPECT_EQ(Pickled("10"), "\x80\x04K\n.");
  EXPECT_EQ(Pickled("''"), "\x80\x04\x8c\0."s);
  EXPECT_EQ(Pickled("'ATEN'"), Framed("\x8c\x04"
                                      "ATEN."));
  EXPECT_EQ(Pickled("-1"), Framed("J\xff\xff\xff\xff."));
  EXPECT_EQ(Pickled("255"), "\x80\x04K\xff.");
  EXPECT_EQ(Pickled("256"), Framed("M\0\x01."s));
  EXPECT_EQ(Pickled("65536"), Framed("J\0\0\x01\0."s));
  EXPECT_EQ(Pickled("2147483648"), Framed("\x8a\x05\0\0\0\x80\0."s));
  EXPECT_EQ(Pickled("-2147483649"), Framed("\x8a\x05\xff\xff\xff\x7f\xff."s));
  EXPECT_EQ(Pickled("0.8"), Framed("G\x3f\xe9\x99\x99\x99\x99\x99\x9a."));
  EXPECT_EQ(Pickled("[0, 2, 3]"), Framed("](K\0K\x02K\x03"
                                         "e."s));
  EXPECT_EQ(Pickled("[7]"), Framed("]K\x07"
                                   "a."));
  EXPECT_EQ(Pickled("(False, False, True)"), Framed("\x89\x89\x88\x87."));
  EXPECT_EQ(Pickled("()"), "\x80\x04).");
  EXPECT_EQ(Pickled("(1,)"), Framed("K\x01\x85."));
  EXPECT_EQ(Pickled("(1, 2, 3, 4)"), Framed("(K\x01K\x02K\x03K\x04t."));
  EXPECT_EQ(Pickled("{'name': 'NVIDIA H200'}"), Framed("}\x8c\x04"
                                                       "name\x8c\x0b"
                                                       "NVIDIA H200s."));
  EXPECT_EQ(Pickled("{'a': 1, 'b': 2}"), Framed("}(\x8c\x01"
                                                "aK\x01\x8c\x01"
                                                "bK\x02u."));
  EXPECT_EQ(ComponentHash(*ParsePyLiteral("('none', True, True)"), 4),
            "pyawus3dzq5k52f53obyevhjmttghvob2hr5d7g4uml5s7av6wb");
  EXPECT_EQ(ComponentHash(*ParsePyLiteral("(False, False, True)"), 4),
            "du4vyrfyozrfxcf6kk6ma7oqwatapifazeelfsawmsiu6gjdtxp");
  EXPECT_EQ(ComponentHash(*ParsePyLiteral("[0, 2, 3]"), 4), "uyceliizknybtq7vyc3vsaxde6hjv2p3fgxj7t327xu442mpdgb");
  EXPECT_EQ(ComponentHash(*ParsePyLiteral("{'name': 'NVIDIA H200'}"), 4),
            "blfczamzg2coaem4ltz5wgpm4skuudpuje5uin3fgljzoxhnnrg");
}

TEST(Pickle, TorchKeyIs32RawBytes) {
  std::string key;
  for (std::string hex = "36e6df1237a766bca7ad4a8572c8069861e3413edeeca45f127ad55b11f32108"; !hex.empty();
       hex.erase(0, 2)) {
    key.push_back(static_cast<char>(std::stoi(hex.substr(0, 2), nullptr, 16)));
  }
  EXPECT_EQ(ComponentHash(PyValue::Bytes(key), 4), "bhbxfhoxf5hkmujdjpm36xihaazrhcnnqhkwzuzb2mhe4uyuamb");
}

// Sizes of what CPython's own pickler writes in fast mode (asked of CPython 3.11), around its groups of 1000: a list's
// last group of one keeps the mark, a dictionary whose last group is full gets an empty one.
TEST(Pickle, GroupsOfAThousandAsTheCPicklerWritesThem) {
  auto list = [](size_t n) { return Pickle(PyValue::List(std::vector<PyValue>(n, PyValue::Int(1))), 4); };
  EXPECT_EQ(list(999).size(), 2013u);
  EXPECT_EQ(list(1000).size(), 2015u);
  EXPECT_EQ(list(1001).size(), 2019u);
  EXPECT_EQ(list(2000).size(), 4017u);
  auto dict = [](int64_t n) {
    std::vector<std::pair<PyValue, PyValue>> pairs;
    for (int64_t i = 0; i < n; ++i) {
      pairs.emplace_back(i % 2 == 1 ? PyValue::Str(std::to_string(i)) : PyValue::Int(i), PyValue::Int(1));
    }
    return Pickle(PyValue::Dict(std::move(pairs)), 4);
  };
  EXPECT_EQ(dict(999).size(), 5825u);
  EXPECT_EQ(dict(1000).size(), 5834u);
  EXPECT_EQ(dict(1001).size(), 5839u);
  EXPECT_EQ(dict(2000).size(), 12336u);
}

TEST(ParsePyLiteral, RefusesWhatReprNeverPrints) {
  for (const char* text : {"", "(1)", "[1 2]", "[1,,2]", "'a", "nonsense", "1 2", "{1}", "{'a'}", "-", "[1", "0x10",
                           "'\\x41'", "<lambda>", "Tru"}) {
    EXPECT_FALSE(ParsePyLiteral(text)) << text;
  }
  EXPECT_FALSE(ParsePyLiteral(std::string(1000, '['))) << "depth is bounded";
}

TEST(IdentifyListed, TheHashTellsWhatTheTextDoesNot) {
  auto none = IdentifyListed("tquy2we2efmowuj4wuqzcfcfdcrkzkzmwdae6hprj7fa64jpusq", "None");
  ASSERT_TRUE(none);
  EXPECT_EQ(none->value.kind, PyValue::Kind::kNone);
  EXPECT_EQ(none->protocol, 4);
  auto word = IdentifyListed(ComponentHash(PyValue::Str("None"), 5), "None");
  ASSERT_TRUE(word);
  EXPECT_EQ(word->value.kind, PyValue::Kind::kStr);
  EXPECT_EQ(word->protocol, 5);
  EXPECT_FALSE(IdentifyListed("tquy2we2efmowuj4wuqzcfcfdcrkzkzmwdae6hprj7fa64jpusq", "False"));
}

// A whole recorded listing: every plain value's hash is recomputed from what the line prints.
TEST(IdentifyListed, RecomputesARecordedListing) {
  std::ifstream in(SOURCE_DIR "/corpus/lab/keys-cold/train.log");
  ASSERT_TRUE(in) << "corpus/lab/keys-cold/train.log";
  std::set<std::string> unknown;
  size_t known = 0;
  for (std::string line; std::getline(in, line);) {
    size_t open = line.find("] [", line.find("] [") + 1);
    if (open == std::string::npos || line.size() < open + 56 || line.compare(open + 54, 2, "] ") != 0) continue;
    std::string hash = line.substr(open + 3, 51), rest = line.substr(open + 56);
    size_t colon = rest.find(": ");
    if (colon == std::string::npos) continue;
    if (IdentifyListed(hash, rest.substr(colon + 2))) {
      ++known;
    } else {
      unknown.insert(rest.substr(0, rest.find_first_of(":[")));
    }
  }
  EXPECT_GT(known, 500u);
  // Objects and raw bytes; nothing of inductor_config.
  for (const std::string& name : unknown) {
    EXPECT_TRUE(name == "gm" || name == "example_inputs" || name == "fx_kwargs" || name == "torch_version" ||
                name == "inductor_config")
        << name;
  }
  RecordProperty("unknown", static_cast<int>(unknown.size()));
}

}  // namespace
}  // namespace autotune
