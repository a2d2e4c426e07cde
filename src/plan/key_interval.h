// The interval of sort keys that a Query reads: from the first to the last of what it wants, and what else
// lies in between.
#pragma once

#include <vector>

#include "model/layout.h"
#include "plan/plan.h"

namespace sheaf::plan {

// The attributes by which the items of a view lie; the second may be missing.
const model::KeyAttribute& partition_attribute(const model::Layout& layout, const View& view);
const std::optional<model::KeyAttribute>& sort_attribute(const model::Layout& layout, const View& view);
// The template of a kind's sort key in a view; null if it has none there.
const model::KeyTemplate* sort_key(const model::Layout& layout, const View& view,
                                   const model::ItemKind& kind);
// Of its partition key; null if the kind is not in that view.
const model::KeyTemplate* partition_key(const model::Layout& layout, const View& view,
                                        const model::ItemKind& kind);
// The literal text around the holes: two templates with the same are the same partition for the same values.
std::string literal_shape(const model::KeyTemplate& key);

// Of an edge's end the one that it lies in may be the other end: then that is whom a hole names.
model::HoleSource plain_source(model::HoleSource source, model::RelationId relation);

bool same_bindings(const std::vector<Binding>& a, const std::vector<Binding>& b);

// Items of one kind that a Query reads and nobody wants.
struct Strangers {
  size_t item_kind = 0;
  bool is_one = false;  // its keys allow no more in one partition
};

class KeyInterval {
 public:
  // Borrows both.
  KeyInterval(const model::Layout& layout, const Request& query) : layout_(layout), query_(query) {}

  // Of other kinds, and others of the kinds that are wanted.
  std::vector<Strangers> strangers() const;
  // Whether all that is wanted beside `want` are single items that are read before it, whatever the values.
  bool comes_last(const Want& want, bool is_backward) const;

 private:
  // A key character by character, with values in place of holes: those that are known, or any.
  struct Token {
    enum class Kind : uint8_t { kCharacter, kBound, kAny };
    Kind kind = Kind::kCharacter;
    char character = 0;
    const Binding* bound = nullptr;

    bool operator==(const Token& other) const;
  };
  using Tokens = std::vector<Token>;
  // Where keys can lie, seen from a range.
  struct Outcomes {
    bool before = false;
    bool inside = false;
    bool behind = false;
  };
  struct Range {
    size_t item_kind = 0;
    Tokens tokens;
    bool is_whole = false;
  };

  Range range(const Want& want) const;
  std::vector<Range> ranges() const;
  Tokens any_key(const model::ItemKind& kind) const;
  // From token `first` on.
  static Outcomes compare(const Tokens& key, const Range& range, size_t first);
  bool is_stranger(size_t item_kind, const std::vector<Range>& ranges) const;

  const model::Layout& layout_;
  const Request& query_;
};

}  // namespace sheaf::plan
