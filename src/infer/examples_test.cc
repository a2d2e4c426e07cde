// The example models, loaded in each of their layouts, and inferred again from the tables alone.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "infer/infer.h"
#include "infer/recovery.h"
#include "run/audit.h"
#include "run/running_model.h"
#include "run/system_table.h"

namespace sheaf::infer {
namespace {

// E1 to E25, in this order.
const std::vector<std::string> kExamples = {"orgs",      "support",   "places",     "addresses", "shop",
                                            "profile",   "order",     "accounts",   "equipment", "typed_ids",
                                            "catalogue", "purchases", "partitions", "posts",     "friends",
                                            "billing",   "school",    "plans",      "copied",    "customers",
                                            "projects",  "repos",     "movies",     "repo_ids",  "hr"};

std::string strategy_name(const model::StoredRelation& stored) {
  using Via = language::Via::Kind;
  static const std::map<Via, std::string> kNames = {{Via::kRef, "ref"},     {Via::kCollection, "collection"},
                                                    {Via::kPath, "path"},   {Via::kGraph, "graph"},
                                                    {Via::kLists, "lists"}, {Via::kEmbed, "embed"},
                                                    {Via::kIndex, "index"}, {Via::kIds, "ids"},
                                                    {Via::kEdges, "edges"}};
  return kNames.at(stored.strategy->kind());
}

Observed observe(Database& database, const model::Layout& layout) {
  Observed observed{.name = "inferred"};
  for (const model::Table& table : layout.tables) {
    const Result<TableDescription> description = database.describe_table(table.name);
    EXPECT_TRUE(description.ok());
    ObservedTable seen{.name = table.name, .key = description->key};
    for (const IndexDescription& index : description->indexes)
      seen.indexes.push_back({.name = index.name,
                              .key = index.key,
                              .projection = index.projection,
                              .included = index.included,
                              .is_local = index.local});
    Scan scan{.table = table.name};
    const Result<Page> page = database.scan(scan);
    EXPECT_TRUE(page.ok() && !page->last_key);
    for (size_t i = 0; i < page->items.size(); ++i) seen.items.emplace_back(page->items[i]);
    observed.tables.push_back(std::move(seen));
  }
  return observed;
}

struct Recovery {
  size_t kinds = 0, kinds_again = 0;
  size_t relations = 0, relations_again = 0;
  std::vector<std::string> missing;
  size_t questions = 0;
};

Recovery recovery(const model::Model& model, const model::Layout& layout, const model::Model& inferred,
                  const model::Layout& found) {
  Recovery result;
  std::multiset<std::string> shapes;
  for (const model::ItemKind& kind : found.item_kinds) shapes.insert(shape_text(found, kind));
  for (const model::ItemKind& kind : layout.item_kinds) {
    ++result.kinds;
    const auto at = shapes.find(shape_text(layout, kind));
    if (at != shapes.end()) {
      shapes.erase(at);
      ++result.kinds_again;
    } else {
      result.missing.push_back("keys of " + kind.name);
    }
  }
  std::vector<RelationText> relations;
  for (size_t i = 0; i < inferred.relations.size(); ++i)
    relations.push_back(relation_text(inferred, found, i));
  for (size_t i = 0; i < model.relations.size(); ++i) {
    ++result.relations;
    const RelationText wanted = relation_text(model, layout, i);
    const model::Relation& relation = model.relations[i];
    const std::string name = model.entities[relation.ends[0].holder].name + "." + relation.ends[0].name +
                             " (" + strategy_name(layout.relations[i]) + ")";
    const auto same = std::find_if(relations.begin(), relations.end(), [&](const RelationText& each) {
      return each.ends == wanted.ends && each.strategy == wanted.strategy;
    });
    if (same == relations.end()) {
      result.missing.push_back(name);
      continue;
    }
    ++result.relations_again;
    if (same->cardinality != wanted.cardinality) result.missing.push_back("one or many of " + name);
  }
  return result;
}

std::string recovered_table() {
  std::string text =
      "| example | model | layout | tables | kinds of items | relations | not recovered, and what is asked "
      "instead |\n"
      "|---|---|---|---|---|---|---|\n";
  size_t layouts = 0, kinds = 0, kinds_again = 0, relations = 0, relations_again = 0;
  for (size_t e = 0; e < kExamples.size(); ++e) {
    const std::string& name = kExamples[e];
    const model::CompiledModel original = model::compile(name, run::model_file(name + "/model.sheaf"));
    for (const model::Layout& layout : original.layouts) {
      run::RunningModel loaded(run::model_file(name + "/model.sheaf"), run::model_file(name + "/data.json"),
                               layout.name);
      const std::string what = name + " " + layout.name;
      const Inferred inferred = infer_model(observe(loaded.database(), layout));
      EXPECT_TRUE(inferred.given_up.empty()) << what << ": " << inferred.given_up.front();
      const plan::PlannedModel planned = plan::plan_model(model::compile("inferred", inferred.text));
      EXPECT_TRUE(planned.compiled.ok()) << what << planned.compiled.rendered() << inferred.text;
      if (!planned.compiled.ok()) continue;
      const model::Layout& found = planned.compiled.layouts.front();

      // The very tables, and nothing in them that it does not explain.
      const Result<void> applied = run::apply_layout(loaded.database(), planned.compiled.model, found);
      EXPECT_TRUE(applied.ok()) << what << applied.error().message << inferred.text;
      const Result<run::Audit> audit = run::audit(loaded.database(), planned.compiled.model, found, {});
      EXPECT_TRUE(audit.ok()) << what;
      for (const run::Finding& finding : audit->findings)
        ADD_FAILURE() << what << ": " << run::name_of(finding.kind) << " " << finding.what << " "
                      << finding.message << "\n"
                      << inferred.text;
      std::set<std::string> wanted_tables, found_tables;
      for (const model::Table& table : layout.tables) wanted_tables.insert(table_text(table));
      for (const model::Table& table : found.tables) found_tables.insert(table_text(table));
      EXPECT_EQ(wanted_tables, found_tables) << what;

      const Recovery result = recovery(original.model, layout, planned.compiled.model, found);
      text += "| E" + std::to_string(e + 1) + " | " + name + " | " + layout.name + " | " +
              std::to_string(found_tables.size()) + " of " + std::to_string(wanted_tables.size()) + " | " +
              std::to_string(result.kinds_again) + " of " + std::to_string(result.kinds) + " | " +
              std::to_string(result.relations_again) + " of " + std::to_string(result.relations) + " |";
      for (size_t i = 0; i < result.missing.size(); ++i) text += (i == 0 ? " " : "; ") + result.missing[i];
      // Nothing is left out in silence.
      size_t asked = 0;
      for (const Question& question : inferred.questions) {
        if (result.missing.empty() || question.about != Question::About::kRelation) continue;
        text += (asked++ == 0 ? ". Asked: " : "; ") + question.subject + ": " + question.text;
      }
      EXPECT_GE(asked, result.missing.empty() ? 0u : 1u) << what << inferred.text;
      text += result.missing.empty() ? "|\n" : " |\n";
      ++layouts;
      kinds += result.kinds;
      kinds_again += result.kinds_again;
      relations += result.relations;
      relations_again += result.relations_again;
    }
  }
  return text + "\n" + std::to_string(layouts) + " layouts: " + std::to_string(kinds_again) + " of " +
         std::to_string(kinds) + " kinds of items and " + std::to_string(relations_again) + " of " +
         std::to_string(relations) + " relations again; the audit of each finds nothing.\n";
}

// "What no tool has", 11: every layout of the examples is described by what is inferred from its tables, and
// the committed table says what of it is recovered. To renew it: infer_test --gtest_filter=*Examples* prints
// it.
TEST(InferredExamples, AreDescribedByTheirTablesAlone) {
  const std::string text = recovered_table();
  std::ifstream file(std::string(SHEAF_MODELS) + "/../doc/infer-examples.md");
  std::ostringstream committed;
  committed << file.rdbuf();
  const size_t begin = committed.str().find("| example |");
  const std::string table = begin == std::string::npos ? "" : committed.str().substr(begin);
  EXPECT_EQ(table, text) << text;
}

// The same items without their tags: kinds are told by the words of their keys, and by their attributes.
TEST(InferredExamples, NeedNoTags) {
  size_t kinds = 0, kinds_again = 0;
  for (const std::string& name : kExamples) {
    const model::CompiledModel original = model::compile(name, run::model_file(name + "/model.sheaf"));
    for (const model::Layout& layout : original.layouts) {
      run::RunningModel loaded(run::model_file(name + "/model.sheaf"), run::model_file(name + "/data.json"),
                               layout.name);
      Observed observed = observe(loaded.database(), layout);
      for (size_t t = 0; t < observed.tables.size(); ++t) {
        for (Item& item : observed.tables[t].items) item.remove(layout.tables[t].tag.value_or(""));
      }
      const Inferred inferred = infer_model(observed);
      EXPECT_TRUE(inferred.given_up.empty()) << name << inferred.given_up.front();
      const model::CompiledModel compiled = model::compile("inferred", inferred.text);
      ASSERT_TRUE(compiled.ok()) << name << compiled.rendered() << inferred.text;
      const Recovery result = recovery(original.model, layout, compiled.model, compiled.layouts.front());
      kinds += result.kinds;
      kinds_again += result.kinds_again;
    }
  }
  EXPECT_EQ(kinds, 138u);
  EXPECT_EQ(kinds_again, 134u);
}

}  // namespace
}  // namespace sheaf::infer
