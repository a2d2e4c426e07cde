#include "migrate/rename_check.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/try.h"
#include "language/diagnostic.h"

namespace sheaf::migrate {
namespace {

using model::EndId;
using model::EntityId;
using model::Model;

using Names = std::vector<std::string_view>;

Names names_of(const std::vector<model::Field>& fields) {
  Names names;
  for (const model::Field& field : fields) names.push_back(field.name);
  return names;
}

Names ends_of(const Model& model, EntityId entity) {
  Names names;
  for (const EndId end : model.entities[entity].ends) names.push_back(model.end(end).name);
  return names;
}

bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class RenameCheck {
 public:
  RenameCheck(const Model& from, const Model& to, const Renames& renames)
      : from_(from), to_(to), renames_(renames) {}

  // User=Person, User.full=name, User.tickets=cases, User.tickets.since=from
  Result<void> check(const std::string& what, const std::string& name) const {
    const std::vector<std::string> parts = split(what);
    const std::string prefix = "renaming " + what + " to " + name + ": ";
    const auto unknown = [&](const char* which, const std::string& holder, std::string_view missing,
                             const Names& candidates) {
      const auto full = [&](std::string_view each) {
        return holder.empty() ? std::string(each) : holder + "." + std::string(each);
      };
      const std::string_view near = language::nearest(missing, candidates);
      return Error{Code::kInvalid, prefix + "the " + which + " model has no " + full(missing) +
                                       (near.empty() ? "" : "; perhaps " + full(near) + " is meant")};
    };
    const auto entity = from_.find_entity(parts[0]);
    if (!entity) return unknown("old", "", parts[0], entities_of(from_));
    const std::string now = new_name(parts[0], parts[0]);
    const auto there = to_.find_entity(now);
    if (!there) return unknown("new", "", now, entities_of(to_));
    if (parts.size() == 1) return {};

    const Names fields = names_of(from_.entities[*entity].fields), ends = ends_of(from_, *entity);
    const bool is_field = has(fields, parts[1]);
    if (parts.size() == 2) {
      if (!is_field && !has(ends, parts[1])) return unknown("old", parts[0], parts[1], joined(fields, ends));
      const Names counterparts = is_field ? names_of(to_.entities[*there].fields) : ends_of(to_, *there);
      if (!has(counterparts, name)) return unknown("new", now, name, counterparts);
      return {};
    }
    const auto end = from_.find_end(*entity, parts[1]);
    if (parts.size() > 3 || !end) return unknown("old", parts[0], what.substr(parts[0].size() + 1), ends);
    return check_edge_field(parts, name, *there, *end, unknown);
  }

 private:
  template <typename Unknown>
  Result<void> check_edge_field(const std::vector<std::string>& parts, const std::string& name,
                                EntityId there, EndId end, const Unknown& unknown) const {
    const std::string holder = parts[0] + "." + parts[1];
    // Fields of an edge are told by the end that is declared first.
    const model::End& first = from_.relations[end.relation].ends[0];
    if (first.name != parts[1])
      return Error{Code::kInvalid, "renaming " + holder + "." + parts[2] + " to " + name + ": write " +
                                       from_.entities[first.holder].name + "." + first.name + "." + parts[2]};
    const Names old_fields = names_of(from_.relations[end.relation].edge_fields);
    if (!has(old_fields, parts[2])) return unknown("old", holder, parts[2], old_fields);
    const std::string end_now = new_name(holder, parts[1]);
    const std::string entity_now = to_.entities[there].name;
    const auto counterpart = to_.find_end(there, end_now);
    if (!counterpart) return unknown("new", entity_now, end_now, ends_of(to_, there));
    const Names fields = names_of(to_.relations[counterpart->relation].edge_fields);
    if (!has(fields, name)) return unknown("new", entity_now + "." + end_now, name, fields);
    return {};
  }

  static std::vector<std::string> split(const std::string& what) {
    std::vector<std::string> parts{""};
    for (const char c : what) {
      if (c == '.') {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    return parts;
  }

  static Names entities_of(const Model& model) {
    Names names;
    for (const model::Entity& entity : model.entities) names.push_back(entity.name);
    return names;
  }

  static Names joined(Names a, const Names& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  std::string new_name(const std::string& what, const std::string& name) const {
    const auto found = renames_.find(what);
    return found == renames_.end() ? name : found->second;
  }

  const Model& from_;
  const Model& to_;
  const Renames& renames_;
};

}  // namespace

Result<void> check_renames(const Model& from, const Model& to, const Renames& renames) {
  const RenameCheck check(from, to, renames);
  for (const auto& [what, name] : renames) TRY(check.check(what, name));
  return {};
}

}  // namespace sheaf::migrate
