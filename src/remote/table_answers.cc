#include "remote/table_answers.h"

#include <xxhash.h>

#include <algorithm>

#include "engine/table_throughput.h"
#include "wire/table_declarations.h"

namespace sheaf::remote {
namespace {

using Types = std::map<std::string, Type>;

Type key_type(std::string_view text) {
  if (text == "N") return Type::kNumber;
  return text == "B" ? Type::kBinary : Type::kString;
}

Types read_types(const Members& table) {
  Types types;
  table.objects("AttributeDefinitions", [&](const Members& definition) {
    types[definition.text("AttributeName")] = key_type(definition.text("AttributeType"));
  });
  return types;
}

KeySchema read_key(const Members& owner, const Types& types) {
  KeySchema key;
  owner.objects("KeySchema", [&](const Members& element) {
    KeyAttribute attribute{.name = element.text("AttributeName")};
    if (const auto found = types.find(attribute.name); found != types.end()) attribute.type = found->second;
    (element.text("KeyType") == "HASH" ? key.partition : key.sort).push_back(std::move(attribute));
  });
  return key;
}

// Endpoints also tell the warm units that nobody has set; here those are 0.
void read_warm_units(const Members& warm, BillingMode billing, Throughput& throughput) {
  const engine::WarmUnits usual = engine::warm_units(billing, throughput);
  const int64_t read = warm.integer("ReadUnitsPerSecond");
  const int64_t write = warm.integer("WriteUnitsPerSecond");
  if (read != usual.read) throughput.read_units_warm = read;
  if (write != usual.write) throughput.write_units_warm = write;
}

Throughput read_throughput(const Members& owner, BillingMode billing) {
  Throughput throughput;
  if (const auto units = owner.object("ProvisionedThroughput")) {
    throughput.read_units = units->integer("ReadCapacityUnits");
    throughput.write_units = units->integer("WriteCapacityUnits");
  }
  if (const auto maxima = owner.object("OnDemandThroughput")) {
    throughput.read_units_max = std::max<int64_t>(0, maxima->integer("MaxReadRequestUnits"));
    throughput.write_units_max = std::max<int64_t>(0, maxima->integer("MaxWriteRequestUnits"));
  }
  if (const auto warm = owner.object("WarmThroughput")) read_warm_units(*warm, billing, throughput);
  return throughput;
}

ThroughputChanges read_changes(const Members& owner) {
  const std::optional<Members> units = owner.object("ProvisionedThroughput");
  if (!units) return {};
  return {.raised_us = units->time_us("LastIncreaseDateTime"),
          .lowered_us = units->time_us("LastDecreaseDateTime"),
          .lowered_that_day = units->integer("NumberOfDecreasesToday")};
}

void read_projection(const Members& index, IndexDescription& description) {
  const std::optional<Members> projection = index.object("Projection");
  if (!projection) return;
  const std::string kind = projection->text("ProjectionType");
  description.projection = kind == "ALL"       ? ProjectionKind::kAll
                           : kind == "INCLUDE" ? ProjectionKind::kInclude
                                               : ProjectionKind::kKeysOnly;
  projection->list("NonKeyAttributes", [&](Json json) {
    std::string_view name;
    if (json.get(name) != simdjson::SUCCESS) return index.reader().note("NonKeyAttributes has no texts");
    description.included.emplace_back(name);
  });
}

// One that is being changed is there.
IndexStatus index_status(std::string_view text) {
  if (text == "CREATING") return IndexStatus::kCreating;
  return text == "DELETING" ? IndexStatus::kDeleting : IndexStatus::kActive;
}

IndexDescription read_index(const Members& index, const Types& types, BillingMode billing, bool local) {
  IndexDescription description{.name = index.text("IndexName"),
                               .local = local,
                               .key = read_key(index, types),
                               .status = index_status(index.text("IndexStatus")),
                               .throughput = read_throughput(index, billing),
                               .throughput_changes = read_changes(index),
                               .item_count = index.integer("ItemCount"),
                               .size_bytes = index.integer("IndexSizeBytes")};
  read_projection(index, description);
  // How far it is, nobody tells: only that it has begun.
  if (index.flag("Backfilling")) description.items_filled = std::max<int64_t>(1, description.item_count);
  return description;
}

void read_billing(const Members& table, TableDescription& description) {
  description.billing = BillingMode::kProvisioned;
  const std::optional<Members> summary = table.object("BillingModeSummary");
  if (!summary) return;
  if (summary->text("BillingMode") == "PAY_PER_REQUEST") description.billing = BillingMode::kOnDemand;
  description.on_demand_since_us = summary->time_us("LastUpdateToPayPerRequestDateTime");
}

void read_class(const Members& table, TableDescription& description) {
  const std::optional<Members> summary = table.object("TableClassSummary");
  if (!summary) return;
  description.table_class = summary->text("TableClass");
  description.class_changed_us = summary->time_us("LastUpdateDateTime");
}

// The latest one alone, as far as it is told here.
void read_stream(const Members& table, DescribedTable& described) {
  described.stream_arn = table.text("LatestStreamArn");
  if (described.stream_arn.empty()) return;
  const std::optional<Members> specification = table.object("StreamSpecification");
  StreamDescription stream{.id = id_of(described.stream_arn), .open = false};
  if (specification) {
    stream.open = specification->flag("StreamEnabled");
    stream.view = wire::stream_view(specification->text("StreamViewType"));
  }
  described.table.streams.push_back(stream);
}

TableStatus table_status(std::string_view text, const std::vector<IndexDescription>& indexes) {
  if (text == "DELETING") return TableStatus::kDeleting;
  const bool in_transit = std::any_of(indexes.begin(), indexes.end(), [](const IndexDescription& index) {
    return index.status != IndexStatus::kActive;
  });
  return text == "ACTIVE" && !in_transit ? TableStatus::kActive : TableStatus::kUpdating;
}

}  // namespace

uint32_t id_of(std::string_view text) { return static_cast<uint32_t>(XXH3_64bits(text.data(), text.size())); }

Result<DescribedTable> read_table(Json json, std::string_view member) {
  AnswerReader reader("a table operation");
  const std::optional<Members> found = Members(reader, json).object(member);
  DescribedTable described;
  if (!found) {
    reader.note(std::string(member) + " is missing");
    return reader.finish(std::move(described));
  }
  const Members& table = *found;
  TableDescription& description = described.table;
  const Types types = read_types(table);
  description.name = table.text("TableName");
  description.key = read_key(table, types);
  read_billing(table, description);
  for (const bool local : {true, false}) {
    table.objects(local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes", [&](const Members& index) {
      description.indexes.push_back(read_index(index, types, description.billing, local));
    });
  }
  read_stream(table, described);
  read_class(table, description);
  description.throughput = read_throughput(table, description.billing);
  description.throughput_changes = read_changes(table);
  description.deletion_protected = table.flag("DeletionProtectionEnabled");
  description.created_us = table.time_us("CreationDateTime");
  const std::string status = table.text("TableStatus");
  description.status = table_status(status, description.indexes);
  description.item_count = table.integer("ItemCount");
  description.size_bytes = table.integer("TableSizeBytes");
  const std::string uuid = table.text("TableId");
  description.id = id_of(uuid.empty() ? description.name + std::to_string(description.created_us) : uuid);
  described.arn = table.text("TableArn");
  described.is_active = status == "ACTIVE";
  return reader.finish(std::move(described));
}

Result<NamesPage> read_table_names(Json json) {
  AnswerReader reader("ListTables");
  const Members answer(reader, json);
  NamesPage page;
  answer.list("TableNames", [&](Json name) {
    std::string_view text;
    if (name.get(text) != simdjson::SUCCESS) return reader.note("a table's name is no text");
    page.names.emplace_back(text);
  });
  page.last = answer.text("LastEvaluatedTableName");
  return reader.finish(std::move(page));
}

Result<TagsPage> read_tags(Json json) {
  AnswerReader reader("ListTagsOfResource");
  const Members answer(reader, json);
  TagsPage page;
  answer.objects("Tags", [&](const Members& tag) { page.tags[tag.text("Key")] = tag.text("Value"); });
  page.next_token = answer.text("NextToken");
  return reader.finish(std::move(page));
}

Result<std::optional<std::string>> read_time_to_live(Json json) {
  AnswerReader reader("DescribeTimeToLive");
  std::optional<std::string> attribute;
  if (const auto description = Members(reader, json).object("TimeToLiveDescription")) {
    const std::string status = description->text("TimeToLiveStatus");
    if (status == "ENABLED" || status == "ENABLING") attribute = description->text("AttributeName");
  }
  return reader.finish(std::move(attribute));
}

}  // namespace sheaf::remote
