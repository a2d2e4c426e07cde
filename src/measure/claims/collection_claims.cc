#include "measure/claims/claim.h"
#include "measure/figure_text.h"

namespace sheaf::measure {
namespace {

std::string requests_text(const Cell& cell) {
  return figure_text(cell.requests) + (cell.requests == 1 ? " request" : " requests");
}

std::string read_text(const Cell& cell) {
  return figure_text(cell.items_read) + " items read, " + figure_text(cell.items_returned) + " returned";
}

std::string served_text(const Cell& cell) {
  return cell.is_served ? requests_text(cell) : std::string("cannot be answered");
}

std::string ratio_of(double more, double less) {
  return less == 0 ? std::string("-") : figure_text(more / less) + "x";
}

std::vector<Claim> one_query_claims() {
  return {
      {"I2", "S1", "one Query against three", "three requests become one",
       "loosely in `profile`: one collection, and three tables",
       [](const Evidence& e) {
         const Cell one = e.cell("profile", "default", "loosely"),
                    three = e.cell("profile", "apart", "loosely");
         return holds_if(one.requests == 1 && three.requests == 3,
                         requests_text(one) + " and " + requests_text(three));
       }},
      {"I2", "S1", "one Query against three", "three times cheaper",
       "units of loosely in `profile` and `large profile`",
       [](const Evidence& e) {
         const Cell one = e.cell("profile", "default", "loosely"),
                    three = e.cell("profile", "apart", "loosely");
         const Cell large = e.cell("large profile", "default", "loosely"),
                    large_three = e.cell("large profile", "apart", "loosely");
         const bool is_small = three.read_units >= 2.5 * one.read_units;
         const bool is_large = large_three.read_units >= 2.5 * large.read_units;
         const std::string figure =
             "items of some 50 bytes: " + figure_text(one.read_units) + " against " +
             figure_text(three.read_units) + " units, " + ratio_of(three.read_units, one.read_units) +
             "; of 4 KB: " + figure_text(large.read_units) + " against " +
             figure_text(large_three.read_units) + ", " + ratio_of(large_three.read_units, large.read_units) +
             ": bytes decide, and requests only through rounding up";
         return is_large ? holds_if(is_small, figure) : partly_if(is_small, figure);
       }},
      {"I2", "S1", "one Query against three", "3 to 10 times faster",
       "rounds of loosely in `profile`: requests that wait for each other",
       [](const Evidence& e) {
         const Cell one = e.cell("profile", "default", "loosely"),
                    three = e.cell("profile", "apart", "loosely");
         return holds_if(three.rounds >= 3 * one.rounds,
                         figure_text(one.rounds) + " round against " + figure_text(three.rounds) +
                             ": the three know their keys and go out together; in this process " +
                             figure_text(one.latency_us) + " against " + figure_text(three.latency_us) +
                             " us, one after the other");
       }},
      {"I6 K3", "S1 S3", "item collection", "+ parent and children from one Query", "everything in `profile`",
       [](const Evidence& e) {
         const Cell cell = e.cell("profile", "default", "everything");
         return holds_if(cell.requests == 1 && cell.items_read == cell.items_returned,
                         requests_text(cell) + ", " + read_text(cell));
       }},
      {"I6 K3", "S1", "item collection", "+ data locality: what belongs together lies in one partition",
       "loosely in `profile`, and the fullest partition; beside three tables",
       [](const Evidence& e) {
         const Cell cell = e.cell("profile", "default", "loosely"),
                    apart = e.cell("profile", "apart", "loosely");
         const auto fullest = static_cast<double>(e.largest_partition("profile", "default"));
         return holds_if(
             cell.requests == 1 && cell.items_read > 1 && fullest >= cell.items_read && apart.requests > 1,
             figure_text(cell.items_read) + " items of one partition, one after the other, in " +
                 requests_text(cell) + "; in three tables " + requests_text(apart) +
                 " to as many partitions");
       }},
      {"I6 K3", "S1 S3", "item collection", "+ strongly consistent, also of all together",
       "everything in `profile`, which is strong: its units are twice those of loosely",
       [](const Evidence& e) {
         const Cell strong = e.cell("profile", "default", "everything"),
                    loose = e.cell("profile", "default", "loosely");
         return holds_if(strong.is_served && strong.index_read_units == 0,
                         figure_text(strong.read_units) + " units, " + figure_text(loose.read_units) +
                             " where it need not be strong");
       }},
      {"I6 K3", "S1", "item collection", "+ several items change together or not at all",
       "relocate in `profile`: three items",
       [](const Evidence& e) {
         const Cell cell = e.cell("profile", "default", "relocate");
         return holds_if(cell.requests == 1 && cell.items_written == 3,
                         figure_text(cell.items_written) + " items in " + requests_text(cell));
       }},
      {"I6", "S1", "item collection", "transactions are for items of one partition",
       "relocate in `profile`, in three tables",
       [](const Evidence& e) {
         const Cell cell = e.cell("profile", "apart", "relocate");
         return holds_if(
             !cell.is_served || cell.requests > 1,
             figure_text(cell.items_written) + " items of three tables in " + requests_text(cell));
       }},
      {"I6 K3 K11", "S1", "item collection", "+ a kind of children by its prefix, without reading the others",
       "addresses in `profile`",
       [](const Evidence& e) {
         const Cell cell = e.cell("profile", "default", "addresses"),
                    all = e.cell("profile", "default", "loosely");
         return holds_if(cell.items_read == cell.items_returned && cell.items_read < all.items_read,
                         read_text(cell) + "; all are " + figure_text(all.items_read));
       }},
      {"I6 K11", "S1", "Type#ID sort key", "+ one item by its type and id", "address in `profile`",
       [](const Evidence& e) {
         const Cell cell = e.cell("profile", "default", "address");
         return holds_if(cell.requests == 1 && cell.items_read == 1,
                         requests_text(cell) + ", " + read_text(cell));
       }},
      {"I6 K3", "S3", "item collection", "+ children change on their own", "rebuild in `profile`",
       [](const Evidence& e) {
         const Cell cell = e.cell("profile", "default", "rebuild");
         return holds_if(cell.items_written == 1 && cell.write_units == 1,
                         "1 item, " + figure_text(cell.write_units) + " unit");
       }},
      {"I6 K3", "S3", "item collection", "+ thousands of children, in pages", "orders in `customers`",
       [](const Evidence& e) {
         const Cell cell = e.cell("customers", "collection", "orders");
         const int64_t most = e.largest_partition("customers", "collection");
         return holds_if(cell.requests == 1 && cell.items_read <= 101 && most > 1000,
                         "a page is " + requests_text(cell) + " and " + figure_text(cell.items_read) +
                             " items, of " + figure_text(static_cast<double>(most)) + " at most");
       }},
      {"I6 K3", "S1 S3", "item collection", "- a child is not found without its parent",
       "single in `customers`",
       [](const Evidence& e) {
         const Cell cell = e.cell("customers", "collection", "single");
         return holds_if(!cell.is_served, "an order by its id: " + served_text(cell));
       }},
      {"I6 K3", "S1", "item collection", "- it leads in one direction", "customerOf in `customers`",
       [](const Evidence& e) {
         const Cell cell = e.cell("customers", "collection", "customerOf"),
                    with_index = e.cell("customers", "both_ways", "customerOf");
         return holds_if(!cell.is_served && with_index.is_served,
                         "an order's customer: " + served_text(cell) + "; with an index by order " +
                             served_text(with_index));
       }},
      {"I6 K3", "S3", "item collection", "- no order by an attribute of the children",
       "largest in `customers`",
       [](const Evidence& e) {
         const Cell cell = e.cell("customers", "collection", "largest");
         return holds_if(!cell.is_served, "the five largest orders: " + served_text(cell));
       }},
      {"I6", "S1", "item collection", "- 10 GB at most under one partition key",
       "tables that are let grow to 20 KB, with a local index and without one",
       [](const Evidence& e) {
         const std::string figure = std::string("with a local index ") +
                                    (e.is_collection_limited(true) ? "refused" : "taken") + ", without one " +
                                    (e.is_collection_limited(false) ? "refused" : "taken");
         return e.is_collection_limited(false) ? holds_if(true, figure)
                                               : partly_if(e.is_collection_limited(true), figure);
       }},
      {"I6", "S1", "item collection", "- a partition key that all share takes all the load",
       "the fullest partition of `products`: `shared`, and `items`",
       [](const Evidence& e) {
         const int64_t shared = e.largest_partition("products", "shared"),
                       own = e.largest_partition("products", "items");
         return holds_if(shared > own && own == 1,
                         figure_text(static_cast<double>(shared)) + " products in one partition, and " +
                             figure_text(static_cast<double>(own)) + " under keys of their own");
       }},
      {"I6 K3", "S1", "item collection", "- all children of one lie in one partition: size and heat",
       "the fullest partition of `customers`",
       [](const Evidence& e) {
         const int64_t inside = e.largest_partition("customers", "collection"),
                       outside = e.largest_partition("customers", "index");
         return holds_if(inside > 1000 && outside == 1,
                         figure_text(static_cast<double>(inside)) +
                             " items in one partition; under keys of their own " +
                             figure_text(static_cast<double>(outside)));
       }},
  };
}

std::vector<Claim> embed_claims() {
  return {
      {"I6 K1", "S3", "embedded (complex attribute)", "+ parent and children from one request",
       "everything in `embedded`",
       [](const Evidence& e) {
         const Cell cell = e.cell("embedded", "embed", "everything");
         return holds_if(cell.requests == 1 && cell.items_read == 1,
                         requests_text(cell) + ", " + figure_text(cell.items_read) + " item for " +
                             figure_text(cell.items_returned) + " entities");
       }},
      {"I6 K1", "S3", "embedded (complex attribute)", "+ strongly consistent",
       "everything in `embedded`, which is strong",
       [](const Evidence& e) {
         const Cell cell = e.cell("embedded", "embed", "everything");
         return holds_if(cell.is_served && cell.index_read_units == 0,
                         figure_text(cell.read_units) + " units of the table, none of an index");
       }},
      {"I6 K1", "S3", "embedded (complex attribute)", "+ parent and children change together",
       "relocate in `embedded`",
       [](const Evidence& e) {
         const Cell cell = e.cell("embedded", "embed", "relocate");
         return holds_if(cell.requests == 1,
                         requests_text(cell) + ", and " + figure_text(cell.write_units) +
                             " units, because whole items are rewritten (as a collection " +
                             figure_text(e.cell("embedded", "collection", "relocate").write_units) + ")");
       }},
      {"I6 K1", "S0 S3", "embedded (complex attribute)", "- children cannot be queried on their own",
       "address and inCity in `embedded`; inCity in `profile` with an index by city",
       [](const Evidence& e) {
         const Cell one = e.cell("embedded", "embed", "address"),
                    city = e.cell("embedded", "embed", "inCity");
         return holds_if(!one.is_served && !city.is_served,
                         "an address by its id: " + served_text(one) + "; by its city: " + served_text(city) +
                             ", as an item with an index " +
                             served_text(e.cell("profile", "cities", "inCity")));
       }},
      {"I6 K1", "S0 S3", "embedded (complex attribute)", "- 400 KB for all of them",
       "20 addresses of 30 KB in `too much embedded`",
       [](const Evidence& e) {
         const std::string why = e.rejection("too much embedded", "embed");
         return holds_if(!why.empty(), why.empty() ? "they fit" : why);
       }},
      {"I6 K1", "S3", "embedded (complex attribute)", "- all of it is read for a part",
       "units of addresses in `embedded`, beside the collection",
       [](const Evidence& e) {
         const Cell cell = e.cell("embedded", "embed", "addresses"),
                    items = e.cell("embedded", "collection", "addresses");
         return holds_if(cell.read_units > items.read_units,
                         figure_text(cell.read_units) + " units for the whole item, " +
                             figure_text(items.read_units) +
                             " for the addresses alone (what is sent can be less: a projection)");
       }},
  };
}

std::vector<Claim> index_claims() {
  return {
      {"I6 K4", "S3", "index", "+ both directions", "orders and customerOf in `customers`",
       [](const Evidence& e) {
         const Cell many = e.cell("customers", "index", "orders"),
                    one = e.cell("customers", "index", "customerOf");
         return holds_if(many.is_served && one.is_served, "orders of a customer " + served_text(many) +
                                                              ", customer of an order " + served_text(one));
       }},
      {"I6 K4", "S3", "index", "+ by an attribute of the child", "withStatus in `customers`",
       [](const Evidence& e) {
         const Cell cell = e.cell("customers", "index", "withStatus");
         return holds_if(cell.requests == 1, "orders of a status " + served_text(cell));
       }},
      {"I6 K4", "S0 S3", "index", "+ the primary key is free for the child's own id", "single in `customers`",
       [](const Evidence& e) {
         const Cell cell = e.cell("customers", "index", "single");
         return holds_if(cell.requests == 1 && cell.index_read_units == 0,
                         served_text(cell) + " of the table");
       }},
      {"I6 K4", "S3", "index", "- reads are eventually consistent", "strongly in `customers`",
       [](const Evidence& e) {
         const Cell cell = e.cell("customers", "index", "strongly"),
                    inside = e.cell("customers", "collection", "strongly");
         return holds_if(
             !cell.is_served && inside.is_served,
             "a strong list of orders " + served_text(cell) + "; in the collection " + served_text(inside));
       }},
      {"I6 K4", "S3", "index", "- writes cost more", "place in `customers`: units of indexes",
       [](const Evidence& e) {
         const Cell cell = e.cell("customers", "index", "place");
         return holds_if(cell.index_write_units > 0, figure_text(cell.index_write_units) + " of " +
                                                         figure_text(cell.write_units) +
                                                         " write units, for two indexes");
       }},
      {"I6 K4", "S3", "index", "- attributes of the index are to be kept with every write",
       "resettle in `profile` and its table's bytes: `cities`, which has an index by city, beside none",
       [](const Evidence& e) {
         const Cell with = e.cell("profile", "cities", "resettle"),
                    without = e.cell("profile", "default", "resettle");
         const auto bytes = static_cast<double>(e.stored("profile", "cities").table_bytes()),
                    plain = static_cast<double>(e.stored("profile", "default").table_bytes());
         return holds_if(
             with.index_write_units > 0 && with.write_units > without.write_units && bytes > plain,
             "another city is " + figure_text(with.write_units) + " units, " +
                 figure_text(with.index_write_units) + " of them in the index, and " +
                 figure_text(without.write_units) + " without it; the table is " + bytes_text(bytes) +
                 " with the attributes of the index, and " + bytes_text(plain) + " without");
       }},
      {"I6 K5", "S0 S3", "hierarchical path", "+ any level by a prefix",
       "tree, projectAndTasks and task in `hierarchy`",
       [](const Evidence& e) {
         const Cell tree = e.cell("hierarchy", "default", "tree"),
                    project = e.cell("hierarchy", "default", "projectAndTasks"),
                    task = e.cell("hierarchy", "default", "task");
         bool is_so = true;
         for (const Cell& each : {tree, project, task})
           is_so = is_so && each.requests == 1 && each.items_read == each.items_returned;
         return holds_if(is_so, "one request each: " + figure_text(tree.items_read) + ", " +
                                    figure_text(project.items_read) + " and " + figure_text(task.items_read) +
                                    " items, none read in vain");
       }},
      {"I6 K5", "S3", "hierarchical path", "- long keys",
       "bytes stored of `methods`: `behind`, beside `inside`",
       [](const Evidence& e) {
         const auto path = static_cast<double>(e.stored("methods", "behind").table_bytes()),
                    plain = static_cast<double>(e.stored("methods", "inside").table_bytes());
         return holds_if(path > plain, bytes_text(path) + " with the parent's sort key in front, " +
                                           bytes_text(plain) + " without");
       }},
      {"I6 K5", "S3", "hierarchical path", "- deep nesting can hit the size limit of sort keys",
       "25 levels with ids of 40 letters in `deep hierarchy`, each in the item of its parent or in a path",
       [](const Evidence& e) {
         const std::string why = e.rejection("deep hierarchy", "path");
         const bool fits_otherwise = e.rejection("deep hierarchy", "default").empty();
         return holds_if(!why.empty() && fits_otherwise, why.empty() ? "they fit" : why);
       }},
      {"I6 K5", "S3", "hierarchical path", "- hard to refactor: nobody moves to another parent",
       "move in `methods`",
       [](const Evidence& e) {
         const Cell cell = e.cell("methods", "behind", "move"), edges = e.cell("methods", "method4", "move");
         return holds_if(
             !cell.is_served && edges.is_served,
             cell.is_served ? requests_text(cell) : "cannot be done; with edges " + requests_text(edges));
       }},
  };
}

}  // namespace

std::vector<Claim> collection_claims() {
  std::vector<Claim> all = one_query_claims();
  for (const auto& part : {embed_claims(), index_claims()}) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace sheaf::measure
