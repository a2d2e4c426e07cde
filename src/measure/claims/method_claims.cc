#include "base/text_table.h"
#include "measure/claims/claim.h"
#include "measure/figure_text.h"

namespace sheaf::measure {
namespace {

constexpr std::string_view kMethodsOf = "methods";

Cell of_method(const Evidence& evidence, std::string_view layout, std::string_view subject) {
  return evidence.cell(kMethodsOf, layout, subject);
}

// 1 request, 7.4 units
std::string taken(const Cell& cell) {
  if (!cell.is_served) return "cannot be done";
  return figure_text(cell.requests) + (cell.requests == 1 ? " request, " : " requests, ") +
         figure_text(cell.read_units + cell.write_units) + " units";
}

std::string written(const Cell& cell) {
  return taken(cell) + ", " + figure_text(cell.items_written) + " items written";
}

double bytes_of(const Evidence& evidence, std::string_view layout) {
  return static_cast<double>(evidence.stored(kMethodsOf, layout).bytes());
}

double units_of(const Cell& cell) { return cell.read_units + cell.write_units; }

// A delete and a create, in one request; in part, if there is another one before it.
Judgement reassigned(const Cell& cell, std::string figure) {
  const bool is_pair = cell.items_written > 1 && cell.items_written <= 2;
  return cell.requests > 1 ? partly_if(is_pair, std::move(figure)) : holds_if(is_pair, std::move(figure));
}

std::vector<Claim> grid_claims() {
  return {
      {"I1", "S4", "method 1 (foreign key and index)", "reassign is easy: one field changes",
       "move in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method1", "move");
         return holds_if(cell.requests == 1 && cell.items_written <= 1, written(cell));
       }},
      {"I1", "S4", "method 1 (foreign key and index)",
       "list many is easy: one Query of the index, with detail", "team in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method1", "team");
         return holds_if(cell.requests == 1 && cell.index_read_units > 0, taken(cell));
       }},
      {"I1", "S4", "method 1 (foreign key and index)", "fetch one is medium: two gets", "home in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method1", "home");
         return holds_if(cell.requests == 2 && cell.rounds == 2, taken(cell));
       }},
      {"I1", "S4", "method 1 (foreign key and index)",
       "many relations are bad: a field and an index for each",
       "indexes of `methods`, which has three relations",
       [](const Evidence& e) {
         const size_t count = e.indexes(kMethodsOf, "method1");
         return holds_if(count == 3, std::to_string(count) + " indexes for 3 relations");
       }},
      {"I1", "S4", "method 2 (and copies)", "reassign is medium: the copied fields change with the key",
       "move in `methods`, beside method 1",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method2", "move"), plain = of_method(e, "method1", "move");
         return holds_if(cell.requests > plain.requests && units_of(cell) > units_of(plain),
                         taken(cell) + ", and not " + taken(plain));
       }},
      {"I1", "S4", "method 2 (and copies)", "list many is easy: one Query of the index, with detail",
       "team in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method2", "team");
         return holds_if(cell.requests == 1, taken(cell));
       }},
      {"I1", "S4", "method 2 (and copies)", "fetch one is easy: one get brings the department's detail",
       "home in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method2", "home");
         return holds_if(cell.requests == 1, taken(cell));
       }},
      {"I1", "S4", "method 2 (and copies)", "many relations are bad, as in method 1", "indexes of `methods`",
       [](const Evidence& e) {
         const size_t count = e.indexes(kMethodsOf, "method2");
         return holds_if(count == 3, std::to_string(count) + " indexes for 3 relations");
       }},
      {"I1", "S4", "method 3 (edges, pk the one side)",
       "reassign is easy: a delete and a create in one transaction", "move in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method3", "move"), plain = of_method(e, "method1", "move");
         return reassigned(cell,
                           written(cell) + ": the old edge is found first; method 1 takes " + taken(plain));
       }},
      {"I1", "S4", "method 3 (edges, pk the one side)",
       "list many is easy: one Query; with detail one BatchGetItem more", "teamIds and team in `methods`",
       [](const Evidence& e) {
         const Cell ids = of_method(e, "method3", "teamIds"), cell = of_method(e, "method3", "team");
         return holds_if(ids.requests == 1 && cell.requests == 2,
                         "ids " + taken(ids) + "; detail " + taken(cell) + " (a BatchGetItem holds 100)");
       }},
      {"I1", "S4", "method 3 (edges, pk the one side)", "fetch one takes a Query of the index and a get",
       "home in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method3", "home");
         return holds_if(cell.requests == 2 && cell.index_read_units > 0, taken(cell));
       }},
      {"I1 K9", "S4", "method 3 (edges, pk the one side)",
       "many relations are best: no new field, no new index", "indexes of `methods`",
       [](const Evidence& e) {
         const size_t count = e.indexes(kMethodsOf, "method3");
         return holds_if(count == 1, std::to_string(count) + " index for 3 relations");
       }},
      {"I1", "S4", "method 4 (edges, pk the many side)", "reassign is easy, as in method 3",
       "move in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method4", "move"), plain = of_method(e, "method1", "move");
         return reassigned(cell, written(cell) + "; method 1 takes " + taken(plain));
       }},
      {"I1", "S4", "method 4 (edges, pk the many side)",
       "list many is easy: one Query of the index; with detail one BatchGetItem more",
       "teamIds and team in `methods`",
       [](const Evidence& e) {
         const Cell ids = of_method(e, "method4", "teamIds"), cell = of_method(e, "method4", "team");
         return holds_if(ids.requests == 1 && ids.index_read_units > 0 && cell.requests == 2,
                         "ids " + taken(ids) + "; detail " + taken(cell));
       }},
      {"I1", "S4", "method 4 (edges, pk the many side)", "fetch one takes a Query of the index and a get",
       "home in `methods`: units of indexes",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method4", "home");
         return holds_if(cell.index_read_units > 0,
                         taken(cell) + ", " + figure_text(cell.index_read_units) +
                             " of them in an index: the table itself answers it, as the document's own table "
                             "shows");
       }},
      {"I1 K9", "S4", "method 4 (edges, pk the many side)", "many relations are best: one index in all",
       "indexes of `methods`",
       [](const Evidence& e) {
         const size_t count = e.indexes(kMethodsOf, "method4");
         return holds_if(count == 1, std::to_string(count) + " index for 3 relations");
       }},
      {"I1 K9", "S4", "method 4 (edges, pk the many side)",
       "it does not differ from method 3 in what matters", "home in `methods`: units of indexes",
       [](const Evidence& e) {
         const Cell three = of_method(e, "method3", "home"), four = of_method(e, "method4", "home");
         return holds_if(three.index_read_units == four.index_read_units,
                         "an employee's department is found by the table in method 4 (" +
                             figure_text(four.index_read_units) +
                             " index units), by an index that may lag in "
                             "method 3 (" +
                             figure_text(three.index_read_units) + ")");
       }},
  };
}

std::vector<Claim> price_claims() {
  return {
      {"I3 I6 K2", "S3", "copies of the parent (method 2)", "- storage grows", "bytes stored of `methods`",
       [](const Evidence& e) {
         const double copies = bytes_of(e, "method2"), plain = bytes_of(e, "method1");
         return holds_if(copies > plain, bytes_text(copies) + " with copies, " + bytes_text(plain) +
                                             " without: " + figure_text(copies / plain) + "x");
       }},
      {"I3", "S3", "edges (methods 3 and 4)", "- extra items take storage",
       "items and bytes stored of `methods`",
       [](const Evidence& e) {
         const double edges = bytes_of(e, "method4"), plain = bytes_of(e, "method1");
         return holds_if(edges > plain,
                         figure_text(static_cast<double>(e.stored(kMethodsOf, "method4").items())) +
                             " items, " + bytes_text(edges) + "; with keys on employees " +
                             figure_text(static_cast<double>(e.stored(kMethodsOf, "method1").items())) +
                             ", " + bytes_text(plain));
       }},
      {"I4 I6 K4", "S3 S4", "an index (methods 1 and 2)", "- every index adds to the cost of writes",
       "hire and move in `methods`, beside `references`, which has none",
       [](const Evidence& e) {
         const Cell hire = of_method(e, "method1", "hire"), move = of_method(e, "method1", "move");
         const Cell plain_hire = of_method(e, "references", "hire"),
                    plain_move = of_method(e, "references", "move");
         return holds_if(hire.index_write_units > 0 && units_of(hire) > units_of(plain_hire) &&
                             units_of(move) > units_of(plain_move),
                         "hire " + figure_text(units_of(hire)) + " units (" +
                             figure_text(hire.index_write_units) + " in indexes), without index " +
                             figure_text(units_of(plain_hire)) + "; move " + figure_text(units_of(move)) +
                             " and " + figure_text(units_of(plain_move)));
       }},
      {"I4", "S4", "an index (methods 1 and 2)", "every index adds to the cost of reads, too",
       "home in `methods`, which reads no index, beside `references`",
       [](const Evidence& e) {
         const Cell with = of_method(e, "method1", "home"), without = of_method(e, "references", "home");
         return holds_if(units_of(with) > units_of(without),
                         figure_text(units_of(with)) + " units with three indexes, " +
                             figure_text(units_of(without)) +
                             " with none: only who reads an index pays for it");
       }},
      {"I5 I6 K2", "S0 S3 S4", "copies of the parent (method 2)",
       "- every child is rewritten when the parent changes", "rename in `methods`, beside method 1",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method2", "rename"), plain = of_method(e, "method1", "rename");
         return holds_if(cell.copies > 0 && cell.items_written >= plain.items_written + cell.copies,
                         written(cell) + "; without copies " + written(plain));
       }},
      {"I5", "S3", "copies of the parent (method 2)",
       "worth it for data that is read often and changes rarely",
       "rename's extra units over the units that a read of home saves, in `methods`",
       [](const Evidence& e) {
         const double extra =
             units_of(of_method(e, "method2", "rename")) - units_of(of_method(e, "method1", "rename"));
         const double saved =
             units_of(of_method(e, "method1", "home")) - units_of(of_method(e, "method2", "home"));
         return holds_if(extra > 0 && saved > 0, "a read saves " + figure_text(saved) +
                                                     " units and 1 request, a change costs " +
                                                     figure_text(extra) + " more: even at " +
                                                     figure_text(extra / saved) + " reads a change");
       }},
      {"I6 K2", "S3", "copies of the parent (method 2)", "+ no request for the parent", "home in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method2", "home"), plain = of_method(e, "method1", "home");
         return holds_if(cell.requests < plain.requests, taken(cell) + ", and not " + taken(plain));
       }},
      {"I6 K2", "S3", "copies of the parent (method 2)", "- they can be stale",
       "rename in `methods`: requests after the one that changes the parent",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method2", "rename");
         return holds_if(cell.requests > 1, figure_text(cell.copies) + " copies follow in " +
                                                figure_text(cell.requests - 1) +
                                                " requests after it: until then a read sees the old name");
       }},
      {"I6 K8", "S3", "foreign keys, normalised (method 1)",
       "+ no duplication: the parent changes in one item", "rename in `methods`",
       [](const Evidence& e) {
         const Cell cell = of_method(e, "method1", "rename");
         return holds_if(cell.items_written == 1 && cell.requests == 1, written(cell));
       }},
  };
}

// What the document says of a method: easy, easy, medium, bad.
struct MethodVerdicts {
  std::string_view method;  // as claims begin
  std::string_view layout;
  std::string_view verdicts[4];
};
constexpr MethodVerdicts kMethodVerdicts[] = {
    {"method 1", "method1", {"easy", "easy", "medium", "bad"}},
    {"method 2", "method2", {"medium", "easy", "easy", "bad"}},
    {"method 3", "method3", {"easy", "easy", "easy", "best"}},
    {"method 4", "method4", {"easy", "easy", "easy", "best"}},
};
// As claims begin, with what was run for it; none: the indexes are counted.
constexpr std::pair<std::string_view, std::string_view> kMethodOperations[4] = {
    {"reassign", "move"}, {"list many", "team"}, {"fetch one", "home"}, {"many relations", ""}};

std::string grid_figure(const Evidence& evidence, std::string_view layout, std::string_view subject) {
  if (subject.empty()) {
    const size_t count = evidence.indexes(kMethodsOf, layout);
    return std::to_string(count) + (count == 1 ? " index" : " indexes");
  }
  const Cell cell = of_method(evidence, layout, subject);
  return cell.is_served ? figure_text(cell.requests) + " / " + figure_text(units_of(cell)) : "-";
}

// What the claim of a cell came to, in one sign.
std::string_view grid_sign(const Evidence& evidence, std::string_view method, std::string_view operation) {
  for (const Claim& each : grid_claims()) {
    if (!each.about.starts_with(method) || !each.statement.starts_with(operation)) continue;
    const Verdict verdict = each.judge(evidence).verdict;
    return verdict == Verdict::kContradicted ? " !" : verdict == Verdict::kPartly ? " ~" : "";
  }
  return "";
}

}  // namespace

std::string method_grid(const Evidence& evidence) {
  TextTable table({false, false, false, false, false});
  std::vector<std::string> heads{""};
  for (const auto& operation : kMethodOperations) heads.emplace_back(operation.first);
  table.add(std::move(heads));
  for (const MethodVerdicts& each : kMethodVerdicts) {
    std::vector<std::string> cells{std::string(each.method)};
    for (size_t i = 0; i < std::size(kMethodOperations); ++i) {
      const auto& [operation, subject] = kMethodOperations[i];
      cells.push_back(std::string(each.verdicts[i]) + ": " + grid_figure(evidence, each.layout, subject) +
                      std::string(grid_sign(evidence, each.method, operation)));
    }
    table.add(std::move(cells));
  }
  return "What S4 says of four methods, with requests / units of one run\n" + table.text() +
         "~ holds in part, ! is contradicted: below\n";
}

std::vector<Claim> method_claims() {
  std::vector<Claim> all = grid_claims();
  for (const Claim& each : price_claims()) all.push_back(each);
  return all;
}

}  // namespace sheaf::measure
