#include "api/selects.h"

#include <algorithm>

#include "api/answers.h"
#include "api/expressions.h"
#include "api/fingerprint.h"
#include "api/query_keys.h"
#include "base/joined.h"
#include "base/try.h"
#include "base/varint.h"
#include "engine/query_page.h"
#include "value/base64.h"

namespace sheaf::api {
namespace {

constexpr uint32_t kTokenBytesHeldMax = 32768;

Result<const engine::Index*> find_index(const engine::Table& table, const partiql::Target& target) {
  if (!target.index) return static_cast<const engine::Index*>(nullptr);
  const engine::Index* index = table.find_index(*target.index);
  if (index == nullptr || index->settings->status == IndexStatus::kDeleting)
    return invalid("The table does not have the specified index");
  if (index->settings->status == IndexStatus::kCreating)
    return invalid("Cannot read from backfilling global secondary index: " + *target.index);
  return index;
}

// In the order of the text, each once.
std::vector<std::string> not_held(const engine::Index& index, const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (!index.projects(name) && std::find(missing.begin(), missing.end(), name) == missing.end())
      missing.push_back(name);
  }
  return missing;
}

// AWS tells them in the order of a Java set.
std::vector<std::string> in_java_order(std::vector<std::string> names) {
  size_t buckets = 16;
  while (names.size() * 4 > buckets * 3) buckets *= 2;
  const auto bucket_of = [&](const std::string& name) {
    uint32_t hash = 0;
    for (const char c : name) hash = 31 * hash + static_cast<unsigned char>(c);
    return (hash ^ hash >> 16) & (buckets - 1);
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return bucket_of(a) < bucket_of(b); });
  return names;
}

std::vector<std::string> attributes_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.path.attribute());
  return names;
}

// A Query cannot ask for what its index does not hold. AWS looks at one alternative after the other: if there
// is one that it can ask for, it does not mind the others.
std::vector<std::string> not_held_by_any(const engine::Index& index, const partiql::KeyReads& keys) {
  std::vector<std::string> missing;
  for (const std::vector<std::string>& mentioned : keys.mentioned) {
    missing = not_held(index, mentioned);
    if (missing.empty()) break;
  }
  return missing;
}

// --- Where the next page begins

struct Position {
  uint64_t read = 0;             // which of the reads
  std::optional<Item> last_key;  // the last that was read there
};

std::string fingerprint_of(const BoundStatement& bound, const Statement& statement) {
  std::string text;
  append_part(text, bound.target().table);
  append_part(text, bound.target().index.value_or(""));
  append_part(text, statement.text);
  for (const Value& parameter : statement.parameters) append_part(text, parameter.view().encoded());
  return fingerprint(text);
}

std::string to_token(const std::string& fingerprint, const Position& position) {
  std::string bytes = fingerprint;
  append_varint(bytes, position.read);
  if (position.last_key) bytes += position.last_key->encoded();
  std::string token;
  append_base64(token, bytes);
  return token;
}

Result<Position> from_token(const std::string& token, const std::string& fingerprint, size_t reads) {
  const Error unreadable = invalid("Invalid NextToken");
  std::string bytes;
  if (token.size() > kTokenBytesHeldMax || !decode_base64(bytes, token)) return unreadable;
  if (bytes.size() <= fingerprint.size()) return unreadable;
  if (!bytes.starts_with(fingerprint)) return invalid("NextToken does not match request");
  std::string_view rest = std::string_view(bytes).substr(fingerprint.size());
  const std::optional<uint64_t> read = take_varint(rest);
  if (!read || *read >= std::max<size_t>(reads, 1)) return unreadable;
  Position position{.read = *read};
  if (rest.empty()) return position;
  Result<Item> key = Item::decode(std::string(rest));
  if (!key.ok()) return unreadable;
  position.last_key = std::move(*key);
  return position;
}

// --- Reading

class Reader {
 public:
  Reader(engine::Engine& engine, const BoundStatement& statement, const ExecuteStatement& request,
         const SelectPlan& plan, const engine::ReadOptions& options)
      : engine_(engine),
        statement_(statement),
        request_(request),
        plan_(plan),
        options_(options),
        left_(request.limit.value_or(0)) {}

  Result<StatementDone> run(Position position) {
    done_.table = plan_.table->settings.name;
    const size_t count = plan_.keys.is_scan ? 1 : plan_.keys.reads.size();
    if (count == 0) pay_for_nothing();
    while (position.read < count) {
      std::optional<Item> last_key = TRY(read(position));
      if (last_key) {
        position.last_key = std::move(last_key);
        break;
      }
      ++position.read;
      position.last_key.reset();
      if (is_full()) break;
    }
    if (position.read == count) return std::move(done_);
    done_.next_token = to_token(fingerprint_of(statement_, request_.statement), position);
    done_.last_key = std::move(position.last_key);
    return std::move(done_);
  }

 private:
  bool is_full() const { return (request_.limit && left_ == 0) || bytes_ >= engine::kPageBytesMax; }

  Result<engine::KeyRange> range(const Position& position) const {
    std::optional<ItemView> start;
    if (position.last_key) start = position.last_key->view();
    if (plan_.keys.is_scan) {
      if (start) TRY(check_scan_start_key(*plan_.table, plan_.index, *start));
      return engine::plan_scan(plan_.table, plan_.index, {.start_after = start});
    }
    const expr::KeyCondition& condition = plan_.keys.reads[position.read];
    if (start) {
      TRY(check_start_key(*plan_.table, plan_.index, *start));
      TRY(check_start_within(*plan_.table, plan_.index, condition, *start));
    }
    return engine::plan_query(
        plan_.table, plan_.index,
        {.condition = condition, .descending = plan_.keys.is_descending, .start_after = start});
  }

  // No key can be what the condition asks for; that costs as much as the smallest read.
  void pay_for_nothing() {
    const auto mode = request_.statement.consistent ? engine::ReadMode::kStrong : engine::ReadMode::kEventual;
    const double units = static_cast<double>(engine::read_half_units(0, mode)) / 2;
    if (plan_.index != nullptr) {
      done_.capacity.indexes[plan_.index->settings->name] = units;
    } else {
      done_.capacity.table = units;
    }
  }

  // Where it stopped, if there is more of this read.
  Result<std::optional<Item>> read(const Position& position) {
    Result<engine::KeyRange> planned = range(position);
    if (!planned.ok() && position.last_key && planned.error().code == Code::kInvalid)
      return invalid("Invalid NextToken");
    engine::KeyRange keys = TRY(std::move(planned));
    const engine::PageRequest page{
        .keys = std::move(keys),
        .filter = statement_.condition ? &*statement_.condition : nullptr,
        .limit = left_,
        .fetch_items = plan_.fetch_items,
        .filter_entries = true,
        .mode = request_.statement.consistent ? engine::ReadMode::kStrong : engine::ReadMode::kEventual};
    engine::PageEnd end = TRY(engine::read_page(engine_, page, options_, [&](ItemView item) {
      bytes_ += item.encoded().size();
      done_.items.append(statement_.columns.empty() ? item
                                                    : project_columns(statement_.columns, item).view());
    }));
    add_capacity(done_.capacity, to_capacity(*plan_.table, end.consumed));
    if (request_.limit) left_ -= std::min(left_, end.scanned);
    return std::move(end.last_key);
  }

  engine::Engine& engine_;
  const BoundStatement& statement_;
  const ExecuteStatement& request_;
  const SelectPlan& plan_;
  const engine::ReadOptions& options_;
  uint32_t left_;  // items that may be read
  uint64_t bytes_ = 0;
  StatementDone done_;
};

}  // namespace

Result<SelectPlan> plan_select(engine::Engine& engine, const BoundStatement& statement, bool consistent) {
  const auto& syntax = std::get<partiql::Select>(statement.syntax.what);
  SelectPlan plan;
  plan.table = TRY(engine.catalog.find(syntax.from.table));
  plan.index = TRY(find_index(*plan.table, syntax.from));
  const partiql::ReadKey key = TRY(read_key(key_of(*plan.table, plan.index)));
  const bool is_global = plan.index != nullptr && !plan.index->settings->local;
  if (consistent && is_global)
    return invalid("Strongly consistent read is not supported on Global Secondary Indexes");
  if (plan.index != nullptr && !plan.index->projects_all) {
    const std::vector<std::string> missing = not_held(*plan.index, attributes_of(statement.columns));
    if (!missing.empty() && is_global) {
      return invalid_parameter("Global secondary index " + *syntax.from.index + " does not project [" +
                               joined(missing) + "]");
    }
    plan.fetch_items = !missing.empty();
  }
  plan.keys = TRY(partiql::key_reads(syntax.where, syntax.order, key));
  if (plan.index != nullptr && !plan.keys.is_scan && !plan.index->projects_all) {
    const std::vector<std::string> missing = not_held_by_any(*plan.index, plan.keys);
    if (!missing.empty()) {
      return invalid_parameter("Secondary index " + *syntax.from.index +
                               " does not project one or more filter attributes: [" +
                               joined(in_java_order(missing)) + "]");
    }
  }
  for (const Column& column : statement.columns) TRY(check_key_path(*plan.table, column.path));
  return plan;
}

Result<StatementDone> select(engine::Engine& engine, const BoundStatement& statement,
                             const ExecuteStatement& request, const engine::ReadOptions& options) {
  const SelectPlan plan = TRY(plan_select(engine, statement, request.statement.consistent));
  Position position;
  if (request.next_token) {
    position = TRY(from_token(*request.next_token, fingerprint_of(statement, request.statement),
                              plan.keys.reads.size()));
  }
  return Reader(engine, statement, request, plan, options).run(std::move(position));
}

}  // namespace sheaf::api
