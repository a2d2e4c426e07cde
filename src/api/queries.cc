#include "api/queries.h"

#include <algorithm>

#include "api/answers.h"
#include "api/expressions.h"
#include "api/query_keys.h"
#include "base/joined.h"
#include "base/try.h"
#include "engine/query_page.h"

namespace sheaf::api {
namespace {

enum class Reading : uint8_t { kQuery, kScan };

// What Query and Scan have in common, once the expressions are read.
struct ReadSpec {
  Reading reading;
  std::optional<expr::Condition> filter;
  std::optional<expr::Projection> projection;
  std::optional<Select> select;
  bool consistent;
  uint32_t limit;
  std::string_view filter_name = "Filter Expression";
};

void take_legacy(ReadSpec& spec, LegacyExpressions legacy) {
  if (legacy.projection) spec.projection = std::move(legacy.projection);
  if (!legacy.condition) return;
  spec.filter = std::move(legacy.condition);
  spec.filter_name = spec.reading == Reading::kQuery ? "QueryFilter" : "ScanFilter";
}

// The parameter that names the wanted attributes; empty if there is none.
std::string_view projection_of(const std::optional<std::string>& projection,
                               const LegacyExpressions& legacy) {
  return projection ? "ProjectionExpression" : legacy.projection ? "AttributesToGet" : "";
}

// Query counts its errors here, Scan does not.
Result<void> check_select(Reading reading, const std::optional<Select>& select, std::string_view projection,
                          bool has_index) {
  const std::string opening = reading == Reading::kQuery ? "1 validation error detected: " : "";
  if (select == Select::kSpecificAttributes && projection.empty()) {
    return invalid(
        opening +
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES");
  }
  if (!projection.empty() && select && *select != Select::kSpecificAttributes) {
    const std::string_view what = *select == Select::kCount           ? "only the Count"
                                  : *select == Select::kAllAttributes ? "ALL_ATTRIBUTES"
                                                                      : "ALL_PROJECTED_ATTRIBUTES";
    return invalid(opening + "Cannot specify the " + std::string(projection) + " when choosing to get " +
                   std::string(what));
  }
  if (select == Select::kAllProjected && !has_index)
    return invalid(opening + "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  return {};
}

Result<const engine::Index*> find_index(const engine::Table& table, const std::optional<std::string>& name) {
  if (!name) return static_cast<const engine::Index*>(nullptr);
  const engine::Index* index = table.find_index(*name);
  if (index == nullptr || index->settings->status == IndexStatus::kDeleting) {
    return invalid("The table does not have the specified index: " + *name);
  }
  if (index->settings->status == IndexStatus::kCreating) {
    return invalid("Cannot read from backfilling global secondary index: " + *name);
  }
  return index;
}

template <typename Names>
std::vector<std::string> unprojected(const engine::Index& index, const Names& names) {
  std::vector<std::string> missing;
  for (const std::string_view name : names) {
    if (!index.projects(name)) missing.emplace_back(name);
  }
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

std::vector<std::string_view> attributes_of(const expr::Condition& condition) {
  std::vector<std::string_view> names;
  for (const expr::Path& path : condition.paths()) names.push_back(path.attribute());
  return names;
}

// Whether whole items must be read from the table because the index does not hold what is asked for; a global
// index does not do that.
Result<bool> must_fetch(const engine::Index* index, const ReadSpec& spec) {
  if (index == nullptr || index->projects_all) return false;
  const std::string& name = index->settings->name;
  const bool local = index->settings->local;
  if (spec.select == Select::kAllAttributes) {
    if (local) return true;
    return invalid_parameter("Select type ALL_ATTRIBUTES is not supported for global secondary index " +
                             name + " because its projection type is not ALL");
  }
  const std::vector<std::string> missing =
      spec.projection ? unprojected(*index, spec.projection->attributes()) : std::vector<std::string>();
  if (!missing.empty()) {
    if (local) return true;
    return invalid_parameter("Global secondary index " + name + " does not project [" + joined(missing) +
                             "]");
  }
  if (spec.filter && spec.reading == Reading::kQuery) {
    const std::vector<std::string> filtered = unprojected(*index, attributes_of(*spec.filter));
    if (!filtered.empty()) {
      return invalid_parameter("Secondary index " + name +
                               " does not project one or more filter attributes: [" + joined(filtered) + "]");
    }
  }
  return false;
}

// A Query's filter is for what the key condition cannot say.
Result<void> check_filter(const engine::Table& table, const engine::Index* index, const ReadSpec& spec) {
  const KeySchema& key = key_of(table, index);
  for (const expr::Path& path : spec.filter->paths()) {
    if (!engine::contains(key, path.attribute())) continue;
    return invalid(
        std::string(spec.filter_name) +
        " can only contain non-primary key attributes: Primary key attribute: " + path.attribute());
  }
  return {};
}

Result<void> check_index_read(const engine::Index* index, bool consistent) {
  if (index == nullptr || index->settings->local || !consistent) return {};
  return invalid("Consistent reads are not supported on global secondary indexes");
}

Result<Page> read(engine::Engine& engine, engine::KeyRange keys, const ReadSpec& spec,
                  const engine::ReadOptions& options) {
  const engine::TableRef table = keys.table;
  const engine::Index* index = keys.index;
  if (spec.projection) {
    for (const expr::Path& path : spec.projection->paths()) TRY(check_key_path(*table, path));
  }
  if (spec.filter) {
    for (const expr::Path& path : spec.filter->paths()) TRY(check_key_path(*table, path));
  }
  if (spec.filter && spec.reading == Reading::kQuery) TRY(check_filter(*table, index, spec));
  const bool fetch = TRY(must_fetch(index, spec));
  const engine::PageRequest request{
      .keys = std::move(keys),
      .filter = spec.filter ? &*spec.filter : nullptr,
      .limit = spec.limit,
      .fetch_items = fetch,
      .mode = spec.consistent ? engine::ReadMode::kStrong : engine::ReadMode::kEventual};
  Page page;
  const bool want_items = spec.select != Select::kCount;
  engine::PageEnd end = TRY(engine::read_page(engine, request, options, [&](ItemView item) {
    if (!want_items) return;
    if (spec.projection) {
      page.items.append(spec.projection->project(item));
    } else {
      page.items.append(item);
    }
  }));
  page.count = end.count;
  page.scanned_count = end.scanned;
  page.last_key = std::move(end.last_key);
  page.capacity = to_capacity(*table, end.consumed);
  return page;
}

Result<void> check_segments(const Scan& request) {
  if (request.segment && !request.segment_count) {
    return invalid(
        "The TotalSegments parameter is required but was not present in the request when Segment parameter "
        "is present");
  }
  if (!request.segment && request.segment_count) {
    return invalid(
        "The Segment parameter is required but was not present in the request when parameter TotalSegments "
        "is present");
  }
  if (!request.segment) return {};
  if (*request.segment_count < 1 || *request.segment_count > engine::kSegmentsMax) {
    const bool low = *request.segment_count < 1;
    return invalid("1 validation error detected: Value '" + std::to_string(*request.segment_count) +
                   "' at 'totalSegments' failed to satisfy constraint: Member must have value " +
                   (low ? "greater than or equal to 1" : "less than or equal to 1000000"));
  }
  if (*request.segment >= *request.segment_count) {
    return invalid(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: " +
        std::to_string(*request.segment) +
        " is not less than TotalSegments: " + std::to_string(*request.segment_count));
  }
  return {};
}

}  // namespace

Result<void> check_query(const Query& request, std::string_view projection) {
  if (request.limit == 0u) {
    return invalid(
        "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value "
        "greater than or equal to 1");
  }
  return check_select(Reading::kQuery, request.select, projection, request.index.has_value());
}

Result<Page> query(engine::Engine& engine, const Query& request, LegacyExpressions legacy,
                   const engine::ReadOptions& options) {
  TRY(check_query(request, projection_of(request.projection, legacy)));
  ExpressionReader expressions(request.names, request.values);
  TRY(expressions.check_placeholders());
  ReadSpec spec{.reading = Reading::kQuery,
                .select = request.select,
                .consistent = request.consistent,
                .limit = request.limit.value_or(0)};
  std::vector<expr::KeyClause> clauses;
  if (legacy.key_condition) {
    clauses = std::move(*legacy.key_condition);
  } else {
    clauses = TRY(expressions.key_condition(request.key_condition));
  }
  spec.filter = TRY(expressions.condition(request.filter, expr::ExpressionKind::kFilter));
  spec.projection = TRY(expressions.projection(request.projection));
  TRY(expressions.end());
  take_legacy(spec, std::move(legacy));

  engine::TableRef table = TRY(engine.catalog.find(request.table));
  const engine::Index* index = TRY(find_index(*table, request.index));
  TRY(check_index_read(index, request.consistent));
  if (request.start_key) TRY(check_start_key(*table, index, *request.start_key));
  const expr::KeyCondition condition = TRY(bind_key_condition(key_of(*table, index), std::move(clauses)));
  engine::QueryKeys keys{.condition = condition, .descending = request.descending};
  if (request.start_key) {
    TRY(check_start_within(*table, index, condition, *request.start_key));
    keys.start_after = *request.start_key;
  }
  engine::KeyRange range = TRY(engine::plan_query(std::move(table), index, keys));
  return read(engine, std::move(range), spec, options);
}

Result<Page> scan(engine::Engine& engine, const Scan& request, LegacyExpressions legacy,
                  const engine::ReadOptions& options) {
  if (request.limit == 0u) {
    return invalid(
        "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have "
        "value "
        "greater than or equal to 1");
  }
  TRY(check_segments(request));
  TRY(check_select(Reading::kScan, request.select, projection_of(request.projection, legacy),
                   request.index.has_value()));
  ExpressionReader expressions(request.names, request.values);
  TRY(expressions.check_wanted(
      {.any = request.filter || request.projection, .with_values = request.filter.has_value()},
      "FilterExpression is null"));
  TRY(expressions.check_placeholders());
  ReadSpec spec{.reading = Reading::kScan,
                .select = request.select,
                .consistent = request.consistent,
                .limit = request.limit.value_or(0)};
  spec.filter = TRY(expressions.condition(request.filter, expr::ExpressionKind::kFilter));
  spec.projection = TRY(expressions.projection(request.projection));
  TRY(expressions.end());
  take_legacy(spec, std::move(legacy));

  engine::TableRef table = TRY(engine.catalog.find(request.table));
  const engine::Index* index = TRY(find_index(*table, request.index));
  TRY(check_index_read(index, request.consistent));
  engine::ScanKeys keys{.segment = request.segment.value_or(0),
                        .segment_count = request.segment_count.value_or(1)};
  if (request.start_key) {
    TRY(check_scan_start_key(*table, index, *request.start_key));
    keys.start_after = *request.start_key;
  }
  engine::KeyRange range = TRY(engine::plan_scan(std::move(table), index, keys));
  return read(engine, std::move(range), spec, options);
}

}  // namespace sheaf::api
