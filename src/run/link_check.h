// Whether what is loaded leads to somebody, in whatever order it comes. Memory is bounded, so the answer may
// miss some: one in two hundred behind ten million entities. What it tells is so.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/database.h"

#include "run/data_file.h"
#include "run/seen_filter.h"

namespace sheaf::run {

// So many who were not seen yet are remembered, and in the end looked for in the database.
inline constexpr size_t kOpenLinksMax = 20'000;
// Of links to nobody, so many are told.
inline constexpr size_t kDanglingToldMax = 5;

struct DanglingLinks {
  size_t count = 0;                   // of those to whom something leads, and who are not there
  std::vector<std::string> examples;  // "the Post p1 leads by its author to the User nobody"
  bool is_all = true;                 // all that was loaded was looked at
};

// For one thread.
class LinkCheck {
 public:
  LinkCheck(Database& database, const model::Model& model, const model::Layout& layout)
      : database_(database), model_(model), layout_(layout) {}

  void note(const Data& data);
  // When all is written. Reads those whom the data did not hold.
  Result<DanglingLinks> finish();

 private:
  using Somebody = std::pair<model::EntityId, Identity>;

  void note_link(model::EndId end, const Identity& from, const Identity& to);
  void forget_seen();

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  SeenFilter seen_;
  std::map<Somebody, std::string> open_;  // with the first link to them
  bool is_all_ = true;
};

}  // namespace sheaf::run
