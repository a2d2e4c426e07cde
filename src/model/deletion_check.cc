#include "model/deletion_check.h"

#include <algorithm>

#include "base/article.h"

namespace sheaf::model {
namespace {

using Via = language::Via::Kind;

// Whether the holder of an end finds what it leads to by a strong read.
bool is_found_strongly(const StoredRelation& stored, int side) {
  switch (stored.via) {
    case Via::kCollection:
    case Via::kPath:
    case Via::kEmbed:
      return side == 0;
    case Via::kEdges:
    case Via::kGraph:
      return stored.both_directions || stored.pk_side == 1 - side;
    case Via::kIds:
      return stored.ids_side == side;
    case Via::kLists:
      return true;
    default:
      return false;
  }
}

}  // namespace

void check_deletions(const Model& model, const Layout& layout, Mistakes& mistakes) {
  for (const StoredRelation& stored : layout.relations) {
    const Relation& relation = model.relations[stored.relation];
    if (relation.on_delete != language::OnDelete::kRestrict) continue;
    for (const int side : {0, 1}) {
      const End& end = relation.ends[side];
      if (!end.leads_to_many || is_found_strongly(stored, side)) continue;
      const std::vector<Field>& fields = model.entities[end.holder].fields;
      const bool is_counted = std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
        return field.count_of == EndId{.relation = stored.relation, .side = side};
      });
      if (is_counted) continue;
      const std::string& holder = model.entities[end.holder].name;
      mistakes.tell(
          "restrict-needs-count", relation.syntax->on_delete->second,
          "whether " + with_article(holder) + " still has " + end.name +
              " is asked of an index, which may not know the newest yet",
          "count them: add a field to " + holder + ", " + end.name + "_count int = count(" + end.name + ")",
          {{.span = stored.span, .text = "it is stored so"}});
    }
  }
}

}  // namespace sheaf::model
