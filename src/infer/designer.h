// Makes the syntax tree; see design.h. Tables and entities: design.cc. Relations and patterns:
// design_relations.cc.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "infer/design.h"
#include "infer/names.h"

namespace sheaf::infer {

class Designer {
 public:
  Designer(const Observed& observed, const Findings& findings, const DesignOptions& options)
      : observed_(observed),
        findings_(findings),
        options_(options),
        kinds_(findings.kinds),
        found_(findings.found),
        naming_(findings.naming),
        members_(findings.kinds.size()),
        taken_attributes_(findings.kinds.size()) {}

  Design run();

 private:
  // --- Tables and entities
  void add_tables();
  std::string ttl_of(size_t table) const;
  static language::Gsi index_of(const ObservedIndex& index);
  void add_entity(size_t kind);
  void add_fields(size_t kind, language::Entity& entity);
  void add_fields_by_item(size_t kind, language::Entity& entity);
  void add_field(size_t kind, const std::string& attribute, std::vector<language::Field>& fields,
                 const std::string& owner, NameSet& taken);
  void add_id(size_t kind, size_t value, language::Entity& entity);
  void add_physical(size_t kind, language::Physical& physical, const std::string& owner);
  void claim_unseen_attributes(size_t table);
  language::Template written(size_t kind, const Shape& shape) const;
  language::Keys written(size_t kind, const Shape& pk, const std::optional<Shape>& sk) const;
  language::Hole::Format format_of(size_t kind, const Piece& piece) const;
  std::vector<language::Name> path_of(size_t kind, size_t value) const;
  std::optional<std::string> first_words(size_t kind, size_t value) const;
  std::optional<std::string> earliest(size_t kind, size_t value) const;

  // --- Relations
  void name_ends();
  void add_relation(size_t link);
  void add_tree(const Link& link, language::Relation& relation);
  void add_edges(size_t link, language::Relation& relation);
  void add_ids(const Link& link, language::Relation& relation);
  void add_embedded(size_t link, language::Relation& relation);
  // What keeps copies of a target's fields: the end's name, if they say one, and the copies under it.
  std::string copied_end(size_t kind, size_t target, const std::vector<size_t>& values) const;
  void claim_copies(size_t link, size_t kind, size_t target, const std::vector<size_t>& values,
                    const std::string& end);
  std::string claim(size_t kind, const std::string& wanted);
  void name_tree(size_t link);
  void name_edges(size_t link);
  void add_size(language::Relation& relation, const std::map<std::string, size_t>& counts, size_t holders,
                const std::string& end);
  std::map<std::string, size_t> counts_by(size_t kind, const std::vector<size_t>& values) const;
  std::map<std::string, size_t> children_by_parent(const Link& link) const;
  void note(Note::Where where, const std::string& of, const std::string& member, std::string decided,
            Evidence evidence);
  void note_field(const std::string& of, const language::Field& field, size_t seen, size_t items);
  void ask(Question::About about, const std::string& subject, const std::string& text);
  // Indexes whose partitions are ids of something, and that no relation explains.
  void ask_of_partitions(size_t kind);
  void add_lists(size_t link, language::Relation& relation);

  // --- Patterns
  void add_patterns();
  void add_pattern(const std::string& name, const std::string& entity, const std::vector<std::string>& steps);

  struct Ends {
    std::string forward;
    std::string backward;
    bool is_turned = false;  // the relation is written from the child's side
    bool is_many_to_many = false;
    bool is_required = false;
  };

  const Observed& observed_;
  const Findings& findings_;
  const DesignOptions& options_;
  const std::vector<Kind>& kinds_;
  const Found& found_;
  const Naming& naming_;
  Design design_;
  std::vector<NameSet> members_;                         // one a kind: fields and ends
  std::vector<std::set<std::string>> taken_attributes_;  // one a kind: those that are no fields
  std::vector<Ends> ends_;                               // one a link
  std::vector<std::vector<language::Copy>> copies_;      // likewise
  std::map<size_t, std::string> embedded_;               // entity names of embedded links
  NameSet entity_names_;
  NameSet pattern_names_;
};

}  // namespace sheaf::infer
