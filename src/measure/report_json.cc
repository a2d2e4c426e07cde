#include <cstdio>

#include "language/json_writer.h"
#include "measure/report.h"
#include "run/plain_json.h"

namespace sheaf::measure {
namespace {

class ReportJson {
 public:
  explicit ReportJson(const Comparison& comparison) : comparison_(comparison) {}

  std::string run(const ReportHead& head) {
    out_.object([&] {
      text("model", head.model);
      text("data", head.data);
      text("store", head.store);
      number("runs", static_cast<double>(head.runs));
      number("answers_compared", static_cast<double>(comparison_.answers_compared));
      out_.member("mix");
      out_.object([&] {
        for (size_t i = 0; i < comparison_.script.subjects.size(); ++i)
          number(comparison_.script.subjects[i].name, comparison_.weights[i]);
      });
      out_.member("layouts");
      out_.array([&] {
        for (const Contestant& each : comparison_.contestants) write(each);
      });
      out_.member("not_measured");
      out_.array([&] {
        for (const Rejected& each : comparison_.rejected) {
          out_.object([&] {
            text("name", each.name);
            text("reason", each.reason);
          });
        }
      });
      out_.member("differences");
      out_.array([&] {
        for (const Difference& each : comparison_.differences) write(each);
      });
    });
    return out_.take();
  }

 private:
  void text(std::string_view name, std::string_view value) {
    out_.member(name);
    out_.text(value);
  }
  void number(std::string_view name, double value) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.10g", value);
    out_.member(name);
    out_.word(digits);
  }
  void list(std::string_view name, const std::vector<std::string>& values) {
    out_.member(name);
    out_.array([&] {
      for (const std::string& each : values) out_.text(each);
    });
  }

  void write(const Contestant& each) {
    static constexpr std::string_view kFreed[] = {"nothing", "own keys", "all keys"};
    out_.object([&] {
      text("name", each.candidate.name);
      text("keys_left_to_sheaf", kFreed[static_cast<size_t>(each.candidate.freed)]);
      if (!each.candidate.text.empty()) text("text", each.candidate.text);
      list("unserved", each.unserved);
      list("shortfalls", each.shortfalls);
      out_.member("mix");
      out_.object([&] {
        const Summary& sum = each.summary;
        number("requests", sum.requests);
        number("rounds", sum.rounds);
        number("read_units", sum.read_units);
        number("write_units", sum.write_units);
        number("items_read", sum.items_read);
        number("items_returned", sum.items_returned);
        number("items_a_write", sum.items_a_write);
        number("units_a_write", sum.units_a_write);
        number("latency_us", sum.latency_us);
      });
      out_.member("ratio_to_best");
      out_.object([&] {
        for (const auto& [criterion, name] : kCriteria) {
          const double best = comparison_.best(criterion);
          number(name, best <= 0 ? 1 : figure(each.summary, criterion) / best);
        }
      });
      out_.member("stored");
      out_.array([&] {
        for (const StoredTable& table : each.trial.before.tables) write(table);
      });
      out_.member("subjects");
      out_.array([&] {
        for (size_t i = 0; i < each.trial.measured.size(); ++i)
          write(comparison_.script.subjects[i], each.trial.measured[i]);
      });
    });
  }

  void write(const StoredTable& table) {
    out_.object([&] {
      text("table", table.table.name);
      number("items", static_cast<double>(table.table.items));
      number("bytes", static_cast<double>(table.table.bytes));
      out_.member("indexes");
      out_.array([&] {
        for (const StoredView& index : table.indexes) {
          out_.object([&] {
            text("index", index.name);
            number("items", static_cast<double>(index.items));
            number("bytes", static_cast<double>(index.bytes));
          });
        }
      });
    });
  }

  // Means of one run.
  void write(const Subject& subject, const Measured& one) {
    static constexpr std::string_view kKinds[] = {"pattern", "operation", "basic"};
    const auto mean = [&](std::string_view name, auto sum) {
      number(name, one.mean(static_cast<double>(sum)));
    };
    out_.object([&] {
      text("name", subject.name);
      text("kind", kKinds[static_cast<size_t>(subject.kind)]);
      number("runs", static_cast<double>(one.runs));
      number("refused", static_cast<double>(one.refused));
      if (one.refused > 0) text("refusal", one.refusal);
      number("unserved", static_cast<double>(one.unserved));
      mean("requests", one.usage.requests);
      mean("rounds", one.rounds);
      mean("read_units", one.usage.read_units());
      mean("write_units", one.usage.write_units());
      mean("items_read", one.usage.items_read);
      mean("items_returned", one.items_returned);
      mean("items_written", one.usage.items_written);
      mean("bytes_read", one.usage.bytes_read);
      mean("copies", one.copies);
      if (one.is_planned) {
        out_.member("planned");
        out_.object([&] {
          mean("requests", one.planned.requests);
          mean("rounds", one.planned.rounds);
          mean("units", one.planned.units);
        });
      }
      out_.member("latency_us");
      out_.object([&] {
        number("least", one.latency_us(0));
        number("median", one.latency_us(0.5));
        number("p95", one.latency_us(0.95));
        number("p99", one.latency_us(0.99));
        number("most", one.latency_us(1));
      });
    });
  }

  void write(const Difference& each) {
    out_.object([&] {
      text("layout", each.contestant);
      text("subject", each.subject);
      out_.member("arguments");
      out_.array([&] {
        for (const Value& argument : each.arguments) out_.word(run::to_plain_json(argument));
      });
      text("other", each.other);
      text("expected", each.expected);
      text("found", each.found);
    });
  }

  const Comparison& comparison_;
  language::JsonWriter out_;
};

}  // namespace

std::string report_json(const ReportHead& head, const Comparison& comparison) {
  return ReportJson(comparison).run(head);
}

}  // namespace sheaf::measure
