#include "model/key_warnings.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace sheaf::model {
namespace {

using language::Span;

// A key of a kind, in the table or in one of its indexes.
struct View {
  std::string where;  // for people: the table, or the index
  std::string attribute;
  const KeyTemplate* key = nullptr;
  Span span;
};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

class KeyWarnings {
 public:
  KeyWarnings(const Layout& layout, Mistakes& mistakes) : layout_(layout), mistakes_(mistakes) {}

  void run() {
    for (const ItemKind& kind : layout_.item_kinds) {
      const Table& table = layout_.tables[kind.table];
      check_partition(kind, {.where = table.name, .key = &kind.pk, .span = kind.pk.span()});
      check_letters(table, table.pk.name, kind.pk);
      if (kind.sk) check_letters(table, table.sk->name, *kind.sk);
      for (const IndexEntry& entry : kind.entries) {
        const Index& index = table.indexes[entry.index];
        // A few of many, by a condition, may well lie together.
        if (entry.when.empty())
          check_partition(kind, {.where = index.name, .key = &entry.pk, .span = entry.pk.span()});
        check_letters(table, index.pk.name, entry.pk);
        if (entry.sk) check_letters(table, index.sk->name, *entry.sk);
      }
      for (const Index& index : table.indexes) {
        if (index.is_over_table_keys && kind.sk)
          check_partition(kind, {.where = index.name, .key = &*kind.sk, .span = kind.sk->span()});
      }
    }
  }

 private:
  // One partition takes a thousand writes a second, however large the table is.
  void check_partition(const ItemKind& kind, const View& view) {
    if (!view.key->holes().empty()) return;
    mistakes_.warn(
        "constant-partition", view.span,
        "every " + kind.name + " lies in one partition of " + view.where + ", \"" + view.key->text() + "\"",
        "put a hole into it, or, if it is an index over the table's own keys, give the index keys of its own "
        "and only those items that are looked for there");
  }

  // ORG# and Org# are two partitions.
  void check_letters(const Table& table, const std::string& attribute, const KeyTemplate& key) {
    const std::string text = key.leading_text();
    const auto [first, is_new] =
        first_with_.try_emplace({table.name, attribute, lower(text)}, std::pair(text, key.span()));
    if (is_new || first->second.first == text) return;
    mistakes_.warn("similar-keys", key.span(),
                   "\"" + text + "\" and \"" + first->second.first + "\" are different keys: letters count",
                   "write both alike, if one is meant",
                   {{.span = first->second.second, .text = "the other is here"}});
  }

  const Layout& layout_;
  Mistakes& mistakes_;
  std::map<std::tuple<std::string, std::string, std::string>, std::pair<std::string, Span>> first_with_;
};

}  // namespace

void warn_of_keys(const Layout& layout, Mistakes& mistakes) { KeyWarnings(layout, mistakes).run(); }

}  // namespace sheaf::model
