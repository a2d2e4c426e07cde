// Whether what is loaded leads to somebody, in whatever order it comes. Memory is bounded, so the answer may
// miss some: one in two hundred behind ten million entities. What it tells is so.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
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
// While no more can be remembered, those who came meanwhile are forgotten after so many links at the soonest.
inline constexpr size_t kLinksBetweenSweeps = 2'000;

struct DanglingLinks {
  size_t count = 0;                   // of those to whom something leads, and who are not there
  std::vector<std::string> examples;  // "the Post p1 leads by its author to the User nobody"
  bool is_all = true;                 // all that was loaded was looked at
  bool is_ended = false;              // before that, since it was told to
};

struct LinkCheckOptions {
  // Is told how many were looked for in the end, of how many, after each batch. May be empty.
  std::function<void(uint64_t done, uint64_t all)> progress;
  // Asked between batches; true: no other begins. May be empty.
  std::function<bool()> is_ended;
};

// For one thread.
class LinkCheck {
 public:
  LinkCheck(Database& database, const model::Model& model, const model::Layout& layout)
      : database_(database), model_(model), layout_(layout) {}

  void note(const Data& data);
  // When all is written. Reads those whom the data did not hold.
  Result<DanglingLinks> finish(const LinkCheckOptions& options = {});

 private:
  using Somebody = std::pair<model::EntityId, Identity>;

  void note_link(model::EndId end, const Identity& from, const Identity& to);
  void forget_seen();
  // Of some that can be read by their keys, in one request, those who are there.
  Result<std::set<Somebody>> find(const std::vector<Somebody>& some);
  // Nothing if nothing leads there in this layout.
  Result<std::optional<bool>> is_there(const Somebody& who);

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  SeenFilter seen_;
  std::map<Somebody, std::string> open_;  // with the first link to them
  bool is_all_ = true;
  size_t links_to_sweep_ = 0;  // that nobody seen has, until the next
};

}  // namespace sheaf::run
