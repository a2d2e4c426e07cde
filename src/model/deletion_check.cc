#include "model/deletion_check.h"

#include <algorithm>

#include "base/article.h"
#include "model/strategies/strategy.h"

namespace sheaf::model {
void check_deletions(const Model& model, const Layout& layout, Mistakes& mistakes) {
  for (const StoredRelation& stored : layout.relations) {
    const Relation& relation = model.relations[stored.relation];
    if (relation.on_delete != language::OnDelete::kRestrict) continue;
    for (const int side : {0, 1}) {
      const End& end = relation.ends[side];
      if (!end.leads_to_many || stored.strategy->is_found_strongly(stored, side)) continue;
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
