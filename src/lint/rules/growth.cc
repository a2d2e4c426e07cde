// Rules about what grows: items, lists in items, and item collections.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/article.h"
#include "lint/partition_shares.h"
#include "lint/rule.h"
#include "model/strategies/strategy.h"
#include "plan/budgets.h"
#include "plan/plan.h"

namespace sheaf::lint {
namespace {

using model::ItemKind;

// orders of a Customer; or of what they are, where an end has no name of its own to show.
std::string ends_text(const Subject& subject, const PartitionShare& share) {
  const model::Model& model = subject.model();
  std::string text;
  for (auto end = share.ends.rbegin(); end != share.ends.rend(); ++end)
    text += (text.empty() ? "" : " of ") + model.end(*end).name;
  return text + " of " + with_article(model.entities[*share.owner].name);
}

void find_unbounded_collections(const Subject& subject, Tell& tell) {
  // The same items in the table and in indexes are one thing that grows.
  std::map<size_t, Told> told;
  for (const PartitionShare& share : partition_shares(subject)) {
    if (!share.is_unbounded || share.is_split) continue;
    const ItemKind& kind = subject.layout().item_kinds[share.item_kind];
    const std::string where = view_name(subject.layout(), share.view);
    const auto before = told.find(share.item_kind);
    if (before != told.end()) {
      before->second.message += ", and the " + ends_text(subject, share) + " in " + where;
      continue;
    }
    told[share.item_kind] = {
        .span = written_span(kind, *share.key),
        .message = "the " + ends_text(subject, share) + " grow without bound in one partition of " + where,
        .fix =
            "put a bucket of time into the partition key (<at:month>), or a shard (<id:shard(8)>); or say "
            "size max, if there is one"};
  }
  for (auto& [kind, each] : told) tell.push_back(std::move(each));
}

std::string bytes_text(double bytes) {
  if (bytes >= 1 << 30) return plan::number_text(std::round(bytes / (1 << 30) * 10) / 10) + " GB";
  if (bytes >= 1 << 20) return plan::number_text(std::round(bytes / (1 << 20) * 10) / 10) + " MB";
  return plan::number_text(std::round(bytes / 1024)) + " KB";
}

struct Collection {
  const PartitionShare* largest = nullptr;
  double largest_count = 0;
  double items = 0;
  double bytes = 0;
};

void find_large_collections(const Subject& subject, Tell& tell) {
  const std::vector<PartitionShare> shares = partition_shares(subject);
  std::map<std::string, Collection> collections;
  for (const PartitionShare& share : shares) {
    // How many there are in a bucket is not said anywhere.
    if (share.is_split) continue;
    const ItemKind& kind = subject.layout().item_kinds[share.item_kind];
    Collection& collection = collections[share.partition];
    collection.items += share.count;
    collection.bytes += share.count * std::max(plan::kItemBytes, declared_bytes(subject, kind));
    if (share.count <= collection.largest_count && collection.largest != nullptr) continue;
    collection.largest = &share;
    collection.largest_count = share.count;
  }
  std::set<size_t> kinds;
  for (const auto& [key, collection] : collections) {
    const bool has_many = collection.items > static_cast<double>(subject.limits.collection_items);
    const bool is_large = collection.bytes > static_cast<double>(subject.limits.collection_bytes);
    const PartitionShare& share = *collection.largest;
    if ((!has_many && !is_large) || !kinds.insert(share.item_kind).second) continue;
    const ItemKind& kind = subject.layout().item_kinds[share.item_kind];
    tell.push_back(
        {.span = written_span(kind, *share.key),
         .message = "one partition of " + view_name(subject.layout(), share.view) + " can have " +
                    plan::number_text(collection.items) + " items of about " + bytes_text(collection.bytes) +
                    ", most of them " + ends_text(subject, share),
         .fix = "split it by a bucket of time or a shard in the partition key; or archive what is old"});
  }
}

void find_large_items(const Subject& subject, Tell& tell) {
  for (const ItemKind& kind : subject.layout().item_kinds) {
    if (kind.store != language::Store::kItem) continue;
    const double bytes = declared_bytes(subject, kind);
    if (bytes < subject.limits.near(subject.limits.item_bytes)) continue;
    const language::Span span =
        kind.entity ? subject.model().entities[*kind.entity].syntax->name.span : kind.span;
    tell.push_back({.span = span,
                    .message = with_article(kind.name) + " can have " + bytes_text(bytes) +
                               " at the sizes that its fields declare, and an item holds " +
                               bytes_text(static_cast<double>(subject.limits.item_bytes)),
                    .fix = "lower the max of its fields, or move the largest to items of their own, or "
                           "elsewhere"});
  }
}

void find_not_few(const Subject& subject, Tell& tell) {
  for (const model::StoredRelation& stored : subject.layout().relations) {
    if (stored.strategy->kind() != language::Via::Kind::kEmbed) continue;
    const model::Relation& relation = subject.model().relations[stored.relation];
    for (const model::End& end : relation.ends) {
      if (!end.leads_to_many || !end.max || *end.max <= subject.limits.few) continue;
      const language::Span span =
          stored.span.end > stored.span.begin ? stored.span : relation.syntax->forward.span;
      tell.push_back(
          {.span = span,
           .message = std::to_string(*end.max) + " " + end.name + " are embedded in one item, and " +
                      std::to_string(subject.limits.few) + " are few",
           .fix = "store them via collection: read with their parent in one request all the same"});
    }
  }
}

// --- unbounded-field

bool is_open_list(const language::Type& type, const std::optional<language::Whole>& max) {
  using Kind = language::Type::Kind;
  return (type.kind == Kind::kList || type.kind == Kind::kMap || type.kind == Kind::kSet) && !max;
}

void find_open_lists(const std::vector<language::Field>& fields, Tell& tell) {
  for (const language::Field& field : fields) {
    if (!field.type) continue;
    find_open_lists(field.type->fields, tell);
    if (!is_open_list(*field.type, field.max)) continue;
    tell.push_back({.span = field.name.span,
                    .message = field.name.text + " has no bound, and an item holds 400 KB",
                    .fix = "say how many there can be (max 50), or give each an item of its own: an entity "
                           "within this one"});
  }
}

void find_unbounded_fields(const Subject& subject, Tell& tell) {
  for (const language::Entity& entity : subject.model().syntax().entities)
    find_open_lists(entity.fields, tell);
  for (const language::Relation& relation : subject.model().syntax().relations)
    find_open_lists(relation.edge_fields, tell);
}

}  // namespace

std::span<const Rule> growth_rules() {
  static constexpr Rule kRules[] = {
      {.id = "unbounded-collection",
       .points = "H2",
       .title = "An item collection grows without bound.",
       .why = "A partition has its ceiling of throughput, and of 10 GB with a local index, however large a "
              "table is.",
       .check = find_unbounded_collections},
      {.id = "large-collection",
       .points = "G3 G4",
       .title = "An item collection can have more than 10,000 items or 1 GB.",
       .why = "Reads of it take many pages, and all its load goes to one partition.",
       .check = find_large_collections},
      {.id = "large-item",
       .points = "G1",
       .title = "An item can come near 400 KB.",
       .why = "A larger item is refused, and every read and write of one pays for all of it.",
       .check = find_large_items},
      {.id = "not-few",
       .points = "G2",
       .title = "Many children are embedded in their parent.",
       .why = "All of them are read and written for one; embedding is for a few, 5 to 10 and at most 20.",
       .check = find_not_few},
      {.id = "unbounded-field",
       .points = "H6",
       .title = "A list, set or map in an item has no bound.",
       .why = "It grows until a write is refused, and every read pays for all of it.",
       .check = find_unbounded_fields},
  };
  return kRules;
}

}  // namespace sheaf::lint
