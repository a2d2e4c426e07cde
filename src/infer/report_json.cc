#include "infer/report_json.h"

#include <cmath>

#include "language/json_writer.h"

namespace sheaf::infer {
namespace {

std::string decimal(double value) {
  const std::string text = std::to_string(std::floor(value * 1000) / 1000);
  return text.substr(0, text.find('.') + 4);
}

}  // namespace

std::string share_text(const ObservedTable& table) {
  const auto read = static_cast<int64_t>(table.items.size());
  const int64_t all = table.item_count.value_or(read);
  std::string text =
      table.name + ": " + std::to_string(read) + " of " + std::to_string(all) + " items were read";
  if (all > read)
    text += " (" + decimal(100.0 * static_cast<double>(read) / static_cast<double>(all)) + " %)";
  return text;
}

std::string to_json(const Observed& observed, const Inferred& inferred) {
  language::JsonWriter json;
  const auto text = [&](std::string_view name, const std::string& value) {
    json.member(name);
    json.text(value);
  };
  const auto word = [&](std::string_view name, const std::string& value) {
    json.member(name);
    json.word(value);
  };
  json.object([&] {
    text("model", inferred.text);
    json.member("tables");
    json.array([&] {
      for (const ObservedTable& table : observed.tables) {
        json.object([&] {
          text("table", table.name);
          word("items_read", std::to_string(table.items.size()));
          word("items", std::to_string(table.item_count.value_or(static_cast<int64_t>(table.items.size()))));
        });
      }
    });
    json.member("inferences");
    json.array([&] {
      for (const Inference& inference : inferred.inferences) {
        json.object([&] {
          text("subject", inference.subject);
          text("decided", inference.decided);
          word("confidence", decimal(inference.evidence.confidence()));
          word("agree", std::to_string(inference.evidence.agree));
          word("of", std::to_string(inference.evidence.of));
          json.member("counter_examples");
          json.array([&] {
            for (const std::string& example : inference.evidence.counter_examples) json.text(example);
          });
        });
      }
    });
    json.member("questions");
    json.array([&] {
      for (const Question& question : inferred.questions) {
        json.object([&] {
          text("subject", question.subject);
          text("question", question.text);
          text("about", std::string(name_of(question.about)));
        });
      }
    });
    json.member("given_up");
    json.array([&] {
      for (const std::string& each : inferred.given_up) json.text(each);
    });
  });
  return json.take();
}

}  // namespace sheaf::infer
