#include "prove/random_names.h"

#include <algorithm>

#include "language/syntax.h"
#include "language/written_parts.h"

namespace sheaf::prove {
namespace {

bool is_keyword(std::string_view name) {
  static const std::set<std::string_view> words = {
      "model",     "table",      "entity",   "rel",     "layout",    "pattern", "op",       "compare",
      "expect",    "pk",         "sk",       "tag",     "ttl",       "gsi",     "all",      "keys",
      "include",   "within",     "id",       "unique",  "immutable", "changes", "rarely",   "often",
      "default",   "max",        "matches",  "since",   "stored",    "as",      "count",    "enum",
      "list",      "map",        "set",      "string",  "number",    "int",     "bool",     "binary",
      "time",      "date",       "ulid",     "uuid",    "any",       "in",      "store",    "item",
      "eav",       "none",       "key",      "index",   "when",      "via",     "size",     "of",
      "avg",       "unbounded",  "edge",     "on",      "delete",    "cascade", "restrict", "unlink",
      "unchecked", "loops",      "required", "auto",    "ref",       "path",    "graph",    "collection",
      "lists",     "embed",      "ids",      "edges",   "one",       "many",    "both",     "copy",
      "extends",   "where",      "filter",   "order",   "asc",       "desc",    "limit",    "page",
      "sum",       "min",        "and",      "between", "exists",    "missing", "begins",   "budget",
      "requests",  "request",    "rounds",   "round",   "units",     "rate",    "strong",   "snapshot",
      "prefer",    "reads",      "put",      "upsert",  "add",       "remove",  "link",     "check",
      "true",      "false",      "null",     "now",     "returns",   "s",       "h",        "min",
      "day",       "timestamps", "versioned"};
  return words.contains(name);
}

std::string drawn_name(Draw& draw, const std::vector<std::string>& words, NamePlace place) {
  static const std::vector<std::string> keywords = {
      "order",   "limit", "index", "key",   "tag", "in",     "where",  "count", "set",
      "list",    "from",  "to",    "value", "max", "delete", "size",   "all",   "one",
      "default", "store", "path",  "page",  "ids", "unique", "string", "now",   "desc"};
  static const std::vector<std::string> odd = {"first name", "a-b",  "Größe", "50%", "2nd",
                                               "x+y",        "日本", "a#b",   "it's"};
  const std::string& word = draw.chance.of(words);
  const size_t kind = draw.chance.below(100);
  if (!draw.may(Topic::kOddNames) || kind >= 16) return word;
  if (kind < 4) return draw.chance.of(keywords);
  if (kind < 8) return word + "_" + draw.chance.of(words);
  if (kind < 10) return word + "_of_a_long_name_that_goes_on_and_on_until_nobody_would_read_it_aloud";
  if (kind < 12) return word + "2";
  if (kind < 13) return word + "__x_";
  if (place == NamePlace::kOther && kind < 15) return draw.chance.of(odd);
  return word;
}

}  // namespace

std::string written_name(std::string_view name) {
  if (is_keyword(name)) return "`" + std::string(name) + "`";
  return language::written(language::Name{.text = std::string(name)});
}

std::string written_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ".") + written_name(name);
  return text;
}

bool fits_in_keys(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string fresh_name(Draw& draw, const std::vector<std::string>& words, std::set<std::string>& taken,
                       NamePlace place) {
  std::string name = drawn_name(draw, words, place);
  for (size_t number = 2; taken.contains(name); ++number)
    name = draw.chance.of(words) + std::to_string(number);
  taken.insert(name);
  return name;
}

}  // namespace sheaf::prove
