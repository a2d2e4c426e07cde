// Makes one layout say of an entity or a link what the other says.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "migrate/side.h"
#include "migrate/translation.h"
#include "run/writer.h"

namespace sheaf::migrate {

enum class Synced : uint8_t {
  kSame,     // nothing had to be done
  kChanged,  // it was, and now is not; or differs, if nothing may be changed
  kLater,    // something else must be there, or gone, first
};

struct SyncOptions {
  bool only_looks = false;
  // Between two looks at what others are busy with; how many there were. None: looks again at once.
  std::function<void(int)> pause = {};
  std::string follower_name = "the other layout";  // in what is told of differences
  // From the follower's model to the leader's: what only one of the two models can say is no difference then.
  const Translation* back = nullptr;
};

// Every write is a transaction with a check that the leader's items are as they were read, so that nothing
// that others do meanwhile is undone.
class Sync {
 public:
  // Translates from the leader's model to the follower's. All outlive it.
  Sync(const Side& leader, const Side& follower, const Translation& translation, const run::Writer& writer,
       SyncOptions options = {})
      : leader_(leader),
        follower_(follower),
        translation_(translation),
        writer_(writer),
        options_(std::move(options)) {}

  // An entity with what it tells of its links, or that it is gone. Names are the leader's.
  Result<Synced> entity(model::EntityId entity, const run::Identity& identity);
  // One that the leader does not find by its id, as it was read.
  Result<Synced> entity(const SeenEntity& seen, const SourceItem& source);
  // All links between two by a relation that is stored as edges.
  Result<Synced> edges(const run::Edge& edge);
  // What the follower has, and the leader perhaps not. Names are the follower's.
  Result<Synced> surplus(const Translation& back, const SeenEntity& seen);
  Result<Synced> surplus(const Translation& back, const run::Edge& edge);

  // Why something was put off, or differs.
  const std::string& reason() const { return reason_; }
  // Whether it was put off for a deletion that is under way: that ends, if need be by whoever finds its lease
  // run out.
  bool awaits_deletion() const { return awaits_deletion_; }

 private:
  // Whether to look again.
  bool is_open(Synced judged) const;
  // As surplus, by what was read once.
  Result<Synced> judge(const Translation& back, const SeenEntity& seen);
  Result<Synced> judge(const Translation& back, const run::Edge& edge);
  Result<Synced> bring(const Sight& sight);
  Result<Synced> erase(model::EntityId entity, const run::Identity& identity,
                       const std::vector<SourceItem>& absent);
  // Makes the entity in the follower, with those whom it needs.
  // `known`: a link of it that only the other side tells.
  Result<Synced> make(const SeenEntity& seen, const std::vector<SourceItem>& sources,
                      const std::optional<Link>& known);
  Result<Synced> ensure(model::EntityId entity, const run::Identity& identity,
                        const std::optional<Link>& known);
  Result<Synced> link(const Link& link, const run::Identity& from, const std::vector<SourceItem>& sources);
  Result<Synced> write(const std::vector<run::Change>& changes, const std::vector<SourceItem>& sources);
  Result<Synced> differ(const std::string& what);
  Synced put_off(const std::string& why);
  Synced put_off_for_deletion(const Side& side, model::EntityId entity, const run::Identity& identity);
  // It goes, and its links with it, in both.
  Result<bool> is_going(const Side& side, model::EntityId entity, const run::Identity& identity) const;
  // The same of either. Names are the follower's.
  Result<bool> is_going(const Translation& back, model::EntityId entity, const run::Identity& identity) const;
  void pause(int looks);
  // Whom it is about, and what the follower has against it.
  Result<std::string> explain(const run::Change& change, const Error& why) const;
  // What the follower's fields are if the leader's model has said them.
  run::Fields shared_fields(model::EntityId entity, const run::Fields& there) const;
  std::vector<run::Fields> shared_fields(model::EndId end, const std::vector<run::Fields>& there) const;
  // The names of the fields that the follower has otherwise.
  std::vector<std::string> other_fields(const SeenEntity& seen, const SeenEntity& there) const;
  std::vector<run::Change> field_changes(const SeenEntity& seen, const SeenEntity& there) const;
  Result<Synced> differ_in_fields(const std::string& name, const std::vector<std::string>& fields);
  // Of a link that the leader has. `is_there`: the follower has it, too, with other fields.
  Result<Synced> differ_in_link(const std::string& name, const std::string& end, const run::Identity& to,
                                bool is_there);
  std::string name_of(const SeenEntity& seen) const;

  const Side& leader_;
  const Side& follower_;
  const Translation& translation_;
  const run::Writer& writer_;
  const SyncOptions options_;
  std::string reason_;
  bool awaits_deletion_ = false;
  int pauses_ = 0;
};

}  // namespace sheaf::migrate
