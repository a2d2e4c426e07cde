#include "cmd/heat_client.h"

#include <algorithm>
#include <memory>
#include <set>

#include "base/try.h"
#include "remote/answer_reader.h"
#include "remote/http_get.h"

namespace sheaf::cmd {
namespace {

using remote::AnswerReader;
using remote::Members;
using watch::SizesByKey;

// A page that a server has at hand: who does not tell it in this time has no such page, or other worries.
constexpr int64_t kPageMs = 10'000;
// Servers take a head of 16 KB, and of so many keys at a time.
constexpr size_t kTargetBytesMax = 12 << 10;
constexpr size_t kKeysAskedMax = 64;
constexpr std::string_view kItsHeat = "its heat";

Endpoint for_pages(Endpoint endpoint) {
  endpoint.answer_ms = std::min(endpoint.answer_ms, kPageMs);
  return endpoint;
}

std::vector<HotKey> read_keys(const Members& of, std::string_view list, ToldHeat& told) {
  std::vector<HotKey> keys;
  of.objects(list, [&](const Members& each) {
    HotKey key{.key = each.item("key").value_or(Item()),
               .units_per_second = each.number("units_per_second"),
               .times_per_second = each.number("times_per_second"),
               .share = each.number("share")};
    const std::string json = key.key.to_json();
    if (each.has("kind")) told.names[json] = {.kind = each.text("kind"), .text = each.text("name")};
    if (each.has("items"))
      told.collections[json] = {.item_count = each.integer("items"), .size_bytes = each.integer("bytes")};
    keys.push_back(std::move(key));
  });
  return keys;
}

std::vector<SampledKey> read_sample(const Members& of, ToldHeat& told) {
  std::vector<SampledKey> keys;
  of.objects("sample", [&](const Members& each) {
    SampledKey key{.key = each.item("key").value_or(Item()), .share = each.number("share")};
    if (each.has("kind"))
      told.names[key.key.to_json()] = {.kind = each.text("kind"), .text = each.text("name")};
    keys.push_back(std::move(key));
  });
  return keys;
}

HeatOf read_direction(const Members& of, ToldHeat& told) {
  return {.units_per_second = of.number("units_per_second"),
          .requests_per_second = of.number("requests_per_second"),
          .throttled_per_second = of.number("throttled_per_second"),
          .partition_keys = of.number("partition_keys"),
          .partitions = read_keys(of, "partitions", told),
          .items = read_keys(of, "items", told),
          .throttled_partitions = read_keys(of, "throttled_partitions", told),
          .sample = read_sample(of, told)};
}

void read_finding(const Members& finding, std::vector<HeatFinding>& findings) {
  using Kind = HeatFinding::Kind;
  const std::string name = finding.text("kind");
  for (const Kind kind : {Kind::kThrottled, Kind::kHotKey, Kind::kUneven, Kind::kFewKeys}) {
    if (name_of(kind) != name) continue;
    findings.push_back(
        {.kind = kind, .of_writes = finding.text("of") == "writes", .text = finding.text("text")});
  }
}

ToldHeat read_resource(const Members& members) {
  ToldHeat told{.table = members.text("table"), .index = members.text("index")};
  told.report.seconds = members.number("seconds");
  told.report.partitions = static_cast<uint32_t>(members.integer("partition_count"));
  if (const auto reads = members.object("reads")) told.report.reads = read_direction(*reads, told);
  if (const auto writes = members.object("writes")) told.report.writes = read_direction(*writes, told);
  members.objects("findings", [&](const Members& finding) { read_finding(finding, told.report.findings); });
  return told;
}

template <typename Read>
auto read_answer(std::string_view page, std::string_view json, Read read)
    -> Result<decltype(read(std::declval<Members>()))> {
  simdjson::dom::parser parser;
  remote::Json tree;
  if (parser.parse(simdjson::padded_string(json)).get(tree) != simdjson::SUCCESS)
    return Error{Code::kCorrupt, "the answer of " + std::string(page) + " is no JSON"};
  AnswerReader reader(page);
  return reader.finish(read(Members(reader, tree)));
}

}  // namespace

Result<ToldHeat> read_heat(std::string_view json) { return read_answer("/heat", json, read_resource); }

Result<std::vector<ToldHeat>> read_all_heat(std::string_view json) {
  return read_answer("/heat", json, [](const Members& members) {
    std::vector<ToldHeat> all;
    members.objects("resources", [&](const Members& each) { all.push_back(read_resource(each)); });
    return all;
  });
}

Result<std::vector<CollectionSize>> read_collection_sizes(std::string_view json) {
  return read_answer("/collections", json, [](const Members& members) {
    std::vector<CollectionSize> sizes;
    members.objects("collections", [&](const Members& each) {
      sizes.push_back({.item_count = each.integer("items"), .size_bytes = each.integer("bytes")});
    });
    return sizes;
  });
}

HeatClient::HeatClient(Endpoint endpoint) : endpoint_(for_pages(std::move(endpoint))) {}

Result<std::string> HeatClient::get(const std::string& target, std::string_view what) const {
  remote::Reply reply = TRY(remote::http_get(endpoint_, target));
  if (reply.status == 200 && reply.body.starts_with('{')) return std::move(reply.body);
  const std::string said = reply.body.size() > 300 ? "" : ": " + reply.body;
  // Too busy just now.
  if (reply.status == 429 || reply.status >= 500) {
    return Error{Code::kUnavailable, endpoint_.url + " did not tell " + std::string(what) + " (status " +
                                         std::to_string(reply.status) + said + ")"};
  }
  return Error{Code::kInvalid, endpoint_.url + " does not tell " + std::string(what) + " (status " +
                                   std::to_string(reply.status) + said + "); a Sheaf server does" +
                                   (what == kItsHeat ? ", unless it has --no-heat" : "")};
}

Result<ToldHeat> HeatClient::ask(const AskHeat& request) const {
  std::string target = "/heat?table=" + remote::escaped(request.table);
  if (!request.index.empty()) target += "&index=" + remote::escaped(request.index);
  target += "&seconds=" + std::to_string(request.seconds) + "&keys=" + std::to_string(request.keys_max);
  return read_heat(TRY(get(target, kItsHeat)));
}

Result<std::vector<ToldHeat>> HeatClient::ask_all(int64_t seconds) const {
  return read_all_heat(TRY(get("/heat?seconds=" + std::to_string(seconds), kItsHeat)));
}

Result<SizesByKey> HeatClient::collection_sizes(const std::string& table,
                                                const std::vector<Item>& partition_keys) const {
  const std::string begin = "/collections?table=" + remote::escaped(table);
  std::string target = begin;
  std::vector<std::string> asked;
  SizesByKey sizes;
  const auto ask = [&]() -> Result<void> {
    if (asked.empty()) return {};
    const std::vector<CollectionSize> told =
        TRY(read_collection_sizes(TRY(get(target, "how large item collections are"))));
    if (told.size() != asked.size())
      return Error{Code::kCorrupt, "the answer of /collections has not as many as were asked for"};
    for (size_t i = 0; i < told.size(); ++i) sizes[asked[i]] = told[i];
    target = begin;
    asked.clear();
    return {};
  };
  for (const Item& key : partition_keys) {
    std::string json = key.to_json();
    const std::string parameter = "&key=" + remote::escaped(json);
    if (begin.size() + parameter.size() > kTargetBytesMax) continue;
    if (asked.size() == kKeysAskedMax || target.size() + parameter.size() > kTargetBytesMax) TRY(ask());
    target += parameter;
    asked.push_back(std::move(json));
  }
  TRY(ask());
  return sizes;
}

namespace {

// What an endpoint told, and what there is no use in asking it for again.
class ToldFigures {
 public:
  explicit ToldFigures(const Endpoint& endpoint)
      : client_(endpoint),
        is_aws_(endpoint.url.empty() || endpoint.url.find("amazonaws.com") != std::string::npos),
        is_silent_(is_aws_) {}

  Result<HeatReport> heat(const AskHeat& request) {
    if (is_silent_) return Error{Code::kInvalid, "this endpoint does not tell its heat"};
    Result<ToldHeat> heat = client_.ask(request);
    if (!heat.ok()) {
      is_silent_ = heat.error().code != Code::kUnavailable;
      return heat.error();
    }
    if (request.index.empty()) sizes_[request.table] = std::move(heat->collections);
    return std::move(heat->report);
  }

  Result<SizesByKey> collection_sizes(const std::string& table, const std::vector<Item>& keys) {
    const SizesByKey& known = sizes_[table];
    SizesByKey sizes;
    std::vector<Item> others;
    for (const Item& key : keys) {
      const auto found = known.find(key.to_json());
      if (found == known.end()) {
        others.push_back(key);
      } else {
        sizes.insert(*found);
      }
    }
    if (others.empty()) return sizes;
    Result<SizesByKey> told = ask(table, others);
    if (told.ok()) sizes.merge(*told);
    if (!told.ok() && sizes.empty()) return told.error();
    return sizes;
  }

 private:
  Result<SizesByKey> ask(const std::string& table, const std::vector<Item>& keys) {
    if (is_aws_ || unsized_.contains(table))
      return Error{Code::kInvalid, "this endpoint does not tell how large collections are"};
    Result<SizesByKey> told = client_.collection_sizes(table, keys);
    if (!told.ok() && told.error().code != Code::kUnavailable) unsized_.insert(table);
    return told;
  }

  const HeatClient client_;
  const bool is_aws_;                        // which has no such pages
  bool is_silent_;                           // it tells no heat
  std::map<std::string, SizesByKey> sizes_;  // by table, of the last look at its heat
  std::set<std::string> unsized_;            // tables whose collections it does not tell of
};

}  // namespace

watch::Source source_behind(Database& database, const Endpoint& endpoint) {
  // Shared: both functions need it, and they go together.
  const auto told = std::make_shared<ToldFigures>(endpoint);
  return {.database = database,
          .heat = [told](const AskHeat& request) { return told->heat(request); },
          .collection_sizes =
              [told](const std::string& table, const std::vector<Item>& keys) {
                return told->collection_sizes(table, keys);
              }};
}

}  // namespace sheaf::cmd
