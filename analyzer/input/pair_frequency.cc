#include "analyzer/input/pair_frequency.h"

#include <cmath>

namespace autotune {
namespace {

// Row: the first byte's class, column: the second's. A digit is -log2 of the pair's share of all pairs: 0-9, then a-z
// for 10-35. Written by benchmarks/make_pair_table.cc, which says from what.
constexpr const char* kBits[PairFrequency::kClasses] = {
    "4p9jphp8akhklcld77799999aadpieppp9cdkadadapblkcdakagedkbjpp8pphgfeb9fbe9a9lh8a9a9p997bdelipb7mkgo",
    "pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppmp",
    "dpppppplphpoeppepppppppppp8pppppphoppppppppppphpdppppppppppppppppbfobpkppopobbgpppbpbpppppppplpop",
    "lppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppkppppppppppppp",
    "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp",
    "epppppppppppbppppppppppppppppppppppppppppppppppppppppppppppppppppknknlpjppppkkpjlpllkplppppp9ppbp",
    "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp",
    "lplpppphplppdppmplomnopppp8popmpppppppppppppppmpppppppppppppokpkpjkiialaokkp9akijpmleppmkppnplpip",
    "pppppipkpfhpplpgkghhhhikklppppppppppppmppppppplpppppbppppppjpppophkjjhhllkppmbmpppojjpjpllpppppfp",
    "hpppppppnkpphpgpppppppppppahpppppppppppppppppppppppppppppppppppplppppppppppppppppppppppppppppppdp",
    "kpppppppppgpppppppppppppppppppppppppppppppppppppppppppppppppppppplppppppppplpppppppgpppppppppppmp",
    "kppppppmpppmppppbppppppppppppppppppppppppppppppppppppppppppppppppppikpppppppppppppppppppppppppppp",
    "6ppppppppjppppppddddddeeedpppppppopppppppppppppppppplppppppppppppppppppppppppppppppppppppppppppip",
    "dppppppppppppfpp99g9gghpmmppppdppppppppppppppppkpppppppppppppppppllkpklppppppkdpeppppppppppppppmp",
    "epppppppppppmpip9999999999ppkpppppoppppppppppnpppppkjppppppppppepgffghdiojpgkhjh9pegihjfpppppppho",
    "bpppppppppppppppb9mllnmleppppppppppdpppbpppppppppppppppppppppppbphibelhimgjldjjkejf8dddflllpppppp",
    "7pjppbpjphpibl7b6a8a99aaaa7pcpkppppppdpdpppppppppppppppppppfpbpjpjiijcippcpppppppppkpppphppppdpgp",
    "apdppbpopgpl898b7799aa999acpcppppppppdpdpppppppppppppppppppfpcpjpjjijcjppcppppppmppjppppkppppdphp",
    "9pkppbpephppam9b8aaa9a9aaa8pcepppppppdpdppppppppdppppppppppfpdpjphhihcijjcfjieekiiiiififhijppdpip",
    "apmppbpophppbp9c8aaaaaaaaacpcppppppppdpdpppppppppppppppppppfpdpkpfhhhcejecikijieieliiiijjihppdpip",
    "9phppbpnphppakaca9aaaaaaaacpcppppppppdpdpppppppppppppppppppfpdpkphhhichijcfjiekjjkjhhkifgjjppdpfp",
    "9pnppbpnpipp9kac9aaaaaaaaacpcppppppppdpdpppppppppppppppppppfpdpnpiiiiciihciifihimkfiefjheejppdpjp",
    "apmppbplphppbaacaaaaaaaaaabpcppppppppdpdpppppppppppppppppppfpcpjpijfhchjfclihihijkjijihihjjppdphm",
    "apkppbpppippbkacaaaaaaaaa9cpcppppppppdpdpppppppppopppppppppfpdppphiihcejjcekkjgjkjjfjhfiikkppdpnm",
    "apjppbpppgppakabaaaaaaaaaacpcppppppppdpdpppppmpppppppppppppppapmpiiijcippcpppppppppjppppkppppdpfp",
    "apoppbpppippbmbcaaaaaa9aaacpcppppppppdpepppppppppppppppppppppepppjjkjcippcpppppppppkpppppmpppdplp",
    "6ppppppppppppppna8aa9aidflippppppkpppgppppppppppppplpppeppphpppmpokplppppppppjpppppknpppppplpppgo",
    "hpppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp",
    "ppppppppppppppppp9nnponpppppppppppppppippppppppppppppppppppppppppppmppkppppploppppppppppppppppppp",
    "eplppppdkpppppppaabcccabcbpppkpppppoppdppppppmhmnpppdppppppjopppplplknikpppplmpklpnlhppppppppppmp",
    "dppppppolpppipkpppppppppppppphpppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppkm",
    "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp",
    "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp",
    "gpppppppppppppppppppppppppppplmppmndiokponlpellplpjejgpplppppppkppppkpppppppppmpppppnhapppppppppp",
    "oppppppppppppppppppppppppppppppppppppmppppppcppopppppmpppppppppmplpppmpppoppmppkpppppkpppppppppap",
    "ppppppppppppppmppppppppppplppppppkpcpnppklpcdppklppppcpppppppppepfppppppdppppppilpnpppppppppppppp",
    "mppppppppppppppppppppppppppppkppphppkippphppppppplplpppppopppppippppplpppppppppnpppppppppppppppmp",
    "gppppppppppbpbpppdpppppppppppepppjmkjlkpppppkdepppjiopeplppppppepppppppppppppmbpopfppppphppppppop",
    "pppppppppppppplppppepppppppppppppepppkppppppbpp9ppppolpplppppppppcpppppppeppoppopppppippnpppppppp",
    "pppppppppppppppppppppppppppppppppppppppppppppppp9lelpkppppppplpipppppkpppappppppppfpppppppppppppp",
    "ppppppppppppppppppippppppppppjpppkppoipppppppmppppnpdppppppppppopgpppipppppppppppppppppppppppppnp",
    "ppppppppppppppppphpppppppppppmpppilpipplpppppj9lpppkkplpppkpppppppppppplpppppnkpppppjpppppppppppp",
    "ppppppppppppppppppppppppppppppppppppppppppppppplppppppppppppppppppppppppppppppppppppppppppppppppm",
    "mpppppppppppppppppppppppppjppdpppppmpkpppmpppppppppkppbppppppppcpppppppppppppppppppppppppppppppdp",
    "dpppppppppppppppppppppppppppplpppnpppkppppppeppappppkopppjpppppjplpppppppmpppppmppppmpppppppppppp",
    "oppppppppppppppppppppppppppppcppphpmpdpppppppjpolppmjppppppppppjpmpppgppplpppppmppppplpppppppppdp",
    "oppppppppppplppppppppppppppppepppopdkg9ippppjppppplpkmippppppppepopppppppppppppdppppppppppppppplp",
    "9ppppppppppppppppkmpppppppdpppppplpcppplpppdlnilbpkdgepepppppppoppppppgpppppppppppmppgopppppppppp",
    "pppppppppppppppappdpppppppppplpppjpppeppnmpppppdppklp9pppppppppepoppplppppppmppnppbpppppppppppppp",
    "ppppppppppppppppppppppppppppplppplpppppppppkppppppppppppppppppplpppppppppppppppppppppppppppppppop",
    "opppppppppppppppppppppppppppplpppkonljpppjpmppkepppkpppnpppppppppppppfpppppppppppppppbppppppppppp",
    "lppppppppppppppppppppppppppppjpppkpkpeppljppplppkppnclpppppppppjplplplppphpoppppppppgippppppppppp",
    "dpppppppppppppppppplpppppppppppppmpppibpnippnhpgdpjpdgpppepppppepppppfppjppppppjppdppmpppjpppppkp",
    "appppppppbpppppppppppppppppppppppkpphopmpnppkcglepoegpppppppppppppppppppppppppippppfppppppppppppp",
    "bppppppppppppppppcpppppppppppppppopppepppipppppppppppppppppppppkppppppppppppppppppppppppppppppppp",
    "pppppppppppppppppepppppppppppjpppnppppppppppppppppllpppppppppppepbppppppppppppppppppppppppppppppp",
    "lpppppppppppppppppppppppppppplppppjpppppppppppppkpppppppppppppppppppppppppppppppppppppppppppppppp",
    "pppppppmppppppppppppppppppppppppppppppppppppppopeppppppppppppjpppppppppppppppppoppppppppppppppppp",
    "pppppppppppppppppppppppppppppppppppppkppppppppppppppppppppppppppppppppppppppppppppppppppppppppppo",
    "pppppppkppppplpp8ebfeeefepppppppppmpppppppppppppppppmppppppppjphpfhegeijhiijbhhkhkeieiijhikppppmp",
    "ppnpppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp",
    "9pppppppiipphpppppppppppppcopppppppppppppppppppppppppppppppjpppppppjppppppppppppppppppppppppppp9p",
    "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppcpppppppppppppppppppppppppppppppphp",
    "lppppppppnpplpnpjfggghjjiimppppppekjimelimpdldejlkkjdpnjpppppppgpaecdgdefblfeb9fekadahjblpppphpkp",
    "fppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppipppppmppppppgpppppoipppppppppmp",
    "dppppppijpppolhkjkhiihfhjjjppmlppppppppppppppppppppppppppppppjpbphf89fhai9efab9gbj9e7efifffpppplm",
    "lpppppppllppppkejjhiiiihiipppppppppppppppppppppppppppppppppppjpjpaiiiafiihjkeejgiihiigiiihkpppppp",
    "jpbpppppnhpppmkkjiihhihijjipppipppppppppppppppppppppppppppppphpgp9i9hcei8fidffiaghfbaaijhahpphpmp",
    "9pppppplklpphkgkjjhhhiiijkgppfpppplnmpppppppllppppphnppppppjphp9pbifgbjifdieihjgiikfgbkfidjpppphp",
    "9phppppaegppc9cejieihifeki9ppfippplgpgpppmpmpppphppooppppppkpgpcp9gb9gafihjjaa8h9a7aafehfhipplpdp",
    "aphppppponppkpeljiiihfhiiioppppppppppppppppppgppppppppppppppplpkpeiffghijajidfgejjeihfifgijppppmm",
    "9ppppppnoopmopelkjihiijjppappkpppippppppipppppppppppnppppppdphpapjjhj9hb9bijbhgddi9ehhiiikjpppplp",
    "bppppppallppmpebppijjikjppoppopppppnpppppppppoppppppppppppppphpfpdiji9kkgajeicid9j9hhiifjieppppmp",
    "pppppppppppppplllleejjjippppppppppappppppppppppnppppmppppppppipipdeaffhceihicb88bied7ihjbibpppppp",
    "ppppppppppppppmmppiifihfppoppkpppppppppppppppppppppppppppppppkpppijhhifhijjjfjeifjijjhijkeippppop",
    "fpbppppmopppppkaggheehhgpppppmppppmppppppppppppppppppppppppmpipgpdijj9ijjbkiifijfiifiikgikepppppo",
    "bphppppmlpppkpeepmfjiihippoppopppmppppppppppppppopppopppppppphpfpbiih9edichiebi8giacfhhfjgippppkp",
    "bpkppppahlppjodlppjkiikeplbpp9ppppppppppppppppppmplpmppppppppipcpdaij8ihedhijdjd9jhahgpfikippppip",
    "9ppppppkfppplnfhppjejjkeppippkippnmlppppppppopppppppgppppppjphp9pbheb9c8j9hbgka9fih8daekieipppphp",
    "epopppppppppmpkeppfijkiippopppppppppppplpppppppppppppppppppkpephpdbacjabiek8ga8gfj88e9hfejjppppop",
    "gpppppppmppplpfklkjhjijjnnpppappppppppppppppplpppppoppppppppphpgpdijk9kjgdkibikabkabb9eij9jppppkp",
    "pppppppppppppphlppkjjiijpppppppppppppppppppppppppppppppppppppfpppkijkhjiiijeijjijkkaiejjhifpppppp",
    "9poppppjfnpplpabmpikjffjppfppappppppppmppppppkpppppppppfppplphpci7ibf9heiafeh999djebecjijfippppkm",
    "bp9ppppahbpp9pa9ppiiijfkpp9pp9kppoppppppppppmlpppppppppppppip9pegaifjajhgbjbhijfefe8abhjkikppppfp",
    "9ppppppphhppjef9hfedjijjlpapphppppppppppppppmppgppnplppppppnphpapajbg8ij98hidgi8if9bfeiiiehpppphp",
    "ippppppklppppdhmpiiiieijpppppppppppppppppppppppppppppppppppppkpipigbfdh9jefie9afhfaa9hkjkeipppppp",
    "kppppppppppplpkkpdiihfiippoppppppppppppppppppppppppppppppppppjpkpfjijdjajdjkhiiehjfijikjihjppppop",
    "kpppppppoppplpjpppfifjjippoppppppppppppppppppppppppppppppppppiphpajiefjkieiikhkfihhkjehjjihpppppp",
    "bpppppppkkppmphjligeihhhpkoppkpppppppppnppppppppppppppppppppphpfpiifiiikjekkjkhjgikkihjjiiipppplp",
    "fpeppppaopppgphkppfjiekjpp9ppppppppnogpppppppppppppppppppppppiphpjjiehhhiiikhjdhfjhheejjiefppppnp",
    "pppppppppppppplmppkjiiijppppppppppppppppppppppppppppppppppppplpppghejbjjkhffhfjiekijijiijjhpppppm",
    "ppappppappppmpppppppppppppppppppppppppppppppppppppppppppppppppppppppphppnpppppopppplhpppppppphppp",
    "7ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppb9",
    "pphppppnpipppppppppppppppphppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppbp9p",
    "ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppkpppppppppppppppppppppppppppppppfnp",
    "8pppppppppmpplpfpoaooppmopoppppppgpppdpppappppppppphopcopopepppppppphppdppppppppoppgipppppm9pppak",
    "9mpppppppppppppppppppppopppppppppmppppppppmpppppppppppppppompppmpmppppmppppoppppppmpppppppoppppk3",
};

constexpr int Bits(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

int PairBits(uint8_t first, uint8_t second) {
  return Bits(kBits[PairFrequency::ClassOf(first)][PairFrequency::ClassOf(second)]);
}

}  // namespace

PairFrequency::PairFrequency() {
  std::array<float, 36> share;
  for (int bits = 0; bits < 36; ++bits) share[bits] = std::exp2(static_cast<float>(-bits));
  std::array<float, kClasses> single{};
  for (int first = 0; first < kClasses; ++first) {
    for (int second = 0; second < kClasses; ++second) single[first] += share[Bits(kBits[first][second])];
    single_bits_[first] = -std::log2(single[first]);
  }
  for (int byte = 0; byte < 256; ++byte) {
    const int of = ClassOf(static_cast<uint8_t>(byte));
    byte_[byte] = single[of] / (of == 96 ? 128.0f : of == 95 ? 33.0f : 1.0f);
  }
}

float PairFrequency::Rarity(std::string_view text) const {
  if (text.empty()) return 0;
  float bits = single_bits_[ClassOf(static_cast<uint8_t>(text[0]))];
  for (size_t i = 1; i < text.size(); ++i) {
    bits += static_cast<float>(PairBits(static_cast<uint8_t>(text[i - 1]), static_cast<uint8_t>(text[i]))) -
            single_bits_[ClassOf(static_cast<uint8_t>(text[i - 1]))];
  }
  return bits;
}

}  // namespace autotune
