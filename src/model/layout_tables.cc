#include "model/layout_tables.h"

#include <algorithm>

#include "model/value_type.h"

namespace sheaf::model {

std::optional<size_t> Table::find_index(std::string_view wanted) const {
  for (size_t i = 0; i < indexes.size(); ++i) {
    if (indexes[i].name == wanted) return i;
  }
  return std::nullopt;
}

namespace {

using language::Name;
using Kind = language::Type::Kind;

constexpr size_t kIndexesMax = 20;
constexpr size_t kNameBytesMin = 3;
constexpr size_t kNameBytesMax = 255;
// Where a model keeps what it must remember.
// Of a table that nobody wrote down, if something in it expires.
constexpr std::string_view kAllocatedTtl = "_ttl";
constexpr std::string_view kSystemSuffix = "-sheaf";

class TableReader {
 public:
  TableReader(const Model& model, Mistakes& mistakes) : model_(model), mistakes_(mistakes) {}

  Table read(const language::Table& syntax) {
    Table table{.name = syntax.name.text, .span = syntax.name.span};
    check_name(syntax.name, "a table");
    if (table.name == model_.name() + std::string(kSystemSuffix))
      mistakes_.tell("reserved-name", syntax.name.span, "in this table Sheaf keeps what it must remember",
                     "choose another name");
    if (!syntax.pk) {
      mistakes_.tell("missing-key", syntax.name.span, "the table " + table.name + " has no partition key",
                     "add pk PK;");
    } else {
      table.pk = key_attribute(*syntax.pk);
    }
    if (syntax.sk) table.sk = key_attribute(*syntax.sk);
    if (syntax.sk && syntax.pk && syntax.sk->name == syntax.pk->name)
      mistakes_.tell_duplicate("key attributes", syntax.sk->name, syntax.pk->name.span);
    if (syntax.tag) table.tag = syntax.tag->text;
    if (syntax.ttl) table.ttl = syntax.ttl->text;
    if (syntax.tag && syntax.ttl && *syntax.tag == *syntax.ttl)
      mistakes_.tell_duplicate("attributes", *syntax.ttl, syntax.tag->span);
    for (const language::Gsi& gsi : syntax.indexes) add_index(syntax, gsi, table);
    if (syntax.tag) check_plain(syntax, *syntax.tag);
    if (syntax.ttl) check_plain(syntax, *syntax.ttl);
    return table;
  }

 private:
  // DynamoDB's rule for tables and indexes.
  void check_name(const Name& name, std::string_view what) {
    const bool is_long_enough = name.text.size() >= kNameBytesMin && name.text.size() <= kNameBytesMax;
    const bool is_plain = std::all_of(name.text.begin(), name.text.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
             c == '-' || c == '.';
    });
    if (!is_long_enough || !is_plain)
      mistakes_.tell("bad-name", name.span,
                     "the name of " + std::string(what) + " has 3 to 255 letters, digits, _, - and .",
                     "choose another name");
  }

  KeyAttribute key_attribute(const language::KeyAttribute& syntax) {
    KeyAttribute attribute{.name = syntax.name.text};
    if (!syntax.type) return attribute;
    if (is_numeric(*syntax.type)) {
      attribute.type = Kind::kNumber;
    } else if (syntax.type->kind == Kind::kBinary) {
      attribute.type = Kind::kBinary;
    } else if (!is_textual(*syntax.type)) {
      mistakes_.tell("wrong-type", syntax.type->span, "a key attribute is a string, a number or a binary",
                     "remove the type");
    }
    return attribute;
  }

  void add_index(const language::Table& syntax, const language::Gsi& gsi, Table& table) {
    if (const auto first = table.find_index(gsi.name.text))
      return mistakes_.tell_duplicate("indexes", gsi.name, syntax.indexes[*first].name.span);
    check_name(gsi.name, "an index");
    if (gsi.sk && *gsi.sk == gsi.pk) mistakes_.tell_duplicate("key attributes", *gsi.sk, gsi.pk.span);
    Index index{.name = gsi.name.text, .projection = gsi.projection};
    const auto type_of = [&](const Name& name) {
      if (name.text == table.pk.name) return table.pk;
      if (table.sk && name.text == table.sk->name) return *table.sk;
      return KeyAttribute{.name = name.text};
    };
    index.pk = type_of(gsi.pk);
    if (gsi.sk) index.sk = type_of(*gsi.sk);
    for (size_t i = 0; i < gsi.included.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (gsi.included[i] == gsi.included[j])
          mistakes_.tell_duplicate("attributes", gsi.included[i], gsi.included[j].span);
      }
      index.included.push_back(gsi.included[i].text);
    }
    index.is_over_table_keys =
        table.sk && index.sk && index.pk.name == table.sk->name && index.sk->name == table.pk.name;
    table.indexes.push_back(std::move(index));
  }

  // The tag and the time to live are no keys.
  void check_plain(const language::Table& syntax, const Name& name) {
    const auto check = [&](const Name& key) {
      if (key == name) mistakes_.tell_duplicate("attributes", name, key.span);
    };
    if (syntax.pk) check(syntax.pk->name);
    if (syntax.sk) check(syntax.sk->name);
    for (const language::Gsi& gsi : syntax.indexes) {
      check(gsi.pk);
      if (gsi.sk) check(*gsi.sk);
    }
  }

  const Model& model_;
  Mistakes& mistakes_;
};

}  // namespace

void add_tables(LayoutDraft& draft) {
  TableReader reader(draft.model, draft.mistakes);
  for (const language::Table* table : draft.clauses.tables)
    draft.layout.tables.push_back(reader.read(*table));
  if (!draft.layout.tables.empty()) return;
  const std::string& name = draft.model.name();
  const std::vector<Entity>& entities = draft.model.entities;
  const bool expires = std::any_of(entities.begin(), entities.end(),
                                   [](const Entity& entity) { return entity.syntax->ttl.has_value(); });
  draft.layout.tables.push_back({.name = name.size() < kNameBytesMin ? name + "-data" : name,
                                 .pk = {.name = "PK"},
                                 .sk = KeyAttribute{.name = "SK"},
                                 .tag = "Type",
                                 .ttl = expires ? std::optional<std::string>(kAllocatedTtl) : std::nullopt,
                                 .is_allocated = true,
                                 .span = draft.model.syntax().name.span});
}

void check_index_counts(LayoutDraft& draft) {
  for (const Table& table : draft.layout.tables) {
    if (table.indexes.size() > kIndexesMax)
      draft.mistakes.tell("too-many-indexes", table.span,
                          "the table " + table.name + " has " + std::to_string(table.indexes.size()) +
                              " indexes, and 20 is the limit",
                          "let entities share indexes: views of different entities can lie in one");
  }
}

}  // namespace sheaf::model
