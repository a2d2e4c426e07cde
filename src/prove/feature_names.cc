#include "prove/coverage.h"

namespace sheaf::prove {
namespace {

using FeatureWords = std::vector<std::string>;

// Every word of the first list with every word of the second, and so on.
FeatureWords products(const FeatureWords& first) { return first; }
template <typename... More>
FeatureWords products(const FeatureWords& first, const FeatureWords& second, const More&... more) {
  FeatureWords made;
  for (const std::string& a : first) {
    for (const std::string& b : second) made.push_back(a + b);
  }
  return products(made, more...);
}

const FeatureWords kScalarTypes = {"string", "number", "int",  "bool", "binary",
                                   "time",   "date",   "ulid", "uuid", "enum"};
const FeatureWords kContainerTypes = {"list", "map", "set", "object", "any"};
const FeatureWords kMaybe = {"", "?"};
const FeatureWords kRanges = {"=", "<", "<=", ">", ">=", "between", "begins"};
const FeatureWords kChoices = {"<>", "in"};
const FeatureWords kPresences = {"exists", "missing"};
const FeatureWords kPlaces = {" on own field",         " on id",
                              " on id of a parent",    " on inside",
                              " on edge field",        " on edge field over an end",
                              " on over one end",      " on over two ends",
                              " on inside over an end"};
const FeatureWords kOperands = {" literal", " parameter", " optional parameter", " identity part"};
const FeatureWords kFieldOperands = {" own field", " other field", " field inside", " field over an end"};
const FeatureWords kCardinalities = {"1--1", "1--*", "*--*", "1--1 symmetric", "*--* symmetric"};

FeatureWords all_types() {
  FeatureWords types = kScalarTypes;
  types.insert(types.end(), kContainerTypes.begin(), kContainerTypes.end());
  return types;
}

class FeatureList {
 public:
  FeatureWords run() {
    add_fields();
    add_entities();
    add_relations();
    add_tables();
    add_keys();
    add_strategies();
    add_reads();
    add_conditions();
    add_aggregates();
    add_writes();
    return std::move(names_);
  }

 private:
  template <typename... Lists>
  void add(const Lists&... lists) {
    const FeatureWords made = products(lists...);
    names_.insert(names_.end(), made.begin(), made.end());
  }

  void add_fields() {
    add(FeatureWords{"field ", "edge field ", "member ", "parameter "}, all_types(), kMaybe);
    add(FeatureWords{"field id ", "edge field id ", "unique "}, kScalarTypes);
    add(FeatureWords{"unique "}, kScalarTypes, FeatureWords{"?"});
    add(FeatureWords{"list of ", "map of "}, all_types());
    add(FeatureWords{"set of "},
        FeatureWords{"string", "number", "int", "binary", "time", "date", "ulid", "uuid", "enum"});
    add(FeatureWords{"default "},
        FeatureWords{"string", "number", "true", "false", "now", "list", "map", "of an optional field"});
    add(FeatureWords{"field ", "edge field ", "member "}, FeatureWords{"default", "matches", "immutable"});
    add(FeatureWords{"changes rarely", "changes often", "stored as", "type that is not said",
                     "enum value in backquotes"});
    add(FeatureWords{"max N of "},
        FeatureWords{"string", "number", "int", "binary", "list", "map", "set", "any"});
    add(FeatureWords{"since of time", "since of date", "count in int", "count in number"});
    add(FeatureWords{"parameter of an entity", "two parameters of one entity type", "no parameters"});
  }

  void add_entities() {
    add(FeatureWords{"own ids 0", "own ids 1", "own ids 2", "own ids 3", "within 1", "within 2", "within 3",
                     "within of 1--1"});
    add(FeatureWords{"timestamps", "versioned", "timestamps and versioned", "ttl of int", "ttl of time",
                     "entity without relations"});
    add(FeatureWords{"name in backquotes", "name that is a keyword", "name that is long", "name with _"});
    add(FeatureWords{"doc of "}, FeatureWords{"the model", "a table", "an entity", "a field", "a relation",
                                              "a layout", "a pattern", "an operation"});
  }

  void add_relations() {
    add(FeatureWords{"rel "}, kCardinalities,
        FeatureWords{"", " with itself", " loops", " unchecked", " on delete restrict", " on delete unlink",
                     " with edge fields", " with parallel edges"});
    add(FeatureWords{"rel 1--1", "rel 1--*"},
        FeatureWords{" on delete cascade", " required", " required backward"});
    add(FeatureWords{"rel 1--1 required forward", "rel several between one pair"});
    add(FeatureWords{"rel 1--*", "rel *--*", "rel *--* symmetric"}, FeatureWords{" without a size"});
    add(FeatureWords{"size", "size of"}, FeatureWords{" max", " avg max", " unbounded", " avg unbounded"});
    add(FeatureWords{"compare ways", "compare layouts", "expect null", "expect list",
                     "expect without arguments"});
    add(FeatureWords{"expect "}, FeatureWords{"requests", "reads", "returns", "units"},
        FeatureWords{" =", " <="});
  }

  void add_tables() {
    add(FeatureWords{"table in ", "several tables in "}, FeatureWords{"default", "layout"});
    add(FeatureWords{"table pk", "table sk"},
        FeatureWords{"", " string", " number", " int", " binary", " time", " date", " ulid", " uuid"});
    add(FeatureWords{"table without sk", "table tag", "table without tag", "table ttl"});
    add(FeatureWords{"gsi with sk", "gsi without sk", "gsi all", "gsi keys", "gsi include", "gsi inverted",
                     "gsi pk of two indexes"});
    add(FeatureWords{"gsi pk is the table's pk", "gsi sk is the table's sk", "gsi sk is the table's pk",
                     "gsi pk is the table's sk"});
    add(FeatureWords{"entity in", "entity tag", "edges in", "edges tag", "edges second key"});
    add(FeatureWords{"store "}, FeatureWords{"item", "eav", "none"},
        FeatureWords{" in default", " in layout"});
    add(FeatureWords{"entity ", "edges "}, FeatureWords{"key", "index"},
        FeatureWords{" in default", " in layout"});
    add(FeatureWords{"entity several index lines", "edges several index lines"});
  }

  void add_keys() {
    const FeatureWords places = {"pk", "sk", "index pk", "index sk"};
    add(FeatureWords{"hole "},
        FeatureWords{"plain", "raw", "digits", "year", "month", "day", "hour", "shard"}, FeatureWords{" in "},
        places);
    add(FeatureWords{"bare hole in ", "several holes in ", "no word before ", "constant "}, places);
    add(FeatureWords{"optional hole in index pk", "optional hole in index sk", "key without sk",
                     "index key without sk"});
    add(FeatureWords{"hole of "},
        FeatureWords{"own id", "own field", "id over one end", "id over two ends", "field over one end",
                     "attribute", "edge id", "edge field", "edge end, own id", "edge end, own field",
                     "edge end, id over one end", "edge end, id over two ends"});
    add(FeatureWords{"hole of type "}, kScalarTypes);
    add(FeatureWords{"bare hole of "},
        FeatureWords{"string", "number", "int", "binary", "time", "date", "ulid", "uuid", "enum"});
    add(FeatureWords{"delimiter "}, FeatureWords{"#", "::", "/", "-", "_", "|", ":", ".", "a word", "a space",
                                                 "@", "~", "two bytes", "\\<", "\\>"});
    add(FeatureWords{"text behind the last hole", "when and"});
    add(FeatureWords{"when "}, kRanges);
    add(FeatureWords{"when "}, kChoices);
    add(FeatureWords{"when "}, kPresences);
  }

  void add_strategies() {
    const FeatureWords trees = {"ref", "index", "collection", "path", "embed"};
    const FeatureWords all = {"auto",  "ref",   "index", "collection", "path",
                              "embed", "graph", "lists", "ids",        "edges"};
    add(FeatureWords{"via "}, all, FeatureWords{" in default", " in layout"});
    add(FeatureWords{"via "}, trees, FeatureWords{" of 1--1", " of 1--*"});
    add(FeatureWords{"via "}, FeatureWords{"auto", "edges", "lists"}, FeatureWords{" of "}, kCardinalities);
    add(FeatureWords{"via graph of "}, FeatureWords{"1--1", "1--*", "*--*"});
    add(FeatureWords{"via ids of "}, FeatureWords{"1--*", "*--*", "*--* symmetric"});
    add(FeatureWords{"via embed map", "via embed list", "via index on", "via ids forward",
                     "via ids backward"});
    add(FeatureWords{"via edges "}, FeatureWords{"pk one", "pk many", "pk both", "pk end", "without pk"});
    add(FeatureWords{"copy in via "},
        FeatureWords{"ref", "index", "collection", "path", "edges", "graph", "lists"});
    add(FeatureWords{"copy *", "copy one field", "copy several fields", "copy both ends"});
    add(FeatureWords{"layout", "layout extends", "layout entity", "layout rel", "several layouts",
                     "default alone"});
  }

  void add_reads() {
    add(FeatureWords{"read from a parameter", "read by search", "one from a parameter", "one by search"});
    add(FeatureWords{"steps 0", "steps 1", "steps 2", "steps 3", "step to one", "step to many", "step ^k",
                     "step ^10", "nested end ^k"});
    add(FeatureWords{"nested 1 deep", "nested 2 deep", "nested 3 deep"});
    add(FeatureWords{"pattern budget ", "op budget "}, FeatureWords{"requests", "rounds", "units"});
    add(FeatureWords{"pattern rate ", "op rate "}, FeatureWords{"s", "min", "h", "day"});
    add(FeatureWords{"pattern prefer ", "op prefer "}, FeatureWords{"requests", "units"});
    add(FeatureWords{"pattern strong", "pattern snapshot", "pattern reads max", "page", "page with order"});
    add(FeatureWords{"", "nested "}, FeatureWords{"limit", "limit with order", "limit behind conditions"});
    add(FeatureWords{"", "nested "},
        FeatureWords{"select nothing said", "select {}", "select *", "select fields", "select ends alone",
                     "select end to many", "select end to one", "select several ends", "count", "sum", "min",
                     "max"});
    add(FeatureWords{"", "nested "}, FeatureWords{"order by ", "order desc by "},
        FeatureWords{"own field", "id", "inside", "edge field", "over one end", "over two ends",
                     "inside over an end"});
    add(FeatureWords{"", "nested "}, FeatureWords{"order by ", "order desc by "},
        FeatureWords{"id of a parent"});
    add(FeatureWords{"", "nested "}, FeatureWords{"order by ", "order desc by "},
        FeatureWords{"edge field over an end"});
    add(FeatureWords{"order by "}, kScalarTypes);
  }

  void add_conditions() {
    for (const std::string prefix : {"filter ", "check "}) {
      FeatureWords places = kPlaces;
      // A check begins with a parameter, which no edge led to.
      if (prefix == "check ") std::erase(places, " on edge field");
      add(FeatureWords{prefix}, kRanges, places);
      add(FeatureWords{prefix}, kChoices, places);
      add(FeatureWords{prefix}, kPresences, places);
      add(FeatureWords{prefix}, kPresences, FeatureWords{" on entity", " on entity over two ends"});
      add(FeatureWords{prefix}, kRanges, kOperands);
      add(FeatureWords{prefix}, kChoices, kOperands);
      add(FeatureWords{prefix}, FeatureWords{"=", "<", "<=", ">", ">=", "between", "<>", "in"},
          FeatureWords{" now"});
      add(FeatureWords{prefix + "on "}, all_types());
      add(FeatureWords{prefix + "and"});
    }
    add(FeatureWords{"check "}, kRanges, kFieldOperands);
    add(FeatureWords{"check "}, kChoices, kFieldOperands);
    // Keys serve equalities and ranges; an index with `when` also serves the other tests.
    add(FeatureWords{"where "}, kRanges,
        FeatureWords{" on own field", " on id", " on id of a parent", " on over one end", " on edge field",
                     " on inside"});
    add(FeatureWords{"where "}, kChoices, FeatureWords{" on own field", " on id", " on inside", " literal"});
    add(FeatureWords{"where "}, kPresences, FeatureWords{" on own field", " on id", " on inside"});
    add(FeatureWords{"where "}, kRanges, kOperands);
    add(FeatureWords{"where "}, FeatureWords{"=", "<", "<=", ">", ">=", "between", "<>", "in"},
        FeatureWords{" now"});
    add(FeatureWords{"where on "}, all_types());
    add(FeatureWords{"where and", "filter in one", "filter in several", "where in one", "where in several"});
    for (const std::string prefix : {"nested where", "nested filter"}) {
      add(FeatureWords{prefix + " literal", prefix + " parameter", prefix + " optional parameter",
                       prefix + " identity part", prefix + " and", prefix + " now"});
      add(FeatureWords{prefix + " "}, kRanges);
    }
    add(FeatureWords{"nested filter"}, kPlaces);
    add(FeatureWords{"nested filter ", "nested where "}, kChoices);
    add(FeatureWords{"nested filter ", "nested where "}, kPresences);
    add(FeatureWords{"nested filter on entity", "nested filter on entity over two ends",
                     "nested where on edge field", "nested where on own field", "nested where on id",
                     "nested where on id of a parent", "nested where on over one end",
                     "nested where on inside"});
  }

  void add_aggregates() {
    add(FeatureWords{"count", "sum", "min", "max"},
        FeatureWords{" of own field", " of id", " of inside", " of edge field"});
    add(FeatureWords{"count", "sum", "min", "max"},
        FeatureWords{" with +", " with -", " with *", " with literal"});
    add(FeatureWords{"count of ", "min of ", "max of "}, kScalarTypes);
    add(FeatureWords{"count of entity", "sum of int", "sum of number"});
  }

  void add_writes() {
    const FeatureWords changes = {"add", "check", "link", "remove", "set", "unlink"};
    add(FeatureWords{"put", "upsert", "delete", "set", "add", "remove", "link", "unlink", "check"});
    add(FeatureWords{"op of "}, FeatureWords{"1", "2", "3", "4", "many"}, FeatureWords{" writes"});
    add(changes, FeatureWords{" and "}, changes, FeatureWords{" of one"});
    add(FeatureWords{"put and ", "upsert and "}, changes, FeatureWords{" of one"});
    add(changes, FeatureWords{" and put of one", " and upsert of one"});
    add(FeatureWords{"check and delete of one", "set end", "set several", "add several"});
    add(FeatureWords{"set "}, all_types());
    add(FeatureWords{"add "}, FeatureWords{"int", "number", "set"});
    FeatureWords operands = kOperands;
    operands.insert(operands.end(), kFieldOperands.begin(), kFieldOperands.end());
    operands.emplace_back(" now");
    add(FeatureWords{"set", "add"}, FeatureWords{" to", " with"}, operands);
    add(FeatureWords{"set", "add"},
        FeatureWords{" inside", " optional field", " with +", " with -", " with *", " with three terms"});
    add(FeatureWords{"edge value"}, operands);
    add(FeatureWords{"remove field", "remove inside", "remove end"});
    add(FeatureWords{"link ", "unlink "}, kCardinalities);
    add(FeatureWords{"link ", "unlink "}, FeatureWords{"forward", "backward", "with itself"});
  }

  FeatureWords names_;
};

}  // namespace

const std::vector<std::string>& feature_names() {
  static const std::vector<std::string> names = FeatureList().run();
  return names;
}

}  // namespace sheaf::prove
