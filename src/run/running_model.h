// A model in one of its layouts, on a database of its own: for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "plan/planned_model.h"
#include "run/applied_layout.h"
#include "run/audit.h"
#include "run/data_file.h"
#include "run/plain_json.h"
#include "run/session.h"

namespace sheaf::run {

// A file of models/.
inline std::string model_file(const std::string& path) {
  std::ifstream stream(std::string(SHEAF_MODELS) + "/" + path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline std::vector<Value> from_json(const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) {
    Result<Value> value = from_plain_json(text);
    EXPECT_TRUE(value.ok()) << text;
    values.push_back(value.ok() ? std::move(*value) : Value());
  }
  return values;
}

class RunningModel {
 public:
  RunningModel(const std::string& text, const std::string& data, std::string_view layout = "default")
      : planned_(plan::plan_model(model::compile("test.sheaf", text))) {
    EXPECT_TRUE(planned_.compiled.ok()) << planned_.compiled.rendered();
    for (size_t i = 0; i < planned_.compiled.layouts.size(); ++i) {
      if (planned_.compiled.layouts[i].name == layout) layout_ = i;
    }
    start(data);
  }

  // Starts again on an empty database and loads this data.
  void start(const std::string& data) {
    session_.reset();
    database_ = Database::open_in_memory();
    const Result<void> applied = apply_layout(*database_, model(), this->layout());
    EXPECT_TRUE(applied.ok()) << applied.error().message;
    const Result<Data> read = read_data(model(), this->layout(), data);
    EXPECT_TRUE(read.ok()) << read.error().message;
    if (read.ok()) {
      const Result<size_t> loaded = load_data(*database_, model(), this->layout(), *read);
      EXPECT_TRUE(loaded.ok()) << loaded.error().message;
    }
    Result<std::unique_ptr<Session>> session = Session::open(*database_, planned_, layout_);
    EXPECT_TRUE(session.ok()) << session.error().message;
    if (session.ok()) session_ = std::move(*session);
  }

  // One document a line, sorted unless the pattern has an order; or "error: " and why not.
  std::string ask(std::string_view pattern, const std::vector<std::string>& arguments,
                  std::string_view cursor = {}) {
    const Result<Session::Reply> reply = session_->read(pattern, from_json(arguments), cursor);
    if (!reply.ok()) return "error: " + reply.error().message;
    figures_ = reply->figures;
    cursor_ = reply->cursor;
    std::vector<std::string> documents;
    for (const Value& document : reply->documents) documents.push_back(to_plain_json(document));
    if (!model().find_pattern(pattern)->node.order) std::sort(documents.begin(), documents.end());
    std::string out;
    for (const std::string& document : documents) out += document + "\n";
    return out;
  }

  // "" and what it took, or "error: " and why not.
  std::string write(std::string_view operation, const std::vector<std::string>& arguments) {
    const Result<Session::Outcome> outcome = session_->write(operation, from_json(arguments));
    if (!outcome.ok()) return "error: " + outcome.error().message;
    reply_ = outcome->reply;
    put_ = outcome->put;
    return "";
  }
  // The kinds of what an audit finds, a line each, and whether they are mended.
  std::string audited(bool repairs = false) {
    const auto made = audit(*database_, model(), layout(), {.repairs = repairs});
    EXPECT_TRUE(made.ok());
    std::string out;
    for (const Finding& each : made->findings)
      out += std::string(name_of(each.kind)) + (each.is_mended ? " mended\n" : "\n");
    return out;
  }
  const WriteReply& reply() const { return reply_; }
  const std::vector<Value>& put() const { return put_; }

  Session& session() { return *session_; }
  Database& database() { return *database_; }
  const plan::PlannedModel& planned() const { return planned_; }
  const model::Model& model() const { return planned_.compiled.model; }
  const model::Layout& layout() const { return planned_.compiled.layouts[layout_]; }
  size_t layout_id() const { return layout_; }
  // Of the last answer.
  const Figures& figures() const { return figures_; }
  const std::optional<std::string>& cursor() const { return cursor_; }

 private:
  plan::PlannedModel planned_;
  size_t layout_ = 0;
  std::unique_ptr<Database> database_;
  std::unique_ptr<Session> session_;
  Figures figures_;
  WriteReply reply_;
  std::vector<Value> put_;
  std::optional<std::string> cursor_;
};

}  // namespace sheaf::run
