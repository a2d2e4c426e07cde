#include "generate/words.h"

namespace sheaf::generate {
namespace {

constexpr std::string_view kFirstNamesList[] = {
    "Ada",   "Ben",   "Cleo", "Dan",   "Eva",   "Finn",  "Gina", "Hugo",  "Ida",  "Jack", "Kira",
    "Leo",   "Mia",   "Noah", "Olga",  "Paul",  "Quinn", "Rosa", "Sam",   "Tara", "Uma",  "Vera",
    "Will",  "Xena",  "Yuri", "Zoe",   "Amir",  "Bea",   "Carl", "Dora",  "Emil", "Fay",  "Gus",
    "Hana",  "Ivan",  "Judy", "Karl",  "Lena",  "Mark",  "Nina", "Omar",  "Pia",  "Ravi", "Sara",
    "Theo",  "Ulla",  "Vic",  "Wanda", "Yara",  "Zack",  "Alma", "Bruno", "Cora", "Dean", "Elsa",
    "Fritz", "Greta", "Hans", "Iris",  "Jonas", "Kate",  "Liam", "Mona",  "Nils"};
constexpr std::string_view kLastNamesList[] = {
    "Adler",  "Baker",   "Costa",   "Dubois",  "Evans",  "Fischer", "Garcia", "Hansen", "Ito",    "Jansen",
    "Kumar",  "Lopez",   "Meyer",   "Novak",   "Okafor", "Patel",   "Quist",  "Rossi",  "Silva",  "Tanaka",
    "Ueda",   "Vogel",   "Weber",   "Xu",      "Young",  "Ziegler", "Abbas",  "Brandt", "Chen",   "Diaz",
    "Ekman",  "Fuchs",   "Gupta",   "Hoffman", "Ivanov", "Jung",    "Keller", "Lind",   "Moreau", "Nagy",
    "Olsen",  "Pereira", "Reyes",   "Sato",    "Turner", "Urban",   "Varga",  "Wolf",   "Yilmaz", "Zhang",
    "Arnold", "Bauer",   "Clark",   "Dahl",    "Engel",  "Frank",   "Gruber", "Haas",   "Jensen", "Koch",
    "Lang",   "Maier",   "Neumann", "Peters"};
constexpr std::string_view kCitiesList[] = {
    "London",  "Berlin",  "Paris",   "Madrid", "Rome",   "Vienna", "Oslo",   "Tokyo",  "Osaka",  "Sydney",
    "Toronto", "Chicago", "Boston",  "Dallas", "Denver", "Omaha",  "Lima",   "Bogota", "Quito",  "Cairo",
    "Lagos",   "Nairobi", "Mumbai",  "Delhi",  "Seoul",  "Hanoi",  "Lisbon", "Porto",  "Dublin", "Zurich",
    "Geneva",  "Munich",  "Hamburg", "Lyon",   "Milan",  "Turin",  "Naples", "Athens", "Prague", "Warsaw"};
constexpr std::string_view kCountriesList[] = {"USA",   "India", "Germany", "France", "Japan",  "Brazil",
                                               "Spain", "Italy", "Canada",  "Kenya",  "Norway", "Poland",
                                               "Chile", "Egypt", "Korea",   "Peru"};
constexpr std::string_view kStatesList[] = {"CA", "TX", "NY", "FL", "WA", "OR", "NE", "IL",
                                            "OH", "GA", "MA", "CO", "AZ", "NV", "UT", "MN"};
constexpr std::string_view kStreetsList[] = {"Main Street",   "Oak Avenue",    "Park Road",     "Mill Lane",
                                             "High Street",   "Lake Drive",    "Church Street", "Hill Road",
                                             "River Way",     "Station Road",  "Garden Street", "School Lane",
                                             "Market Square", "Bridge Street", "North Street",  "Elm Court"};
constexpr std::string_view kDomainsList[] = {"example.com",      "example.org",      "example.net",
                                             "mail.example.com", "post.example.org", "box.example.net"};
constexpr std::string_view kCompaniesList[] = {
    "Acme",   "Borealis", "Cobalt",  "Dynamo", "Everest",  "Foxglove", "Granite", "Horizon",
    "Indigo", "Juniper",  "Kestrel", "Lumen",  "Meridian", "Nimbus",   "Orchard", "Pinnacle",
    "Quarry", "Redwood",  "Summit",  "Tundra", "Umbra",    "Vertex",   "Willow",  "Zenith"};
constexpr std::string_view kAdjectivesList[] = {"small",  "large",  "red",   "blue",  "green", "quick",
                                                "quiet",  "bright", "dark",  "plain", "fresh", "old",
                                                "new",    "warm",   "cool",  "light", "heavy", "solid",
                                                "smooth", "sharp",  "round", "flat",  "deep",  "soft"};
constexpr std::string_view kNounsList[] = {"lamp",    "chair",  "table",  "clock",  "kettle",  "basket",
                                           "bottle",  "mirror", "pencil", "ladder", "hammer",  "jacket",
                                           "blanket", "camera", "radio",  "guitar", "bicycle", "helmet",
                                           "engine",  "window", "bridge", "garden", "river",   "mountain"};
constexpr std::string_view kTextsList[] = {
    "the",   "of",     "and",   "to",    "in",   "is",   "that",   "it",    "was",    "for",   "on",
    "are",   "with",   "as",    "at",    "be",   "this", "from",   "have",  "or",     "by",    "one",
    "had",   "not",    "but",   "what",  "all",  "were", "when",   "we",    "there",  "can",   "an",
    "your",  "which",  "their", "said",  "if",   "do",   "will",   "each",  "about",  "how",   "up",
    "out",   "them",   "then",  "she",   "many", "some", "so",     "these", "would",  "other", "into",
    "has",   "more",   "her",   "two",   "like", "him",  "see",    "time",  "could",  "no",    "make",
    "than",  "first",  "been",  "its",   "who",  "now",  "people", "my",    "made",   "over",  "did",
    "down",  "only",   "way",   "find",  "use",  "may",  "water",  "long",  "little", "very",  "after",
    "words", "called", "just",  "where", "most", "know"};
constexpr std::string_view kColorsList[] = {"black", "white",  "grey",   "blue",   "red",  "green",
                                            "brown", "yellow", "orange", "purple", "pink", "teal"};
constexpr std::string_view kStatusesList[] = {"active",  "done",   "new",       "open",
                                              "pending", "closed", "cancelled", "archived"};
constexpr std::string_view kTopicsList[] = {"news",    "music", "travel", "sport", "food",   "art",
                                            "science", "games", "film",   "books", "health", "garden"};
constexpr std::string_view kRolesList[] = {"member", "editor", "viewer", "admin", "owner", "guest"};
constexpr std::string_view kCurrenciesList[] = {"EUR", "USD", "GBP", "JPY", "CHF", "SEK"};
constexpr std::string_view kLanguagesList[] = {"en", "de", "fr", "es", "it", "pt", "ja", "sv"};

}  // namespace

const Words kFirstNames(kFirstNamesList);
const Words kLastNames(kLastNamesList);
const Words kCities(kCitiesList);
const Words kCountries(kCountriesList);
const Words kStates(kStatesList);
const Words kStreets(kStreetsList);
const Words kDomains(kDomainsList);
const Words kCompanies(kCompaniesList);
const Words kAdjectives(kAdjectivesList);
const Words kNouns(kNounsList);
const Words kTexts(kTextsList);
const Words kColors(kColorsList);
const Words kStatuses(kStatusesList);
const Words kTopics(kTopicsList);
const Words kRoles(kRolesList);
const Words kCurrencies(kCurrenciesList);
const Words kLanguages(kLanguagesList);

std::string sentences(uint64_t words, Chance& chance) {
  std::string text;
  uint64_t left = 0;  // of the sentence
  for (uint64_t i = 0; i < words; ++i) {
    const bool is_first = left == 0;
    if (is_first) left = 4 + chance.below(10);
    std::string word(low_of(chance.one_in(3) ? kNouns : kTexts, chance));
    if (is_first) word[0] = static_cast<char>(word[0] - 'a' + 'A');
    text += (text.empty() ? "" : " ") + word;
    if (--left == 0 || i + 1 == words) text += '.';
  }
  return text;
}

std::string filler(uint64_t bytes, Chance& chance) {
  std::string text;
  while (text.size() < bytes) text += (text.empty() ? "" : " ") + sentences(60, chance);
  text.resize(bytes);
  return text;
}

}  // namespace sheaf::generate
