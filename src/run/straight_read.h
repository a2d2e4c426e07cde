// Patterns whose documents are the items of one request, one for one: the most common ones. What becomes of
// the attributes is known when the model is loaded, so that the documents are written from the items without
// anything in between.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "run/item_codec.h"
#include "run/reader.h"

namespace sheaf::run {

class StraightRead {
 public:
  // None if there is more to do than that.
  static std::optional<StraightRead> of(const model::Model& model, const model::Layout& layout,
                                        const plan::Plan& plan);

  // As run_plan does.
  Result<Answer> run(Database& database, const std::vector<Argument>& arguments, const Position* start,
                     std::chrono::system_clock::time_point now = std::chrono::system_clock::now()) const;

 private:
  // A part of the key of an item.
  struct KeyPart {
    bool is_sort = false;
    size_t hole = 0;
    const language::Type* type = nullptr;
  };
  // Where a member of the document comes from: an attribute, or else the key.
  struct Member {
    std::string name;
    std::string attribute;       // empty: there is none
    std::vector<KeyPart> parts;  // several: a list of them
  };
  class Pass;

  StraightRead(const model::Model& model, const model::Layout& layout, const plan::Plan& plan)
      : model_(&model), layout_(&layout), plan_(&plan), codec_(model, layout) {}
  const plan::Request& request() const { return plan_->requests.front(); }
  const model::ItemKind& kind() const { return layout_->item_kinds[request().wants.front().item_kind]; }
  bool add_members();
  void add_parent();
  void sort_attributes();
  std::optional<KeyPart> key_part(const model::HoleSource& source) const;

  const model::Model* model_;
  const model::Layout* layout_;
  const plan::Plan* plan_;
  ItemCodec codec_;
  std::vector<Member> members_;  // by name
  // The attributes that it looks at, by name, and what they are: those below, or members.
  enum Slot : size_t { kDeleting, kTag, kPartitionKey, kSortKey, kFirstMember };
  std::vector<std::pair<std::string, size_t>> attributes_;
};

}  // namespace sheaf::run
