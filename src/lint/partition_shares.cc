#include "lint/partition_shares.h"

#include <algorithm>

#include "plan/document_tree.h"
#include "plan/key_interval.h"

namespace sheaf::lint {
namespace {

using model::EndId;
using model::EntityId;
using model::FieldPath;
using model::Hole;
using model::HoleSource;

// Text of which nobody says how long it is counts as nothing: what is told is the least.
constexpr int64_t kElementBytes = 16;

int64_t bytes_of(const language::Type& type, const std::optional<language::Whole>& max) {
  using Kind = language::Type::Kind;
  const auto count = static_cast<int64_t>(max ? max->value : 0);
  switch (type.kind) {
    case Kind::kString:
    case Kind::kBinary:
      return count;
    case Kind::kList:
    case Kind::kMap:
    case Kind::kSet:
      return count *
             std::max(kElementBytes, type.element.empty() ? 0 : bytes_of(type.element.front(), std::nullopt));
    case Kind::kObject: {
      int64_t sum = 0;
      for (const language::Field& field : type.fields)
        sum += static_cast<int64_t>(field.name.text.size()) +
               bytes_of(field.type.value_or(language::Type{}), field.max);
      return sum;
    }
    case Kind::kTime:
    case Kind::kUlid:
      return 26;
    case Kind::kUuid:
      return 36;
    default:
      return 8;
  }
}

double fields_bytes(const std::vector<model::Field>& fields) {
  double sum = 0;
  for (const model::Field& field : fields) {
    const std::optional<language::Whole> max = field.syntax != nullptr ? field.syntax->max : std::nullopt;
    sum += static_cast<double>(field.attribute.size()) + static_cast<double>(bytes_of(field.type, max));
  }
  return sum;
}

// Of what a reference, an id in a list or an entry names.
double identity_bytes(const model::Model& model, EntityId entity) {
  double sum = 0;
  for (const FieldPath& path : model.entities[entity].identity) {
    const model::Field& field = model.field(entity, path);
    sum +=
        static_cast<double>(bytes_of(field.type, field.syntax != nullptr ? field.syntax->max : std::nullopt));
  }
  return std::max(static_cast<double>(kElementBytes), sum);
}

// What the holder of an end keeps of each that it leads to.
double copied_bytes(const Subject& subject, EndId end) {
  const model::Relation& relation = subject.model().relations[end.relation];
  std::vector<model::Field> fields;
  for (const model::CopiedFields& copied : subject.layout().relations[end.relation].copies) {
    if (copied.side != end.side && !relation.is_symmetric) continue;
    const EntityId source = relation.ends[copied.side].target;
    for (const model::FieldId field : copied.fields)
      fields.push_back(subject.model().entities[source].fields[field]);
  }
  return fields_bytes(fields);
}

class Shares {
 public:
  explicit Shares(const Subject& subject) : model_(subject.model()), layout_(subject.layout()) {}

  std::vector<PartitionShare> run() {
    for (size_t id = 0; id < layout_.item_kinds.size(); ++id) {
      const model::ItemKind& kind = layout_.item_kinds[id];
      if (kind.store == language::Store::kNone) continue;
      for (const plan::View& view : views_of(layout_, kind.table)) {
        const model::KeyTemplate* const key = plan::partition_key(layout_, view, kind);
        if (key == nullptr || key->holes().empty()) continue;
        PartitionShare share{.item_kind = id, .view = view, .key = key};
        for (const Hole* hole : key->holes()) share.is_split = share.is_split || !hole->holds_value();
        if (kind.entity ? add_entity(kind, share) : add_edges(kind, share))
          found_.push_back(std::move(share));
      }
    }
    return std::move(found_);
  }

 private:
  static bool has_hole(const model::KeyTemplate& key, const HoleSource& source) {
    const std::vector<const Hole*> holes = key.holes();
    return std::any_of(holes.begin(), holes.end(),
                       [&](const Hole* hole) { return hole->holds_value() && hole->source == source; });
  }

  // The identity of what `ends` lead to, seen from where they start, as a hole names it.
  std::vector<HoleSource> identity(EntityId entity, const std::vector<EndId>& ends, HoleSource::Root root,
                                   int side) const {
    std::vector<HoleSource> sources;
    for (const FieldPath& part : model_.entities[entity].identity) {
      FieldPath path{.ends = ends, .field = part.field};
      path.ends.insert(path.ends.end(), part.ends.begin(), part.ends.end());
      sources.push_back({.root = root, .side = side, .path = std::move(path)});
    }
    return sources;
  }

  void follow(EndId end, PartitionShare& share) const {
    const model::End& declared = model_.end(end);
    if (!declared.leads_to_many) return;
    share.ends.push_back(end);
    share.count *= plan::declared_count(declared);
    share.is_unbounded = share.is_unbounded || declared.is_unbounded;
  }

  // The nearest entity, from the item's own on, whose whole identity the partition has.
  bool add_entity(const model::ItemKind& kind, PartitionShare& share) const {
    std::vector<std::vector<EndId>> ways{{}};
    for (const Hole* hole : share.key->holes()) {
      if (hole->source.root != HoleSource::Root::kEntity) continue;
      for (size_t n = 1; n <= hole->source.path.ends.size(); ++n) {
        const auto begin = hole->source.path.ends.begin();
        ways.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(n));
      }
    }
    std::stable_sort(ways.begin(), ways.end(),
                     [](const auto& one, const auto& other) { return one.size() < other.size(); });
    for (const std::vector<EndId>& way : ways) {
      const EntityId owner = way.empty() ? *kind.entity : model_.end(way.back()).target;
      const std::vector<HoleSource> parts = identity(owner, way, HoleSource::Root::kEntity, 0);
      const bool is_owner = std::all_of(parts.begin(), parts.end(),
                                        [&](const HoleSource& part) { return has_hole(*share.key, part); });
      if (!is_owner) continue;
      for (auto end = way.rbegin(); end != way.rend(); ++end) follow(model_.back(*end), share);
      share.owner = owner;
      share.partition = partition_text(share, parts);
      return true;
    }
    return false;
  }

  bool add_edges(const model::ItemKind& kind, PartitionShare& share) const {
    const model::Relation& relation = model_.relations[*kind.relation];
    std::optional<int> side;
    size_t best = 0;
    for (const int each : {0, 1}) {
      const std::vector<HoleSource> parts =
          identity(relation.ends[each].target, {}, HoleSource::Root::kEdgeEnd, each);
      const auto held = static_cast<size_t>(std::count_if(
          parts.begin(), parts.end(), [&](const HoleSource& part) { return has_hole(*share.key, part); }));
      if (held == 0) continue;
      // Both: the partition is one pair's.
      if (side) return false;
      side = each;
      best = held;
    }
    if (!side || best == 0) return false;
    const EndId leads{.relation = *kind.relation, .side = 1 - *side};
    share.owner = relation.ends[*side].target;
    follow(leads, share);
    share.partition = partition_text(share, identity(*share.owner, {}, HoleSource::Root::kEdgeEnd, *side));
    return true;
  }

  // The key with the owner's identity named in one way, whoever has it.
  std::string partition_text(const PartitionShare& share, const std::vector<HoleSource>& parts) const {
    const plan::View& view = share.view;
    std::string out =
        std::to_string(view.table) + "/" + (view.index ? std::to_string(*view.index) : "") + "/";
    for (const model::KeyTemplate::Piece& piece : share.key->pieces()) {
      if (const auto* const text = std::get_if<std::string>(&piece)) {
        out += *text;
        continue;
      }
      const Hole& hole = std::get<Hole>(piece);
      const auto part = std::find(parts.begin(), parts.end(), hole.source);
      out += part == parts.end() || !hole.holds_value()
                 ? "<" + layout_.item_kinds[share.item_kind].name + "." + hole.written() + ">"
                 : "<" + std::to_string(*share.owner) + ":" + std::to_string(part - parts.begin()) + ">";
    }
    return out;
  }

  const model::Model& model_;
  const model::Layout& layout_;
  std::vector<PartitionShare> found_;
};

}  // namespace

std::vector<PartitionShare> partition_shares(const Subject& subject) { return Shares(subject).run(); }

double declared_bytes(const Subject& subject, const model::ItemKind& kind) {
  const model::Model& model = subject.model();
  using Storage = model::EndStorage;
  if (!kind.entity) return fields_bytes(model.relations[*kind.relation].edge_fields);
  double sum = fields_bytes(model.entities[*kind.entity].fields);
  for (const EndId end : model.entities[*kind.entity].ends) {
    const Storage storage = subject.layout().storage(end);
    const model::End& declared = model.end(end);
    double each = 0;
    if (storage == Storage::kEmbeds) each = fields_bytes(model.entities[declared.target].fields);
    if (storage == Storage::kReference || storage == Storage::kIds || storage == Storage::kEntries)
      each = identity_bytes(model, declared.target) + copied_bytes(subject, end);
    if (storage == Storage::kEntries) each += fields_bytes(model.relations[end.relation].edge_fields);
    sum += plan::declared_count(declared) * each;
  }
  return sum;
}

language::Span written_span(const model::ItemKind& kind, const model::KeyTemplate& key) {
  return key.span().end > key.span().begin ? key.span() : kind.span;
}

std::string view_name(const model::Layout& layout, const plan::View& view) {
  const model::Table& table = layout.tables[view.table];
  return view.index ? "the index " + table.indexes[*view.index].name : "the table " + table.name;
}

std::vector<plan::View> views_of(const model::Layout& layout, size_t table) {
  std::vector<plan::View> views{{.table = table}};
  for (size_t i = 0; i < layout.tables[table].indexes.size(); ++i)
    views.push_back({.table = table, .index = i});
  return views;
}

}  // namespace sheaf::lint
