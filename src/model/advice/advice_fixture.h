// Models for tests of advice.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "model/advice/recommendation.h"
#include "model/compiled_model.h"

namespace sheaf::model {

// A model, its `default` layout, and its first relation unless another is said.
class AdviceSubject {
 public:
  explicit AdviceSubject(const std::string& body) : compiled_(compile("test", "model t {\n" + body + "\n}")) {
    EXPECT_FALSE(compiled_.layouts.empty()) << compiled_.rendered();
  }

  const Model& model() const { return compiled_.model; }
  const LayoutClauses& clauses() const { return compiled_.layouts.front().clauses->front(); }
  std::string rendered() const { return compiled_.diagnostics.has_errors() ? compiled_.rendered() : ""; }
  const Layout& layout() const { return compiled_.layouts.front(); }
  Answers answers(const ToldAnswers& told = {}, const SeenSizes* seen = nullptr, RelationId id = 0) const {
    return gather_answers(model(), clauses(), id, told, seen);
  }
  Recommendation advice(const AdviceInputs& inputs = {}, RelationId id = 0) const {
    return recommend(model(), clauses(), id, inputs);
  }

 private:
  CompiledModel compiled_;
};

}  // namespace sheaf::model
