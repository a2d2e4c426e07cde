#include "measure/claims/claim.h"
#include "measure/figure_text.h"

namespace sheaf::measure {
namespace {

std::string asked(const Cell& cell) {
  if (!cell.is_served) return "cannot be answered";
  return figure_text(cell.requests) + (cell.requests == 1 ? " request, " : " requests, ") +
         figure_text(cell.read_units + cell.write_units) + " units";
}

std::string stored_items(const Evidence& e, std::string_view experiment, std::string_view layout) {
  return figure_text(static_cast<double>(e.stored(experiment, layout).items())) + " items, " +
         bytes_text(static_cast<double>(e.stored(experiment, layout).bytes()));
}

std::vector<Claim> adjacency_claims() {
  return {
      {"I6 K6", "S2 S3", "adjacency list", "+ both directions, with an index",
       "titles and castIds in `roles`",
       [](const Evidence& e) {
         const Cell there = e.cell("roles", "adjacency", "titles"),
                    back = e.cell("roles", "adjacency", "castIds");
         return holds_if(there.requests == 1 && back.requests == 1 && back.index_read_units > 0,
                         "movies of an actor " + asked(there) + "; actors of a movie " + asked(back));
       }},
      {"I6 K6", "S3", "adjacency list", "+ metadata on the relationship",
       "titles in `roles`, with the role on each",
       [](const Evidence& e) {
         const Cell cell = e.cell("roles", "adjacency", "titles");
         return holds_if(cell.requests == 1 && cell.items_read == cell.items_returned,
                         asked(cell) + ", and no item but the edges");
       }},
      {"I6 K6", "S3", "adjacency list", "+ relationships come and go without touching the entities",
       "engage and dismiss in `roles`: items written",
       [](const Evidence& e) {
         const Cell link = e.cell("roles", "adjacency", "engage"),
                    unlink = e.cell("roles", "adjacency", "dismiss");
         return holds_if(link.items_written == 1 && unlink.items_written == 1,
                         figure_text(link.items_written) + " item written each; as lists " +
                             figure_text(e.cell("roles", "lists", "engage").items_written));
       }},
      {"I6 K6", "S3", "adjacency list", "- more items", "items and bytes stored of `roles`",
       [](const Evidence& e) {
         return holds_if(
             e.stored("roles", "adjacency").items() > e.stored("roles", "lists").items(),
             stored_items(e, "roles", "adjacency") + "; as lists " + stored_items(e, "roles", "lists"));
       }},
      {"I6 K6", "S3", "adjacency list", "- three items in a transaction",
       "engage in `roles`: units of the table, at two an item",
       [](const Evidence& e) {
         const Cell cell = e.cell("roles", "adjacency", "engage");
         const double table = cell.write_units - cell.index_write_units;
         return holds_if(table == 6, figure_text(table) +
                                         " units of the table: an edge is put, and both ends are "
                                         "checked");
       }},
      {"I6 K7", "S3", "shallow lists on both sides", "+ both directions without an index",
       "titles and castIds in `roles`",
       [](const Evidence& e) {
         const Cell there = e.cell("roles", "lists", "titles"), back = e.cell("roles", "lists", "castIds");
         return holds_if(there.requests == 1 && back.requests == 1 && e.indexes("roles", "lists") == 0,
                         asked(there) + " and " + asked(back) + ", no index");
       }},
      {"I6 K7", "S3", "shallow lists on both sides", "+ an entity and summaries of the others in one request",
       "cast in `roles`, beside the adjacency list",
       [](const Evidence& e) {
         const Cell cell = e.cell("roles", "lists", "cast"), edges = e.cell("roles", "adjacency", "cast");
         return holds_if(cell.requests == 1 && edges.requests > 1, asked(cell) + ", and not " + asked(edges));
       }},
      {"I6 K7", "S3", "shallow lists on both sides", "- copies are stale until all are changed",
       "rewrite in `roles`",
       [](const Evidence& e) {
         const Cell cell = e.cell("roles", "lists", "rewrite");
         return holds_if(cell.copies > 0 && cell.requests > 1,
                         figure_text(cell.copies) + " entries follow in " + figure_text(cell.requests - 1) +
                             " requests, " + figure_text(cell.write_units) + " write units");
       }},
      {"I6 K7", "S3", "shallow lists on both sides", "- 400 KB for all entries",
       "plots of 40 KB in `too large lists`",
       [](const Evidence& e) {
         const std::string why = e.rejection("too large lists", "lists");
         return holds_if(!why.empty(), why.empty() ? "they fit" : why);
       }},
      {"I6 K8", "S3", "ids, normalised", "+ no duplication", "bytes stored of `ids`",
       [](const Evidence& e) {
         return holds_if(e.stored("ids", "ids").bytes() < e.stored("ids", "copied").bytes() &&
                             e.stored("ids", "ids").bytes() < e.stored("ids", "adjacency").bytes(),
                         stored_items(e, "ids", "ids") + "; with copies " + stored_items(e, "ids", "copied") +
                             "; as edges " + stored_items(e, "ids", "adjacency"));
       }},
      {"I6 K8", "S3", "ids, normalised", "+ strongly consistent", "repos in `ids`, which is strong",
       [](const Evidence& e) {
         const Cell cell = e.cell("ids", "ids", "repos");
         return holds_if(cell.is_served && cell.index_read_units == 0, asked(cell));
       }},
      {"I6 K8", "S3", "ids, normalised", "+ simple: a link is one item", "grant in `ids`: items written",
       [](const Evidence& e) {
         const Cell cell = e.cell("ids", "ids", "grant");
         return holds_if(cell.items_written == 1,
                         asked(cell) + ", " + figure_text(cell.items_written) + " item");
       }},
      {"I6 K8", "S3", "ids, normalised", "- several round trips", "repos in `ids`: rounds",
       [](const Evidence& e) {
         const Cell cell = e.cell("ids", "ids", "repos"), copied = e.cell("ids", "copied", "repos");
         return holds_if(cell.rounds == 2,
                         figure_text(cell.rounds) + " rounds; with copies " + figure_text(copied.rounds));
       }},
      {"I6 K8", "S3", "ids, normalised", "- no transaction over both reads",
       "atOnce in `ids`, which is a snapshot",
       [](const Evidence& e) {
         const Cell cell = e.cell("ids", "ids", "atOnce"), copied = e.cell("ids", "copied", "atOnce");
         return holds_if(!cell.is_served, asked(cell) + "; with copies " + asked(copied));
       }},
  };
}

std::vector<Claim> other_claims() {
  return {
      {"I6 K10", "S1", "entity, attribute, value", "+ a field is written alone", "reprice in `products`",
       [](const Evidence& e) {
         const Cell cell = e.cell("products", "default", "reprice");
         return holds_if(
             cell.items_written == 1 && cell.write_units == 1,
             figure_text(cell.items_written) + " item, " + figure_text(cell.write_units) + " unit");
       }},
      {"I6 K10", "S1", "entity, attribute, value", "+ easy to add attributes",
       "weigh in `products`, which most products do not have before it, beside one item a product",
       [](const Evidence& e) {
         const Cell cell = e.cell("products", "default", "weigh"),
                    whole = e.cell("products", "items", "weigh");
         return holds_if(
             cell.requests == 1 && cell.items_written == 1 && cell.index_write_units == 0,
             figure_text(cell.items_written) + " item in 1 request, " + figure_text(cell.write_units) +
                 " units with the check that the product is there; as one item, whose entry in an "
                 "index is written with it, " +
                 figure_text(whole.write_units));
       }},
      {"I6 K10", "S1", "entity, attribute, value", "+ what is missing takes no room",
       "items stored of `products`: four fields, of which two are optional",
       [](const Evidence& e) {
         const auto items = static_cast<double>(e.stored("products", "default").tables.front().table.items);
         const auto products = static_cast<double>(e.generator("products").count(0));
         return holds_if(items > 2 * products && items < 4 * products,
                         figure_text(items / products) + " items a product, of 4 fields");
       }},
      {"I6 K10", "S1", "entity, attribute, value", "- more items an entity", "product and add in `products`",
       [](const Evidence& e) {
         const Cell read = e.cell("products", "default", "product"),
                    add = e.cell("products", "default", "add"), whole = e.cell("products", "items", "add");
         return holds_if(read.items_read > 1 && add.write_units > whole.write_units,
                         figure_text(read.items_read) + " items read for one product; to add one is " +
                             figure_text(add.write_units) + " units, as one item " +
                             figure_text(whole.write_units));
       }},
      {"I6 K10", "S1", "entity, attribute, value", "- hard to query by an attribute", "colored in `products`",
       [](const Evidence& e) {
         const Cell cell = e.cell("products", "default", "colored"),
                    items = e.cell("products", "items", "colored");
         return holds_if(!cell.is_served && items.is_served,
                         "products of a color: " + asked(cell) + "; as items with an index " + asked(items));
       }},
      {"I6 K12", "S2", "materialised graph", "+ type and hierarchy from both ends",
       "classes, taught and inState in `school`, beside plain edges",
       [](const Evidence& e) {
         const Cell there = e.cell("school", "default", "classes"),
                    back = e.cell("school", "default", "taught"),
                    level = e.cell("school", "default", "inState"),
                    pairs = e.cell("school", "pairs", "inState");
         return holds_if(
             there.requests == 1 && back.requests == 1 && level.requests == 1 && !pairs.is_served,
             "one request each: a student's classes, a teacher's class, a state's students; with plain "
             "edges the last " +
                 asked(pairs));
       }},
      {"I6 K12", "S2", "materialised graph", "- an edge more for each type, each in the index, too",
       "enrol in `school`: units of indexes",
       [](const Evidence& e) {
         const Cell cell = e.cell("school", "default", "enrol");
         return holds_if(cell.index_write_units > 0, figure_text(cell.index_write_units) + " of " +
                                                         figure_text(cell.write_units) + " write units");
       }},
  };
}

}  // namespace

std::vector<Claim> network_claims() {
  std::vector<Claim> all = adjacency_claims();
  for (const Claim& each : other_claims()) all.push_back(each);
  return all;
}

}  // namespace sheaf::measure
