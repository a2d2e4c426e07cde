#include "programs/program_generator.h"

#include <algorithm>

namespace sheaf::programs {
namespace {

constexpr uint32_t kOddity = 25;  // in a thousand

const KeyAttribute& attribute(const std::string& name) {
  const auto& attributes = index_attributes();
  return *std::find_if(attributes.begin(), attributes.end(),
                       [&](const KeyAttribute& each) { return each.name == name; });
}

KeySchema key_of(const std::vector<std::string>& partition, const std::vector<std::string>& sort) {
  KeySchema key;
  for (const std::string& name : partition) key.partition.push_back(attribute(name));
  for (const std::string& name : sort) key.sort.push_back(attribute(name));
  return key;
}

IndexDeclaration keys_only(const std::string& name, KeySchema key) {
  return {.name = name, .key = std::move(key), .projection = ProjectionKind::kKeysOnly};
}

IndexDeclaration including(const std::string& name, KeySchema key, std::vector<std::string> included) {
  return {.name = name,
          .key = std::move(key),
          .projection = ProjectionKind::kInclude,
          .included = std::move(included)};
}

KeySchema plain_key(Type partition, std::optional<Type> sort) {
  KeySchema key{.partition = {{"pk", partition}}};
  if (sort) key.sort = {{"sk", *sort}};
  return key;
}

}  // namespace

ProgramGenerator::ProgramGenerator(const ProgramOptions& options)
    : options_(options), dice_(options.seed), values_(dice_, time_s_) {}

Program ProgramGenerator::generate() {
  Program program;
  const std::vector<std::pair<std::string, KeySchema>> tables = {
      {"hash-s", plain_key(Type::kString, std::nullopt)},
      {"range-s", plain_key(Type::kString, Type::kString)},
      {"range-n", plain_key(Type::kNumber, Type::kNumber)},
      {"range-b", plain_key(Type::kBinary, Type::kBinary)},
      {"hash-n", plain_key(Type::kNumber, std::nullopt)},
  };
  for (const auto& [name, key] : tables) {
    shapes_.push_back({.declared = random_table(name, key, true)});
    program.emplace_back(shapes_.back().declared);
  }
  while (program.size() < options_.operations) {
    const auto due = std::find_if(planned_.begin(), planned_.end(),
                                  [&](const auto& each) { return each.first <= program.size(); });
    if (due != planned_.end()) {
      program.push_back(std::move(due->second));
      planned_.erase(due);
    } else {
      program.push_back(next(program.size()));
    }
    if (program.size() % options_.check_interval == 0) program.emplace_back(CheckStateOperation{});
  }
  program.emplace_back(WorkOperation{.settle = true});
  program.emplace_back(CheckStateOperation{});
  return program;
}

std::vector<IndexDeclaration> ProgramGenerator::local_menu(const KeySchema& key) const {
  if (key.sort.empty()) return {};
  const auto local_key = [&](const std::string& name) {
    return KeySchema{.partition = key.partition, .sort = {attribute(name)}};
  };
  return {{.name = "lsi-all", .key = local_key("ls")},
          keys_only("lsi-keys", local_key("ln")),
          including("lsi-incl", local_key("lb"), {"v", "doc"}),
          including("lsi-gp", local_key("gp"), {"s"})};
}

std::vector<IndexDeclaration> ProgramGenerator::global_menu(const KeySchema& key) const {
  std::vector<IndexDeclaration> menu = {
      {.name = "gsi-all", .key = key_of({"gp"}, {"gn"})},
      keys_only("gsi-keys", key_of({"gn"}, {})),
      including("gsi-incl", key_of({"gb"}, {"ls"}), {"v", "tags"}),
      keys_only("gsi-m2", key_of({"gp", "gn"}, {})),
      including("gsi-m3", key_of({"gp", "gn", "gb"}, {"ls", "ln"}), {"s"}),
      {.name = "gsi-m4", .key = key_of({"gp", "gn", "gb", "ls"}, {"ln", "lb"})},
      {.name = "gsi-s4", .key = key_of({"gp", "gb"}, {"ln", "ls", "lb", "gn"})},
  };
  if (!key.sort.empty()) {
    menu.push_back({.name = "gsi-inv", .key = {.partition = key.sort, .sort = key.partition}});
    menu.push_back(keys_only("gsi-sk", {.partition = {attribute("ls")}, .sort = key.sort}));
  }
  menu.push_back(including("gsi-pk", {.partition = key.partition, .sort = {attribute("ln")}}, {"doc"}));
  return menu;
}

// The first tables have most of what there can be, or nothing; later ones some of it.
CreateTable ProgramGenerator::random_table(const std::string& name, KeySchema key, bool first) {
  static const std::vector<StreamView> views = {StreamView::kKeysOnly, StreamView::kNewImage,
                                                StreamView::kOldImage, StreamView::kNewAndOldImages};
  CreateTable table{.table = name, .key = key};
  const bool bare = dice_.one_in(3);  // no indexes yet
  if (!bare) table.local_indexes = dice_.some(local_menu(key), first ? 80 : 40);
  if (!bare) table.global_indexes = dice_.some(global_menu(key), first ? 60 : 30);
  if (dice_.percent(75)) table.stream = dice_.pick(views);
  if (dice_.one_in(3)) table.tags = {{"team", "a"}};
  return table;
}

std::vector<IndexDeclaration> ProgramGenerator::indexes_of(const Shape& shape) const {
  std::vector<IndexDeclaration> indexes = shape.declared.local_indexes;
  indexes.insert(indexes.end(), shape.declared.global_indexes.begin(), shape.declared.global_indexes.end());
  indexes.insert(indexes.end(), shape.added.begin(), shape.added.end());
  return indexes;
}

// The second table is the one with many items and all kinds of indexes.
ProgramGenerator::Shape& ProgramGenerator::any_shape() {
  Shape& shape = dice_.percent(30) ? shapes_[1] : shapes_[dice_.below(shapes_.size())];
  values_.set_sort_keys(&shape == &shapes_[1] ? 60 : 12);
  return shape;
}

std::string ProgramGenerator::table_name(const Shape& shape) {
  return dice_.one_in(400) ? "nowhere" : shape.declared.table;
}

Operation ProgramGenerator::next(size_t step) {
  const uint64_t kind = dice_.below(1000);
  Shape& shape = any_shape();
  if (kind < 420) return write(shape);
  if (kind < 470) return get(shape);
  if (kind < 620) return query(shape);
  if (kind < 690) return scan(shape);
  if (kind < 730) return batch_write();
  if (kind < 760) return batch_get();
  if (kind < 830) return transact_write();
  if (kind < 860) return transact_get();
  if (kind < 870)
    return CollectionSizeOperation{table_name(shape),
                                   values_.key({.partition = shape.declared.key.partition}, kOddity)};
  if (kind < 880) return DescribeOperation{table_name(shape)};
  if (kind < 882) return ListTablesOperation{};
  if (kind < 910) {
    static const std::vector<uint32_t> limits = {1, 2, 5, 1000};
    const auto from = dice_.one_in(6)   ? PollOperation::From::kOldest
                      : dice_.one_in(8) ? PollOperation::From::kNewest
                                        : PollOperation::From::kOn;
    return PollOperation{shape.declared.table, from, dice_.pick(limits)};
  }
  if (kind < 940) return table_change(step);
  return background();
}

// As long as there is no index to object, items hold what an index added later cannot take.
Item ProgramGenerator::item(const Shape& shape, uint32_t oddity) {
  return values_.item(shape.declared.key, oddity, indexes_of(shape).empty() ? 150 : oddity);
}

WriteOperation ProgramGenerator::put(const Shape& shape, uint32_t oddity) {
  WriteOperation put{.table = table_name(shape), .item = item(shape, oddity)};
  if (dice_.one_in(4)) put.condition = values_.condition();
  return put;
}

WriteOperation ProgramGenerator::write(const Shape& shape) {
  static const std::vector<ReturnValues> all = {ReturnValues::kNone, ReturnValues::kAllOld,
                                                ReturnValues::kAllNew, ReturnValues::kUpdatedOld,
                                                ReturnValues::kUpdatedNew};
  WriteOperation write;
  const uint64_t kind = dice_.below(10);
  if (kind < 4) {
    write = put(shape, kOddity);
  } else {
    write.kind = kind < 8 ? WriteOperation::Kind::kUpdate : WriteOperation::Kind::kDelete;
    write.table = table_name(shape);
    write.item = values_.key(shape.declared.key, kOddity);
    if (kind < 8 && !dice_.one_in(15)) write.update = values_.update(shape.declared.key);
    if (dice_.one_in(3)) write.condition = values_.condition();
  }
  const bool update = write.kind == WriteOperation::Kind::kUpdate;
  if (update || dice_.one_in(200)) {
    write.return_values = dice_.pick(all);
  } else if (dice_.one_in(2)) {
    write.return_values = ReturnValues::kAllOld;
  }
  write.return_item_on_failure = dice_.one_in(2);
  return write;
}

GetOperation ProgramGenerator::get(const Shape& shape) {
  GetOperation get{.table = table_name(shape), .key = values_.key(shape.declared.key, kOddity)};
  if (dice_.one_in(3)) get.projection = values_.projection();
  get.consistent = dice_.one_in(2);
  return get;
}

Value ProgramGenerator::key_value(const std::string& name, Type type) {
  return name == "pk"   ? values_.partition_value(type)
         : name == "sk" ? values_.sort_value(type)
                        : values_.index_value(type);
}

std::vector<KeyClause> ProgramGenerator::key_clauses(const KeySchema& key) {
  static const std::vector<std::string> comparators = {"<", "<=", ">", ">="};
  std::vector<KeyClause> clauses;
  for (const KeyAttribute& each : key.partition)
    clauses.push_back({.attribute = each.name, .value = key_value(each.name, each.type)});
  for (const KeyAttribute& each : key.sort) {
    if (dice_.one_in(3)) break;
    KeyClause clause{.attribute = each.name, .value = key_value(each.name, each.type)};
    const uint64_t kind = dice_.below(8);
    if (kind < 3) {
      clauses.push_back(std::move(clause));
      continue;
    }
    if (kind == 3) {
      clause.kind = KeyClause::Kind::kBetween;
      clause.upper = key_value(each.name, each.type);
      if (*compare(clause.value, clause.upper) > 0) std::swap(clause.value, clause.upper);
    } else if (kind == 4 && each.type != Type::kNumber) {
      clause.kind = KeyClause::Kind::kBeginsWith;
      const std::string bytes(clause.value.view().bytes().substr(0, 1 + dice_.below(3)));
      if (each.type == Type::kBinary) {
        clause.value = Value::binary(bytes);
      } else if (static_cast<signed char>(bytes.back()) >= 0) {
        clause.value = Value(bytes);  // not in the middle of a character
      }
    } else {
      clause.comparator = dice_.pick(comparators);
    }
    clauses.push_back(std::move(clause));
    break;
  }
  if (dice_.below(1000) < 2 * kOddity) {
    KeyClause& odd = clauses[dice_.below(clauses.size())];
    switch (dice_.below(4)) {
      case 0:
        if (clauses.size() > 1)
          clauses.erase(clauses.begin() + static_cast<std::ptrdiff_t>(dice_.below(clauses.size())));
        break;
      case 1:
        odd.value = odd.value.type() == Type::kNumber ? Value("text") : Value(7);
        odd.kind = KeyClause::Kind::kCompare;
        break;
      case 2:
        odd.kind = KeyClause::Kind::kCompare;
        odd.comparator = "<";
        break;
      default:
        clauses.push_back({.attribute = "v", .value = Value(1)});
    }
  }
  if (dice_.one_in(4)) std::reverse(clauses.begin(), clauses.end());
  return clauses;
}

Item ProgramGenerator::start_key(const Shape& shape, const KeySchema& key) {
  Item start = values_.key(shape.declared.key, 2 * kOddity);
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& each : *attributes) {
      if (start.find(each.name)) continue;
      start.set(each.name, dice_.below(1000) < kOddity ? values_.odd_value(each.type, 1024)
                                                       : key_value(each.name, each.type));
    }
  }
  return start;
}

void ProgramGenerator::add_read_options(const Shape& shape, const KeySchema& key, ReadOperation& read) {
  static const std::vector<Select> selects = {Select::kAllAttributes, Select::kAllProjected,
                                              Select::kSpecificAttributes, Select::kCount};
  if (dice_.one_in(3)) read.filter = values_.condition();
  if (dice_.one_in(4)) read.projection = values_.projection();
  if (read.projection ? dice_.one_in(10) : dice_.one_in(4)) read.select = dice_.pick(selects);
  if (dice_.one_in(2)) read.limit = static_cast<uint32_t>(1 + dice_.below(8));
  if (dice_.one_in(300)) read.limit = 0;
  read.all_pages = dice_.one_in(3);
  read.consistent = dice_.one_in(read.index ? 25 : 2);
  if (dice_.one_in(10)) read.start_key = start_key(shape, key);
}

ReadOperation ProgramGenerator::query(const Shape& shape) {
  ReadOperation read{.table = table_name(shape)};
  bool partial = false;
  KeySchema key = shape.declared.key;
  const std::vector<IndexDeclaration> indexes = indexes_of(shape);
  if (!indexes.empty() && dice_.percent(65)) {
    const IndexDeclaration& index = dice_.pick(indexes);
    read.index = index.name;
    key = index.key;
    partial = index.projection != ProjectionKind::kAll;
  }
  if (dice_.one_in(300)) read.index = "no-index";
  read.keys = key_clauses(key);
  read.descending = dice_.one_in(2);
  add_read_options(shape, key, read);
  // Mostly refused: what such an index does not hold.
  if (partial && dice_.percent(75)) {
    read.projection.reset();
    read.filter.reset();
    read.select.reset();
  }
  // A start key is of use only if it is in the queried partition.
  if (read.start_key && dice_.percent(80)) {
    for (const KeyClause& clause : *read.keys) {
      if (clause.kind == KeyClause::Kind::kCompare && clause.comparator == "=")
        read.start_key->set(clause.attribute, clause.value);
    }
  }
  // A filter on the key is refused: not too often.
  if (read.filter && dice_.percent(80)) {
    std::vector<DocumentPath> paths;
    collect_paths(*read.filter, paths);
    const bool on_key = std::any_of(paths.begin(), paths.end(), [&](const DocumentPath& path) {
      return std::any_of(read.keys->begin(), read.keys->end(),
                         [&](const KeyClause& clause) { return clause.attribute == path.attribute; });
    });
    if (on_key) read.filter.reset();
  }
  return read;
}

ReadOperation ProgramGenerator::scan(const Shape& shape) {
  ReadOperation read{.table = table_name(shape)};
  KeySchema key = shape.declared.key;
  const std::vector<IndexDeclaration> indexes = indexes_of(shape);
  if (!indexes.empty() && dice_.percent(40)) {
    const IndexDeclaration& index = dice_.pick(indexes);
    read.index = index.name;
    key = index.key;
  }
  add_read_options(shape, key, read);
  if (dice_.one_in(3)) {
    read.segment_count = static_cast<uint32_t>(1 + dice_.below(5));
    read.segment = static_cast<uint32_t>(dice_.below(*read.segment_count));
    if (dice_.one_in(60)) read.segment = *read.segment_count;
  }
  if (dice_.one_in(300)) read.segment = 0;
  return read;
}

BatchGetOperation ProgramGenerator::batch_get() {
  BatchGetOperation batch;
  for (uint64_t tables = 1 + dice_.below(2); tables > 0; --tables) {
    const Shape& shape = any_shape();
    BatchGetOperation::Table part;
    for (uint64_t left = 1 + dice_.below(6); left > 0; --left) {
      Item key = values_.key(shape.declared.key, kOddity / 4);
      const bool known = std::find(part.keys.begin(), part.keys.end(), key) != part.keys.end();
      if (!known || dice_.one_in(8)) part.keys.push_back(std::move(key));
    }
    if (dice_.one_in(3)) part.projection = values_.projection();
    part.consistent = dice_.one_in(2);
    batch.tables[table_name(shape)] = std::move(part);
  }
  return batch;
}

BatchWriteItems ProgramGenerator::batch_write() {
  BatchWriteItems batch;
  for (uint64_t tables = 1 + dice_.below(2); tables > 0; --tables) {
    const Shape& shape = any_shape();
    std::vector<BatchWriteItems::Write> writes;
    std::vector<Item> keys;
    for (uint64_t left = 1 + dice_.below(10); left > 0; --left) {
      Item item = this->item(shape, kOddity / 5);
      Item key;
      for (const char* name : {"pk", "sk"}) {
        if (const auto value = item.find(name)) key.set(name, *value);
      }
      const bool known = std::find(keys.begin(), keys.end(), key) != keys.end();
      if (known && !dice_.one_in(20)) continue;
      keys.push_back(key);
      const bool put = dice_.percent(70);
      writes.push_back({.put = put, .item = put ? std::move(item) : std::move(key)});
    }
    batch.tables[table_name(shape)] = std::move(writes);
  }
  return batch;
}

TransactWriteOperation ProgramGenerator::transact_write() {
  if (!tokens_.empty() && dice_.one_in(10)) {
    TransactWriteOperation again = dice_.pick(tokens_);
    if (dice_.one_in(4)) again.writes.front().item.set("v", Value(int64_t{77}));  // no longer the same
    return again;
  }
  TransactWriteOperation transaction;
  std::vector<std::pair<std::string, Item>> keys;
  for (uint64_t left = 1 + dice_.below(6); left > 0; --left) {
    const Shape& shape = any_shape();
    WriteOperation write = put(shape, kOddity / 5);
    Item key;
    for (const char* name : {"pk", "sk"}) {
      if (const auto value = write.item.find(name)) key.set(name, *value);
    }
    const std::pair<std::string, Item> place(write.table, key);
    if (std::find(keys.begin(), keys.end(), place) != keys.end() && !dice_.one_in(10)) continue;
    keys.push_back(place);
    // Most conditions must hold, or hardly any transaction would be applied.
    if (!dice_.one_in(4)) write.condition.reset();
    const uint64_t kind = dice_.below(8);
    if (kind >= 3) write.item = key;
    if (kind >= 3 && kind < 6) {
      write.kind = WriteOperation::Kind::kUpdate;
      write.update = values_.update(shape.declared.key);
    } else if (kind == 6) {
      write.kind = WriteOperation::Kind::kDelete;
    } else if (kind == 7) {
      write.kind = WriteOperation::Kind::kCheck;
      write.condition = dice_.one_in(2) ? values_.condition()
                                        : Condition{.kind = Condition::Kind::kNotExists,
                                                    .operands = {{.path = {"nowhere", {}}}}};
    }
    write.return_item_on_failure = dice_.one_in(2);
    transaction.writes.push_back(std::move(write));
  }
  if (dice_.one_in(3)) {
    transaction.token = "token-" + std::to_string(token_count_++);
    tokens_.push_back(transaction);
    if (tokens_.size() > 6) tokens_.erase(tokens_.begin());
  }
  return transaction;
}

TransactGetOperation ProgramGenerator::transact_get() {
  TransactGetOperation transaction;
  for (uint64_t left = 1 + dice_.below(5); left > 0; --left) {
    GetOperation next = get(any_shape());
    const bool known = std::any_of(transaction.gets.begin(), transaction.gets.end(), [&](const auto& each) {
      return each.table == next.table && each.key == next.key;
    });
    if (!known || dice_.one_in(10)) transaction.gets.push_back(std::move(next));
  }
  return transaction;
}

Operation ProgramGenerator::table_change(size_t step) {
  static const std::vector<StreamView> views = {StreamView::kKeysOnly, StreamView::kNewImage,
                                                StreamView::kOldImage, StreamView::kNewAndOldImages};
  Shape& shape = any_shape();
  const std::string& name = shape.declared.table;
  const uint64_t kind = dice_.below(20);
  if (kind < 7) {
    IndexDeclaration index = dice_.pick(global_menu(shape.declared.key));
    if (!dice_.one_in(8)) index.name = "add-" + std::to_string(added_indexes_++ % 6);
    std::erase_if(shape.added, [&](const auto& each) { return each.name == index.name; });
    if (index.name.starts_with("add-")) shape.added.push_back(index);
    return UpdateTable{.table = name, .add_index = index};
  }
  if (kind < 11) {
    const std::vector<IndexDeclaration> indexes = indexes_of(shape);
    if (indexes.empty()) return DescribeOperation{name};
    return UpdateTable{.table = name, .remove_index = dice_.pick(indexes).name};
  }
  if (kind < 13) return UpdateTable{.table = name, .open_stream = dice_.pick(views)};
  if (kind < 14) return UpdateTable{.table = name, .close_stream = true};
  if (kind < 16) return TimeToLiveOperation{name, dice_.one_in(10) ? "v" : "ttl", !dice_.one_in(3)};
  if (kind < 17) {
    TagOperation tag{.table = name, .tags = {{"k" + std::to_string(dice_.below(3)), "v"}}};
    if (dice_.one_in(2)) tag.removed = {"k1"};
    return tag;
  }
  if (kind < 18) return UpdateTable{.table = name, .deletion_protected = dice_.one_in(4)};
  if (kind < 19) {
    // It comes back before long, with other indexes.
    shape.declared = random_table(name, shape.declared.key, false);
    shape.added.clear();
    planned_.emplace_back(step + 1 + dice_.below(20), WorkOperation{.rounds = 2});
    planned_.emplace_back(step + 1 + dice_.below(40), shape.declared);
    planned_.emplace_back(step + 60, shape.declared);
    return DeleteTableOperation{name};
  }
  return random_table(name, shape.declared.key, false);
}

Operation ProgramGenerator::background() {
  const uint64_t kind = dice_.below(12);
  if (kind < 6) return WorkOperation{.rounds = static_cast<uint32_t>(1 + dice_.below(3))};
  if (kind < 7) return WorkOperation{.settle = true};
  if (kind < 8 && dice_.one_in(2)) return ReopenOperation{};
  static const std::vector<int64_t> steps = {1, 1, 10, 100, 700, 3600, 13 * 3600, 25 * 3600};
  const int64_t by_s = dice_.one_in(3) ? dice_.pick(steps) : 1 + static_cast<int64_t>(dice_.below(5));
  time_s_ += by_s;
  values_.set_time(time_s_);
  return AdvanceClockOperation{.by_s = by_s};
}

}  // namespace sheaf::programs
