#include "run/applied_layout.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/try.h"
#include "language/syntax_words.h"
#include "model/strategies/strategy.h"
#include "run/item_codec.h"
#include "run/system_table.h"
#include "run/tables.h"

namespace sheaf::run {
namespace {

std::string key_text_of(const model::KeyTemplate& pk, const std::optional<model::KeyTemplate>& sk) {
  return "\"" + pk.text() + "\"" + (sk ? " / \"" + sk->text() + "\"" : "");
}

// The kinds of storage that put the same things on the child's item are one.
std::string stored_as(const model::Layout& layout, const model::StoredRelation& stored) {
  if (layout.storage({.relation = stored.relation, .side = 1}) == model::EndStorage::kReference)
    return "reference";
  std::string text(word_for(language::kViaWords, stored.strategy->kind()));
  if (stored.embed_as == language::Via::EmbedAs::kList) text += " list";
  if (stored.ids_side) text += " " + std::to_string(*stored.ids_side);
  if (stored.both_directions) text += " both";
  return text;
}

Item record_key(const model::Layout& layout) { return system_key("layout#" + layout.name, "applied"); }

Result<std::optional<LayoutFacts>> read_record(Database& database, const model::Model& model,
                                               const model::Layout& layout) {
  const Result<Got> got =
      database.get_item({.table = system_table_name(model), .key = record_key(layout), .consistent = true});
  if (!got.ok()) {
    if (got.error().code == Code::kNotFound) return std::optional<LayoutFacts>();
    return got.error();
  }
  const auto facts = got->item ? got->item->find("facts") : std::nullopt;
  if (!facts || facts->type() != Type::kMap) return std::optional<LayoutFacts>();
  LayoutFacts read;
  for (const Attribute fact : facts->map()) {
    if (fact.value.type() == Type::kString)
      read.emplace_back(std::string(fact.name), std::string(fact.value.bytes()));
  }
  return std::optional<LayoutFacts>(std::move(read));
}

Result<bool> is_empty(Database& database, const std::string& table) {
  const Result<Page> page = database.scan({.table = table, .limit = 1});
  if (page.ok()) return page->scanned_count == 0;
  if (page.error().code == Code::kNotFound) return true;
  return page.error();
}

}  // namespace

std::vector<std::string> moves_between(const LayoutFacts& before, const LayoutFacts& after) {
  const std::map<std::string, std::string> was(before.begin(), before.end());
  const std::map<std::string, std::string> is(after.begin(), after.end());
  std::vector<std::string> lines;
  for (const auto& [thing, text] : was) {
    const auto now = is.find(thing);
    if (now == is.end()) {
      lines.push_back(thing + " was " + text + ", and is gone");
    } else if (now->second != text) {
      lines.push_back(thing + " was " + text + ", and is " + now->second);
    }
  }
  for (const auto& [thing, text] : is) {
    if (was.contains(thing)) continue;
    // A new part of something that has items already: theirs lack it.
    const size_t dot = thing.find('.');
    if (dot != std::string::npos && was.contains(thing.substr(0, dot)))
      lines.push_back(thing + " is new (" + text + "), and the items that are there lack it");
  }
  return lines;
}

LayoutFacts layout_facts(const model::Model& model, const model::Layout& layout) {
  LayoutFacts facts;
  for (const model::ItemKind& kind : layout.item_kinds) {
    const model::Table& table = layout.tables[kind.table];
    facts.emplace_back(kind.name, "in " + table.name + (table.tag ? " tag \"" + kind.tag + "\"" : "") +
                                      " key " + key_text_of(kind.pk, kind.sk));
    for (const model::IndexEntry& entry : kind.entries)
      facts.emplace_back(kind.name + "." + table.indexes[entry.index].name, key_text_of(entry.pk, entry.sk));
    if (!kind.entity) continue;
    for (const model::Field& field : model.entities[*kind.entity].fields) {
      if (field.attribute != field.name)
        facts.emplace_back(kind.name + ".(" + field.name + ")", "stored as " + field.attribute);
    }
  }
  for (const model::StoredRelation& stored : layout.relations) {
    const model::Relation& relation = model.relations[stored.relation];
    const std::string name =
        model.entities[relation.ends[0].holder].name + "." + relation.ends[0].name + " as stored";
    std::string text = stored_as(layout, stored);
    for (const model::CopiedFields& copied : stored.copies) {
      text += " copy " + relation.ends[copied.side].name + "(";
      for (size_t i = 0; i < copied.fields.size(); ++i)
        text += (i > 0 ? ", " : "") +
                model.entities[relation.ends[copied.side].target].fields[copied.fields[i]].name;
      text += ")";
    }
    facts.emplace_back(name, text);
  }
  std::sort(facts.begin(), facts.end());
  return facts;
}

Result<void> apply_layout(Database& database, const model::Model& model, const model::Layout& layout) {
  const LayoutFacts facts = layout_facts(model, layout);
  const std::optional<LayoutFacts> before = TRY(read_record(database, model, layout));
  if (before && *before != facts) {
    const std::vector<std::string> changes = moves_between(*before, facts);
    bool has_items = false;
    for (const model::Table& table : layout.tables)
      has_items = has_items || !TRY(is_empty(database, table.name));
    if (!changes.empty() && has_items) {
      std::string message =
          "the layout " + layout.name + " is applied already, and items would have to move:";
      for (const std::string& change : changes) message += "\n  " + change;
      message +=
          "\nwrite down in the model what it was, or give the new way another layout; sheaf model migrate "
          "moves "
          "items";
      return Error{Code::kInvalid, message};
    }
  }
  TRY(apply_tables(database, layout));
  TRY(make_system_table(database, model));
  if (before && *before == facts) return {};
  Fields recorded;
  for (const auto& [thing, text] : facts) recorded[thing] = Value(text);
  Item item = record_key(layout);
  item.set("facts", Value(item_of(recorded)));
  TRY(database.put_item({.table = system_table_name(model), .item = std::move(item)}));
  return {};
}

Result<void> check_applied(Database& database, const model::Model& model, const model::Layout& layout) {
  const std::optional<LayoutFacts> before = TRY(read_record(database, model, layout));
  if (!before)
    return Error{Code::kNotFound, "the layout " + layout.name + " of " + model.name() +
                                      " is not applied here; run sheaf model apply"};
  if (*before != layout_facts(model, layout))
    return Error{Code::kInvalid, "the layout " + layout.name + " of " + model.name() +
                                     " has changed since it was applied; run sheaf model apply"};
  return {};
}

}  // namespace sheaf::run
