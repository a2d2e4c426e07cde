#include "language/parser.h"

#include <algorithm>
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

void read_unknown_strategy(TokenReader& reader) {
  if (!reader.at_name())
    return reader.fail_expected("a strategy: auto, ref, collection, path, embed, index, ids or edges");
  const std::string word(reader.text());
  const std::string_view near = nearest(
      word, {"auto", "ref", "collection", "path", "graph", "lists", "embed", "index", "ids", "edges"});
  std::string fix = near.empty() ? "use auto, ref, collection, path, graph, lists, embed, index, ids or edges"
                                 : "write " + std::string(near);
  if (word == "gsi") fix = "write index";
  if (word == "adjacency" || word == "edge") fix = "write edges";
  reader.tell(
      {.id = "unknown-strategy", .span = reader.here(), .message = word + " is no strategy", .fix = fix});
  reader.take();
}

// The word before a name, as in `index on GSI1`. Left out, it is told, and read as if it were there.
bool take_link(TokenReader& reader, std::string_view word) {
  if (reader.take_word(word)) return true;
  if (!reader.at_name() || reader.token().first_in_line || reader.at_word("copy") || reader.at_word("rel") ||
      at_physical(reader))
    return false;
  const std::string name(reader.text());
  reader.tell({.id = "unexpected-text",
               .span = reader.here(),
               .message = "expected " + std::string(word) + " before " + name,
               .fix = "write " + std::string(word) + " " + name});
  return true;
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
  if (!found) read_unknown_strategy(reader);
  if (via.kind == Via::Kind::kEmbed) {
    if (reader.take_word("map")) {
      via.embed_as = Via::EmbedAs::kMap;
    } else if (reader.take_word("list")) {
      via.embed_as = Via::EmbedAs::kList;
    }
  }
  if (via.kind == Via::Kind::kIndex && take_link(reader, "on")) via.on = reader.expect_name("an index");
  if (via.kind == Via::Kind::kIds) via.ids = reader.expect_name("an end");
  if (via.kind == Via::Kind::kEdges && take_link(reader, "pk"))
    via.pk = reader.expect_name("one, many, both or an end");
  while (!reader.is_lost()) {
    if (reader.take_word("copy")) {
      via.copies.push_back(parse_copy(reader));
    } else if (at_physical(reader)) {
      parse_physical(reader, via.physical, via.pk && via.pk->text == "both" ? 2 : 1);
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
  if (reader.at_mark("/") || reader.at_mark("(") || reader.at_mark(";") || reader.at_mark("}"))
    reader.fail_expected("the attribute that is its partition key", "write gsi NAME PK / SK");
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

// What the clauses of tables are called elsewhere.
void fail_table_clause(TokenReader& reader) {
  std::string fix;
  if (reader.at_one_of({"partition", "hash", "primary", "key"})) fix = "write pk NAME";
  if (reader.at_one_of({"sort", "range"})) fix = "write sk NAME";
  if (reader.at_one_of({"index", "lsi"})) fix = "write gsi NAME PK / SK";
  if (!fix.empty()) return reader.fail_expected("pk, sk, tag, ttl or gsi", std::move(fix));
  reader.fail_expected_word({"pk", "sk", "tag", "ttl", "gsi"});
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
      fail_table_clause(reader);
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
      if (!field.name.text.empty()) entity.fields.push_back(std::move(field));
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
  if (reader.take_word("avg")) size.average = reader.expect_whole("a whole number");
  if (reader.take_word("max")) {
    size.max = reader.expect_whole("a whole number");
  } else if (!reader.take_word("unbounded")) {
    const bool is_number = reader.at_kind(Token::Kind::kNumber);
    reader.fail_expected("max or unbounded", is_number ? "write max " + std::string(reader.text()) : "");
  }
  if (reader.at_word("avg")) {
    reader.fail("wrong-order", reader.here(), "avg comes too late here",
                "the order is: size [of END] [avg N] max N");
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
    reader.fail_expected_word({"cascade", "restrict", "unlink"});
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
    // An end with such a name is followed by the end of the clause.
    const bool is_clause =
        reader.at_one_of({"via", "required", "size", "edge", "on", "unchecked", "loops"}) &&
        !reader.mark_follows(";") && !reader.mark_follows("}");
    reader.offer_kind("an end");
    if (reader.at_name() && !is_clause) required.end = reader.expect_name("an end");
    required.span = reader.since(begin);
    relation.required.push_back(std::move(required));
  } else if (reader.take_word("size")) {
    parse_size(reader, begin, relation);
  } else if (reader.take_word("edge")) {
    const auto parse_edge_field = [&] {
      Field field = parse_field(reader);
      if (!field.name.text.empty()) relation.edge_fields.push_back(std::move(field));
    };
    parse_block(reader, parse_edge_field, [&] {
      return reader.at_words("size", {"of", "avg", "unbounded"}) || reader.at_words("on", {"delete"}) ||
             reader.at_words(
                 "via", {"edges", "graph", "auto", "index", "collection", "path", "embed", "ids", "lists"});
    });
  } else if (reader.take_word("on")) {
    parse_on_delete(reader, begin, relation);
  } else if (reader.take_word("unchecked")) {
    relation.unchecked = true;
  } else if (reader.take_word("loops")) {
    relation.loops = true;
    relation.loops_span = begin;
  } else {
    reader.fail_expected_word({"via", "required", "size", "edge", "on delete", "unchecked", "loops"});
  }
}

Relation parse_relation(TokenReader& reader) {
  Relation relation{.span = reader.here()};
  relation.from = parse_entity_names(reader);
  relation.cardinality = reader.expect_cardinality();
  relation.to = parse_entity_names(reader);
  if (!reader.take_word("as")) reader.fail_expected("the word as", "name the ends: as FORWARD / BACKWARD");
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
    Table table = parse_table(reader);
    table.doc = doc;
    table.span = reader.since(begin);
    if (!table.name.text.empty()) layout.tables.push_back(std::move(table));
  } else if (reader.take_word("entity")) {
    LayoutEntity entity{.name = reader.expect_name("an entity")};
    parse_block(reader, [&] {
      if (!at_physical(reader)) {
        return reader.fail_expected("in, tag, store, key or index",
                                    "a layout says how things are stored, and does not change fields");
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
    reader.fail_expected_word({"table", "entity", "rel", "}"});
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

// Notes what could not be read of the declaration that began with `word`.
void note_damage(std::string_view word, bool is_kept, const std::string& name, Damage& damage) {
  if (word == "pattern" || word == "op") {
    if (!name.empty()) damage.lost.push_back(name);
    damage.has_lost_pattern = damage.has_lost_pattern || name.empty();
    return;
  }
  if (word == "compare" || word == "expect") return;
  damage.is_structural = true;
  damage.has_lost_entity = damage.has_lost_entity || (word == "entity" && !is_kept);
  damage.has_lost_relation = damage.has_lost_relation || (word == "rel" && !is_kept);
  // Nobody knows what it was to be.
  const bool is_known = word == "entity" || word == "rel" || word == "table" || word == "layout";
  if (!is_known) damage.has_lost_entity = damage.has_lost_relation = damage.has_lost_pattern = true;
}

class DeclarationParser {
 public:
  DeclarationParser(TokenReader& reader, const Diagnostics& diagnostics, Model& model)
      : reader_(reader), diagnostics_(diagnostics), model_(model) {}

  void parse() {
    doc_ = reader_.doc();
    begin_ = reader_.here();
    const std::string word(reader_.text());
    mistakes_before_ = reader_.mistake_count();
    reader_.begin_declaration();
    is_kept_ = false;
    name_.clear();
    parse_one();
    const Span span = reader_.since(begin_);
    // What the lexer told of is inside, too.
    const bool is_damaged =
        reader_.mistake_count() > mistakes_before_ ||
        std::any_of(diagnostics_.all().begin(), diagnostics_.all().end(), [&](const Diagnostic& each) {
          return each.span.begin >= span.begin && each.span.begin < span.end;
        });
    if (is_damaged) {
      note_damage(word, is_kept_, is_kept_ ? "" : name_, model_.damage);
      if (word == "entity" && is_kept_) model_.entities.back().is_damaged = true;
      if (word == "rel" && is_kept_) model_.relations.back().is_damaged = true;
    }
    if (reader_.is_lost())
      reader_.recover_before({"table", "entity", "rel", "layout", "pattern", "op", "compare", "expect"},
                             begin_);
  }

 private:
  template <typename T>
  void keep(std::vector<T>& list, T declared) {
    name_ = declared.name.text;
    declared.span = reader_.since(begin_);
    declared.doc = doc_;
    is_kept_ = !name_.empty();
    if (is_kept_) list.push_back(std::move(declared));
  }

  // What could be read of it is kept for editors.
  template <typename T>
  void keep_whole(std::vector<T>& list, std::vector<T>& damaged, T declared) {
    const bool is_whole = reader_.mistake_count() == mistakes_before_;
    keep(is_whole ? list : damaged, std::move(declared));
    is_kept_ = is_kept_ && is_whole;
  }

  void parse_one() {
    if (reader_.take_word("table")) {
      keep(model_.tables, parse_table(reader_));
    } else if (reader_.take_word("entity")) {
      keep(model_.entities, parse_entity(reader_));
    } else if (reader_.take_word("layout")) {
      keep(model_.layouts, parse_layout(reader_));
    } else if (reader_.take_word("pattern")) {
      keep_whole(model_.patterns, model_.damage.patterns, parse_pattern(reader_));
    } else if (reader_.take_word("op")) {
      keep_whole(model_.operations, model_.damage.operations, parse_operation(reader_));
    } else if (reader_.take_word("rel")) {
      Relation relation = parse_relation(reader_);
      relation.doc = doc_;
      relation.span = reader_.since(begin_);
      is_kept_ = !relation.forward.text.empty();
      if (is_kept_) model_.relations.push_back(std::move(relation));
    } else if (reader_.take_word("compare")) {
      Compare compare = parse_compare(reader_);
      compare.span = reader_.since(begin_);
      if (!reader_.is_lost()) model_.compares.push_back(std::move(compare));
    } else if (reader_.take_word("expect")) {
      Expect expect = parse_expect(reader_);
      expect.span = reader_.since(begin_);
      if (!reader_.is_lost()) model_.expects.push_back(std::move(expect));
    } else {
      reader_.fail_expected_word(
          {"table", "entity", "rel", "layout", "pattern", "op", "compare", "expect", "}"});
    }
  }

  TokenReader& reader_;
  const Diagnostics& diagnostics_;
  Model& model_;
  std::string doc_;
  Span begin_;
  std::string name_;
  bool is_kept_ = false;
  size_t mistakes_before_ = 0;
};

}  // namespace

namespace {

Model parse(TokenReader& reader, const SourceText& source, Diagnostics& diagnostics) {
  Model model;
  model.doc = reader.doc();
  if (!reader.take_word("model")) reader.fail_expected("the word model", "a file is: model NAME { .. }");
  model.name = reader.expect_name("a name for the model");
  reader.expect_mark("{");
  model.damage.is_structural = reader.is_lost();
  DeclarationParser declarations(reader, diagnostics, model);
  bool is_closed = false;
  while (!reader.is_lost() && !reader.at_end() && !is_closed) {
    const Span end = reader.here();
    if (!reader.take_mark("}")) {
      declarations.parse();
      reader.take_mark(";");
    } else if (reader.at_declaration()) {
      reader.tell({.id = "unexpected-text",
                   .span = end,
                   .message = "this } ends the model, and more follows",
                   .fix = "remove it, or the } before it"});
    } else {
      is_closed = true;
    }
  }
  if (!is_closed) reader.expect_mark("}");
  if (!reader.is_lost() && !reader.at_end()) {
    reader.fail("unexpected-text", reader.here(), "there is something behind the end of the model",
                "a file holds one model; remove what follows, or the } before it");
  }
  diagnostics.drop_noise(source);
  return model;
}

}  // namespace

Model parse(const SourceText& source, Diagnostics& diagnostics) {
  TokenReader reader(source, diagnostics);
  return parse(reader, source, diagnostics);
}

Model parse(const SourceText& source, Diagnostics& diagnostics, Probe& probe) {
  TokenReader reader(source, diagnostics, &probe);
  return parse(reader, source, diagnostics);
}

}  // namespace sheaf::language
