#include "cmd/heat_client.h"

#include <memory>

#include "base/try.h"
#include "remote/answer_reader.h"
#include "remote/http_get.h"

namespace sheaf::cmd {
namespace {

using remote::AnswerReader;
using remote::Members;

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
auto read_answer(std::string_view json, Read read) -> Result<decltype(read(std::declval<Members>()))> {
  simdjson::dom::parser parser;
  remote::Json tree;
  if (parser.parse(simdjson::padded_string(json)).get(tree) != simdjson::SUCCESS)
    return Error{Code::kCorrupt, "the answer of /heat is no JSON"};
  AnswerReader reader("/heat");
  return reader.finish(read(Members(reader, tree)));
}

}  // namespace

Result<ToldHeat> read_heat(std::string_view json) { return read_answer(json, read_resource); }

Result<std::vector<ToldHeat>> read_all_heat(std::string_view json) {
  return read_answer(json, [](const Members& members) {
    std::vector<ToldHeat> all;
    members.objects("resources", [&](const Members& each) { all.push_back(read_resource(each)); });
    return all;
  });
}

Result<std::string> HeatClient::get(const std::string& target) const {
  remote::Reply reply = TRY(remote::http_get(endpoint_, target));
  if (reply.status == 200 && reply.body.starts_with('{')) return std::move(reply.body);
  const std::string said = reply.body.size() > 300 ? "" : ": " + reply.body;
  return Error{Code::kInvalid, endpoint_.url + " does not tell its heat (status " +
                                   std::to_string(reply.status) + said +
                                   "); a Sheaf server does, unless it has --no-heat"};
}

Result<ToldHeat> HeatClient::ask(const AskHeat& request) const {
  std::string target = "/heat?table=" + remote::escaped(request.table);
  if (!request.index.empty()) target += "&index=" + remote::escaped(request.index);
  target += "&seconds=" + std::to_string(request.seconds) + "&keys=" + std::to_string(request.keys_max);
  return read_heat(TRY(get(target)));
}

Result<std::vector<ToldHeat>> HeatClient::ask_all(int64_t seconds) const {
  return read_all_heat(TRY(get("/heat?seconds=" + std::to_string(seconds))));
}

watch::Source source_behind(Database& database, const Endpoint& endpoint) {
  // Shared: both functions need it, and they go together.
  struct Told {
    explicit Told(const Endpoint& of) : client(of) {}

    HeatClient client;
    bool is_silent = false;                                              // it tells no heat
    std::map<std::string, std::map<std::string, CollectionSize>> sizes;  // by table and key, of the last look
  };
  const auto told = std::make_shared<Told>(endpoint);
  // AWS has no such page.
  told->is_silent = endpoint.url.empty() || endpoint.url.find("amazonaws.com") != std::string::npos;
  return {.database = database,
          .heat = [told](const AskHeat& request) -> Result<HeatReport> {
            if (told->is_silent) return Error{Code::kInvalid, "this endpoint does not tell its heat"};
            Result<ToldHeat> heat = told->client.ask(request);
            if (!heat.ok()) {
              told->is_silent = heat.error().code != Code::kUnavailable;
              return heat.error();
            }
            if (request.index.empty()) told->sizes[request.table] = std::move(heat->collections);
            return std::move(heat->report);
          },
          .collection_size = [told](const std::string& table, const Item& key) -> Result<CollectionSize> {
            const std::map<std::string, CollectionSize>& sizes = told->sizes[table];
            const auto found = sizes.find(key.to_json());
            if (found != sizes.end()) return found->second;
            return Error{Code::kInvalid, "this endpoint does not tell how large collections are"};
          }};
}

}  // namespace sheaf::cmd
