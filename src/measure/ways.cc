#include "measure/ways.h"

#include <algorithm>
#include <optional>
#include <set>

namespace sheaf::measure {
namespace {

using language::Via;
using Kind = Via::Kind;

language::Name named(std::string text) { return {.text = std::move(text)}; }

// What patterns read of those whom an end leads to.
struct ReadFields {
  bool all = false;
  std::set<std::string> names;

  bool empty() const { return !all && names.empty(); }
};

void add_fields(const model::Model& model, const model::Node& node, ReadFields& read) {
  const auto& fields = model.entities[node.entity].fields;
  read.all = read.all || node.all_fields;
  for (const model::FieldId field : node.fields) {
    if (!fields[field].is_id) read.names.insert(fields[field].name);
  }
}

void add_nested(const model::Model& model, const model::Node& node, model::EndId end, ReadFields& read) {
  for (const model::Nested& nested : node.nested) {
    if (nested.end == end) add_fields(model, *nested.node, read);
    add_nested(model, *nested.node, end, read);
  }
}

ReadFields read_over(const model::Model& model, model::EndId end) {
  ReadFields read;
  for (const model::Pattern& pattern : model.patterns) {
    if (!pattern.steps.empty() && pattern.steps.back().first == end) add_fields(model, pattern.node, read);
    add_nested(model, pattern.node, end, read);
  }
  return read;
}

std::optional<language::Copy> copy_of(const model::Model& model, model::EndId end) {
  const ReadFields read = read_over(model, end);
  if (read.empty()) return std::nullopt;
  language::Copy copy{.end = named(model.end(end).name), .all = read.all};
  for (const std::string& name : read.names) {
    if (!read.all) copy.fields.push_back(named(name));
  }
  return copy;
}

class WayList {
 public:
  WayList(const model::Model& model, model::RelationId relation) : relation_(model.relations[relation]) {
    for (const int side : {0, 1}) {
      if (auto copy = copy_of(model, {.relation = relation, .side = side})) copies_[side] = std::move(copy);
    }
  }

  std::vector<Via> run() {
    const bool is_tree = relation_.cardinality != language::Cardinality::kManyToMany;
    const std::string& first = relation_.ends[0].name;
    const std::string& second = relation_.ends[1].name;
    if (is_tree) {
      // On the child lies what its end to the parent leads to.
      add_with_copies({.kind = Kind::kCollection}, {1});
      add_with_copies({.kind = Kind::kPath}, {1});
      add_with_copies({.kind = Kind::kIndex}, {1});
      add_with_copies({.kind = Kind::kRef}, {1});
      made_.push_back({.kind = Kind::kEmbed, .embed_as = Via::EmbedAs::kMap});
      made_.push_back({.kind = Kind::kEmbed, .embed_as = Via::EmbedAs::kList});
    }
    made_.push_back({.kind = Kind::kIds, .ids = named(first)});
    if (!relation_.is_symmetric) made_.push_back({.kind = Kind::kIds, .ids = named(second)});
    const bool is_one_to_many = relation_.cardinality == language::Cardinality::kOneToMany;
    if (relation_.is_symmetric) {
      add_with_copies({.kind = Kind::kEdges}, {0});
    } else {
      add_with_copies({.kind = Kind::kEdges, .pk = named(is_one_to_many ? "one" : second)}, {0, 1});
      add_with_copies({.kind = Kind::kEdges, .pk = named(is_one_to_many ? "many" : first)}, {0, 1});
      add_with_copies({.kind = Kind::kEdges, .pk = named("both")}, {0, 1});
    }
    add_with_copies({.kind = Kind::kGraph}, {0, 1});
    add_with_copies({.kind = Kind::kLists}, {0, 1});
    return std::move(made_);
  }

 private:
  void add_with_copies(const Via& via, std::initializer_list<int> sides) {
    made_.push_back(via);
    Via copying = via;
    for (const int side : sides) {
      if (copies_[side]) copying.copies.push_back(*copies_[side]);
    }
    if (!copying.copies.empty()) made_.push_back(std::move(copying));
  }

  const model::Relation& relation_;
  std::optional<language::Copy> copies_[2];
  std::vector<Via> made_;
};

}  // namespace

std::vector<Via> all_ways(const model::Model& model, model::RelationId relation) {
  return WayList(model, relation).run();
}

}  // namespace sheaf::measure
