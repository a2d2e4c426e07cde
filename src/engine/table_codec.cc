// The catalog's form of a table: an item whose attributes are named for the settings.
#include <utility>

#include "base/try.h"
#include "engine/table.h"

namespace sheaf::engine {
namespace {

Value list_of_strings(const std::vector<std::string>& strings) {
  std::vector<Value> values(strings.begin(), strings.end());
  return Value::list(values);
}

Value encode_attributes(const std::vector<KeyAttribute>& attributes) {
  std::vector<Value> values;
  for (const KeyAttribute& attribute : attributes) {
    values.push_back(Item{{"name", attribute.name}, {"type", static_cast<int>(attribute.type)}});
  }
  return Value::list(values);
}

Value encode_throughput(const Throughput& throughput) {
  return Item{{"read", throughput.read_units},           {"write", throughput.write_units},
              {"read_max", throughput.read_units_max},   {"write_max", throughput.write_units_max},
              {"read_warm", throughput.read_units_warm}, {"write_warm", throughput.write_units_warm}};
}

Value encode_changes(const ThroughputChanges& changes) {
  return Item{{"raised_us", changes.raised_us},
              {"lowered_us", changes.lowered_us},
              {"lowered_that_day", changes.lowered_that_day}};
}

Value encode_insights(const InsightsSettings& insights) {
  return Item{{"enabled", insights.enabled},
              {"mode", static_cast<int>(insights.mode)},
              {"changed_us", insights.changed_us},
              {"enabled_us", insights.enabled_us}};
}

Value encode_index(const IndexSettings& index) {
  return Item{{"id", static_cast<int64_t>(index.id)},
              {"name", index.name},
              {"local", index.local},
              {"partition", encode_attributes(index.key.partition)},
              {"sort", encode_attributes(index.key.sort)},
              {"projection", static_cast<int>(index.projection)},
              {"included", list_of_strings(index.included)},
              {"status", static_cast<int>(index.status)},
              {"throughput", encode_throughput(index.throughput)},
              {"throughput_changes", encode_changes(index.throughput_changes)},
              {"insights", encode_insights(index.insights)}};
}

Value encode_stream(const StreamSettings& stream) {
  return Item{{"id", static_cast<int64_t>(stream.id)},
              {"view", static_cast<int>(stream.view)},
              {"shard_bits", static_cast<int64_t>(stream.shard_bits)},
              {"created_us", stream.created_us},
              {"closed_us", stream.closed_us}};
}

template <typename T, typename Encode>
Value encode_list(const std::vector<T>& elements, Encode encode) {
  std::vector<Value> values;
  for (const T& element : elements) values.push_back(encode(element));
  return Value::list(values);
}

// Reads settings out of an item; remembers the first that is missing or of another type.
class SettingsReader {
 public:
  explicit SettingsReader(ItemView item) : item_(item) {}

  int64_t integer(std::string_view name) {
    const std::optional<ValueView> value = find(name, Type::kNumber);
    if (!value) return 0;
    const Result<int64_t> number = value->number().to_int64();
    if (!number.ok()) missing(name);
    return number.ok() ? *number : 0;
  }
  // Settings that the first versions did not have: 0 and the like if they are missing.
  int64_t later_integer(std::string_view name) { return item_.contains(name) ? integer(name) : 0; }
  template <typename T, typename Decode>
  T later_item(std::string_view name, Decode decode) {
    return item_.contains(name) ? item<T>(name, decode) : T();
  }
  // From `min` to `max`, both included.
  template <typename Enum>
  Enum enumerator(std::string_view name, Enum min, Enum max) {
    const int64_t value = integer(name);
    if (value >= static_cast<int64_t>(min) && value <= static_cast<int64_t>(max))
      return static_cast<Enum>(value);
    missing(name);
    return min;
  }
  Id id() { return enumerator<Id>("id", 0, UINT32_MAX); }
  bool boolean(std::string_view name) {
    const std::optional<ValueView> value = find(name, Type::kBool);
    return value && value->boolean();
  }
  std::string text(std::string_view name) {
    const std::optional<ValueView> value = find(name, Type::kString);
    return value ? std::string(value->bytes()) : std::string();
  }
  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> result;
    each(name, Type::kString, [&](ValueView element) { result.emplace_back(element.bytes()); });
    return result;
  }
  template <typename T, typename Decode>
  std::vector<T> items(std::string_view name, Decode decode) {
    std::vector<T> result;
    each(name, Type::kMap, [&](ValueView element) {
      SettingsReader reader(element.map());
      result.push_back(decode(reader));
      if (!reader.missing_.empty()) missing(reader.missing_);
    });
    return result;
  }
  template <typename T, typename Decode>
  T item(std::string_view name, Decode decode) {
    const std::optional<ValueView> value = find(name, Type::kMap);
    if (!value) return T();
    SettingsReader reader(value->map());
    T result = decode(reader);
    if (!reader.missing_.empty()) missing(reader.missing_);
    return result;
  }
  std::map<std::string, std::string> map(std::string_view name) {
    std::map<std::string, std::string> result;
    if (const std::optional<ValueView> value = find(name, Type::kMap)) {
      for (const Attribute& entry : value->map()) {
        if (entry.value.type() == Type::kString) {
          result.emplace(entry.name, entry.value.bytes());
        } else {
          missing(name);
        }
      }
    }
    return result;
  }

  Result<void> check() const {
    if (missing_.empty()) return {};
    return Error{Code::kCorrupt, "a table's settings lack " + missing_};
  }

 private:
  std::optional<ValueView> find(std::string_view name, Type type) {
    const std::optional<ValueView> value = item_.find(name);
    if (value && value->type() == type) return value;
    missing(name);
    return std::nullopt;
  }
  template <typename Use>
  void each(std::string_view name, Type type, Use use) {
    const std::optional<ValueView> list = find(name, Type::kList);
    if (!list) return;
    for (const ValueView element : list->list()) {
      if (element.type() == type) {
        use(element);
      } else {
        missing(name);
      }
    }
  }
  void missing(std::string_view name) {
    if (missing_.empty()) missing_ = name;
  }

  ItemView item_;
  std::string missing_;
};

KeySchema decode_key(SettingsReader& reader) {
  const auto attribute = [](SettingsReader& each) {
    return KeyAttribute{.name = each.text("name"),
                        .type = each.enumerator("type", Type::kNumber, Type::kBinary)};
  };
  return {.partition = reader.items<KeyAttribute>("partition", attribute),
          .sort = reader.items<KeyAttribute>("sort", attribute)};
}

Throughput decode_throughput(SettingsReader& reader) {
  return {.read_units = reader.integer("read"),
          .write_units = reader.integer("write"),
          .read_units_max = reader.integer("read_max"),
          .write_units_max = reader.integer("write_max"),
          .read_units_warm = reader.later_integer("read_warm"),
          .write_units_warm = reader.later_integer("write_warm")};
}

ThroughputChanges decode_changes(SettingsReader& reader) {
  return {.raised_us = reader.integer("raised_us"),
          .lowered_us = reader.integer("lowered_us"),
          .lowered_that_day = reader.integer("lowered_that_day")};
}

InsightsSettings decode_insights(SettingsReader& reader) {
  return {.enabled = reader.boolean("enabled"),
          .mode = reader.enumerator("mode", InsightsMode::kAccessedAndThrottledKeys,
                                    InsightsMode::kThrottledKeys),
          .changed_us = reader.integer("changed_us"),
          .enabled_us = reader.integer("enabled_us")};
}

IndexSettings decode_index(SettingsReader& reader) {
  return {.id = reader.id(),
          .name = reader.text("name"),
          .local = reader.boolean("local"),
          .key = decode_key(reader),
          .projection = reader.enumerator("projection", ProjectionKind::kAll, ProjectionKind::kInclude),
          .included = reader.texts("included"),
          .status = reader.enumerator("status", IndexStatus::kCreating, IndexStatus::kDeleting),
          .throughput = reader.item<Throughput>("throughput", decode_throughput),
          .throughput_changes = reader.later_item<ThroughputChanges>("throughput_changes", decode_changes),
          .insights = reader.later_item<InsightsSettings>("insights", decode_insights)};
}

StreamSettings decode_stream(SettingsReader& reader) {
  return {.id = reader.id(),
          .view = reader.enumerator("view", StreamView::kKeysOnly, StreamView::kNewAndOldImages),
          .shard_bits = reader.enumerator<uint32_t>("shard_bits", 0, kShardBitsMax),
          .created_us = reader.integer("created_us"),
          .closed_us = reader.integer("closed_us")};
}

TtlSettings decode_ttl(SettingsReader& reader) {
  return {.attribute = reader.text("attribute"),
          .enabled = reader.boolean("enabled"),
          .changed_us = reader.integer("changed_us"),
          .id = reader.id()};
}

}  // namespace

Item encode_settings(const TableSettings& settings) {
  Item tags;
  for (const auto& [key, value] : settings.tags) tags.set(key, Value(value));
  return Item{{"id", static_cast<int64_t>(settings.id)},
              {"name", settings.name},
              {"partition", encode_attributes(settings.key.partition)},
              {"sort", encode_attributes(settings.key.sort)},
              {"indexes", encode_list(settings.indexes, encode_index)},
              {"streams", encode_list(settings.streams, encode_stream)},
              {"ttl", Item{{"attribute", settings.ttl.attribute},
                           {"enabled", settings.ttl.enabled},
                           {"changed_us", settings.ttl.changed_us},
                           {"id", static_cast<int64_t>(settings.ttl.id)}}},
              {"billing", static_cast<int>(settings.billing)},
              {"on_demand_since_us", settings.on_demand_since_us},
              {"throughput", encode_throughput(settings.throughput)},
              {"throughput_changes", encode_changes(settings.throughput_changes)},
              {"class", settings.table_class},
              {"class_changed_us", settings.class_changed_us},
              {"protected", settings.deletion_protected},
              {"insights", encode_insights(settings.insights)},
              {"tags", tags},
              {"created_us", settings.created_us},
              {"status", static_cast<int>(settings.status)}};
}

Result<TableSettings> decode_settings(std::string encoded) {
  const Item item = TRY(Item::decode(std::move(encoded)));
  SettingsReader reader(item);
  TableSettings settings{
      .id = reader.id(),
      .name = reader.text("name"),
      .key = decode_key(reader),
      .indexes = reader.items<IndexSettings>("indexes", decode_index),
      .streams = reader.items<StreamSettings>("streams", decode_stream),
      .ttl = reader.item<TtlSettings>("ttl", decode_ttl),
      .billing = reader.enumerator("billing", BillingMode::kProvisioned, BillingMode::kOnDemand),
      .on_demand_since_us = reader.later_integer("on_demand_since_us"),
      .throughput = reader.item<Throughput>("throughput", decode_throughput),
      .throughput_changes = reader.later_item<ThroughputChanges>("throughput_changes", decode_changes),
      .table_class = reader.text("class"),
      .class_changed_us = reader.later_integer("class_changed_us"),
      .deletion_protected = reader.boolean("protected"),
      .insights = reader.later_item<InsightsSettings>("insights", decode_insights),
      .tags = reader.map("tags"),
      .created_us = reader.integer("created_us"),
      .status = reader.enumerator("status", TableStatus::kActive, TableStatus::kDeleting)};
  TRY(reader.check());
  return settings;
}

}  // namespace sheaf::engine
