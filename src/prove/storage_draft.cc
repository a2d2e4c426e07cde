#include "prove/storage_draft.h"

#include <algorithm>

#include "language/written_parts.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

std::string written_line(const IndexLine& line) {
  return "index " + written_name(line.index) + " " + written_keys(line.keys) +
         (line.when.empty() ? "" : " when " + line.when);
}

}  // namespace

bool StorageDraft::has_keys() const {
  return std::any_of(entities.begin(), entities.end(),
                     [](const PhysicalDraft& each) { return each.key || !each.indexes.empty(); });
}

std::string written_keys(const KeysDraft& keys) {
  return language::quoted(keys.pk) + (keys.sk ? " / " + language::quoted(*keys.sk) : "");
}

std::string written_table(const TableDraft& table) {
  std::string text = "table " + written_name(table.name) + " { pk " + written_name(table.pk) + table.pk_word;
  if (!table.sk.empty()) text += "; sk " + written_name(table.sk) + table.sk_word;
  if (!table.tag.empty()) text += "; tag " + written_name(table.tag);
  if (!table.ttl.empty()) text += "; ttl " + written_name(table.ttl);
  for (const IndexDraft& index : table.indexes) {
    text += "; gsi " + written_name(index.name) + " " + written_name(index.pk);
    if (!index.sk.empty()) text += " / " + written_name(index.sk);
    text += index.projection;
  }
  return text + " }";
}

std::vector<std::string> written_clauses(const PhysicalDraft& physical) {
  std::vector<std::string> clauses;
  if (!physical.table.empty()) clauses.push_back("in " + written_name(physical.table));
  if (!physical.tag.empty()) clauses.push_back("tag " + language::quoted(physical.tag));
  if (!physical.store.empty()) clauses.push_back("store " + physical.store);
  if (physical.key) clauses.push_back("key " + written_keys(*physical.key));
  if (physical.second_key) clauses.push_back("key " + written_keys(*physical.second_key));
  for (const IndexLine& line : physical.indexes) clauses.push_back(written_line(line));
  return clauses;
}

std::string written_via(const ViaDraft& via) {
  std::string text = via.way;
  for (const std::string& copy : via.copies) text += " copy " + copy;
  for (const std::string& clause : written_clauses(via.physical)) text += " " + clause;
  return text;
}

std::vector<std::string> differences(const model::Model& model, const StorageDraft& base,
                                     const StorageDraft& storage) {
  std::vector<std::string> parts;
  std::set<std::string> said;
  for (const TableDraft& table : base.tables) said.insert(written_table(table));
  for (const TableDraft& table : storage.tables) {
    const std::string text = written_table(table);
    if (!said.contains(text)) parts.push_back(text);
  }
  for (size_t i = 0; i < storage.entities.size(); ++i) {
    const std::vector<std::string> before = written_clauses(base.entities[i]);
    std::string body;
    for (const std::string& clause : written_clauses(storage.entities[i])) {
      if (std::find(before.begin(), before.end(), clause) == before.end())
        body += (body.empty() ? "" : "; ") + clause;
    }
    if (!body.empty())
      parts.push_back("entity " + written_name(model.entities[i].name) + " { " + body + " }");
  }
  for (size_t i = 0; i < storage.relations.size(); ++i) {
    const std::string text = written_via(storage.relations[i]);
    if (text.empty() || text == written_via(base.relations[i])) continue;
    const model::End& end = model.relations[i].ends[0];
    parts.push_back("rel " + written_name(model.entities[end.holder].name) + "." + written_name(end.name) +
                    " via " + text);
  }
  return parts;
}

}  // namespace sheaf::prove
