// A model in one of its layouts on a database, read as entities and links, whatever stores them how.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/item_codec.h"
#include "run/record.h"

namespace sheaf::migrate {

// An item that was read, or was not there.
struct SourceItem {
  std::string table;
  std::string pk_name;
  Item key;
  std::optional<Item> item;
  // Attributes that it could have, and has not.
  std::vector<std::string> missing = {};
};

struct Link {
  model::EndId end;
  run::Identity to;
  run::Fields fields;  // of the edge
};

struct SeenEntity {
  model::EntityId entity = 0;
  run::Identity identity;
  run::Fields fields;  // without counts
  int64_t version = 0;
  std::vector<Link> links;
  // Ends of which all links are told. Those of the others are told by whoever they lead to, or by edges.
  std::set<model::EndId, run::EndOrder> told;
};

struct Sight {
  std::optional<SeenEntity> entity;
  bool is_deleting = false;  // it is there, and on its way out
  std::vector<SourceItem> sources;
};

class Side {
 public:
  Side(Database& database, const model::Model& model, const model::Layout& layout);

  const model::Model& model() const { return model_; }
  const model::Layout& layout() const { return layout_; }
  Database& database() const { return database_; }

  // Whether its id leads to an entity in this layout.
  bool finds(model::EntityId entity) const;
  // kInvalid unless it does.
  Result<Sight> find(model::EntityId entity, const run::Identity& identity) const;
  // Whether `from` is linked to `to` by this end, and with which fields: one for each edge. Unknown if who
  // would tell is not found by its id.
  struct FoundLinks {
    bool is_known = true;
    std::vector<run::Fields> fields;
    std::vector<SourceItem> sources;
  };
  Result<FoundLinks> find_links(model::EndId end, const run::Identity& from, const run::Identity& to) const;

  // All that is stored in a table, from a place on: entities, those that lie in others' items among them, and
  // edges. Returns where to go on. What is told of an entity here is what its own item says.
  struct Walker {
    std::function<Result<void>(const SeenEntity&, const SourceItem&)> on_entity;
    std::function<Result<void>(const run::Edge&, const SourceItem&)> on_edge;
    // An item that no entity and no relation of the model explains. None: they are left out.
    std::function<void(const SourceItem&)> on_unexplained = {};
  };
  Result<std::optional<Item>> walk(size_t table, const std::optional<Item>& from, uint32_t items,
                                   const Walker& walker) const;

 private:
  // An item of a kind of the layout, or of none.
  SourceItem source(size_t table, const Item& item, std::optional<size_t> kind) const;
  // The children that lie in the item of an entity, as entities.
  std::vector<SeenEntity> embedded_in(const run::Record& record) const;
  SeenEntity seen(const run::Record& record) const;
  Result<void> add_edges(SeenEntity& seen, std::vector<SourceItem>& sources) const;
  Result<Sight> find_embedded(model::EntityId entity, const run::Identity& identity, model::EndId end) const;

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  const run::ItemCodec codec_;
  std::vector<std::vector<std::string>> attributes_;  // of items of a kind, if they have a value for them
};

}  // namespace sheaf::migrate
