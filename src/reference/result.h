// What a pattern may return. Where the semantics leave a choice (an order that nobody asked for, ties, a
// limit among equals), a result stands for all correct ones.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sheaf/value.h"

namespace sheaf::reference {

struct Document;

struct Element;

struct List {
  std::vector<Element> elements;  // all that there are, in the order asked for
  bool is_ordered = false;
  std::optional<int64_t> limit;  // so many of the first by rank
};

struct Document {
  std::map<std::string, Value> values;
  std::map<std::string, List> lists;
  std::map<std::string, std::vector<Document>> ones;  // an end that leads to one: none, or one
  std::set<std::string> open;  // may be anything, or absent: depends on links to nobody
  // `edge` of end^k: any of these. Empty: what `values` say.
  std::vector<std::optional<Value>> edges;
};

struct Element {
  Document document;
  int64_t rank = 0;  // by the order, or by the depth where a limit keeps the nearest
  bool may_be_absent = false;
};

// Why the documents are not a correct result; nothing if they are.
std::optional<std::string> mismatch(const List& expected, const std::vector<Value>& documents);

}  // namespace sheaf::reference
