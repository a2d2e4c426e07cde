#include "migrate/sync.h"

#include <algorithm>
#include <set>

#include "base/try.h"
#include "migrate/source_check.h"
#include "plan/write_refusals.h"
#include "run/document.h"
#include "run/guards.h"
#include "run/system_table.h"

namespace sheaf::migrate {

using model::EndId;
using model::EntityId;
using run::Change;
using run::Fields;
using run::Identity;

namespace {

constexpr int kTriesMax = 20;
constexpr int kLooksMax = 20;
// Of one sync: thousands may be linked to one that is busy, and need not be waited for one by one.
constexpr int kPausesMax = 2 * kTriesMax;

bool is_same(const std::vector<SourceItem>& a, const std::vector<SourceItem>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SourceItem& x, const SourceItem& y) {
    return x.table == y.table && x.key == y.key && x.item == y.item;
  });
}

// What is left of a set of edges when those of the other are taken away.
bool is_same(std::vector<Fields> a, const std::vector<Fields>& b) {
  for (const Fields& each : b) {
    const auto found = std::find(a.begin(), a.end(), each);
    if (found == a.end()) return false;
    a.erase(found);
  }
  return a.empty();
}

}  // namespace

std::string Sync::name_of(const SeenEntity& seen) const {
  return leader_.model().entities[seen.entity].name + " " + run::shown(seen.identity);
}

Result<Synced> Sync::differ(const std::string& what) {
  reason_ = what;
  awaits_deletion_ = false;
  return Synced::kChanged;
}

Result<Synced> Sync::differ_in_fields(const std::string& name, const std::vector<std::string>& fields) {
  std::string names;
  for (const std::string& each : fields) names += (names.empty() ? "" : ", ") + each;
  return differ(name + " has other fields in " + options_.follower_name + ": " + names);
}

Result<Synced> Sync::differ_in_link(const std::string& name, const std::string& end, const Identity& to,
                                    bool is_there) {
  return differ(name + ": " + end + " " + run::shown(to) +
                (is_there ? " has other fields in " : " is missing in ") + options_.follower_name);
}

Synced Sync::put_off(const std::string& why) {
  reason_ = why;
  awaits_deletion_ = false;
  return Synced::kLater;
}

Synced Sync::put_off_for_deletion(const Side& side, EntityId entity, const Identity& identity) {
  reason_ = side.model().entities[entity].name + " " + run::shown(identity) + " is being deleted";
  awaits_deletion_ = true;
  return Synced::kLater;
}

Result<bool> Sync::is_going(const Side& side, EntityId entity, const Identity& identity) const {
  if (!side.finds(entity)) return false;
  const Sight sight = TRY(side.find(entity, identity));
  return sight.is_deleting;
}

Result<bool> Sync::is_going(const Translation& back, EntityId entity, const Identity& identity) const {
  if (TRY(is_going(follower_, entity, identity))) return true;
  if (!back.has(entity)) return false;
  return is_going(leader_, back.entity(entity), identity);
}

void Sync::pause(int looks) {
  if (!options_.pause || pauses_ == kPausesMax) return;
  ++pauses_;
  options_.pause(looks);
}

Result<Synced> Sync::write(const std::vector<Change>& changes, const std::vector<SourceItem>& sources) {
  const SourceCheck check(sources);
  const Result<run::WriteReply> done = writer_.mirror(changes, &check);
  if (done.ok()) return Synced::kChanged;
  const std::string why = TRY(explain(changes.front(), done.error()));
  switch (done.error().code) {
    case Code::kConflict:
    case Code::kNotFound:
    case Code::kInUse:
      return put_off(why);
    default:
      return Error{done.error().code, why};
  }
}

Result<std::string> Sync::explain(const Change& change, const Error& why) const {
  const model::Model& model = follower_.model();
  const std::string& name = model.entities[change.entity].name;
  std::string text = name + " " + run::shown(change.identity) + ": " + why.message;
  if (why.code != Code::kInUse) return text;
  // A value that must be unique may be somebody else's.
  const run::Record record{.entity = change.entity, .identity = change.identity, .fields = change.fields};
  for (const run::Guard& guard : run::guards_of(model, follower_.layout(), record)) {
    const Got got = TRY(follower_.database().get_item(
        {.table = run::system_table_name(model), .key = guard.key, .consistent = true}));
    if (!got.item || why.message != guard.why) continue;
    const run::Identity owner = run::guard_owner(*got.item);
    if (owner != change.identity) text += ", the " + name + " " + run::shown(owner);
  }
  return text;
}

Result<Synced> Sync::entity(EntityId entity, const Identity& identity) {
  if (!translation_.has(entity)) return Synced::kSame;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    if (tries > 0) pause(tries);
    const Sight sight = TRY(leader_.find(entity, identity));
    if (sight.is_deleting) {
      if (options_.only_looks) return Synced::kSame;  // it goes in both
      put_off_for_deletion(leader_, entity, identity);
      continue;
    }
    if (!sight.entity) {
      const Synced erased = TRY(erase(entity, identity, sight.sources));
      if (!is_open(erased) || tries + 1 == kTriesMax) return erased;
      continue;
    }
    const Synced brought = TRY(bring(sight));
    if (brought == Synced::kSame) return brought;
    // What was read one after the other may be of two moments.
    const Sight again = TRY(leader_.find(entity, identity));
    const bool is_sure = options_.only_looks ? !sight.sources.empty() : brought == Synced::kChanged;
    if (is_sure && is_same(sight.sources, again.sources)) return brought;
  }
  return Synced::kLater;
}

// What the leader does not have. What depends on it in the follower goes with it, as it did there.
Result<Synced> Sync::erase(EntityId entity, const Identity& identity, const std::vector<SourceItem>& absent) {
  const EntityId target = translation_.entity(entity);
  if (!follower_.finds(target)) return Synced::kSame;
  const Sight there = TRY(follower_.find(target, identity));
  if (!there.entity) return Synced::kSame;
  if (options_.only_looks)
    return differ(follower_.model().entities[target].name + " " + run::shown(identity) + " is only in " +
                  options_.follower_name);
  return write({{.kind = Change::Kind::kDelete, .entity = target, .identity = identity}}, absent);
}

Result<Synced> Sync::entity(const SeenEntity& seen, const SourceItem& source) {
  if (!translation_.has(seen.entity)) return Synced::kSame;
  if (leader_.finds(seen.entity)) return entity(seen.entity, seen.identity);
  return bring({.entity = seen, .sources = {source}});
}

Fields Sync::shared_fields(EntityId entity, const Fields& there) const {
  if (options_.back == nullptr) return there;
  return translation_.fields(entity, options_.back->fields(translation_.entity(entity), there));
}

std::vector<Fields> Sync::shared_fields(EndId end, const std::vector<Fields>& there) const {
  if (options_.back == nullptr) return there;
  std::vector<Fields> shared;
  for (const Fields& each : there)
    shared.push_back(translation_.edge_fields(
        end.relation, options_.back->edge_fields(translation_.end(end).relation, each)));
  return shared;
}

std::vector<std::string> Sync::other_fields(const SeenEntity& seen, const SeenEntity& there) const {
  const Fields wanted = translation_.fields(seen.entity, seen.fields);
  const Fields given = shared_fields(seen.entity, there.fields);
  std::vector<std::string> names;
  for (const model::Field& field : follower_.model().entities[there.entity].fields) {
    if (field.is_id || field.count_of || field.kept == model::Kept::kVersion) continue;
    const auto is = given.find(field.name);
    const auto ought = wanted.find(field.name);
    const bool has = is != given.end(), should = ought != wanted.end();
    if (has != should || (has && !(is->second == ought->second))) names.push_back(field.name);
  }
  const bool has_version = follower_.layout().has_version(follower_.model(), there.entity);
  if (has_version && seen.version != 0 && seen.version != there.version) names.emplace_back("version");
  return names;
}

std::vector<Change> Sync::field_changes(const SeenEntity& seen, const SeenEntity& there) const {
  if (other_fields(seen, there).empty()) return {};
  const model::Entity& entity = follower_.model().entities[there.entity];
  const Fields wanted = translation_.fields(seen.entity, seen.fields);
  if (!follower_.layout().embedding_end(follower_.model(), there.entity))
    return {{.kind = Change::Kind::kUpsert,
             .entity = there.entity,
             .identity = there.identity,
             .fields = wanted,
             // A leader without versions cannot tell which one it is. It is a new one all the same: copies
             // that others hold of what was there follow only those.
             .mirrored_version = seen.version != 0 ? seen.version : there.version + 1}};
  Change set{.kind = Change::Kind::kSet, .entity = there.entity, .identity = there.identity};
  Change remove{.kind = Change::Kind::kRemove, .entity = there.entity, .identity = there.identity};
  for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
    const model::Field& field = entity.fields[id];
    if (field.is_id || field.count_of) continue;
    const auto ought = wanted.find(field.name);
    if (ought != wanted.end())
      set.assigned.push_back({.to = {.field = id}, .first = ought->second, .rest = {}});
    if (ought == wanted.end() && there.fields.contains(field.name)) remove.removed.push_back({.field = id});
  }
  std::vector<Change> changes;
  if (!set.assigned.empty()) changes.push_back(std::move(set));
  if (!remove.removed.empty()) changes.push_back(std::move(remove));
  return changes;
}

Result<Synced> Sync::ensure(EntityId entity, const Identity& identity, const std::optional<Link>& known) {
  const EntityId target = translation_.entity(entity);
  const bool is_embedded = follower_.layout().embedding_end(follower_.model(), target).has_value();
  if (!is_embedded && !follower_.layout().has_items(target)) return Synced::kSame;
  if (follower_.finds(target)) {
    const Sight there = TRY(follower_.find(target, identity));
    if (there.entity) return Synced::kSame;
  }
  if (!leader_.finds(entity)) return Synced::kSame;
  const Sight sight = TRY(leader_.find(entity, identity));
  if (sight.is_deleting) return put_off_for_deletion(leader_, entity, identity);
  if (!sight.entity)
    return put_off("there is no " + leader_.model().entities[entity].name + " " + run::shown(identity));
  return make(*sight.entity, sight.sources, known);
}

Result<Synced> Sync::make(const SeenEntity& seen, const std::vector<SourceItem>& sources,
                          const std::optional<Link>& known) {
  const EntityId target = translation_.entity(seen.entity);
  Change put{.kind = Change::Kind::kPut,
             .entity = target,
             .identity = seen.identity,
             .fields = translation_.fields(seen.entity, seen.fields),
             .mirrored_version = std::max<int64_t>(1, seen.version)};
  for (const model::Field& field : follower_.model().entities[target].fields) {
    if (field.count_of) put.fields[field.name] = Value(0);
  }
  // Those without whom it cannot be; the others are linked when both are there, unless it cannot be found
  // then.
  std::vector<Link> links = seen.links;
  if (known && !seen.told.contains(known->end)) links.push_back(*known);
  std::erase_if(links, [&](const Link& link) { return !translation_.has(link.end); });
  const auto is_told = [&](EndId end) {
    return std::any_of(links.begin(), links.end(), [&](const Link& link) { return link.end == end; });
  };
  // If nobody else tells in whom it lies, its id does.
  const std::optional<EndId> within = leader_.model().entities[seen.entity].within;
  if (within && translation_.has(*within) && !is_told(*within))
    links.push_back(
        {.end = *within, .to = run::parent_in(leader_.model(), seen.entity, seen.identity, *within)});
  for (const EndId end : leader_.model().entities[seen.entity].ends) {
    if (!translation_.has(end)) continue;
    if (!leader_.model().end(end).is_required || is_told(end)) continue;
    return put_off(name_of(seen) + " comes with its " + leader_.model().end(end).name);
  }
  for (const Link& link : links) {
    const bool is_only_chance = !follower_.finds(target) && !leader_.model().end(link.end).leads_to_many;
    if (!leader_.model().end(link.end).is_required && !is_only_chance) continue;
    const Synced ensured = TRY(ensure(leader_.model().end(link.end).target, link.to, std::nullopt));
    if (ensured == Synced::kLater) return ensured;
    put.ends.emplace_back(translation_.end(link.end), link.to);
  }
  return write({put}, sources);
}

Result<Synced> Sync::link(const Link& link, const Identity& from, const std::vector<SourceItem>& sources) {
  const EndId end = translation_.end(link.end);
  const Link backwards{.end = leader_.model().back(link.end), .to = from, .fields = link.fields};
  const Synced ensured = TRY(ensure(leader_.model().end(link.end).target, link.to, backwards));
  if (ensured == Synced::kLater) return ensured;
  // An end that leads to one may have to leave another for it.
  const model::Model& model = follower_.model();
  const auto can_move = [&](EndId along) {
    return !model.end(along).leads_to_many && model.relations[along.relation].edge_fields.empty() &&
           !plan::why_unmovable(model, follower_.layout(), along);
  };
  const EndId back = model.back(end);
  Change change{.kind = Change::Kind::kLink,
                .entity = model.end(end).holder,
                .identity = from,
                .ends = {{end, link.to}},
                .edge_fields = translation_.edge_fields(link.end.relation, link.fields)};
  if (can_move(end) || can_move(back)) change.kind = Change::Kind::kSet;
  if (!can_move(end) && can_move(back)) {
    change.entity = model.end(back).holder;
    change.identity = link.to;
    change.ends = {{back, from}};
  }
  return write({change}, sources);
}

Result<Synced> Sync::bring(const Sight& sight) {
  const SeenEntity& seen = *sight.entity;
  const EntityId target = translation_.entity(seen.entity);
  const bool is_stored = follower_.layout().has_items(target) ||
                         follower_.layout().embedding_end(follower_.model(), target).has_value();
  Synced result = Synced::kSame;
  const auto add = [&](Synced done) {
    if (done == Synced::kLater || result == Synced::kSame) result = done;
    return result != Synced::kLater;
  };
  if (is_stored && !follower_.finds(target)) {
    // Nobody can say whether it is there: it is made, or in the way.
    if (options_.only_looks) return Synced::kSame;
    const Synced made = TRY(make(seen, sight.sources, std::nullopt));
    return made == Synced::kLater ? Synced::kSame : made;
  }
  if (is_stored) {
    const Sight there = TRY(follower_.find(target, seen.identity));
    if (!there.entity) {
      if (options_.only_looks) return differ(name_of(seen) + " is missing in " + options_.follower_name);
      if (!add(TRY(make(seen, sight.sources, std::nullopt)))) return result;
    } else {
      if (options_.only_looks) {
        const std::vector<std::string> others = other_fields(seen, *there.entity);
        if (!others.empty()) return differ_in_fields(name_of(seen), others);
      }
      for (const Change& change : field_changes(seen, *there.entity)) {
        if (!add(TRY(write({change}, sight.sources)))) return result;
      }
    }
  }
  for (const EndId end : seen.told) {
    if (!translation_.has(end)) continue;
    const EndId there = translation_.end(end);
    std::vector<const Link*> links;
    for (const Link& each : seen.links) {
      if (each.end == end) links.push_back(&each);
    }
    // All to the same one at once: several edges can lead there.
    std::set<Identity> done;
    for (const Link* each : links) {
      if (!done.insert(each->to).second) continue;
      const Side::FoundLinks found = TRY(follower_.find_links(there, seen.identity, each->to));
      if (!found.is_known) continue;
      std::vector<Fields> wanted;
      for (const Link* other : links) {
        if (other->to == each->to) wanted.push_back(translation_.edge_fields(end.relation, other->fields));
      }
      if (is_same(shared_fields(end, found.fields), wanted)) continue;
      if (options_.only_looks && TRY(is_going(leader_, leader_.model().end(end).target, each->to))) continue;
      if (options_.only_looks)
        return differ_in_link(name_of(seen), leader_.model().end(end).name, each->to, !found.fields.empty());
      if (!found.fields.empty()) {
        const Change unlink{.kind = Change::Kind::kUnlink,
                            .entity = target,
                            .identity = seen.identity,
                            .ends = {{there, each->to}}};
        if (!add(TRY(write({unlink}, sight.sources)))) return result;
      }
      for (const Link* other : links) {
        if (other->to == each->to && !add(TRY(link(*other, seen.identity, sight.sources)))) return result;
      }
    }
  }
  return result;
}

Result<Synced> Sync::edges(const run::Edge& edge) {
  const model::Relation& relation = leader_.model().relations[edge.relation];
  // An end that leads to one is told by its holder, if that has an item.
  for (const int side : {0, 1}) {
    const model::End& end = relation.ends[side];
    if (!end.leads_to_many && leader_.finds(end.holder)) return entity(end.holder, edge.ends[1 - side]);
  }
  const EndId end{.relation = edge.relation, .side = 0};
  if (!translation_.has(end)) return Synced::kSame;
  const EndId there = translation_.end(end);
  const Identity& from = edge.ends[1];
  const Identity& to = edge.ends[0];
  for (int tries = 0; tries < kTriesMax; ++tries) {
    if (tries > 0) pause(tries);
    const Side::FoundLinks leading = TRY(leader_.find_links(end, from, to));
    const Side::FoundLinks following = TRY(follower_.find_links(there, from, to));
    if (leading.fields.empty() || !following.is_known) return Synced::kSame;
    std::vector<Fields> wanted;
    for (const Fields& fields : leading.fields)
      wanted.push_back(translation_.edge_fields(edge.relation, fields));
    if (is_same(wanted, shared_fields(end, following.fields))) return Synced::kSame;
    if (options_.only_looks) {
      if (TRY(is_going(leader_, relation.ends[0].holder, from)) ||
          TRY(is_going(leader_, relation.ends[0].target, to)))
        return Synced::kSame;
      const Side::FoundLinks again = TRY(leader_.find_links(end, from, to));
      if (!is_same(leading.sources, again.sources)) continue;
      return differ_in_link(leader_.model().entities[relation.ends[0].holder].name + " " + run::shown(from),
                            relation.ends[0].name, to, !following.fields.empty());
    }
    const Synced ensured = TRY(ensure(relation.ends[0].holder, from, std::nullopt));
    if (ensured == Synced::kLater) continue;
    if (!following.fields.empty()) {
      const Change unlink{.kind = Change::Kind::kUnlink,
                          .entity = follower_.model().end(there).holder,
                          .identity = from,
                          .ends = {{there, to}}};
      const Synced done = TRY(write({unlink}, leading.sources));
      if (done == Synced::kLater) continue;
    }
    Synced linked = Synced::kSame;
    for (const Fields& fields : leading.fields) {
      linked = TRY(link({.end = end, .to = to, .fields = fields}, from, leading.sources));
      if (linked == Synced::kLater) break;
    }
    if (linked == Synced::kLater) continue;
    const Side::FoundLinks again = TRY(leader_.find_links(end, from, to));
    if (is_same(leading.sources, again.sources)) return linked;
  }
  return Synced::kLater;
}

// What is written to both at once is read one after the other, and differs for a moment; what was read a
// moment ago may be gone. What is really too much still is when it is looked at again.
bool Sync::is_open(Synced judged) const {
  return options_.only_looks ? judged != Synced::kSame : judged == Synced::kLater;
}

Result<Synced> Sync::surplus(const Translation& back, const SeenEntity& seen) {
  if (!back.has(seen.entity)) return Synced::kSame;
  Synced judged = TRY(judge(back, seen));
  if (!follower_.finds(seen.entity)) return judged;
  for (int tries = 0; is_open(judged) && tries < kLooksMax; ++tries) {
    pause(tries);
    const Sight there = TRY(follower_.find(seen.entity, seen.identity));
    if (!there.entity || there.is_deleting) return Synced::kSame;
    judged = TRY(judge(back, *there.entity));
  }
  return judged;
}

Result<Synced> Sync::judge(const Translation& back, const SeenEntity& seen) {
  const EntityId entity = back.entity(seen.entity);
  if (!leader_.finds(entity)) return Synced::kSame;
  const Sight sight = TRY(leader_.find(entity, seen.identity));
  const std::string name = follower_.model().entities[seen.entity].name + " " + run::shown(seen.identity);
  if (sight.is_deleting) {
    if (options_.only_looks) return Synced::kSame;
    return put_off_for_deletion(follower_, seen.entity, seen.identity);
  }
  if (!sight.entity) return erase(entity, seen.identity, sight.sources);
  // Nobody but itself tells of it.
  if (options_.only_looks && !follower_.finds(seen.entity)) {
    const std::vector<std::string> others = other_fields(*sight.entity, seen);
    if (!others.empty()) return differ_in_fields(name, others);
  }
  Synced result = Synced::kSame;
  for (const Link& each : seen.links) {
    if (!back.has(each.end)) continue;
    const EndId there = back.end(each.end);
    const Side::FoundLinks leading = TRY(leader_.find_links(there, seen.identity, each.to));
    if (!leading.is_known || !leading.fields.empty()) continue;
    if (TRY(is_going(back, follower_.model().end(each.end).target, each.to))) continue;
    if (options_.only_looks)
      return differ(name + ": " + follower_.model().end(each.end).name + " " + run::shown(each.to) +
                    " is only in " + options_.follower_name);
    const bool is_required = follower_.model().end(each.end).is_required;
    if (is_required) continue;  // it was moved, and is brought in step with the entity
    const Change unlink{.kind = Change::Kind::kUnlink,
                        .entity = seen.entity,
                        .identity = seen.identity,
                        .ends = {{each.end, each.to}}};
    result = TRY(write({unlink}, leading.sources));
    if (result == Synced::kLater) return result;
  }
  return result;
}

Result<Synced> Sync::surplus(const Translation& back, const run::Edge& edge) {
  const EndId end{.relation = edge.relation, .side = 0};
  if (!back.has(end)) return Synced::kSame;
  Synced judged = TRY(judge(back, edge));
  for (int tries = 0; is_open(judged) && tries < kLooksMax; ++tries) {
    pause(tries);
    const Side::FoundLinks there = TRY(follower_.find_links(end, edge.ends[1], edge.ends[0]));
    if (there.is_known && there.fields.empty()) return Synced::kSame;
    judged = TRY(judge(back, edge));
  }
  return judged;
}

Result<Synced> Sync::judge(const Translation& back, const run::Edge& edge) {
  const EndId end{.relation = edge.relation, .side = 0};
  const EndId there = back.end(end);
  const Side::FoundLinks leading = TRY(leader_.find_links(there, edge.ends[1], edge.ends[0]));
  if (!leading.is_known || !leading.fields.empty()) return Synced::kSame;
  const model::Relation& relation = follower_.model().relations[edge.relation];
  if (TRY(is_going(back, relation.ends[0].holder, edge.ends[1])) ||
      TRY(is_going(back, relation.ends[0].target, edge.ends[0])))
    return Synced::kSame;
  if (options_.only_looks)
    return differ(follower_.model().entities[relation.ends[0].holder].name + " " + run::shown(edge.ends[1]) +
                  ": " + relation.ends[0].name + " " + run::shown(edge.ends[0]) + " is only in " +
                  options_.follower_name);
  if (relation.ends[0].is_required || relation.ends[1].is_required) return Synced::kSame;
  const Change unlink{.kind = Change::Kind::kUnlink,
                      .entity = relation.ends[0].holder,
                      .identity = edge.ends[1],
                      .ends = {{end, edge.ends[0]}}};
  return write({unlink}, leading.sources);
}

}  // namespace sheaf::migrate
