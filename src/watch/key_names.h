// What keys stand for in the models whose tables they are of: "Order o-17 of Customer c-3".
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/value.h"

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::watch {

struct KeyName {
  // Entity, or relation as Entity.end; "records of hr" in the table that a model keeps for itself; empty if
  // no model explains the key.
  std::string kind;
  std::string text;  // with its values; of a key that nobody explains, the key itself: pk=a, sk=b

  bool operator==(const KeyName&) const = default;
};

// The values of a key as they are, without a model: a, b
std::string plain_key_text(ItemView key);

// Thread-safe once all models were added.
class KeyNames {
 public:
  // Both must outlive it. Of two models with one table, both are asked.
  void add(const model::Model& model, const model::Layout& layout);

  bool empty() const { return tables_.empty(); }
  // Tables of the models, by name.
  std::vector<std::string> tables() const;

  // Of the item with this key; `index` empty: of the table itself.
  KeyName item(std::string_view table, std::string_view index, ItemView key) const;
  // Of all items with this partition key: whose collection it is.
  KeyName partition(std::string_view table, std::string_view index, ItemView key) const;

  struct Stored {
    const model::Model* model = nullptr;
    const model::Layout* layout = nullptr;
    size_t table = 0;
  };
  // Where models have this table.
  const std::vector<Stored>& stored(std::string_view table) const;

 private:
  KeyName unexplained(std::string_view table, ItemView key) const;

  std::map<std::string, std::vector<Stored>, std::less<>> tables_;
  std::map<std::string, std::string, std::less<>> own_tables_;  // to the names of their models
};

// Those of this moment, where models may move. The same as before unless something has changed.
using KeyNamesNow = std::function<std::shared_ptr<const KeyNames>()>;

}  // namespace sheaf::watch
