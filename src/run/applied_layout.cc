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

// What operations keep beside the values of fields, by "Entity.field": guards of what is unique, and counts.
// Who does not know of one would break it.
using Promises = std::map<std::string, std::string>;
constexpr std::string_view kPlain = "plain", kUnique = "unique";

Promises promises_of(const model::Model& model) {
  Promises promises;
  for (const model::Entity& entity : model.entities) {
    for (const model::Field& field : entity.fields) {
      std::string& promise = promises[entity.name + "." + field.name];
      promise = field.syntax->is_unique ? kUnique : kPlain;
      if (field.count_of) promise = "count of " + model.end(*field.count_of).name;
    }
  }
  return promises;
}

// What of the new promises cannot be kept for items that are there, for people. A unique field that is new
// has no values yet; one that is unknown here may be somebody's who has a newer model.
std::vector<std::string> broken_between(const Promises& before, const Promises& after) {
  std::vector<std::string> lines;
  for (const auto& [field, was] : before) {
    const auto now = after.find(field);
    if (now == after.end() && was != kPlain && was != kUnique)
      lines.push_back(field + " was " + was + ", and is gone");
    if (now != after.end() && now->second != was)
      lines.push_back(field + " was " + was + ", and is " + now->second);
  }
  for (const auto& [field, is] : after) {
    if (before.contains(field) || is == kPlain || is == kUnique) continue;
    const std::string entity = field.substr(0, field.find('.') + 1);
    const auto known = before.lower_bound(entity);
    if (known != before.end() && known->first.starts_with(entity))
      lines.push_back(field + " is new (" + is + "), and the items that are there lack it");
  }
  return lines;
}

// Whether who has a model with these promises keeps all that were made.
bool are_kept(const Promises& made, const Promises& own) {
  const bool has_new = std::any_of(own.begin(), own.end(), [&](const auto& promise) {
    return promise.second != kPlain && !made.contains(promise.first);
  });
  return !has_new && broken_between(made, own).empty();
}

Item record_key(const model::Layout& layout) { return system_key("layout#" + layout.name, "applied"); }

struct AppliedRecord {
  LayoutFacts facts;
  std::optional<Promises> promises;  // none: it is older than they are
};

LayoutFacts texts_in(ValueView map) {
  LayoutFacts texts;
  for (const Attribute each : map.map()) {
    if (each.value.type() == Type::kString)
      texts.emplace_back(std::string(each.name), std::string(each.value.bytes()));
  }
  return texts;
}

Result<std::optional<AppliedRecord>> read_record(Database& database, const model::Model& model,
                                                 const model::Layout& layout) {
  const Result<Got> got =
      database.get_item({.table = system_table_name(model), .key = record_key(layout), .consistent = true});
  if (!got.ok()) {
    if (got.error().code == Code::kNotFound) return std::optional<AppliedRecord>();
    return got.error();
  }
  const auto facts = got->item ? got->item->find("facts") : std::nullopt;
  if (!facts || facts->type() != Type::kMap) return std::optional<AppliedRecord>();
  AppliedRecord read{.facts = texts_in(*facts), .promises = {}};
  const auto promises = got->item->find("promises");
  if (promises && promises->type() == Type::kMap) {
    const LayoutFacts texts = texts_in(*promises);
    read.promises.emplace(texts.begin(), texts.end());
  }
  return std::optional<AppliedRecord>(std::move(read));
}

Value map_of(const LayoutFacts& texts) {
  Fields fields;
  for (const auto& [name, text] : texts) fields[name] = Value(text);
  return Value(item_of(fields));
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
  Promises promises = promises_of(model);
  const std::optional<AppliedRecord> before = TRY(read_record(database, model, layout));
  const bool is_same = before && before->facts == facts && before->promises == promises;
  if (before && !is_same) {
    std::vector<std::string> changes = moves_between(before->facts, facts);
    if (before->promises) {
      for (std::string& line : broken_between(*before->promises, promises))
        changes.push_back(std::move(line));
    }
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
    // What only others know of is still promised.
    if (before->promises && has_items) promises.insert(before->promises->begin(), before->promises->end());
  }
  TRY(apply_tables(database, layout));
  TRY(make_system_table(database, model));
  if (before && before->facts == facts && before->promises == promises) return {};
  Item item = record_key(layout);
  item.set("facts", map_of(facts));
  item.set("promises", map_of({promises.begin(), promises.end()}));
  TRY(database.put_item({.table = system_table_name(model), .item = std::move(item)}));
  return {};
}

Result<void> check_applied(Database& database, const model::Model& model, const model::Layout& layout,
                           std::span<const model::Layout> others) {
  const std::optional<AppliedRecord> before = TRY(read_record(database, model, layout));
  if (!before) {
    const std::string problem =
        "the layout " + layout.name + " of " + model.name() + " is not applied here; ";
    for (const model::Layout& other : others) {
      // Applying this one, too, would make empty tables beside those with the data.
      if (TRY(read_record(database, model, other)))
        return Error{Code::kNotFound, problem + "the layout " + other.name +
                                          " is: ask with that one, or sheaf model migrate moves it"};
    }
    return Error{Code::kNotFound, problem + "run sheaf model apply"};
  }
  const bool keeps = !before->promises || are_kept(*before->promises, promises_of(model));
  if (before->facts != layout_facts(model, layout) || !keeps)
    return Error{Code::kInvalid, "the layout " + layout.name + " of " + model.name() +
                                     " has changed since it was applied; run sheaf model apply"};
  return {};
}

}  // namespace sheaf::run
