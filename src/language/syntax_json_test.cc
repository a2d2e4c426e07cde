#include "language/syntax_json.h"

#include <gtest/gtest.h>

#include "language/example_models.h"
#include "language/json_tree.h"
#include "language/parser.h"
#include "language/text_promises.h"

namespace sheaf::language {
namespace {

Model parsed(std::string text) {
  const SourceText source("test.sheaf", std::move(text));
  Diagnostics diagnostics;
  Model model = parse(source, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(source, diagnostics.all()[0]);
  return model;
}

// What is wrong with this JSON.
std::string mistake(std::string_view json) {
  const Result<Model> read = model_from_json(json);
  return read.ok() ? "nothing" : read.error().message;
}

// With one pattern, one entity, or whatever `members` are.
std::string mistake_in(std::string_view members) {
  return mistake("{\"model\": \"m\", " + std::string(members) + "}");
}

TEST(SyntaxJson, IsPleasantForPrograms) {
  EXPECT_EQ(to_json(parsed(R"(
    /// A shop.
    model shop {
      table app { pk PK; sk SK number; gsi G A / B include(x) }
      entity Order within customer { id id ulid; at time?; lines list<{ sku; n int }>; total number default 0;
        key "C#<customer.id>" / "O#<at:month>#<id>"; index G "<id:raw>" when total > 1.50 }
      rel Customer 1--* Order as orders / customer { via edges pk many copy customer(*); required; size unbounded }
      pattern recent(c: Customer, n: int?) = $c.orders^2 where at between $n and now order at desc limit 5
        { *, customer { }, lines, sum: sum(n * price) } budget 1 request rate 0.5/min
      op pay(o: Order) = { set $o.paid = true, $o.n = $o.n + 1; link $o.a $o.b { x = 1 } }
      expect recent("a", 3): reads <= 10
    })")),
            R"({
  "model": "shop",
  "doc": "A shop.",
  "tables": [
    {
      "name": "app",
      "pk": "PK",
      "sk": {
        "name": "SK",
        "type": "number"
      },
      "indexes": [
        {
          "name": "G",
          "pk": "A",
          "sk": "B",
          "projection": [
            "x"
          ]
        }
      ]
    }
  ],
  "entities": [
    {
      "name": "Order",
      "within": "customer",
      "fields": [
        {
          "name": "id",
          "id": true,
          "type": "ulid"
        },
        {
          "name": "at",
          "type": "time",
          "optional": true
        },
        {
          "name": "lines",
          "type": {
            "list": {
              "fields": [
                {
                  "name": "sku"
                },
                {
                  "name": "n",
                  "type": "int"
                }
              ]
            }
          }
        },
        {
          "name": "total",
          "type": "number",
          "default": 0
        }
      ],
      "key": {
        "pk": "C#<customer.id>",
        "sk": "O#<at:month>#<id>"
      },
      "indexes": [
        {
          "index": "G",
          "pk": "<id:raw>",
          "when": [
            {
              "path": "total",
              "test": ">",
              "value": 1.50
            }
          ]
        }
      ]
    }
  ],
  "relations": [
    {
      "from": "Customer",
      "cardinality": "1--*",
      "to": "Order",
      "forward": "orders",
      "backward": "customer",
      "via": {
        "kind": "edges",
        "pk": "many",
        "copies": [
          {
            "end": "customer",
            "fields": "*"
          }
        ]
      },
      "required": true,
      "sizes": [
        {
          "unbounded": true
        }
      ]
    }
  ],
  "patterns": [
    {
      "name": "recent",
      "parameters": [
        {
          "name": "c",
          "entity": "Customer"
        },
        {
          "name": "n",
          "type": "int",
          "optional": true
        }
      ],
      "from": "$c.orders^2",
      "where": [
        {
          "path": "at",
          "test": "between",
          "values": [
            {
              "path": "$n"
            },
            {
              "now": true
            }
          ]
        }
      ],
      "order": {
        "by": "at",
        "descending": true
      },
      "limit": 5,
      "select": [
        "*",
        {
          "step": "customer",
          "select": []
        },
        "lines",
        {
          "name": "sum",
          "aggregate": "sum",
          "of": {
            "expression": [
              {
                "path": "n"
              },
              {
                "*": {
                  "path": "price"
                }
              }
            ]
          }
        }
      ],
      "budgets": [
        {
          "count": 1,
          "unit": "requests"
        }
      ],
      "rate": {
        "count": 0.5,
        "per": "min"
      }
    }
  ],
  "operations": [
    {
      "name": "pay",
      "parameters": [
        {
          "name": "o",
          "entity": "Order"
        }
      ],
      "writes": [
        {
          "kind": "set",
          "assignments": [
            {
              "path": "$o.paid",
              "value": true
            },
            {
              "path": "$o.n",
              "value": {
                "expression": [
                  {
                    "path": "$o.n"
                  },
                  {
                    "+": 1
                  }
                ]
              }
            }
          ]
        },
        {
          "kind": "link",
          "path": "$o.a",
          "to": "$o.b",
          "edge": [
            {
              "name": "x",
              "value": 1
            }
          ]
        }
      ]
    }
  ],
  "expects": [
    {
      "pattern": "recent",
      "arguments": [
        "a",
        3
      ],
      "expectations": [
        {
          "what": "reads",
          "at_most": 10
        }
      ]
    }
  ]
}
)");
}

TEST(SyntaxJson, TheExamplesComeBackAsTheyWere) {
  for (const std::string_view text : kExampleModels) {
    const std::string json = to_json(parsed(std::string(text)));
    const Result<Model> read = model_from_json(json);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(to_json(*read), json);
  }
}

TEST(SyntaxJson, WhatHoldsAnywayIsLeftOut) {
  const Model said =
      parsed(R"(model m { table t { pk a string; gsi g a all } entity E { id id string; x string? }
    pattern p() = E order x asc budget 007 requests expect p(00.50, -01): reads = 010 })");
  const Model unsaid = parsed(R"(model m { table t { pk a; gsi g a } entity E { id id; x? }
    pattern p() = E order x budget 7 requests expect p(0.50, -1): reads = 10 })");
  EXPECT_EQ(to_json(said), to_json(unsaid));
}

TEST(SyntaxJson, NumbersKeepAllTheirDigits) {
  const std::string digits =
      "123456789012345678901234567890123456789.000000000000000000000000000000000000001";
  const std::string json = to_json(parsed("model m { expect p(-" + digits + "): reads = " + digits + " }"));
  EXPECT_NE(json.find("\n        -" + digits + "\n"), std::string::npos) << json;
  const Result<Model> read = model_from_json(json);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(to_json(*read), json);
}

TEST(SyntaxJson, TextsAreEscaped) {
  const Model model =
      parsed("model m { entity `a \" b` { id id; x default \"\\\"\\\\\\n\\t\x01\x7F\xC3\xA4\" } }");
  const std::string json = to_json(model);
  EXPECT_NE(json.find(R"("a \" b")"), std::string::npos) << json;
  EXPECT_NE(json.find("\"\\\"\\\\\\n\\t\\u0001\x7F\xC3\xA4\""), std::string::npos) << json;
  const Result<Model> read = model_from_json(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->entities[0].fields[1].default_value->text, "\"\\\n\t\x01\x7F\xC3\xA4");
}

TEST(SyntaxJson, DocsAreAsCommentsCouldSayThem) {
  const Result<Model> read = model_from_json(R"({"model": "m", "doc": "\n \n a \r\n\n  b\t\n"})");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->doc, " a\n\n  b\n");
  EXPECT_EQ(to_json(parsed(to_text(*read))), to_json(*read));
}

TEST(SyntaxJson, EveryMistakeNamesItsPlace) {
  EXPECT_EQ(mistake("[]"), "$: this must be an object");
  EXPECT_EQ(mistake("{}"), "$: the member model is missing");
  EXPECT_EQ(mistake(R"({"model": "m", "tabels": []})"),
            "$.tabels: a member of this name has no meaning here");
  EXPECT_EQ(mistake(R"({"model": "m", "model": "n"})"), "$.model: this member is there twice");
  EXPECT_EQ(mistake(R"({"model": ""})"), "$.model: a name is not empty and has no backquotes and line ends");
  EXPECT_EQ(mistake(R"({"model": "a`b"})"),
            "$.model: a name is not empty and has no backquotes and line ends");
  EXPECT_EQ(mistake(R"({"model": 1})"), "$.model: this must be a string");
  EXPECT_EQ(mistake_in(R"("entities": {})"), "$.entities: this must be an array");
  EXPECT_EQ(mistake_in(R"("entities": [{"name": "E", "fields": [{"name": "x"}, {"name": "y", "id": 1}]}])"),
            "$.entities[0].fields[1].id: this must be true or false");
  EXPECT_EQ(
      mistake_in(R"("entities": [{"name": "E", "fields": [{"name": "x", "type": "strng"}]}])"),
      "$.entities[0].fields[0].type: strng is none of string, number, int, bool, binary, time, date, ulid, "
      "uuid, any");
  EXPECT_EQ(
      mistake_in(
          R"("entities": [{"name": "E", "fields": [{"name": "x", "type": {"list": "int", "set": "int"}}]}])"),
      "$.entities[0].fields[0].type: a type in an object has one member");
  EXPECT_EQ(mistake_in(R"("entities": [{"name": "E", "fields": [{"name": "x", "max": -1}]}])"),
            "$.entities[0].fields[0].max: this must be a whole number from 0 to 2^63 - 1");
  EXPECT_EQ(
      mistake_in(R"("entities": [{"name": "E", "fields": [{"name": "x", "max": 9223372036854775808}]}])"),
      "$.entities[0].fields[0].max: this must be a whole number from 0 to 2^63 - 1");
  EXPECT_EQ(mistake_in(R"("entities": [{"name": "E", "key": {"pk": "A#<id"}}])"),
            "$.entities[0].key.pk: this hole has no end; close it with >, or write \\< if the key has this "
            "character");
  EXPECT_EQ(mistake_in(R"("entities": [{"name": "E", "key": {"pk": "A\\"}}])"),
            "$.entities[0].key.pk: there is nothing behind the \\ at its end");
  EXPECT_EQ(
      mistake_in(
          R"("entities": [{"name": "E", "indexes": [{"index": "I", "pk": "a", "when": [{"path": "a..b", "test": "exists"}]}]}])"),
      "$.entities[0].indexes[0].when[0].path: a name is missing");
  EXPECT_EQ(
      mistake_in(
          R"("entities": [{"name": "E", "fields": [{"name": "x", "default": {"map": {"a": 1, "a": 2}}}]}])"),
      "$.entities[0].fields[0].default.map.a: this member is there twice");
  EXPECT_EQ(mistake_in(R"("entities": [{"name": "E", "fields": [{"name": "x", "default": 1e5}]}])"),
            "$.entities[0].fields[0].default: a number is written without an exponent here");
}

TEST(SyntaxJson, RefusesWhatTheLanguageCannotSay) {
  const auto relation = [](std::string_view members) {
    return mistake_in(R"("relations": [{"from": "A", "cardinality": "1--*", "to": "B", "forward": "b", )" +
                      std::string(members) + "}]");
  };
  EXPECT_EQ(relation(R"("via": "ids")"),
            "$.relations[0].via: ids needs an end: {\"kind\": \"ids\", \"ids\": ..}");
  EXPECT_EQ(relation(R"("via": {"kind": "ref", "on": "G"})"),
            "$.relations[0].via.on: a member of this name has no meaning here");
  const auto edges = [&](std::string_view members) {
    return relation(R"("via": {"kind": "edges", )" + std::string(members) + "}");
  };
  EXPECT_EQ(edges(R"("pk": "both", "key": {"pk": "a"}, "second_key": {"pk": "b"})"), "nothing");
  EXPECT_EQ(edges(R"("pk": "both", "second_key": {"pk": "b"})"),
            "$.relations[0].via.second_key: a member of this name has no meaning here");
  EXPECT_EQ(edges(R"("key": {"pk": "a"}, "second_key": {"pk": "b"})"),
            "$.relations[0].via.second_key: a member of this name has no meaning here");
  EXPECT_EQ(relation(R"("sizes": [{}])"), "$.relations[0].sizes[0]: a size has either max or unbounded");
  EXPECT_EQ(relation(R"("sizes": [{"max": 1, "unbounded": true}])"),
            "$.relations[0].sizes[0]: a size has either max or unbounded");
  EXPECT_EQ(relation(R"("required": [true, "b", 1])"), "$.relations[0].required[2]: this must be a string");
  const auto pattern = [](std::string_view members) {
    return mistake_in(R"("patterns": [{"name": "p", )" + std::string(members) + "}]");
  };
  EXPECT_EQ(pattern(R"("from": "$a.b^c")"), "$.patterns[0].from: there is no number behind ^");
  EXPECT_EQ(pattern(R"("from": "A.b")"), "$.patterns[0].from: .b cannot follow");
  EXPECT_EQ(pattern(R"("from": "$a", "limit": 1, "page": 2)"),
            "$.patterns[0]: limit and page cannot both be said");
  EXPECT_EQ(pattern(R"("from": "$a", "parameters": [{"name": "a"}])"),
            "$.patterns[0].parameters[0]: a parameter has either entity or type");
  EXPECT_EQ(pattern(R"("from": "$a", "where": [{"path": "x", "test": "between", "values": [1]}])"),
            "$.patterns[0].where[0].values: these must be two");
  EXPECT_EQ(pattern(R"("from": "$a", "rate": {"count": -1, "per": "s"})"),
            "$.patterns[0].rate.count: this must not be negative");
  EXPECT_EQ(
      pattern(
          R"("from": "$a", "select": [{"name": "x", "aggregate": "sum", "of": {"expression": [1, {"/": 2}]}}])"),
      "$.patterns[0].select[0].of.expression[1]: this must be an object with the member +, - or *");
  EXPECT_EQ(mistake_in(R"("operations": [{"name": "o", "writes": [{"kind": "remove", "paths": []}]}])"),
            "$.operations[0].writes[0].paths: this must not be empty");
  EXPECT_EQ(
      mistake_in(
          R"("operations": [{"name": "o", "writes": [{"kind": "unlink", "path": "$a", "to": "$b", "edge": []}]}])"),
      "$.operations[0].writes[0].edge: a member of this name has no meaning here");
}

TEST(SyntaxJson, RefusesWhatIsNestedTooDeep) {
  const auto nested = [](std::string_view begin, size_t levels, std::string_view inner,
                         std::string_view end) {
    std::string out;
    for (size_t i = 0; i < levels; ++i) out += begin;
    out += inner;
    for (size_t i = 0; i < levels; ++i) out += end;
    return out;
  };
  const auto field = [](std::string_view member) {
    return "\"entities\": [{\"name\": \"E\", \"fields\": [{\"name\": \"x\", " + std::string(member) + "}]}]";
  };
  EXPECT_EQ(mistake_in(field("\"default\": " + nested("[", kNestingMax, "1", "]"))), "nothing");
  EXPECT_NE(
      mistake_in(field("\"default\": " + nested("[", kNestingMax + 1, "1", "]"))).find("nested more than"),
      std::string::npos);
  EXPECT_EQ(mistake_in(field("\"type\": " + nested("{\"list\": ", kNestingMax, "\"int\"", "}"))), "nothing");
  EXPECT_NE(
      mistake_in(field("\"type\": " + nested("{\"list\": ", kNestingMax + 1, "\"int\"", "}"))).find("nested"),
      std::string::npos);
  const auto fields = [&](size_t levels) {
    return mistake_in(
        field("\"type\": " + nested("{\"fields\": [{\"name\": \"x\", \"type\": ", levels, "\"int\"", "}]}")));
  };
  EXPECT_EQ(fields(kNestingMax), "nothing");
  EXPECT_NE(fields(kNestingMax + 1).find("nested"), std::string::npos);
  const auto select = [&](size_t levels) {
    return mistake_in("\"patterns\": [{\"name\": \"p\", \"from\": \"E\", \"select\": [" +
                      nested("{\"step\": \"x\", \"select\": [", levels, "", "]}") + "]}]");
  };
  EXPECT_EQ(select(kNestingMax), "nothing");
  EXPECT_NE(select(kNestingMax + 1).find("nested"), std::string::npos);
  EXPECT_EQ(mistake(nested("[", 100'000, "", "]")).substr(0, 30), "$: this is nested more than 20");
}

TEST(SyntaxJson, DeepModelsThatJsonHasTheLanguageHasToo) {
  std::string type = "\"int\"";
  for (int i = 0; i < kNestingMax; ++i) type = R"({"fields": [{"name": "x", "type": )" + type + "}]}";
  const Result<Model> read = model_from_json(
      R"({"model": "m", "entities": [{"name": "E", "fields": [{"name": "x", "type": )" + type + "}]}]}");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(to_json(parsed(to_text(*read))), to_json(*read));
}

TEST(SyntaxJson, RefusesWhatIsNoJson) {
  for (const char* text :
       {"", " ", "{", "{\"model\": \"m\"", "{\"model\": \"m\"} x", "{\"model\": \"m\"}}", "{} {}",
        "{\"model\": \"m\",}", "{\"model\": nul}", "{\"model\": 01}", "{\"model\": 1.}", "{\"model\": truee}",
        "{\"model\": \"\\x\"}", "{\"model\": \"\xFF\"}", "1", "nul", "{\"model\" \"m\"}",
        "{\"expects\": [1 2]}", "{\"model\": \"\\ud800\"}"}) {
    const std::string told = mistake(text);
    EXPECT_TRUE(told.starts_with("$: this is no JSON")) << text << ": " << told;
  }
}

TEST(SyntaxJson, SaysInItsOwnWordsWhereItIsNoJson) {
  EXPECT_EQ(mistake(" \n"), "$: this is no JSON: it is empty");
  EXPECT_EQ(mistake("model m {}"), "$: this is no JSON: it begins with neither { nor [");
  EXPECT_EQ(mistake("{\n  \"model\": \"m\"\n  \"entities\": []}"),
            "$: this is no JSON: it goes wrong at line 3, column 3");
  EXPECT_EQ(mistake("{\"model\": \"m}"), "$: this is no JSON: a text in it has no end");
  EXPECT_EQ(mistake("{\"model\": \"\xFF\"}"), "$: this is no JSON: it is no UTF-8");
  EXPECT_EQ(mistake("{\"model\": nul}"), "$: this is no JSON: nul means nothing");
}

TEST(JsonTree, NumbersAreKeptAsTheyAreWritten) {
  const Result<Json> json = read_json("[ -0.50 , 1e+10, 123456789012345678901234567890\n]");
  ASSERT_TRUE(json.ok()) << json.error().message;
  ASSERT_EQ(json->items.size(), 3u);
  EXPECT_EQ(json->items[0].text, "-0.50");
  EXPECT_EQ(json->items[1].text, "1e+10");
  EXPECT_EQ(json->items[2].text, "123456789012345678901234567890");
}

}  // namespace
}  // namespace sheaf::language
