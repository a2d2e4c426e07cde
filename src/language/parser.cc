#include "language/parser.h"

#include <array>

#include "language/key_parser.h"
#include "language/pattern_parser.h"
#include "language/token_reader.h"
#include "language/value_parser.h"

namespace sheaf::language {
namespace {

struct ViaWord {
  std::string_view text;
  Via::Kind kind;
};
constexpr std::array<ViaWord, 10> kVias = {{{"auto", Via::Kind::kAuto},
                                            {"ref", Via::Kind::kRef},
                                            {"collection", Via::Kind::kCollection},
                                            {"path", Via::Kind::kPath},
                                            {"graph", Via::Kind::kGraph},
                                            {"lists", Via::Kind::kLists},
                                            {"embed", Via::Kind::kEmbed},
                                            {"index", Via::Kind::kIndex},
                                            {"ids", Via::Kind::kIds},
                                            {"edges", Via::Kind::kEdges}}};

Copy parse_copy(TokenReader& reader) {
  Copy copy{.span = reader.here()};
  copy.end = reader.expect_name("an end");
  reader.expect_mark("(");
  copy.all = reader.take_mark("*");
  if (!copy.all) parse_list(reader, [&] { copy.fields.push_back(reader.expect_name("a field")); });
  reader.expect_mark(")");
  copy.span = reader.since(copy.span);
  return copy;
}

// From behind the word `via`, or inside `compare A.b [..]`.
Via parse_via(TokenReader& reader) {
  Via via{.span = reader.here()};
  bool found = false;
  for (const ViaWord& word : kVias) {
    if (found || !reader.take_word(word.text)) continue;
    via.kind = word.kind;
    found = true;
  }
  if (!found) {
    reader.fail("unknown-strategy", reader.here(), std::string(reader.text()) + " is no strategy",
                "use auto, ref, collection, path, graph, lists, embed, index, ids or edges");
  }
  if (via.kind == Via::Kind::kEmbed) {
    if (reader.take_word("map")) {
      via.embed_as = Via::EmbedAs::kMap;
    } else if (reader.take_word("list")) {
      via.embed_as = Via::EmbedAs::kList;
    }
  }
  if (via.kind == Via::Kind::kIndex && reader.take_word("on")) via.on = reader.expect_name("an index");
  if (via.kind == Via::Kind::kIds) via.ids = reader.expect_name("an end");
  if (via.kind == Via::Kind::kEdges && reader.take_word("pk"))
    via.pk = reader.expect_name("one, many, both or an end");
  while (!reader.is_lost()) {
    if (reader.take_word("copy")) {
      via.copies.push_back(parse_copy(reader));
    } else if (at_physical(reader)) {
      parse_physical(reader, via.physical);
    } else {
      break;
    }
  }
  via.span = reader.since(via.span);
  return via;
}

KeyAttribute parse_key_attribute(TokenReader& reader) {
  KeyAttribute attribute{.name = reader.expect_name("the name of an attribute")};
  if (at_type(reader)) attribute.type = parse_type(reader);
  return attribute;
}

Gsi parse_gsi(TokenReader& reader) {
  Gsi gsi{.span = reader.here()};
  gsi.name = reader.expect_name("a name for the index");
  gsi.pk = reader.expect_name("the attribute that is its partition key");
  if (reader.take_mark("/")) gsi.sk = reader.expect_name("the attribute that is its sort key");
  if (reader.take_word("keys")) {
    gsi.projection = Gsi::Projection::kKeys;
  } else if (reader.take_word("include")) {
    gsi.projection = Gsi::Projection::kInclude;
    reader.expect_mark("(");
    parse_list(reader, [&] { gsi.included.push_back(reader.expect_name("an attribute")); });
    reader.expect_mark(")");
  } else {
    reader.take_word("all");
  }
  gsi.span = reader.since(gsi.span);
  return gsi;
}

template <typename T>
bool said_twice(TokenReader& reader, const std::optional<T>& value, Span span) {
  if (!value) return false;
  reader.fail("said-twice", span, "this is said already", "keep one of the two");
  return true;
}

Table parse_table(TokenReader& reader) {
  Table table{.span = reader.here()};
  table.name = reader.expect_name("a name for the table");
  parse_block(reader, [&] {
    const Span begin = reader.here();
    if (reader.take_word("pk")) {
      if (!said_twice(reader, table.pk, begin)) table.pk = parse_key_attribute(reader);
    } else if (reader.take_word("sk")) {
      if (!said_twice(reader, table.sk, begin)) table.sk = parse_key_attribute(reader);
    } else if (reader.take_word("tag")) {
      if (!said_twice(reader, table.tag, begin)) table.tag = reader.expect_name("the name of an attribute");
    } else if (reader.take_word("ttl")) {
      if (!said_twice(reader, table.ttl, begin)) table.ttl = reader.expect_name("the name of an attribute");
    } else if (reader.take_word("gsi")) {
      table.indexes.push_back(parse_gsi(reader));
    } else {
      reader.fail_expected("pk, sk, tag, ttl or gsi");
    }
  });
  table.span = reader.since(table.span);
  return table;
}

Entity parse_entity(TokenReader& reader) {
  Entity entity{.span = reader.here()};
  entity.name = reader.expect_name("a name for the entity");
  if (reader.take_word("within")) entity.within = reader.expect_name("the end that leads to its parent");
  parse_block(reader, [&] {
    const Span begin = reader.here();
    if (at_physical(reader)) {
      parse_physical(reader, entity.physical);
    } else if (reader.take_word("timestamps")) {
      entity.timestamps = true;
    } else if (reader.take_word("versioned")) {
      entity.versioned = true;
    } else if (reader.take_word("ttl")) {
      if (!said_twice(reader, entity.ttl, begin)) entity.ttl = reader.expect_name("a field");
    } else {
      Field field = parse_field(reader);
      if (!reader.is_lost()) entity.fields.push_back(std::move(field));
    }
  });
  entity.span = reader.since(entity.span);
  return entity;
}

std::vector<Name> parse_entity_names(TokenReader& reader) {
  std::vector<Name> names;
  do {
    names.push_back(reader.expect_name("an entity"));
  } while (reader.take_mark("|"));
  return names;
}

void parse_size(TokenReader& reader, Span begin, Relation& relation) {
  Size size;
  if (reader.take_word("of")) size.end = reader.expect_name("an end");
  if (reader.take_word("avg")) size.average = reader.expect_whole("how many on average");
  if (reader.take_word("max")) {
    size.max = reader.expect_whole("how many at most");
  } else if (!reader.take_word("unbounded")) {
    reader.fail_expected("max or unbounded");
  }
  size.span = reader.since(begin);
  relation.sizes.push_back(std::move(size));
}

void parse_on_delete(TokenReader& reader, Span begin, Relation& relation) {
  reader.expect_word("delete");
  OnDelete on_delete = OnDelete::kUnlink;
  if (reader.take_word("cascade")) {
    on_delete = OnDelete::kCascade;
  } else if (reader.take_word("restrict")) {
    on_delete = OnDelete::kRestrict;
  } else if (!reader.take_word("unlink")) {
    reader.fail_expected("cascade, restrict or unlink");
  }
  if (!said_twice(reader, relation.on_delete, begin))
    relation.on_delete.emplace(on_delete, reader.since(begin));
}

void parse_relation_clause(TokenReader& reader, Relation& relation) {
  const Span begin = reader.here();
  if (reader.take_word("via")) {
    if (!said_twice(reader, relation.via, begin)) relation.via = parse_via(reader);
  } else if (reader.take_word("required")) {
    Required required;
    if (reader.at_name()) required.end = reader.expect_name("an end");
    required.span = reader.since(begin);
    relation.required.push_back(std::move(required));
  } else if (reader.take_word("size")) {
    parse_size(reader, begin, relation);
  } else if (reader.take_word("edge")) {
    parse_block(reader, [&] { relation.edge_fields.push_back(parse_field(reader)); });
  } else if (reader.take_word("on")) {
    parse_on_delete(reader, begin, relation);
  } else if (reader.take_word("unchecked")) {
    relation.unchecked = true;
  } else if (reader.take_word("loops")) {
    relation.loops = true;
  } else {
    reader.fail_expected("via, required, size, edge, on delete, unchecked or loops");
  }
}

Relation parse_relation(TokenReader& reader) {
  Relation relation{.span = reader.here()};
  relation.from = parse_entity_names(reader);
  relation.cardinality = reader.expect_cardinality();
  relation.to = parse_entity_names(reader);
  reader.expect_word("as");
  relation.forward = reader.expect_name("a name for the end");
  if (reader.take_mark("/")) relation.backward = reader.expect_name("a name for the other end");
  if (reader.at_mark("{")) parse_block(reader, [&] { parse_relation_clause(reader, relation); });
  relation.span = reader.since(relation.span);
  return relation;
}

void parse_layout_part(TokenReader& reader, Layout& layout) {
  const Span begin = reader.here();
  const std::string doc = reader.doc();
  if (reader.take_word("table")) {
    layout.tables.push_back(parse_table(reader));
    layout.tables.back().doc = doc;
    layout.tables.back().span = reader.since(begin);
  } else if (reader.take_word("entity")) {
    LayoutEntity entity{.name = reader.expect_name("an entity")};
    parse_block(reader, [&] {
      if (!at_physical(reader)) {
        return reader.fail_expected("in, tag, store, key or index (a layout does not change fields)");
      }
      parse_physical(reader, entity.physical);
    });
    entity.span = reader.since(begin);
    layout.entities.push_back(std::move(entity));
  } else if (reader.take_word("rel")) {
    LayoutRelation relation{.entity = reader.expect_name("an entity")};
    reader.expect_mark(".");
    relation.end = reader.expect_name("an end");
    reader.expect_word("via");
    relation.via = parse_via(reader);
    relation.span = reader.since(begin);
    layout.relations.push_back(std::move(relation));
  } else {
    reader.fail_expected("table, entity, rel or }");
  }
}

Layout parse_layout(TokenReader& reader) {
  Layout layout{.span = reader.here()};
  layout.name = reader.expect_name("a name for the layout");
  if (reader.take_word("extends")) layout.extends = reader.expect_name("a layout");
  reader.expect_mark("{");
  while (!reader.is_lost() && !reader.at_mark("}")) {
    parse_layout_part(reader, layout);
    reader.take_mark(";");
  }
  reader.expect_mark("}");
  layout.span = reader.since(layout.span);
  return layout;
}

Compare parse_compare(TokenReader& reader) {
  Compare compare{.span = reader.here()};
  if (!reader.at_mark("[")) {
    Name entity = reader.expect_name("[ or an entity");
    reader.expect_mark(".");
    compare.relation.emplace(std::move(entity), reader.expect_name("an end"));
  }
  reader.expect_mark("[");
  parse_list(reader, [&] {
    if (compare.relation) {
      compare.ways.push_back(parse_via(reader));
    } else {
      compare.layouts.push_back(reader.expect_name("a layout"));
    }
  });
  reader.expect_mark("]");
  compare.span = reader.since(compare.span);
  return compare;
}

void parse_declaration(TokenReader& reader, Model& model) {
  const std::string doc = reader.doc();
  const Span begin = reader.here();
  const auto keep = [&](auto& list, auto declared) {
    declared.span = reader.since(begin);
    if (!declared.name.text.empty()) list.push_back(std::move(declared));
    if constexpr (requires { declared.doc; }) {
      if (!list.empty()) list.back().doc = doc;
    }
  };
  if (reader.take_word("table")) {
    keep(model.tables, parse_table(reader));
  } else if (reader.take_word("entity")) {
    keep(model.entities, parse_entity(reader));
  } else if (reader.take_word("layout")) {
    keep(model.layouts, parse_layout(reader));
  } else if (reader.take_word("pattern")) {
    Pattern pattern = parse_pattern(reader);
    if (!reader.is_lost()) keep(model.patterns, std::move(pattern));
  } else if (reader.take_word("op")) {
    Operation operation = parse_operation(reader);
    if (!reader.is_lost()) keep(model.operations, std::move(operation));
  } else if (reader.take_word("rel")) {
    Relation relation = parse_relation(reader);
    relation.doc = doc;
    relation.span = reader.since(begin);
    if (!reader.is_lost() || !relation.forward.text.empty()) model.relations.push_back(std::move(relation));
  } else if (reader.take_word("compare")) {
    Compare compare = parse_compare(reader);
    compare.span = reader.since(begin);
    if (!reader.is_lost()) model.compares.push_back(std::move(compare));
  } else if (reader.take_word("expect")) {
    Expect expect = parse_expect(reader);
    expect.span = reader.since(begin);
    if (!reader.is_lost()) model.expects.push_back(std::move(expect));
  } else {
    reader.fail_expected("table, entity, rel, layout, pattern, op, compare, expect or }");
  }
  if (reader.is_lost())
    reader.recover_before({"table", "entity", "rel", "layout", "pattern", "op", "compare", "expect"}, begin);
}

}  // namespace

Model parse(const SourceText& source, Diagnostics& diagnostics) {
  TokenReader reader(source, diagnostics);
  Model model;
  model.doc = reader.doc();
  reader.expect_word("model");
  model.name = reader.expect_name("a name for the model");
  reader.expect_mark("{");
  while (!reader.is_lost() && !reader.at_mark("}") && !reader.at_end()) {
    parse_declaration(reader, model);
    reader.take_mark(";");
  }
  reader.expect_mark("}");
  if (!reader.is_lost() && !reader.at_end()) {
    reader.fail("unexpected-text", reader.here(), "there is something behind the end of the model",
                "a file holds one model; remove what follows, or the } before it");
  }
  return model;
}

}  // namespace sheaf::language
