// Findings as SARIF 2.1.0 (Static Analysis Results Interchange Format), as code scanning takes them.
#include <algorithm>
#include <cctype>

#include "language/excerpt.h"
#include "language/json_writer.h"
#include "lint/report.h"

namespace sheaf::lint {
namespace {

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// A path as a reference that is a URI.
std::string uri_of(std::string_view path) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  static constexpr std::string_view kPlain = "-._~/";
  while (path.starts_with("./")) path.remove_prefix(2);
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

class Sarif {
 public:
  explicit Sarif(const Report& report) : report_(report) {}

  std::string run() {
    writer_.object([&] {
      text("$schema", kSchema);
      text("version", "2.1.0");
      writer_.member("runs");
      writer_.array([&] {
        writer_.object([&] {
          writer_.member("tool");
          writer_.object([&] {
            writer_.member("driver");
            writer_.object([&] { write_driver(); });
          });
          text("columnKind", "unicodeCodePoints");
          writer_.member("results");
          writer_.array([&] {
            for (const Finding& finding : report_.findings) writer_.object([&] { write_result(finding); });
          });
        });
      });
    });
    return writer_.take();
  }

 private:
  void text(std::string_view name, std::string_view value) {
    writer_.member(name);
    writer_.text(language::repaired_text(value));
  }
  void number(std::string_view name, size_t value) {
    writer_.member(name);
    writer_.word(std::to_string(value));
  }
  // {"text": ..}
  void message(std::string_view name, std::string_view value) {
    writer_.member(name);
    writer_.object([&] { text("text", value); });
  }

  void write_driver() {
    text("name", report_.tool);
    if (!report_.version.empty()) text("version", report_.version);
    writer_.member("rules");
    writer_.array([&] {
      for (const RuleText& rule : report_.rules) {
        writer_.object([&] {
          text("id", rule.id);
          message("shortDescription", rule.title);
          message("fullDescription", rule.why.empty() ? rule.title : rule.title + " " + rule.why);
          if (!rule.page.empty()) {
            writer_.member("help");
            writer_.object([&] {
              text("text", rule.page);
              text("markdown", rule.page);
            });
          }
          writer_.member("defaultConfiguration");
          writer_.object([&] { text("level", name_of(rule.severity)); });
          if (!rule.points.empty()) write_tags(rule.points);
        });
      }
    });
  }

  void write_tags(std::string_view points) {
    writer_.member("properties");
    writer_.object([&] {
      writer_.member("tags");
      writer_.array([&] {
        while (!points.empty()) {
          const size_t end = std::min(points.find(' '), points.size());
          writer_.text(points.substr(0, end));
          points.remove_prefix(std::min(end + 1, points.size()));
        }
      });
    });
  }

  void write_result(const Finding& finding) {
    text("ruleId", finding.rule);
    for (size_t i = 0; i < report_.rules.size(); ++i) {
      if (report_.rules[i].id == finding.rule) number("ruleIndex", i);
    }
    text("level", name_of(finding.severity));
    std::string what = finding.message;
    if (!finding.layout.empty()) what += " (in layout " + finding.layout + ")";
    if (!finding.fix.empty()) what += ". To do: " + finding.fix;
    message("message", what);
    writer_.member("locations");
    writer_.array([&] {
      writer_.object([&] {
        if (finding.place) {
          write_place(*finding.place);
        } else {
          write_subject(finding.subject);
        }
      });
    });
    if (finding.notes.empty()) return;
    writer_.member("relatedLocations");
    writer_.array([&] {
      for (const Related& note : finding.notes) {
        writer_.object([&] {
          write_place(note.place);
          message("message", note.text);
        });
      }
    });
  }

  void write_place(const Place& place) {
    writer_.member("physicalLocation");
    writer_.object([&] {
      writer_.member("artifactLocation");
      writer_.object([&] { text("uri", uri_of(place.file)); });
      writer_.member("region");
      writer_.object([&] {
        number("startLine", place.begin.line);
        number("startColumn", place.begin.column);
        number("endLine", place.end.line);
        number("endColumn", place.end.column);
      });
    });
  }

  // What is in no file: a table.
  void write_subject(std::string_view subject) {
    writer_.member("logicalLocations");
    writer_.array([&] { writer_.object([&] { text("fullyQualifiedName", subject); }); });
  }

  const Report& report_;
  language::JsonWriter writer_;
};

}  // namespace

std::string to_sarif(const Report& report) { return Sarif(report).run(); }

}  // namespace sheaf::lint
