// For tests: what generated data promises, looked through entity by entity; and all that a database holds.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "sheaf/database.h"

#include "generate/generator.h"
#include "run/audit.h"
#include "run/plain_json.h"
#include "run/session.h"
#include "run/value_check.h"

namespace sheaf::generate {

// Empty, or what a declared bound says that is not so.
inline std::string broken_bound(const Generator& generator) {
  const model::Model& model = generator.model();
  for (model::EntityId id = 0; id < model.entities.size(); ++id) {
    const model::Entity& entity = model.entities[id];
    std::set<run::Identity> identities;
    std::map<model::FieldId, std::set<std::string>> unique;
    for (uint64_t ordinal = 0; ordinal < generator.count(id); ++ordinal) {
      const std::string who = entity.name + " " + std::to_string(ordinal);
      if (!identities.insert(generator.identity(id, ordinal)).second)
        return who + ": its id is another's, too";
      for (model::FieldId field = 0; field < entity.fields.size(); ++field) {
        const model::Field& declared = entity.fields[field];
        const auto value = generator.field(id, ordinal, field);
        if (!value && !declared.is_optional) return who + ": " + declared.name + " is missing";
        if (!value) continue;
        if (const auto why = run::misfit(*value, declared)) return who + ": " + declared.name + " " + *why;
        if (const auto why = run::outside(*value, declared, std::chrono::system_clock::now()))
          return who + ": " + declared.name + " " + *why;
        if (declared.syntax->is_unique && !unique[field].insert(std::string(value->view().encoded())).second)
          return who + ": " + declared.name + " is another's, too";
      }
      for (const model::EndId end : entity.ends) {
        const model::End& led = model.end(end);
        const uint64_t degree = generator.degree(end, ordinal);
        if (led.is_required && degree == 0) return who + ": " + led.name + " is missing";
        if (!led.leads_to_many && degree > 1) return who + ": " + led.name + " leads to two";
        if (led.max && degree > static_cast<uint64_t>(*led.max))
          return who + ": " + led.name + " leads to too many";
        std::set<std::string> edges;
        std::string wrong;
        uint64_t seen = 0;
        generator.each_edge(end, ordinal, [&](const EdgePlace& place, uint64_t other) {
          ++seen;
          const model::Relation& relation = model.relations[end.relation];
          if (led.holder == led.target && other == ordinal && !relation.syntax->loops) wrong = "a loop";
          std::string text = std::to_string(other);
          const run::Fields fields = generator.edge_fields(end.relation, place);
          for (const model::Field& field : relation.edge_fields) {
            const auto value = fields.find(field.name);
            if (value == fields.end() && !field.is_optional) wrong = field.name + " is missing";
            if (value == fields.end()) continue;
            if (const auto why = run::misfit(value->second, field)) wrong = field.name + " " + *why;
            if (field.is_id) text += "/" + std::string(value->second.view().encoded());
          }
          if (!edges.insert(text).second) wrong = "two edges are the same";
          return true;
        });
        if (!wrong.empty()) return who + ": " + led.name + ": " + wrong;
        if (seen != degree) return who + ": " + led.name + ": it has others than it counts";
      }
    }
  }
  return "";
}

// All items of all tables; without the secret of cursors, which no two databases share.
inline std::set<std::string> all_items(Database& database) {
  std::set<std::string> items;
  const auto tables = database.list_tables();
  for (const std::string& table : *tables) {
    Scan scan{.table = table};
    while (true) {
      const auto page = database.scan(scan);
      if (!page.ok()) return {page.error().message};
      for (size_t i = 0; i < page->items.size(); ++i) {
        const std::string text = table + " " + run::sorted_text(Value(Item(page->items[i])));
        if (text.find("\"cursor") == std::string::npos && text.find("secret") == std::string::npos)
          items.insert(text);
      }
      if (!page->last_key) break;
      scan.start_key = page->last_key;
    }
  }
  return items;
}

// All pages of an answer, in no order.
inline Result<std::string> whole_answer(const run::Session& session, const std::string& pattern,
                                        const std::vector<Value>& values) {
  std::vector<std::string> documents;
  std::string cursor;
  do {
    const auto reply = session.read(pattern, values, cursor);
    if (!reply.ok()) return reply.error();
    for (const Value& document : reply->documents) documents.push_back(run::sorted_text(document));
    cursor = reply->cursor.value_or("");
  } while (!cursor.empty());
  std::sort(documents.begin(), documents.end());
  std::string text;
  for (const std::string& document : documents) text += document + "\n";
  return text;
}

// What run::audit finds.
inline std::string findings(Database& database, const model::Model& model, const model::Layout& layout) {
  const auto audit = run::audit(database, model, layout, {});
  if (!audit.ok()) return audit.error().message;
  std::string text;
  for (const run::Finding& finding : audit->findings)
    text += std::string(run::name_of(finding.kind)) + ": " + finding.what + ": " + finding.message + "\n";
  return text;
}

// A few thousand entities and links at most.
inline GeneratorOptions small_data(const model::CompiledModel& compiled, double most = 3000) {
  const auto whole = Generator::make(compiled, {});
  if (!whole.ok()) return {};
  double all = 0;
  for (const model::EntityId entity : (*whole)->order()) all += static_cast<double>((*whole)->count(entity));
  for (size_t i = 0; i < compiled.model.relations.size(); ++i)
    all += static_cast<double>((*whole)->links(i).total());
  return {.wishes = {.scale = std::min(1.0, most / all)}};
}

}  // namespace sheaf::generate
