#include "migrate/comparison.h"

#include "base/try.h"
#include "migrate/sync.h"

namespace sheaf::migrate {
namespace {

constexpr uint32_t kItemsOfAPiece = 100;
// So often what is written all the time is looked at anew; each time means many looks.
constexpr int kLooksAnewMax = 5;

std::string place_of(const SourceItem& item) {
  std::string text = item.table;
  bool is_first = true;
  for (const Attribute part : item.key.view()) {
    text += (is_first ? " " : " / ") + run::key_text(part.value).value_or("?");
    is_first = false;
  }
  return text;
}

class Comparer {
 public:
  Comparer(const ComparedSides& sides, const std::function<void(uint64_t)>& on_progress)
      : sides_(sides), on_progress_(on_progress) {}

  Result<Comparison> run() {
    if (!sides_.only_surplus) TRY(walk(true));
    TRY(walk(false));
    return std::move(found_);
  }

 private:
  // A new one for each piece: how often it pauses is bounded.
  Sync sync() const {
    return Sync(sides_.leader.side(), sides_.follower.side(), sides_.there, sides_.follower.writer(),
                {.only_looks = true,
                 .pause = sides_.follower.writer().options().pause,
                 .follower_name = std::string(sides_.follower_name),
                 .back = &sides_.back});
  }

  template <typename Look>
  Result<void> note(const Sync& sync, const Look& look) {
    ++found_.seen;
    Synced judged = TRY(look());
    for (int looks = 1; judged == Synced::kLater && looks < kLooksAnewMax; ++looks) judged = TRY(look());
    if (judged != Synced::kSame) found_.differences.add(sync.reason());
    return {};
  }

  Result<void> walk(bool is_forward) {
    const OpenVersion& walked = is_forward ? sides_.leader : sides_.follower;
    for (size_t table = 0; table < walked.layout().tables.size(); ++table) {
      std::optional<Item> from;
      do {
        from = TRY(walk_piece(walked, is_forward, table, from));
        if (on_progress_) on_progress_(found_.seen);
      } while (from);
    }
    return {};
  }

  Result<std::optional<Item>> walk_piece(const OpenVersion& walked, bool is_forward, size_t table,
                                         const std::optional<Item>& from) {
    Sync sync = this->sync();
    Side::Walker walker{.on_entity =
                            [&](const SeenEntity& seen, const SourceItem& at) {
                              return note(sync, [&] {
                                return is_forward ? sync.entity(seen, at) : sync.surplus(sides_.back, seen);
                              });
                            },
                        .on_edge =
                            [&](const run::Edge& edge, const SourceItem&) {
                              return note(sync, [&] {
                                return is_forward ? sync.edges(edge) : sync.surplus(sides_.back, edge);
                              });
                            }};
    if (!is_forward)
      walker.on_unexplained = [&](const SourceItem& item) { found_.unexplained.add(place_of(item)); };
    return walked.side().walk(table, from, kItemsOfAPiece, walker);
  }

  const ComparedSides& sides_;
  const std::function<void(uint64_t)>& on_progress_;
  Comparison found_;
};

}  // namespace

void Findings::add(const std::string& what) {
  if (known_.contains(what)) return;
  if (known_.size() < kKnownMax) known_.insert(what);
  if (named_.size() < kNamedMax) named_.push_back(what);
  ++count_;
}

Result<Comparison> compare(const ComparedSides& sides, const std::function<void(uint64_t)>& on_progress) {
  return Comparer(sides, on_progress).run();
}

}  // namespace sheaf::migrate
