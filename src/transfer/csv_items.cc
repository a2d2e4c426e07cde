#include "transfer/csv_items.h"

#include <algorithm>
#include <array>

#include "base/errors.h"
#include "base/try.h"
#include "transfer/csv_fields.h"
#include "transfer/plain_items.h"
#include "value/base64.h"
#include "value/utf8.h"
#include "value/value_json.h"

namespace sheaf::transfer {
namespace {

using Kind = ColumnType::Kind;

constexpr std::array<Type, 10> kTypes{Type::kNull,      Type::kBool,     Type::kNumber, Type::kString,
                                      Type::kBinary,    Type::kMap,      Type::kList,   Type::kStringSet,
                                      Type::kNumberSet, Type::kBinarySet};

std::string text_of(const ColumnType& type) {
  if (type.kind == Kind::kAny) return "any";
  return type.kind == Kind::kGuess ? "guess" : std::string(type_name(type.type));
}

std::optional<ColumnType> column_type(std::string_view text) {
  if (text == "any") return ColumnType{.kind = Kind::kAny};
  if (text == "guess") return ColumnType{.kind = Kind::kGuess};
  for (const Type type : kTypes) {
    if (type_name(type) == text) return ColumnType{.type = type};
  }
  return std::nullopt;
}

// The type that a head says, as in "age:N": what stands behind its last colon. Guessing is left to --types.
std::optional<ColumnType> type_in_head(std::string_view head) {
  const size_t colon = head.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::optional<ColumnType> type = column_type(head.substr(colon + 1));
  return type && type->kind != Kind::kGuess ? type : std::nullopt;
}

// What a head says, beside what is known of the column.
Column column_of_head(const std::string& head, const ColumnTypes& types) {
  Column column{.name = head};
  const std::optional<ColumnType> said = type_in_head(head);
  if (said) column.name.resize(head.rfind(':'));
  const auto known = types.find(column_key(column.name));
  const auto others = types.find("*");
  if (known != types.end()) {
    column.type = known->second;
  } else if (said) {
    column.type = *said;
  } else if (others != types.end()) {
    column.type = others->second;
  }
  return column;
}

Error not_of(Type type, std::string_view text) {
  constexpr size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  if (text.size() > kShown) shown += "...";
  return invalid("\"" + shown + "\" is no " + std::string(type_name(type)));
}

bool looks_like_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789+-.eE") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

Result<Value> guessed(const std::string& text) {
  if (text == "true" || text == "false") return Value(text == "true");
  if (text == "null") return Value();
  if (looks_like_number(text)) {
    // 01234, +41 and 1e5 are more often marks of something than quantities.
    const Result<Number> number = Number::parse(text);
    if (number.ok() && plain_text(Value(*number)) == text) return Value(*number);
  }
  if (text.starts_with('{') || text.starts_with('[')) {
    if (Result<Value> value = read_plain_value(text); value.ok()) return value;
  }
  return Value(text);
}

Result<Value> value_of(const std::string& text, Type type) {
  switch (type) {
    case Type::kString:
      return Value(text);
    case Type::kNumber:
      return Value(TRY(Number::parse(text)));
    case Type::kBinary: {
      std::string bytes;
      if (!decode_base64(bytes, text)) return not_of(type, text);
      return Value::binary(bytes);
    }
    case Type::kBool:
      if (text != "true" && text != "false") return not_of(type, text);
      return Value(text == "true");
    case Type::kNull:
      if (text != "null") return not_of(type, text);
      return Value();
    case Type::kMap:
    case Type::kList: {
      Value value = TRY(read_plain_value(text));
      if (value.type() != type) return not_of(type, text);
      return value;
    }
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return read_plain_value("{\"$" + std::string(type_name(type)) + "\":" + text + "}");
  }
  return not_of(type, text);
}

// What stands in the cell of a value whose column has its type.
std::string cell_text(ValueView value, Kind kind) {
  if (kind == Kind::kAny) return value.to_json();
  switch (value.type()) {
    case Type::kString:
      return std::string(value.bytes());
    case Type::kBinary: {
      std::string text;
      append_base64(text, value.bytes());
      return text;
    }
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet: {
      // Without its mark: the column has it.
      const std::string marked = plain_text(value);
      const size_t begin = marked.find('[');
      return marked.substr(begin, marked.size() - begin - 1);
    }
    default:
      return plain_text(value);
  }
}

bool is_filled(const Cell& cell) { return !cell.text.empty() || cell.is_quoted; }

// Whether a cell of the same attribute, in a column of another type, has a value already.
bool is_filled_before(const std::vector<Cell>& cells, const std::vector<Column>& columns, size_t at) {
  for (size_t i = 0; i < at; ++i) {
    if (columns[i].name == columns[at].name && is_filled(cells[i])) return true;
  }
  return false;
}

// *, \*, \\*, ...
bool is_starlike(std::string_view name) {
  return name.find_first_not_of('\\') == name.size() - 1 && name.ends_with('*');
}

}  // namespace

std::string column_key(std::string_view name) { return (is_starlike(name) ? "\\" : "") + std::string(name); }

std::string column_of_key(std::string_view key) {
  return std::string(key.starts_with('\\') && is_starlike(key) ? key.substr(1) : key);
}

Result<ColumnTypes> parse_column_types(std::string_view text) {
  ColumnTypes types;
  const std::vector<Cell> cells = TRY(split_cells(text));
  for (const Cell& cell : cells) {
    const size_t colon = cell.text.rfind(':');
    const std::optional<ColumnType> type = colon == std::string::npos
                                               ? std::nullopt
                                               : column_type(std::string_view(cell.text).substr(colon + 1));
    if (!type || colon == 0)
      return invalid("\"" + cell.text +
                     "\" says no type: NAME:TYPE, of S, N, B, BOOL, NULL, M, L, SS, NS, BS, any, guess");
    if (!types.emplace(cell.text.substr(0, colon), *type).second)
      return invalid(cell.text.substr(0, colon) + " has two types");
  }
  return types;
}

std::string to_text(const ColumnTypes& types) {
  std::string text;
  for (const auto& [name, type] : types) {
    if (!text.empty()) text += ',';
    append_cell(text, name + ":" + text_of(type));
  }
  return text;
}

ColumnTypes with_keys(ColumnTypes types, const TableDescription& table) {
  const auto add = [&](const KeySchema& key) {
    for (const auto* attributes : {&key.partition, &key.sort}) {
      for (const KeyAttribute& attribute : *attributes)
        types.emplace(column_key(attribute.name), ColumnType{.type = attribute.type});
    }
  };
  add(table.key);
  for (const IndexDescription& index : table.indexes) add(index.key);
  return types;
}

Result<std::vector<Column>> read_header(std::string_view record, const ColumnTypes& types) {
  if (!is_utf8(record)) return invalid("this is no UTF-8");
  std::vector<Column> columns;
  const std::vector<Cell> cells = TRY(split_cells(record));
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].text.empty())
      return invalid("column " + std::to_string(i + 1) + " has no name: the first row names the attributes");
    if (!cells[i].is_quoted && cells[i].text.find('\r') != std::string::npos)
      return invalid("its lines end with a carriage return alone, which is not read here: tr '\\r' '\\n'");
    Column column = column_of_head(cells[i].text, types);
    for (const Column& other : columns) {
      if (other.name != column.name) continue;
      if (other.type == column.type) return invalid("there are two columns " + column.name);
      column.is_another = true;
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<Item> read_row(std::string_view record, const std::vector<Column>& columns, TypedItemReader& reader) {
  if (!is_utf8(record)) return invalid("this is no UTF-8");
  const std::vector<Cell> cells = TRY(split_cells(record));
  if (cells.size() > columns.size())
    return invalid("there are " + std::to_string(cells.size()) + " cells, and " +
                   std::to_string(columns.size()) + " columns");
  ValueWriter writer;
  writer.begin_item();
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    if (!is_filled(cell)) continue;
    const ColumnType& type = columns[i].type;
    if (columns[i].is_another && is_filled_before(cells, columns, i))
      return invalid("two cells say what " + columns[i].name + " is");
    const Result<Value> value = type.kind == Kind::kAny     ? reader.read_value(cell.text)
                                : type.kind == Kind::kGuess ? guessed(cell.text)
                                                            : value_of(cell.text, type.type);
    if (!value.ok()) return Error{value.error().code, columns[i].name + ": " + value.error().message};
    writer.key(columns[i].name);
    writer.copy(*value);
  }
  writer.end_item();
  return Item::from_encoded(TRY(writer.finish()));
}

void ColumnsSeen::add(ItemView item) {
  for (const Attribute attribute : item) {
    auto found = types_.find(attribute.name);
    if (found == types_.end()) found = types_.emplace(std::string(attribute.name), std::set<Type>()).first;
    found->second.insert(attribute.value.type());
  }
}

void ColumnsSeen::add(const ColumnsSeen& others) {
  for (const auto& [name, types] : others.types_) types_[name].insert(types.begin(), types.end());
}

std::vector<Column> ColumnsSeen::columns(const KeySchema& key) const {
  std::vector<Column> columns;
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes)
      columns.push_back({.name = attribute.name, .type = {.type = attribute.type}});
  }
  const size_t keys = columns.size();
  for (const auto& [name, types] : types_) {
    const bool is_key = std::any_of(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(keys),
                                    [&name = name](const Column& column) { return column.name == name; });
    if (is_key) continue;
    const ColumnType type =
        types.size() == 1 ? ColumnType{.type = *types.begin()} : ColumnType{.kind = Kind::kAny};
    columns.push_back({.name = name, .type = type});
  }
  return columns;
}

void append_header(std::string& out, const std::vector<Column>& columns) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += ',';
    // What would be taken for a type in a name stays part of it if the type follows.
    const std::string& name = columns[i].name;
    append_cell(out, type_in_head(name) ? name + ":" + text_of(columns[i].type) : name);
  }
  out += "\r\n";
}

Result<void> append_row(std::string& out, ItemView item, const std::vector<Column>& columns) {
  const size_t begin = out.size();
  size_t written = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += ',';
    const std::optional<ValueView> value = item.find(columns[i].name);
    if (!value) continue;
    ++written;
    const ColumnType& type = columns[i].type;
    if (type.kind == Kind::kOne && value->type() != type.type) {
      out.resize(begin);
      return invalid(columns[i].name + " is of another type than in the other items");
    }
    append_cell(out, cell_text(*value, type.kind));
  }
  if (written != item.size()) {
    out.resize(begin);
    return invalid("an item has attributes for which there is no column");
  }
  out += "\r\n";
  return {};
}

}  // namespace sheaf::transfer
