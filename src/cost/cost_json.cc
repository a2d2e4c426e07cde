#include "cost/cost_report.h"
#include "cost/rate.h"
#include "language/json_writer.h"

namespace sheaf::cost {
namespace {

class CostWriter {
 public:
  explicit CostWriter(const CostReport& report) : report_(report) {}

  std::string run() {
    writer_.object([&] {
      text("model", report_.model);
      text("measured_on", report_.data);
      writer_.member("prices");
      prices();
      writer_.member("layouts");
      writer_.array([&] {
        for (const LayoutCost& layout : report_.layouts) write(layout);
      });
      if (report_.unpriced.empty()) return;
      writer_.member("unpriced");
      writer_.array([&] {
        for (const CostReport::Unpriced& each : report_.unpriced) {
          writer_.object([&] {
            text("name", each.name);
            text("reason", each.reason);
          });
        }
      });
    });
    return writer_.take();
  }

 private:
  void text(std::string_view name, std::string_view value) {
    writer_.member(name);
    writer_.text(value);
  }
  void word(std::string_view name, std::string_view value) {
    writer_.member(name);
    writer_.word(value);
  }
  void number(std::string_view name, uint64_t value) { word(name, std::to_string(value)); }

  void prices() {
    const Prices& prices = report_.prices;
    writer_.object([&] {
      text("region", prices.region);
      text("date", prices.date);
      text("source", prices.source);
      text("currency", prices.currency);
      number("hours_per_month", prices.hours_per_month);
      number("item_overhead_bytes", prices.item_overhead_bytes);
      text("class", report_.layouts.front().on_demand.options.table_class == TableClass::kStandard
                        ? "standard"
                        : "infrequent_access");
    });
  }

  void write(const LayoutCost& layout) {
    writer_.object([&] {
      text("layout", layout.layout);
      writer_.member("work");
      writer_.array([&] {
        for (const Work& work : layout.works) write(layout, work);
      });
      writer_.member("stored");
      writer_.array([&] {
        for (const StorageFigures& stored : layout.stored) write(stored);
      });
      writer_.member("bills");
      writer_.array([&] {
        write(layout.on_demand);
        write(layout.provisioned);
      });
      writer_.member("unserved");
      writer_.array([&] {
        for (const std::string& each : layout.unserved) writer_.text(each);
      });
    });
  }

  void write(const LayoutCost& layout, const Work& work) {
    writer_.object([&] {
      text("name", work.name);
      text("kind", work.is_operation ? "operation" : "pattern");
      if (work.per_second) text("rate", rate_text(*work.per_second));
      number("runs", work.runs);
      number("tried", work.tried);
      number("refused", work.refused);
      if (work.refused > 0) text("refusal", work.refusal);
      const auto million =
          millionths_for_a_million(report_.prices, layout.on_demand.options.table_class, work);
      if (million) text("a_million_runs", money_text(*million));
      writer_.member("units_a_run");
      writer_.array([&] {
        for (const auto& each : work.used) {
          writer_.object([&] {
            name(each.first);
            text("reads", (Fraction(each.second.reads) / Fraction(2 * work.runs)).text(9));
            text("writes", (Fraction(each.second.writes) / Fraction(2 * work.runs)).text(9));
          });
        }
      });
    });
  }

  void name(const Resource& resource) {
    text("table", resource.table);
    if (!resource.index.empty()) text("index", resource.index);
  }

  void write(const StorageFigures& stored) {
    writer_.object([&] {
      name(stored.all.resource);
      text("how", report_.is_sample ? "estimated" : "measured");
      number("items", stored.all.items);
      number("bytes", stored.all.bytes);
      number("items_loaded", stored.loaded.items);
      number("bytes_loaded", stored.loaded.bytes);
      writer_.member("largest_collection");
      writer_.object([&] {
        text("key", stored.largest.key);
        number("items", stored.largest.items);
        number("bytes", stored.largest.bytes);
      });
    });
  }

  void write(const Bill& bill) {
    writer_.object([&] {
      text("mode", bill.options.mode == Mode::kOnDemand ? "on_demand" : "provisioned");
      text("total", money_text(bill.total()));
      writer_.member("lines");
      writer_.array([&] {
        for (const BillLine& line : bill.lines) write(line);
      });
      if (bill.options.mode == Mode::kOnDemand) return;
      writer_.member("capacity");
      writer_.array([&] {
        for (const auto& each : bill.provisioned) {
          writer_.object([&] {
            name(each.first);
            number("reads", each.second.reads);
            number("writes", each.second.writes);
          });
        }
      });
      writer_.member("warnings");
      writer_.array([&] {
        for (const std::string& warning : bill.warnings) writer_.text(warning);
      });
    });
  }

  void write(const BillLine& line) {
    writer_.object([&] {
      text("what", name_of(line.what));
      if (!line.work.empty()) text("work", line.work);
      if (!line.resource.table.empty()) name(line.resource);
      text("quantity", line.quantity.text());
      text("amount", money_text(line.millionths));
    });
  }

  const CostReport& report_;
  language::JsonWriter writer_;
};

}  // namespace

std::string to_json(const CostReport& report) { return CostWriter(report).run(); }

}  // namespace sheaf::cost
