// Looks at a database now and then, within a budget of requests, and tells a Watcher what it saw.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "watch/collection_count.h"
#include "watch/item_look.h"
#include "watch/key_names.h"
#include "watch/watcher.h"

namespace sheaf::watch {

// By the JSON of their partition keys.
using SizesByKey = std::map<std::string, CollectionSize>;

// Where figures come from. What the database does not know itself, others may: an endpoint that is a Sheaf
// server tells its heat in another way.
struct Source {
  Database& database;  // must outlive it
  // kInvalid: not known here.
  std::function<Result<HeatReport>(const AskHeat&)> heat;
  // Of those whose size is known; kInvalid: of none of them.
  std::function<Result<SizesByKey>(const std::string& table, const std::vector<Item>& partition_keys)>
      collection_sizes;
};
Source source_of(Database& database);

struct SamplerOptions {
  // That read items; heat and descriptions are not counted.
  double requests_per_minute = 60;
  // Goes through the tables, a few items at a time, and begins again when an hour is over.
  bool scans = true;
  // Items that are written much are read if their writes look as if they had this share of an item's limit.
  double item_read_share = 0;
};

// One thread at a time.
class Sampler {
 public:
  // `tables`: which; none: those that models have. `names` must outlive it.
  Sampler(Source source, const KeyNames& names, std::vector<std::string> tables, SamplerOptions options);

  // One round, which ends with what the watcher has to say. An error, and no round, if no table can be
  // described.
  Result<std::vector<Event>> look(Watcher& watcher, int64_t now_us);

  struct Done {
    uint64_t requests = 0;      // that read items
    uint64_t items = 0;         // that were looked at
    size_t tables = 0;          // that there are
    bool tells_heat = false;    // of at least one of them
    size_t whole_passes = 0;    // how often all tables were gone through
    bool counts_pages = false;  // collections are counted by Query
  };
  const Done& done() const { return done_; }

 private:
  // In the table, or in an index: what lies in a partition there nobody counts but by Query.
  struct CollectionId {
    std::string index;  // empty: the table itself
    std::string key;    // as JSON
    auto operator<=>(const CollectionId&) const = default;
  };
  struct KnownCollection {
    Item key;
    int64_t items = 0;  // as far as it is known
    int64_t bytes = 0;
    int64_t pages = 1;  // that it took to count it
    std::optional<int64_t> measured_us;
    bool is_hot = false;  // written to, of late
  };
  struct KnownItem {
    Item key;
    int64_t bytes = 0;
    std::optional<int64_t> measured_us;
    bool is_hot = false;
  };
  struct KnownTable {
    TableDescription description;
    int64_t described_us = 0;
    std::map<CollectionId, KnownCollection> collections;
    std::map<std::string, KnownItem> items;
    std::map<std::string, double> largest;  // of each limit and kind
    std::optional<Item> scan_from;
    std::optional<int64_t> scanned_us;  // when it was gone through; nothing: it is under way

    // Whether several items can have one partition key there. Those of a local index are the table's own.
    bool has_collections(const std::string& index) const;
    bool has_local_index() const;
  };

  Result<void> describe(Watcher& watcher, int64_t now_us);
  void look_at_heat(KnownTable& table, const std::string& index, Watcher& watcher, int64_t now_us);
  void note_traffic(const KnownTable& table, const std::string& index, const HeatReport& report,
                    Watcher& watcher, int64_t now_us) const;
  void note_hot_collections(KnownTable& table, const std::string& index, const HeatOf& writes,
                            Watcher& watcher, int64_t now_us);
  void note_written(KnownTable& table, const HeatOf& writes, Watcher& watcher, int64_t now_us);
  void note_item(KnownTable& table, const ItemLook& look, Watcher& watcher, int64_t now_us);
  // `within`: the bytes are; nothing: they are not known.
  void note_collection(KnownTable& table, const std::string& index, KnownCollection& known,
                       const CollectionSize& size, std::optional<int64_t> within, Watcher& watcher,
                       int64_t now_us);
  // What counting took of this table or index, or of one key there, in the last seconds: heat counts it, too.
  double own_units_per_second(const KnownTable& table, const std::string& index,
                              const std::optional<std::string>& key, double seconds, int64_t now_us) const;
  Subject partition_subject(const KnownTable& table, const std::string& index, const Item& key) const;

  // Each does one request, or finds nothing to do.
  bool measure_collection(Watcher& watcher, int64_t now_us);
  bool begin_counting(Watcher& watcher, int64_t now_us);
  void count_page(Watcher& watcher, int64_t now_us);
  bool read_item(Watcher& watcher, int64_t now_us);
  bool scan_page(Watcher& watcher, int64_t now_us);
  void forget_small(KnownTable& table) const;

  const Source source_;
  const KeyNames& names_;
  const std::vector<std::string> wanted_;
  const SamplerOptions options_;
  std::map<std::string, KnownTable> tables_;
  std::optional<int64_t> looked_us_;
  double allowance_ = 0;  // requests that may be made now
  struct Counting {
    std::string table;
    CollectionId id;
    CollectionCount count;
  };
  std::optional<Counting> counting_;  // under way, page by page
  struct OwnRead {
    int64_t at_us = 0;
    std::string table;
    CollectionId id;
    double units = 0;
  };
  std::deque<OwnRead> own_reads_;  // of late
  Done done_;
};

}  // namespace sheaf::watch
