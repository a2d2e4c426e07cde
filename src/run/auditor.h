// Looks through the items of a model; see run/audit.h. Entities, ends, counts and guards: audit.cc. Edges and
// entries, and copies: audit_pairs.cc.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "run/audit.h"
#include "run/guards.h"
#include "run/item_change.h"
#include "run/item_codec.h"
#include "run/record.h"

namespace sheaf::run {

class Auditor {
 public:
  Auditor(Database& database, const model::Model& model, const model::Layout& layout,
          const AuditOptions& options)
      : database_(database), model_(model), layout_(layout), options_(options), codec_(model, layout) {}

  Result<Audit> run();

 private:
  struct Found {
    size_t table = 0;
    Item item;
  };
  struct FoundRecord : Found {
    Record record;
    bool is_deleting = false;
  };
  struct FoundEdge : Found {
    Edge edge;
  };

  // --- Reading
  Result<void> read_table(size_t table);
  void read_item(size_t table, ItemView item);
  void read_field(size_t table, ItemView item, Record record);
  void close_fields();
  std::string key_text_in(size_t table, ItemView item) const;
  std::string name_of(const Record& record) const;
  std::string name_of(const Edge& edge) const;
  Finding& tell(Finding::Kind kind, std::string what, std::string message);
  bool is_there(model::EntityId entity, const Identity& identity) const;

  // --- Mending
  ItemChange& change_of(Transaction& transaction, const Found& found) const;
  static void expect_unchanged(ItemChange& change, const Item& item, std::string_view attribute);
  Result<void> commit(Transaction& transaction, Finding& finding);

  // --- Entities
  Result<void> check_record(const FoundRecord& found);
  Result<void> check_mark(const FoundRecord& found);
  // Index keys, the tag and where it expires follow from the rest.
  Result<void> check_keys(const Found& found, const Result<Item>& encoded, const std::string& what);

  // --- Copies: on an item, or, if `entry` is said, in an entry there
  Result<void> check_copies(const Found& found, model::EndId end, const Identity& source_id,
                            const Fields& copies, int64_t version, const std::string& what,
                            const Edge* entry = nullptr);
  // A copy that claims to be as new as its source would not be overwritten.
  UpdateItem older_copy(const Found& found, model::EndId end, const Edge* entry) const;

  // --- Edges
  Result<void> check_edge(const FoundEdge& found);
  void check_fields(const Edge& edge);
  Result<void> check_entry(const FoundRecord& found, model::EndId end, const Edge& entry);
  // A pair that has two items, or entries, has both, and they say the same.
  Result<void> check_twins();
  void check_mutual_ids(const FoundRecord& found);
  Result<void> mend_twin(const Found& found, const Edge& edge, Edge twin);

  // --- Who leads to whom
  // By end and holder.
  std::map<std::tuple<size_t, int, Identity>, std::vector<Identity>> links() const;
  Result<void> check_ends();
  Result<void> check_counts();

  // --- Guards
  std::vector<Guard> guards() const;
  Result<void> check_guards();
  Result<void> mend_guard(const Guard& guard, const std::string& pk, bool is_there);

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  const AuditOptions& options_;
  ItemCodec codec_;
  Audit audit_;
  std::set<std::string> jobs_;
  std::set<std::pair<model::EntityId, Identity>> copying_;
  std::map<std::pair<model::EntityId, Identity>, FoundRecord> records_;
  std::vector<FoundEdge> edges_;
  std::map<std::tuple<size_t, int, Identity>, std::vector<Identity>> links_;
};

}  // namespace sheaf::run
