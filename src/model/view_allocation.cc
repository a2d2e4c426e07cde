#include "model/view_allocation.h"

#include <algorithm>

namespace sheaf::model {
namespace {

using Places = std::vector<size_t>;  // one a view: its index in the table, or beyond those that are there

// Whether entries that nobody wrote down can lie in an index: one whose attributes people named after fields
// is theirs alone.
bool has_room(const Table& table, const Index& index) {
  return index.sk && index.pk.type == language::Type::Kind::kString &&
         index.sk->type == language::Type::Kind::kString && !index.is_over_table_keys &&
         (index.is_allocated || index.pk.name != table.pk.name);
}

class Allocator {
 public:
  Allocator(LayoutDraft& draft, size_t table) : draft_(draft), table_(draft.layout.tables[table]) {
    for (size_t i = 0; i < draft.views.size(); ++i) {
      if (draft.views[i].table == table) views_.push_back(i);
    }
  }

  void run() {
    // In their order; or those of several kinds first, if that takes fewer.
    Places places = place(views_);
    std::vector<size_t> by_kinds = views_;
    std::stable_sort(by_kinds.begin(), by_kinds.end(), [&](size_t a, size_t b) {
      return draft_.views[a].entries.size() > draft_.views[b].entries.size();
    });
    Places others = place(by_kinds);
    if (count(others) < count(places)) {
      views_ = std::move(by_kinds);
      places = std::move(others);
    }
    for (size_t i = 0; i < views_.size(); ++i) add(draft_.views[views_[i]], places[i]);
  }

 private:
  static size_t count(const Places& places) {
    return places.empty() ? 0 : *std::max_element(places.begin(), places.end());
  }

  Places place(const std::vector<size_t>& views) const {
    Places places;
    for (const size_t view : views) {
      size_t index = 0;
      while (!is_free(view, index, views, places)) ++index;
      places.push_back(index);
    }
    return places;
  }

  bool is_free(size_t view, size_t index, const std::vector<size_t>& views, const Places& places) const {
    if (index < table_.indexes.size() && !has_room(table_, table_.indexes[index])) return false;
    for (const auto& [kind, entry] : draft_.views[view].entries) {
      const std::vector<IndexEntry>& there = draft_.layout.item_kinds[kind].entries;
      if (std::any_of(there.begin(), there.end(),
                      [&](const IndexEntry& other) { return other.index == index; }))
        return false;
      for (size_t i = 0; i < places.size(); ++i) {
        const auto& others = draft_.views[views[i]].entries;
        const bool is_same_kind =
            std::any_of(others.begin(), others.end(),
                        [wanted = kind](const auto& other) { return other.first == wanted; });
        if (places[i] == index && is_same_kind) return false;
      }
    }
    return true;
  }

  void add(const WantedView& view, size_t index) {
    while (table_.indexes.size() <= index) add_index();
    for (const auto& [kind, entry] : view.entries) {
      IndexEntry placed = entry;
      placed.index = index;
      draft_.layout.item_kinds[kind].entries.push_back(std::move(placed));
    }
    if (view.relation) draft_.layout.relations[*view.relation].index = index;
  }

  void add_index() {
    std::string name;
    for (size_t number = 1; name.empty(); ++number) {
      const std::string candidate = "GSI" + std::to_string(number);
      if (!table_.find_index(candidate)) name = candidate;
    }
    table_.indexes.push_back({.name = name,
                              .pk = {.name = name + "PK"},
                              .sk = KeyAttribute{.name = name + "SK"},
                              .is_allocated = true});
  }

  LayoutDraft& draft_;
  Table& table_;
  std::vector<size_t> views_;  // of the draft's, those of this table
};

}  // namespace

void allocate_views(LayoutDraft& draft) {
  for (size_t table = 0; table < draft.layout.tables.size(); ++table) Allocator(draft, table).run();
}

MostViews most_views(const Layout& layout, size_t table) {
  MostViews most;
  const std::vector<Index>& indexes = layout.tables[table].indexes;
  // One over the table's own keys holds every item, and is a view of each.
  const auto over_keys = static_cast<size_t>(std::count_if(
      indexes.begin(), indexes.end(), [](const Index& index) { return index.is_over_table_keys; }));
  for (const ItemKind& kind : layout.item_kinds) {
    if (kind.table != table || kind.entries.size() + over_keys <= most.count) continue;
    most = {.count = kind.entries.size() + over_keys, .name = kind.name};
  }
  return most;
}

}  // namespace sheaf::model
