#include "bench/server_report.h"

#include <algorithm>
#include <cstdio>

namespace sheaf::bench {
namespace {

constexpr int kLabelWidth = 46;
constexpr int kColumnWidth = 10;

constexpr const char* kRelaxed = "Sheaf relaxed";
constexpr const char* kDurable = "Sheaf durable";
constexpr const char* kMemory = "Sheaf memory";
constexpr const char* kSigned = "Sheaf signed";
constexpr const char* kUnsigned = "Sheaf unsigned";
constexpr const char* kDynoxide = "Dynoxide memory";
constexpr const char* kDynoxideDisk = "Dynoxide disk";
constexpr const char* kDynalite = "dynalite";

std::string label_of(const Row& row) {
  return row.name + ", " + std::to_string(row.connections) + (row.connections == 1 ? " conn." : " conns.");
}

std::string text_of_rate(double rate) {
  char text[32];
  std::snprintf(text, sizeof(text), rate >= 99'950 ? "%.0fk" : rate >= 9'995 ? "%.1fk" : "%.2fk", rate / 1e3);
  if (rate < 995) std::snprintf(text, sizeof(text), "%.0f", rate);
  return text;
}

std::string text_of_us(double us) {
  char text[32];
  std::snprintf(text, sizeof(text), us < 100 ? "%.1f" : "%.0f", us);
  return text;
}

// Those that have something in a row, the known ones first.
std::vector<std::string> columns_of(const std::vector<Row>& rows) {
  std::vector<std::string> columns = {kEcho,     kEchoReference, kRawRocksdb, kRelaxed,
                                      kDurable,  kMemory,        kUnsigned,   kSigned,
                                      kDynoxide, kDynoxideDisk,  kDynalite};
  for (const Row& row : rows) {
    for (const Row::Cell& cell : row.cells)
      if (std::find(columns.begin(), columns.end(), cell.column) == columns.end())
        columns.push_back(cell.column);
  }
  std::erase_if(columns, [&rows](const std::string& column) {
    return std::none_of(rows.begin(), rows.end(),
                        [&column](const Row& row) { return row.find(column) != nullptr; });
  });
  return columns;
}

// "Sheaf relaxed" in two lines.
void print_heads(const std::string& title, const std::vector<std::string>& columns) {
  std::printf("\n%-*s", kLabelWidth, title.c_str());
  for (const std::string& column : columns)
    std::printf(" %*s", kColumnWidth, column.substr(0, column.find(' ')).c_str());
  std::printf("\n%-*s", kLabelWidth, "");
  for (const std::string& column : columns) {
    const size_t blank = column.find(' ');
    std::printf(" %*s", kColumnWidth, blank == std::string::npos ? "" : column.substr(blank + 1).c_str());
  }
  std::printf("\n");
}

using CellText = std::string (*)(const Row::Cell& cell);

std::string rate_text(const Row::Cell& cell) { return text_of_rate(cell.rate()); }
std::string cpu_text(const Row::Cell& cell) {
  const std::optional<double> us = cell.cpu_us();
  return us ? text_of_us(*us) : "?";
}

void print_table(const std::string& title, const std::vector<Row>& rows, CellText text) {
  const std::vector<std::string> columns = columns_of(rows);
  print_heads(title, columns);
  for (const Row& row : rows) {
    std::printf("%-*s", kLabelWidth, label_of(row).c_str());
    for (const std::string& column : columns) {
      const Row::Cell* const cell = row.find(column);
      std::printf(" %*s", kColumnWidth, cell == nullptr ? "-" : text(*cell).c_str());
    }
    std::printf("\n");
  }
}

// The forms of PostgreSQL have long names: a line for each, and the numbers of connections side by side.
void print_postgres(const std::vector<Row>& rows) {
  if (rows.empty()) return;
  std::printf("\n%-*s", kLabelWidth, rows.front().name.c_str());
  for (const char* const what : {"/s", "us"}) {
    for (const Row& row : rows)
      std::printf(" %*s", kColumnWidth, (std::to_string(row.connections) + " c., " + what).c_str());
  }
  std::printf("\n");
  for (size_t form = 0; form < rows.front().cells.size(); ++form) {
    std::printf("%-*s", kLabelWidth, rows.front().cells[form].column.c_str());
    for (const CellText text : {rate_text, cpu_text})
      for (const Row& row : rows) std::printf(" %*s", kColumnWidth, text(row.cells[form]).c_str());
    std::printf("\n");
  }
}

void record_rows(const std::vector<Row>& rows, Figures& figures) {
  for (const Row& row : rows) {
    for (const Row::Cell& cell : row.cells) {
      const std::string name =
          row.name + ", " + std::to_string(row.connections) + " connections, " + cell.column;
      figures.record(name, cell.rate(), "1/s");
      if (const std::optional<double> us = cell.cpu_us()) figures.record(name + ", CPU", *us, "us");
      if (cell.client_cpu_us() > 0) figures.record(name + ", CPU of the client", cell.client_cpu_us(), "us");
    }
  }
}

// ---- Goals. A figure is there if both of its sides were measured.

std::optional<double> rate(const Findings& findings, std::string_view experiment, std::string_view column) {
  const Row* const row = findings.find(experiment);
  const Row::Cell* const cell = row == nullptr ? nullptr : row->find(column);
  if (cell == nullptr) return std::nullopt;
  return cell->rate();
}

std::optional<double> cpu_us(const Findings& findings, std::string_view experiment, std::string_view column) {
  const Row* const row = findings.find(experiment);
  const Row::Cell* const cell = row == nullptr ? nullptr : row->find(column);
  return cell == nullptr ? std::nullopt : cell->cpu_us();
}

struct RatioGoal {
  const char* experiment;
  const char* name;
  const char* column;
  const char* other;
  double at_least;  // 0: no goal
};

constexpr RatioGoal kRatioGoals[] = {
    {"get", "GetItem / echo of 1 KB", kRelaxed, kEchoReference, 0.35},
    {"put", "PutItem / echo of 1 KB", kRelaxed, kEchoReference, 0.22},
    {"query", "Query of 100 / echo of 1 KB", kRelaxed, kEchoReference, 0.06},
    {"query", "Query of 100 / echo of its sizes", kRelaxed, kEcho, 0},
    {"order", "order with 5 children / echo of 1 KB", kRelaxed, kEchoReference, 0.25},
    {"transact", "TransactWriteItems of 3 / echo of 1 KB", kRelaxed, kEchoReference, 0.08},
    {"batch-get", "BatchGetItem of 25 / echo of its sizes", kRelaxed, kEcho, 0},
    {"durable", "durable PutItem / raw RocksDB, synced", kDurable, kRawRocksdb, 0.8},
    {"get", "GetItem / Dynoxide", kRelaxed, kDynoxide, 10},
    {"put", "PutItem / Dynoxide", kRelaxed, kDynoxide, 10},
    {"query", "Query of 100 / Dynoxide", kRelaxed, kDynoxide, 15},
    {"order", "order with 5 children / Dynoxide", kRelaxed, kDynoxide, 0},
    {"transact", "TransactWriteItems of 3 / Dynoxide", kRelaxed, kDynoxide, 0},
    {"batch-get", "BatchGetItem of 25 / Dynoxide", kRelaxed, kDynoxide, 0},
    {"durable", "durable PutItem / Dynoxide on disk", kDurable, kDynoxideDisk, 0},
    {"get", "GetItem / dynalite", kRelaxed, kDynalite, 0},
    {"put", "PutItem / dynalite", kRelaxed, kDynalite, 0},
    {"query", "Query of 100 / dynalite", kRelaxed, kDynalite, 0},
    {"order", "order with 5 children / dynalite", kRelaxed, kDynalite, 0},
    {"batch-get", "BatchGetItem of 25 / dynalite", kRelaxed, kDynalite, 0},
};

void add_ratios(const Findings& findings, Figures& figures) {
  for (const RatioGoal& goal : kRatioGoals) {
    const std::optional<double> ours = rate(findings, goal.experiment, goal.column);
    const std::optional<double> theirs = rate(findings, goal.experiment, goal.other);
    if (!ours || !theirs) continue;
    if (goal.at_least > 0) {
      figures.at_least(goal.name, *ours / *theirs, "ratio", goal.at_least);
    } else {
      figures.note(goal.name, *ours / *theirs, "ratio");
    }
  }
}

void add_cpu_goals(const Findings& findings, Figures& figures) {
  struct BeyondGoal {
    const char* experiment;
    const char* name;
    double at_most_us;
  };
  for (const BeyondGoal& goal : {BeyondGoal{"get", "GetItem, CPU beyond echo + raw Get", 4},
                                 BeyondGoal{"put", "PutItem, CPU beyond echo + raw Get and batch", 6}}) {
    const std::optional<double> ours = cpu_us(findings, goal.experiment, kRelaxed);
    const std::optional<double> echo = cpu_us(findings, goal.experiment, kEcho);
    const std::optional<double> raw = cpu_us(findings, goal.experiment, kRawRocksdb);
    if (ours && echo && raw) figures.at_most(goal.name, *ours - *echo - *raw, "us", goal.at_most_us);
  }
  for (const BeyondGoal& goal : {BeyondGoal{"signed-get", "GetItem, CPU of verifying a signature", 5},
                                 BeyondGoal{"signed-put", "PutItem, CPU of verifying a signature", 5}}) {
    const std::optional<double> verifying = cpu_us(findings, goal.experiment, kSigned);
    const std::optional<double> believing = cpu_us(findings, goal.experiment, kUnsigned);
    if (verifying && believing) figures.at_most(goal.name, *verifying - *believing, "us", goal.at_most_us);
  }
}

void add_postgres_goal(const Findings& findings, Figures& figures) {
  const std::optional<double> ours = rate(findings, "order", kRelaxed);
  for (const Row& row : findings.postgres) {
    if (row.connections != kGoalConnections || !ours) continue;
    const auto best = std::max_element(
        row.cells.begin(), row.cells.end(),
        [](const Row::Cell& left, const Row::Cell& right) { return left.rate() < right.rate(); });
    figures.at_least("order / PostgreSQL's best: " + best->column, *ours / best->rate(), "ratio", 1.0);
  }
}

void add_bulk_times(const Findings& findings, Figures& figures) {
  for (const Row& row : findings.rows) {
    if (row.experiment != "bulk") continue;
    for (const Row::Cell& cell : row.cells) {
      std::vector<double> times;
      for (const Sample& sample : cell.rounds) times.push_back(sample.seconds);
      figures.note("bulk load, " + cell.column, median(std::move(times)), "s");
    }
  }
}

void add_cold_start(const Findings& findings, Figures& figures) {
  if (findings.cold_starts.empty()) return;
  std::vector<double> times, sizes;
  for (const ColdStart& start : findings.cold_starts) {
    times.push_back(start.milliseconds);
    sizes.push_back(start.resident_megabytes);
  }
  figures.at_most("cold start on an empty directory", median(std::move(times)), "ms", 50);
  figures.at_most("idle memory", median(std::move(sizes)), "MB", 30);
}

}  // namespace

void print_tables(const Findings& findings, const Fleet& fleet) {
  if (!findings.rows.empty()) {
    print_table("operations a second", findings.rows, rate_text);
    print_table("the server's CPU for one, us", findings.rows, cpu_text);
    print_postgres(findings.postgres);
    std::printf("\nWho they are, and what an acknowledged write survives:\n");
    for (const auto& [name, durability] : fleet.legend())
      std::printf("  %-16s %s\n", name.c_str(), durability.c_str());
  }
  if (const Row* const row = findings.find("get"))
    if (const Row::Cell* const cell = row->find(kEcho))
      std::printf("The load generator itself takes %.1f us of CPU for a GetItem.\n", cell->client_cpu_us());
  for (const std::string& note : fleet.notes()) std::printf("note: %s\n", note.c_str());
}

void add_figures(const Findings& findings, Figures& figures) {
  record_rows(findings.rows, figures);
  record_rows(findings.postgres, figures);
  add_ratios(findings, figures);
  add_cpu_goals(findings, figures);
  add_postgres_goal(findings, figures);
  add_bulk_times(findings, figures);
  add_cold_start(findings, figures);
}

}  // namespace sheaf::bench
