// The entities of a pattern's documents as a tree, and what has to be fetched of each.
#pragma once

#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

// Of the outermost list, if it does not say how much it shows at once.
inline constexpr int64_t kPageDefault = 100;

// How many an end leads to, as far as that is declared.
double declared_count(const model::End& end);

// A list over several levels that is cut: once it is full, nobody is followed any more.
bool stops_when_full(const DocumentNode& node);

std::vector<DocumentNode> document_tree(const model::Model& model, const model::Pattern& pattern,
                                        size_t& result);

// Whether all its parameters are given. If not, a condition does not apply.
bool is_in_force(const model::Condition& condition, const std::vector<bool>& given);
// The conditions of `where` on a node that are in force.
std::vector<const model::Condition*> conditions_in_force(const DocumentNode& node,
                                                         const std::vector<bool>& given);

// What the pattern begins with is found by conditions on what an end of it leads to: if that end is stored as
// edges, they tell who it is.
void find_by_edges(const model::Layout& layout, const std::vector<bool>& given, DocumentNode& start);

// Whether it is this that tells who the entities are that conditions find.
bool is_search(const std::vector<DocumentNode>& nodes, const Want& want);

// Whether other nodes may have the same items, or edges, and want more of them.
bool is_read_elsewhere(const std::vector<DocumentNode>& nodes, const Want& want);

// Where the edge that leads to a node has what a place of it means; none: an edge cannot have it.
std::optional<model::HoleSource> edge_source(const DocumentNode& node, const model::Place& place);

Link link_of(const model::Model& model, const model::Layout& layout, const DocumentNode& node);

// Fields that the link brings along: copies on the child, the edge or the list entry.
std::vector<model::FieldId> copied_fields(const model::Layout& layout, const DocumentNode& node);

// What the answer depends on beside the identity: fields that are shown, filtered or sorted by, or summed up.
std::vector<model::FieldId> wanted_fields(const model::Model& model, const std::vector<DocumentNode>& nodes,
                                          size_t node);

// Whether the node's own item must be read: for fields that nothing else brings, or because it leads on.
bool needs_item(const model::Model& model, const model::Layout& layout,
                const std::vector<DocumentNode>& nodes, size_t node);
// The same of those of the last level, who lead to nobody any more.
bool needs_last_item(const model::Model& model, const model::Layout& layout,
                     const std::vector<DocumentNode>& nodes, size_t node);

// Whether fields of the edge that leads to a node are wanted, not only that there is one.
bool shows_edge(const std::vector<DocumentNode>& nodes, size_t node);

}  // namespace sheaf::plan
