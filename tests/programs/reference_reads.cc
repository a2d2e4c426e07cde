// Reading from the reference database.
#include <algorithm>

#include "base/try.h"
#include "programs/document.h"
#include "programs/reference_database.h"

namespace sheaf::programs {
namespace {

constexpr uint64_t kPageBytesMax = 1 << 20;

Error refused() { return {Code::kInvalid, kAnyMessage}; }

Item projected(const std::optional<Projection>& projection, const Item& item) {
  return projection ? project_paths(item, *projection) : item;
}

Result<void> check_projection(const ReferenceTable& table, const std::optional<Projection>& projection) {
  return projection ? check_key_paths(table, *projection) : Result<void>();
}

const Item* item_at(const ReferenceTable& table, const Place& place) {
  const auto found = table.items.find(place);
  return found == table.items.end() ? nullptr : &found->second;
}

double units_of(const Item* item, bool consistent) {
  return read_units(item == nullptr ? 0 : bytes_of(*item)) * (consistent ? 1 : 0.5);
}

// What is wrong with a Query or Scan by itself.
bool is_well_formed(const ReadOperation& read) {
  if (read.limit == 0u) return false;
  if (read.segment.has_value() != read.segment_count.has_value()) return false;
  if (read.segment && *read.segment >= *read.segment_count) return false;
  if (read.select == Select::kSpecificAttributes && !read.projection) return false;
  if (read.projection && read.select && *read.select != Select::kSpecificAttributes) return false;
  return read.select != Select::kAllProjected || read.index.has_value();
}

bool is_possible(const KeyAttribute& attribute, const Value& value) {
  if (value.type() != attribute.type) return false;
  return attribute.type == Type::kNumber || !value.view().bytes().empty();
}

// All partition attributes by equality, sort attributes from the first on, only the last by a range.
bool fits(const KeySchema& key, const std::vector<KeyClause>& clauses) {
  const auto clause_on = [&](const std::string& name) {
    return std::find_if(clauses.begin(), clauses.end(),
                        [&](const auto& each) { return each.attribute == name; });
  };
  const auto is_equality = [](const KeyClause& clause) {
    return clause.kind == KeyClause::Kind::kCompare && clause.comparator == "=";
  };
  size_t used = 0;
  uint32_t partition_bytes = 0, sort_bytes = 0;
  for (const KeyAttribute& attribute : key.partition) {
    const auto clause = clause_on(attribute.name);
    if (clause == clauses.end() || !is_equality(*clause) || !is_possible(attribute, clause->value))
      return false;
    partition_bytes += bytes_of(clause->value);
    ++used;
  }
  bool ended = false;
  for (const KeyAttribute& attribute : key.sort) {
    const auto clause = clause_on(attribute.name);
    if (clause == clauses.end()) {
      ended = true;
      continue;
    }
    const bool between = clause->kind == KeyClause::Kind::kBetween;
    if (ended || !is_possible(attribute, clause->value)) return false;
    if (between && !is_possible(attribute, clause->upper)) return false;
    sort_bytes += std::max(bytes_of(clause->value), between ? bytes_of(clause->upper) : 0);
    ended = !is_equality(*clause);
    ++used;
  }
  return used == clauses.size() && partition_bytes <= 2048 && sort_bytes <= 1024;
}

// The rows of a table or an index, and how to find one's way among them.
class Rows {
 public:
  Rows(const ReferenceTable& table, const ReferenceIndex* index) : table_(table), index_(index) {}

  const KeySchema& key() const { return index_ == nullptr ? table_.key : index_->declaration.key; }

  std::vector<std::string> key_names() const {
    std::vector<std::string> names;
    for (const KeyAttribute& attribute : attributes_of(table_.key)) names.push_back(attribute.name);
    for (const KeyAttribute& attribute : attributes_of(key())) {
      if (std::find(names.begin(), names.end(), attribute.name) == names.end())
        names.push_back(attribute.name);
    }
    return names;
  }

  // The place of a row with these key attributes, if there can be one.
  std::optional<Place> place_of(ItemView item) const {
    const Item primary = project_names(item, names_of(table_.key));
    const Result<Place> place = place_of_key(table_, primary);
    if (!place.ok()) return std::nullopt;
    return index_ == nullptr ? std::optional(*place) : entry_place(table_, *index_, item);
  }

  bool matches(const std::vector<KeyClause>& clauses, ItemView item) const {
    return std::all_of(clauses.begin(), clauses.end(),
                       [&](const KeyClause& clause) { return holds(clause, *item.find(clause.attribute)); });
  }

  struct Row {
    Place place;
    const Item* item;
  };
  std::vector<Row> all() const {
    std::vector<Row> rows;
    for (const auto& [place, item] : table_.items) {
      if (index_ == nullptr) {
        rows.push_back({place, &item});
      } else if (std::optional<Place> entry = entry_place(table_, *index_, item)) {
        rows.push_back({std::move(*entry), &item});
      }
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.place < b.place; });
    return rows;
  }

  Item image(const Item& item) const { return index_ == nullptr ? item : entry_image(table_, *index_, item); }

 private:
  static std::vector<std::string> names_of(const KeySchema& key) {
    std::vector<std::string> names;
    for (const KeyAttribute& attribute : attributes_of(key)) names.push_back(attribute.name);
    return names;
  }

  const ReferenceTable& table_;
  const ReferenceIndex* index_;
};

// Segment s of n has the hashes from s * 2^64 / n up to the next segment's first.
bool in_segment(const ReadOperation& read, uint64_t hash) {
  if (!read.segment) return true;
  const auto start = [&](uint32_t segment) {
    return (static_cast<unsigned __int128>(segment) << 64) / *read.segment_count;
  };
  return hash >= start(*read.segment) && hash < start(*read.segment + 1);
}

// Whether the whole items are needed because an index does not hold what is asked for.
Result<bool> must_fetch(const ReferenceTable& table, const ReferenceIndex* index, const ReadOperation& read) {
  if (index == nullptr || index->declaration.projection == ProjectionKind::kAll) return false;
  bool lacks = read.select == Select::kAllAttributes;
  if (read.projection) {
    for (const DocumentPath& path : *read.projection) lacks |= !projects(table, *index, path.attribute);
  }
  if (lacks && !index->local) return refused();
  if (lacks) return true;
  if (read.filter && read.keys) {
    std::vector<DocumentPath> paths;
    collect_paths(*read.filter, paths);
    for (const DocumentPath& path : paths) {
      if (!projects(table, *index, path.attribute)) return refused();
    }
  }
  return false;
}

}  // namespace

Result<Got> ReferenceDatabase::get(const GetOperation& get) const {
  const ReferenceTable* table = TRY(usable(get.table));
  const Place place = TRY(place_of_key(*table, get.key));
  TRY(check_projection(*table, get.projection));
  const Item* item = item_at(*table, place);
  Got got{.capacity = {.table = units_of(item, get.consistent)}};
  if (item != nullptr) got.item = projected(get.projection, *item);
  return got;
}

Result<BatchGot> ReferenceDatabase::batch_get(const BatchGetOperation& batch) const {
  for (const auto& [name, part] : batch.tables) {
    for (size_t i = 0; i < part.keys.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (part.keys[i] == part.keys[j])
          return Error{Code::kInvalid, "Provided list of item keys contains duplicates"};
      }
    }
  }
  for (const auto& [name, part] : batch.tables) TRY(usable(name));
  std::map<std::string, std::vector<Place>> places;
  for (const auto& [name, part] : batch.tables) {
    const ReferenceTable* table = TRY(usable(name));
    TRY(check_projection(*table, part.projection));
    std::vector<Place>& of_table = places[name];
    for (const Item& key : part.keys) of_table.push_back(TRY(place_of_key(*table, key)));
  }
  BatchGot got;
  for (const auto& [name, part] : batch.tables) {
    ItemList& items = got.items[name];
    for (const Place& place : places[name]) {
      const Item* item = item_at(*find(name), place);
      got.capacity[name].table += units_of(item, part.consistent);
      if (item != nullptr) items.append(projected(part.projection, *item));
    }
  }
  return got;
}

Result<TransactGot> ReferenceDatabase::transact_get(const TransactGetOperation& transaction) const {
  TransactGot got;
  std::vector<const ReferenceTable*> tables;
  std::vector<Place> places;
  bool duplicate = false;
  got.reasons.resize(transaction.gets.size());
  for (size_t i = 0; i < transaction.gets.size(); ++i) {
    const GetOperation& get = transaction.gets[i];
    tables.push_back(TRY(usable(get.table)));
    Result<Place> place = place_of_key(*tables[i], get.key);
    if (!place.ok()) {
      if (got.applied) {
        got.reasons[i] = {.code = CancellationReason::Code::kValidationError,
                          .message = place.error().message};
      }
      got.applied = false;
      places.emplace_back();
      continue;
    }
    for (size_t j = 0; j < i; ++j)
      duplicate |= tables[i] == tables[j] && !(*place < places[j]) && !(places[j] < *place);
    places.push_back(std::move(*place));
  }
  if (!got.applied) return got;
  got.reasons.clear();
  if (duplicate)
    return Error{Code::kInvalid, "Transaction request cannot include multiple operations on one item"};
  for (size_t i = 0; i < places.size(); ++i)
    TRY(check_projection(*tables[i], transaction.gets[i].projection));
  for (size_t i = 0; i < places.size(); ++i) {
    const Item* item = item_at(*tables[i], places[i]);
    got.capacity[tables[i]->name].table += 2 * units_of(item, true);
    got.items.push_back(item == nullptr ? std::nullopt
                                        : std::optional(projected(transaction.gets[i].projection, *item)));
  }
  return got;
}

Result<Page> ReferenceDatabase::read(const ReadOperation& read) const {
  if (!is_well_formed(read)) return refused();
  const ReferenceTable* table = TRY(usable(read.table));
  const ReferenceIndex* index = nullptr;
  if (read.index) {
    index = table->find_index(*read.index);
    if (index == nullptr || index->status != IndexStatus::kActive) return refused();
    if (read.consistent && !index->local) return refused();
  }
  const Rows rows(*table, index);
  if (read.keys && !fits(rows.key(), *read.keys)) return refused();
  std::optional<Place> start;
  if (read.start_key) {
    if (read.start_key->view().size() != rows.key_names().size()) return refused();
    start = rows.place_of(*read.start_key);
    if (!start || !in_segment(read, start->hash)) return refused();
    if (read.keys && !rows.matches(*read.keys, *read.start_key)) return refused();
  }
  TRY(check_projection(*table, read.projection));
  if (read.filter && read.keys) {
    std::vector<DocumentPath> paths;
    collect_paths(*read.filter, paths);
    for (const DocumentPath& path : paths) {
      if (is_key_attribute(rows.key(), path.attribute)) return refused();
    }
  }
  const bool fetch = TRY(must_fetch(*table, index, read));
  const double weight = read.consistent ? 1 : 0.5;

  Page page;
  uint64_t bytes = 0;
  std::vector<Rows::Row> all = rows.all();
  if (read.descending) std::reverse(all.begin(), all.end());
  for (const Rows::Row& row : all) {
    if (!in_segment(read, row.place.hash)) continue;
    if (read.keys && !rows.matches(*read.keys, *row.item)) continue;
    if (start && !(read.descending ? row.place < *start : *start < row.place)) continue;
    ++page.scanned_count;
    const Item image = rows.image(*row.item);
    bytes += bytes_of(image);
    const Item& seen = fetch ? *row.item : image;
    if (fetch) page.capacity.table += read_units(bytes_of(*row.item)) * weight;
    if (!read.filter || holds(*read.filter, seen)) {
      ++page.count;
      if (read.select != Select::kCount) page.items.append(projected(read.projection, seen));
    }
    if (bytes >= kPageBytesMax || page.scanned_count == read.limit) {
      page.last_key = project_names(*row.item, rows.key_names());
      break;
    }
  }
  (index == nullptr ? page.capacity.table : page.capacity.indexes[index->declaration.name]) +=
      read_units(bytes) * weight;
  return page;
}

Result<CollectionSize> ReferenceDatabase::collection_size(const CollectionSizeOperation& request) const {
  const ReferenceTable* table = TRY(usable(request.table));
  if (table->key.sort.empty()) return refused();
  const KeyAttribute& attribute = table->key.partition.front();
  const std::optional<ValueView> value = request.partition_key.find(attribute.name);
  const bool fits_schema =
      request.partition_key.view().size() == 1 && value && is_possible(attribute, Value(*value));
  if (!fits_schema || bytes_of(*value) > 2048) return refused();
  return programs::collection_size(*table, request.partition_key);
}

}  // namespace sheaf::programs
