// One try to carry out an operation: reads what must be known, works out what becomes of every item, and
// writes it in one transaction.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "run/change.h"
#include "run/item_change.h"
#include "run/item_codec.h"
#include "run/refusal.h"
#include "run/subject.h"

namespace sheaf::run {

// Work that follows a transaction and is recorded in it; see run/jobs.h.
struct NewJob {
  enum class Kind : uint8_t { kCopy, kDelete };
  Kind kind = Kind::kCopy;
  std::string id;
  model::EntityId entity = 0;
  Identity identity;
};

struct AttemptOptions {
  std::chrono::system_clock::time_point now;
  int tries = 0;               // that have failed before
  bool asks_leave = false;     // WriterOptions::may_commit
  int64_t lease_until_ms = 0;  // of the jobs that it makes
  std::string finishes_job;    // of a deletion: the item that it marked may go now
  // Somebody who is being deleted: nothing is counted there any more.
  std::optional<std::pair<model::EntityId, Identity>> going;
};

class Attempt {
 public:
  Attempt(Database& database, const model::Model& model, const model::Layout& layout,
          const std::vector<Change>& changes, const AttemptOptions& options, Figures& figures);

  // Reads what must be known, and works out what is to be written.
  Result<void> prepare();
  // That, to be committed. kRace: somebody else was faster; try again.
  Transaction& transaction() { return transaction_; }

  const std::vector<NewJob>& jobs() const { return jobs_; }

 private:
  enum class Mode : uint8_t { kPut, kLink, kMove };
  using SubjectKey = std::pair<model::EntityId, Identity>;

  Subject& subject(model::EntityId entity, const Identity& identity);
  // The end by which a parent holds it, if it lies in its parent's item.

  // Whether children that lie in its item keep it from being deleted.
  bool protects_embedded(model::EndId end) const;

  // --- First: who is touched, and how
  Result<void> note(const Change& change);
  void note_deleted(const Change& change, Subject& self);
  void note_assigned(const Change& change, Subject& self);
  void note_removed(const Change& change, Subject& self);
  void note_operands(const Change& change);
  void note_source(model::EntityId entity, const Identity& identity);
  // Whether an update can compute the field, without knowing what is stored.
  bool is_blind(const Change& change, const Assigned& assigned) const;
  bool is_blind(const Change& change, const OwnField& removed) const;
  // Whether a condition of the write can test it.
  bool is_blind(const Change& change, const Checked& checked) const;
  bool is_attribute(model::EntityId entity, model::FieldId field) const;
  void note_end(const Change& change, model::EndId end, const Identity& to);
  void note_edges(model::EndId end, const Identity& from);
  Result<void> note_embedded(const Change& change, model::EndId end);
  Result<Subject*> parent_of(const Change& change, model::EndId end);

  // --- Then: what is stored
  Result<void> load();
  // Whether one GetItem reads it.
  bool is_point(model::EntityId entity) const;
  Result<void> load_found(Subject& subject);
  Result<void> load_points(const std::vector<Subject*>& subjects);
  void keep(Subject& subject, ItemView item);
  Result<void> load_edges(model::EndId end, const Identity& from);
  // Those that turned out to be touched, and whose keys their ids do not tell.
  Result<void> load_late();
  // Those that are only counted down, once it turned out that some may be going.
  Result<void> forget_the_going();

  // --- Then: the values that it reads, which must be so when it is written. Those of what is put are its
  // document's. See run/attempt_operands.cc
  void read_operands();
  void read_operand(const StoredValue& stored);
  Result<std::optional<Value>> value_before(model::EntityId entity, const Identity& identity,
                                            const model::Place& place);
  Result<std::optional<Value>> field_before(model::EntityId entity, const Identity& identity,
                                            const model::Place& place, bool must_exist);
  Result<std::optional<Value>> child_field_before(model::EndId end, model::EntityId child,
                                                  const Identity& identity, const model::Place& place,
                                                  bool must_exist);
  Result<std::optional<Value>> edge_field_before(model::EndId end, const Identity& from,
                                                 const model::Place& place);
  // To whom an end that leads to one leads; empty: nowhere.
  Result<Identity> follow(model::EntityId entity, const Identity& identity, model::EndId end,
                          bool must_exist);
  Result<Identity> follow_guard(model::EndId end, const Identity& from);
  Result<std::optional<Edge>> follow_edge(model::EndId end, const Identity& from);
  Result<Subject*> loaded(model::EntityId entity, const Identity& identity);
  const Change* made(model::EntityId entity, const Identity& identity) const;
  void expect_stored(Subject& subject, AttributePath path);
  // A child that lies in its parent; nothing if it does not.
  const Fields* child_in(const Record& parent, model::EndId end, model::EntityId child,
                         const Identity& identity) const;
  // A value of an operand that was read; nothing if it is missing.
  Result<std::optional<Value>> known(const ChangeOperand& operand, const Fields& own,
                                     const model::Entity& entity) const;

  // --- Then: what becomes of it. Fields: see run/attempt_fields.cc
  Result<void> settle(Subject& self);
  void settle_upsert(Subject& self);
  Result<void> settle_child(Subject& self);
  Result<void> assign(const model::Entity& entity, const Assigned& assigned, bool is_add,
                      const Fields& before, Fields& after) const;
  Result<void> assign_blindly(Subject& self, const Assigned& assigned, bool is_add);
  Result<Assigned> folded(const Assigned& assigned) const;
  Result<void> check_result(const model::Field& field, ValueView value) const;
  Result<void> apply(const Change& change);
  Result<void> apply_put(const Change& change);
  Result<void> apply_upsert(const Change& change);
  Result<void> apply_delete(const Change& change);
  void expect_as_read(Subject& self, ItemView item) const;
  Result<void> check_changeable(model::EntityId entity, model::FieldId field) const;
  Result<void> apply_removed(const Change& change);
  Result<void> apply_checks(const Change& change);
  Result<void> apply_check(const Change& change, const Checked& checked);
  AttributePath checked_path(const Change& change, const model::Place& place) const;
  Result<Fields> link_fields(const Change& change) const;
  Result<void> apply_embedded(const Change& change);
  void fill_embedded(const Subject& self, EmbeddedChange& made) const;

  Result<void> connect(model::EndId end, const Identity& from, const Identity& to, const Fields& edge_fields,
                       Mode mode);
  Result<void> disconnect(model::EndId end, const Identity& from, const Identity& to, bool must_be_linked);
  Result<void> connect_by_item(model::EndId end, const Identity& from, const Identity& to, Mode mode);
  Result<void> connect_by_edge(model::EndId end, const Identity& from, const Identity& to,
                               const Fields& edge_fields, Mode mode);
  Result<void> check_source(model::EndId end, const Identity& source);
  void expect_version(Subject& source);
  void fill_copies(Subject& holder, model::EndId end, const Identity& source);
  Result<void> fill_edge_copies(Edge& edge);
  // What becomes of the item of an edge, which is `item`.
  Result<ItemChange*> change_of(const Edge& edge, Item& item);
  std::vector<Edge> edges_of(model::EndId end, const Identity& from);
  std::vector<Edge> edges_between(model::EndId end, const Identity& from, const Identity& to);
  // `end`: of which the operation is.
  Result<void> put_edge(const Edge& edge, model::EndId end, Mode mode);
  Result<void> put_entries(const Edge& edge, model::EndId end, Mode mode);
  void erase_entries(const Edge& edge, bool is_race);
  Result<void> erase_edge(const Edge& edge, bool is_race);
  void count(model::EndId end, const Identity& holder, int64_t delta);
  void count_pair(model::EndId end, const Identity& from, const Identity& to, int64_t delta);
  Result<void> add_to_list(model::EndId end, const Identity& holder, const Identity& target);
  Result<void> remove_from_list(model::EndId end, const Identity& holder, const Identity& target);
  void require(model::EndId end, const Identity& from, const Identity& to);
  Result<void> take_guard(model::EndId end, const Identity& holder, const Identity& target, Mode mode);
  void move_guard(model::EndId end, const Identity& holder, const Identity& was, const Identity& is);
  void release_guard(model::EndId end, const Identity& holder);
  void expect_unlinked(model::EndId end, const Identity& holder);
  Result<void> check_required() const;

  // --- Last
  Result<void> look_for_misfits(Refusal& refusal);
  void add_jobs();

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  const std::vector<Change>& changes_;
  const AttemptOptions& options_;
  const std::string now_text_;
  Figures& figures_;
  ItemCodec codec_;
  std::map<SubjectKey, std::unique_ptr<Subject>> subjects_;
  // Edges that are read, by the end that leads along them and from whom.
  struct EdgesRead {
    model::EndId end;
    Identity from;
    std::vector<Edge> edges;
  };
  std::vector<EdgesRead> edges_read_;
  std::map<const StoredValue*, Result<std::optional<Value>>> operands_;  // as they are before the operation
  Transaction transaction_;
  std::vector<NewJob> jobs_;
};

}  // namespace sheaf::run
