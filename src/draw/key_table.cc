#include "draw/key_table.h"

#include <algorithm>
#include <string>

#include "base/joined.h"

namespace sheaf::draw {
namespace {

std::string type_word(const model::KeyAttribute& attribute) {
  switch (attribute.type) {
    case language::Type::Kind::kNumber:
      return "NUMBER";
    case language::Type::Kind::kBinary:
      return "BINARY";
    default:
      return "STRING";
  }
}

class KeyTable {
 public:
  KeyTable(const Subject& subject, size_t table)
      : subject_(subject), table_id_(table), table_(subject.layout.tables[table]) {}

  Section run() {
    add_uses({.table = table_id_});
    for (size_t index = 0; index < table_.indexes.size(); ++index)
      add_uses({.table = table_id_, .index = index});
    if (table_.tag) rows_.push_back({*table_.tag, "STRING", {"which kind of item it is"}});
    if (table_.ttl) rows_.push_back({*table_.ttl, "NUMBER", {"time to live"}});
    Grid grid;
    for (const char* heading : {"Attribute", "Special", "Items", "Holds"})
      grid.add(header_cell(0, grid.columns, heading));
    if (subject_.has_items) grid.add(header_cell(0, grid.columns, "Sample"));
    grid.header_rows = 1;
    for (const Row& row : rows_) add(grid, row);
    return {.title = "Key attributes of table " + table_.name, .body = std::move(grid)};
  }

 private:
  struct Row {
    std::string attribute;
    std::string type;
    std::vector<std::string> special;
  };
  // A template and the kinds of items that have it.
  struct Use {
    std::string text;
    std::vector<size_t> kinds;
  };

  void add_uses(const plan::View& view) {
    const ViewKeys keys = keys_of(subject_.layout, view);
    const std::string of = view.index ? " of " + table_.indexes[*view.index].name : "";
    const auto add_one = [&](const model::KeyAttribute& attribute, const char* word) {
      auto found = std::find_if(rows_.begin(), rows_.end(),
                                [&](const Row& row) { return row.attribute == attribute.name; });
      if (found == rows_.end()) found = rows_.insert(rows_.end(), {attribute.name, type_word(attribute), {}});
      found->special.push_back(word + of);
    };
    add_one(*keys.partition, "partition key");
    if (keys.sort != nullptr) add_one(*keys.sort, "sort key");
  }

  void add(Grid& grid, const Row& row) const {
    const size_t first = grid.rows;
    std::vector<Use> uses = uses_of(row.attribute);
    if (uses.empty()) uses.emplace_back();
    for (const Use& use : uses) {
      const size_t at = grid.rows;
      std::vector<std::string> names;
      for (const size_t kind : use.kinds) names.push_back(subject_.layout.item_kinds[kind].name);
      grid.add(plain_cell(at, 2, row.attribute == table_.tag ? "all" : joined(names)));
      grid.add(plain_cell(at, 3, use.text, TextStyle::kCode));
      if (subject_.has_items) grid.add(plain_cell(at, 4, sample(row.attribute, use), TextStyle::kCode));
    }
    const size_t rows = grid.rows - first;
    grid.add({.row = first,
              .rows = rows,
              .lines = {{.text = row.attribute, .style = TextStyle::kStrong},
                        {.text = row.type, .style = TextStyle::kMuted}}});
    Cell special{.row = first, .column = 1, .rows = rows};
    for (const std::string& word : row.special) special.lines.push_back({.text = word});
    grid.add(std::move(special));
  }

  std::vector<Use> uses_of(const std::string& attribute) const {
    std::vector<Use> uses;
    const auto note = [&](const std::string& text, size_t kind) {
      auto found = std::find_if(uses.begin(), uses.end(), [&](const Use& use) { return use.text == text; });
      if (found == uses.end()) found = uses.insert(uses.end(), {text, {}});
      if (found->kinds.empty() || found->kinds.back() != kind) found->kinds.push_back(kind);
    };
    for (size_t id = 0; id < subject_.layout.item_kinds.size(); ++id) {
      const model::ItemKind& kind = subject_.layout.item_kinds[id];
      if (kind.table != table_id_) continue;
      if (attribute == table_.pk.name) note(kind.pk.text(), id);
      if (table_.sk && attribute == table_.sk->name) note(kind.sk->text(), id);
      for (const model::IndexEntry& entry : kind.entries) {
        const model::Index& index = table_.indexes[entry.index];
        if (attribute == index.pk.name) note(entry.pk.text(), id);
        if (index.sk && attribute == index.sk->name) note(entry.sk->text(), id);
      }
    }
    if (attribute == table_.tag) uses.push_back(tags());
    return uses;
  }

  // One for all kinds of items.
  Use tags() const {
    Use use;
    std::vector<std::string> names;
    for (size_t id = 0; id < subject_.layout.item_kinds.size(); ++id) {
      if (subject_.layout.item_kinds[id].table != table_id_) continue;
      use.kinds.push_back(id);
      names.push_back(subject_.layout.item_kinds[id].tag);
    }
    use.text = joined(names);
    return use;
  }

  // Of the first item that has it.
  std::string sample(const std::string& attribute, const Use& use) const {
    for (const StoredItem& item : subject_.items) {
      if (std::find(use.kinds.begin(), use.kinds.end(), item.kind) == use.kinds.end()) continue;
      if (const auto value = item.item.find(attribute)) return value_text(*value);
    }
    return {};
  }

  const Subject& subject_;
  const size_t table_id_;
  const model::Table& table_;
  std::vector<Row> rows_;
};

}  // namespace

Section key_table(const Subject& subject, size_t table) { return KeyTable(subject, table).run(); }

}  // namespace sheaf::draw
