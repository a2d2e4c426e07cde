// How entities and the parts of their identities are called.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "infer/kind.h"
#include "infer/links.h"
#include "infer/observed.h"

namespace sheaf::infer {

struct Naming {
  std::vector<std::string> entities;  // one a kind; of edges: none
  std::vector<std::map<size_t, std::string>>
      fields;                       // one a kind: its own id values, and those of attributes
  std::vector<std::string> within;  // one a kind: the end to its parent, if it has one
};

// An entity is called after its facet, its tag, the words of its keys or its table; an id after the attribute
// that it is, or so that attributes elsewhere (customer_id) can be references to it.
Naming name_kinds(const Observed& observed, const std::vector<Kind>& kinds, const Found& found);

using NamePath = std::vector<std::string>;
// How the holes of its keys call a value: org.name, id.
NamePath value_path(const std::vector<Kind>& kinds, const Found& found, const Naming& naming, size_t kind,
                    size_t value);
// Those of the identity, in order.
std::vector<NamePath> identity_paths(const std::vector<Kind>& kinds, const Found& found, const Naming& naming,
                                     size_t kind);
std::string joined(const NamePath& path, std::string_view between);

}  // namespace sheaf::infer
