// Rules about keys: what partitions are spread by, and what sort keys begin with and go through.
#include <algorithm>
#include <cctype>

#include "base/article.h"
#include "lint/partition_shares.h"
#include "lint/rule.h"
#include "plan/key_interval.h"

namespace sheaf::lint {
namespace {

using language::Span;
using model::Hole;
using model::ItemKind;
using model::KeyTemplate;

// A key in a table or an index, whose entry has no condition.
template <typename Do>
void for_each_key(const Subject& subject, Do&& each) {
  const model::Layout& layout = subject.layout();
  for (size_t id = 0; id < layout.item_kinds.size(); ++id) {
    const ItemKind& kind = layout.item_kinds[id];
    if (kind.store == language::Store::kNone) continue;
    for (const plan::View& view : views_of(layout, kind.table)) {
      const KeyTemplate* const pk = plan::partition_key(layout, view, kind);
      if (pk != nullptr) each(id, view, *pk, plan::sort_key(layout, view, kind));
    }
  }
}

bool has_condition(const Subject& subject, size_t kind, const plan::View& view) {
  if (!view.index) return false;
  for (const model::IndexEntry& entry : subject.layout().item_kinds[kind].entries) {
    if (entry.index == *view.index) return !entry.when.empty();
  }
  return false;
}

// --- few-partitions

// How many values a hole can have, if that is not open; 0 if it is.
int64_t values_of(const Hole& hole) {
  using Kind = language::Type::Kind;
  if (!hole.holds_value()) return 0;
  if (hole.field.type.kind == Kind::kBool) return 2;
  if (hole.field.type.kind == Kind::kEnum) return static_cast<int64_t>(hole.field.type.values.size());
  return 0;
}

void find_few_partitions(const Subject& subject, Tell& tell) {
  for_each_key(subject, [&](size_t id, const plan::View& view, const KeyTemplate& pk, const KeyTemplate*) {
    const std::vector<const Hole*> holes = pk.holes();
    if (holes.empty() || has_condition(subject, id, view)) return;
    const ItemKind& kind = subject.layout().item_kinds[id];
    const std::string where = view_name(subject.layout(), view);
    const std::string fix =
        "lead it by an id, or spread it by a shard of one: " + std::string("<id:shard(8)>");
    if (std::all_of(holes.begin(), holes.end(), [](const Hole* hole) { return hole->is_bucket(); })) {
      tell.push_back({.span = written_span(kind, pk),
                      .message = "all " + kind.name + " items of one time go to one partition of " + where +
                                 ", \"" + pk.text() + "\"",
                      .fix = fix});
      return;
    }
    int64_t values = 1;
    for (const Hole* hole : holes) {
      values *= values_of(*hole);
      if (values == 0 || values > subject.limits.partition_values) return;
    }
    tell.push_back({.span = written_span(kind, pk),
                    .message = "all " + kind.name + " items lie in " + std::to_string(values) +
                               (values == 1 ? " partition of " : " partitions of ") + where + ", \"" +
                               pk.text() + "\"",
                    .fix = fix});
  });
}

// --- unprefixed-sort-key

// What every value of a hole begins with, as far as `matches` says so letter by letter.
bool has_own_beginning(const Hole& hole) {
  if (hole.is_attribute() || hole.field.type.kind == language::Type::Kind::kEnum) return true;
  if (hole.field.syntax == nullptr || !hole.field.syntax->matches) return false;
  const std::string& pattern = hole.field.syntax->matches->text;
  if (pattern.size() < 2 || pattern.find('|') != std::string::npos) return false;
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '#' || c == ':';
  };
  constexpr std::string_view kRepeats = "*?{";
  return is_plain(pattern[0]) && kRepeats.find(pattern[1]) == std::string_view::npos;
}

bool is_unprefixed(const KeyTemplate& key) {
  if (key.pieces().empty()) return false;
  const Hole* const first = std::get_if<Hole>(&key.pieces().front());
  return first != nullptr && !has_own_beginning(*first);
}

std::string prefix_for(const ItemKind& kind) {
  std::string out;
  for (const char c : kind.name.substr(kind.name.find('.') + 1)) {
    const auto letter = static_cast<unsigned char>(c);
    out += std::isalnum(letter) != 0 ? static_cast<char>(std::toupper(letter)) : '_';
  }
  return out + "#";
}

std::optional<Repair> prefixed(const Subject& subject, const ItemKind& kind, const KeyTemplate& key) {
  const Span span = key.span();
  if (span.end <= span.begin || subject.source().text()[span.begin] != '"') return std::nullopt;
  const std::string prefix = prefix_for(kind);
  return Repair{.title = "begin it with " + prefix,
                .edits = {{.span = {.begin = span.begin + 1, .end = span.begin + 1}, .text = prefix}},
                .moves_items = true};
}

void find_unprefixed_sort_keys(const Subject& subject, Tell& tell) {
  const model::Layout& layout = subject.layout();
  for_each_key(subject, [&](size_t id, const plan::View& view, const KeyTemplate& pk, const KeyTemplate* sk) {
    const auto& attribute = plan::sort_attribute(layout, view);
    if (sk == nullptr || !attribute || attribute->type != language::Type::Kind::kString ||
        !is_unprefixed(*sk))
      return;
    const model::RegularLanguage partitions = pk.language();
    for (size_t other = 0; other < layout.item_kinds.size(); ++other) {
      const ItemKind& beside = layout.item_kinds[other];
      const KeyTemplate* const there = plan::partition_key(layout, view, beside);
      if (other == id || beside.store == language::Store::kNone || there == nullptr ||
          plan::sort_key(layout, view, beside) == nullptr ||
          !model::RegularLanguage::common_text(partitions, there->language()))
        continue;
      const ItemKind& kind = layout.item_kinds[id];
      tell.push_back({.span = written_span(kind, *sk),
                      .message = "the sort key of " + kind.name + " in " + view_name(layout, view) +
                                 " begins with a value, and " + beside.name +
                                 " items lie in the same partitions: no prefix picks one kind",
                      .fix = "begin it with its type: \"" + prefix_for(kind) + sk->text() + "\"",
                      .notes = {{.span = written_span(beside, *plan::sort_key(layout, view, beside)),
                                 .text = "the other is here"}},
                      .repair = prefixed(subject, kind, *sk)});
      return;
    }
  });
}

// --- Levels

// Whether the hole is a part of what tells one item from another.
bool is_identity(const Subject& subject, const ItemKind& kind, const Hole& hole) {
  if (!kind.entity || hole.source.root != model::HoleSource::Root::kEntity) return true;
  const std::vector<model::FieldPath>& identity = subject.model().entities[*kind.entity].identity;
  return std::find(identity.begin(), identity.end(), hole.source.path) != identity.end();
}

int64_t level_count(const KeyTemplate& pk, const KeyTemplate& sk) {
  return static_cast<int64_t>(sk.holes().size()) + (pk.holes().empty() ? 0 : 1);
}

// Whether a request makes use of the level: it reads what lies below it, or a range of it, or in its order.
bool uses_level(const plan::Plan& plan, const plan::Want& want, size_t level) {
  if (want.sort.bound.size() > level && !want.sort.is_whole) return true;
  if (want.sort.bound.size() != level) return false;
  const model::Node* const selected = plan.nodes[want.node].selected;
  return want.sort.range != nullptr || (selected != nullptr && selected->order);
}

// How patterns read a kind of items in a view.
struct LevelReads {
  bool any = false;  // by a Query at all
  std::vector<bool> levels;
};

LevelReads level_reads(const Subject& subject, size_t kind, const plan::View& view, size_t level_count) {
  LevelReads reads{.levels = std::vector<bool>(level_count, false)};
  for (const plan::PlannedPattern& each : subject.patterns()) {
    if (!each.ok()) continue;
    const auto& plan = std::get<plan::Plan>(each.plan);
    for (const plan::Request& request : plan.requests) {
      if (request.kind != plan::Request::Kind::kQuery || !(request.view == view)) continue;
      for (const plan::Want& want : request.wants) {
        if (want.item_kind != kind) continue;
        reads.any = true;
        for (size_t level = 0; level < level_count; ++level)
          reads.levels[level] = reads.levels[level] || uses_level(plan, want, level);
      }
    }
  }
  return reads;
}

// Takes the hole out of the text, with what separates it from the next one.
std::optional<Repair> without_hole(const Subject& subject, const Hole& hole, const Hole& next) {
  if (hole.span.end <= hole.span.begin || next.span.begin < hole.span.end ||
      subject.source().text()[hole.span.begin] != '<')
    return std::nullopt;
  return Repair{.title = "leave " + hole.written() + " out",
                .edits = {{.span = {.begin = hole.span.begin, .end = next.span.begin}, .text = {}}},
                .moves_items = true};
}

void find_unused_levels(const Subject& subject, Tell& tell) {
  for_each_key(subject, [&](size_t id, const plan::View& view, const KeyTemplate& pk, const KeyTemplate* sk) {
    const ItemKind& kind = subject.layout().item_kinds[id];
    if (!kind.entity || kind.is_by_field() || sk == nullptr || level_count(pk, *sk) < subject.limits.levels)
      return;
    const std::vector<const Hole*> holes = sk->holes();
    const LevelReads reads = level_reads(subject, id, view, holes.size());
    // What no pattern lists yet may be for patterns to come.
    for (size_t level = 0; reads.any && level + 1 < holes.size(); ++level) {
      if (is_identity(subject, kind, *holes[level]) || reads.levels[level]) continue;
      tell.push_back(
          {.span = written_span(kind, *sk),
           .message = "the sort key of " + kind.name + " in " + view_name(subject.layout(), view) + " has " +
                      std::to_string(level_count(pk, *sk)) +
                      " levels with its partition, and no pattern reads by " + holes[level]->written(),
           .fix = "leave " + holes[level]->written() + " out, or write the pattern that reads by it",
           .repair = without_hole(subject, *holes[level], *holes[level + 1])});
      return;
    }
  });
}

// Whether what the hole holds may become something else.
bool can_change(const Subject& subject, const ItemKind& kind, const Hole& hole) {
  if (is_identity(subject, kind, hole)) return false;
  // Over an end that is not a part of the identity: what it leads to can be another one some day.
  if (!hole.source.path.ends.empty()) return true;
  return hole.field.syntax != nullptr && !hole.field.syntax->is_immutable &&
         hole.field.kept != model::Kept::kCreated;
}

void find_rigid_hierarchies(const Subject& subject, Tell& tell) {
  for (const ItemKind& kind : subject.layout().item_kinds) {
    if (!kind.entity || kind.store != language::Store::kItem || !kind.sk ||
        level_count(kind.pk, *kind.sk) < subject.limits.levels)
      continue;
    const std::vector<const Hole*> holes = kind.sk->holes();
    for (size_t level = 0; level + 1 < holes.size(); ++level) {
      if (!can_change(subject, kind, *holes[level])) continue;
      tell.push_back({.span = written_span(kind, *kind.sk),
                      .message = holes[level]->written() + " is a level of the primary key of " + kind.name +
                                 ", and can change: then the item is deleted and put elsewhere",
                      .fix = "declare it immutable; or key by ids alone, and keep the levels in an index"});
      break;
    }
  }
}

void find_long_sort_keys(const Subject& subject, Tell& tell) {
  for_each_key(subject, [&](size_t id, const plan::View& view, const KeyTemplate&, const KeyTemplate* sk) {
    const auto bytes = sk != nullptr ? sk->bytes_max() : std::nullopt;
    if (!bytes || static_cast<double>(*bytes) < subject.limits.near(subject.limits.sort_key_bytes)) return;
    const ItemKind& kind = subject.layout().item_kinds[id];
    tell.push_back({.span = written_span(kind, *sk),
                    .message = "the sort key of " + kind.name + " in " + view_name(subject.layout(), view) +
                               " can have " + std::to_string(*bytes) + " bytes, and " +
                               std::to_string(subject.limits.sort_key_bytes) +
                               " is the limit; characters that are escaped count three",
                    .fix = "lower the max of its fields, or use shorter ids"});
  });
}

}  // namespace

std::span<const Rule> key_rules() {
  static constexpr Rule kRules[] = {
      {.id = "few-partitions",
       .points = "G10",
       .title = "A partition key has few values.",
       .why =
           "One partition takes a thousand writes a second: load that goes to a few of them is not spread.",
       .check = find_few_partitions},
      {.id = "unprefixed-sort-key",
       .points = "H7",
       .title = "Several kinds of items share a partition, and a sort key does not begin with its type.",
       .why = "Nothing but a filter picks one kind, and a value can look like the key of another kind.",
       .check = find_unprefixed_sort_keys},
      {.id = "unused-levels",
       .points = "G6",
       .title = "A sort key has three levels or more, and one that no pattern reads by.",
       .why =
           "Composite sort keys pay where levels are searched; others make keys longer and harder to change.",
       .severity = Severity::kNote,
       .check = find_unused_levels},
      {.id = "rigid-hierarchy",
       .points = "H15",
       .title = "A level of a composite primary key can change.",
       .why = "A key cannot be changed: the item, and all that lies below it, is deleted and put again.",
       .check = find_rigid_hierarchies},
      {.id = "long-sort-key",
       .points = "G12",
       .title = "A sort key can come near its limit of bytes.",
       .why = "A write whose sort key has more than 1,024 bytes is refused.",
       .check = find_long_sort_keys},
  };
  return kRules;
}

}  // namespace sheaf::lint
