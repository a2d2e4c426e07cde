#include "cost/prices.h"

#include <algorithm>
#include <charconv>

#include "base/try.h"
#include "language/json_tree.h"

namespace sheaf::cost {
namespace {

using language::Json;
using language::JsonMembers;
using language::JsonPlace;

constexpr std::string_view kExample = R"({
  "region": "us-east-1",
  "date": "2024-11-01",
  "source": "as commonly quoted for US East (N. Virginia), not checked with AWS, without free tier, tax and discounts: an example, replace it by your own",
  "currency": "USD",
  "standard": {
    "read_per_million": 0.125,
    "write_per_million": 0.625,
    "read_unit_hour": 0.00013,
    "write_unit_hour": 0.00065,
    "storage_gb_month": 0.25
  },
  "infrequent_access": {
    "read_per_million": 0.155,
    "write_per_million": 0.78,
    "read_unit_hour": 0.00016,
    "write_unit_hour": 0.00081,
    "storage_gb_month": 0.10
  },
  "recovery_gb_month": 0.20,
  "backup_gb_month": 0.10,
  "stream_reads_per_100k": 0.02,
  "gb_bytes": 1073741824,
  "hours_per_month": 730,
  "item_overhead_bytes": 100
}
)";

Result<std::string> text_of(JsonMembers& members, std::string_view name) {
  const JsonPlace place = TRY(members.get(name));
  if (place.kind() != Json::Kind::kString || place.json().text.empty())
    return place.error("this must be a text that says something");
  return place.json().text;
}

// 2024-11-01
Result<std::string> date_of(JsonMembers& members) {
  std::string text = TRY(text_of(members, "date"));
  const std::string form = "dddd-dd-dd";
  const bool fits = text.size() == form.size() &&
                    std::equal(text.begin(), text.end(), form.begin(), [](char found, char wanted) {
                      return wanted == 'd' ? found >= '0' && found <= '9' : found == wanted;
                    });
  if (!fits) return members.place().error("the date must be like 2024-11-01, not " + text);
  return text;
}

Result<Fraction> price_of(JsonMembers& members, std::string_view name) {
  const JsonPlace place = TRY(members.get(name));
  const std::optional<Fraction> price =
      place.kind() == Json::Kind::kNumber ? Fraction::parse(place.json().text) : std::nullopt;
  if (!price) return place.error("this must be a price: a number that is not negative, of 18 digits at most");
  return *price;
}

struct Range {
  uint64_t least = 0;
  uint64_t most = 0;
};

Result<uint64_t> number_of(JsonMembers& members, std::string_view name, uint64_t otherwise, Range range) {
  const std::optional<JsonPlace> place = members.find(name);
  if (!place) return otherwise;
  const std::string& text = place->json().text;
  uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = place->kind() == Json::Kind::kNumber && code == std::errc{} &&
                         end == text.data() + text.size() && number >= range.least && number <= range.most;
  if (!is_number)
    return place->error("this must be a whole number from " + std::to_string(range.least) + " to " +
                        std::to_string(range.most));
  return number;
}

Result<ClassPrices> class_prices(JsonMembers& outer, std::string_view name) {
  const JsonPlace place = TRY(outer.get(name));
  JsonMembers members = TRY(JsonMembers::of(place));
  ClassPrices prices;
  prices.read_per_million = TRY(price_of(members, "read_per_million"));
  prices.write_per_million = TRY(price_of(members, "write_per_million"));
  prices.read_unit_hour = TRY(price_of(members, "read_unit_hour"));
  prices.write_unit_hour = TRY(price_of(members, "write_unit_hour"));
  prices.storage_gb_month = TRY(price_of(members, "storage_gb_month"));
  TRY(members.finish());
  return prices;
}

}  // namespace

std::string_view example_prices() { return kExample; }

Result<Prices> read_prices(std::string_view json) {
  const Json tree = TRY(language::read_json(json));
  const JsonPlace root(tree);
  JsonMembers members = TRY(JsonMembers::of(root));
  Prices prices;
  prices.region = TRY(text_of(members, "region"));
  prices.date = TRY(date_of(members));
  prices.source = TRY(text_of(members, "source"));
  prices.currency = TRY(text_of(members, "currency"));
  prices.standard = TRY(class_prices(members, "standard"));
  prices.infrequent_access = TRY(class_prices(members, "infrequent_access"));
  prices.recovery_gb_month = TRY(price_of(members, "recovery_gb_month"));
  prices.backup_gb_month = TRY(price_of(members, "backup_gb_month"));
  prices.stream_reads_per_100k = TRY(price_of(members, "stream_reads_per_100k"));
  prices.gb_bytes =
      TRY(number_of(members, "gb_bytes", prices.gb_bytes, {.least = 1'000'000'000, .most = 1 << 30}));
  prices.hours_per_month =
      TRY(number_of(members, "hours_per_month", prices.hours_per_month, {.least = 672, .most = 744}));
  prices.item_overhead_bytes =
      TRY(number_of(members, "item_overhead_bytes", prices.item_overhead_bytes, {.least = 0, .most = 1000}));
  TRY(members.finish());
  return prices;
}

}  // namespace sheaf::cost
