#include "run/data_file.h"

#include <gtest/gtest.h>

#include "model/compiled_model.h"

namespace sheaf::run {
namespace {

// J8: a department without its name, as in the sample of method 1.
TEST(DataFile, AFieldThatIsNeverMissingIsNotMissingInData) {
  const model::CompiledModel compiled =
      model::compile("hr.sheaf", "model hr { entity Department { id id; name } }");
  ASSERT_EQ(compiled.rendered(), "");
  const auto read = [&](const char* json) { return read_data(compiled.model, compiled.layouts[0], json); };
  EXPECT_TRUE(read(R"({"Department": [{"id": "d-1", "name": "HR"}]})").ok());
  const auto missing = read(R"({"Department": [{"id": "d-1", "name": "HR"}, {"id": "d-2"}]})");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message.find("name"), std::string::npos) << missing.error().message;
}

}  // namespace
}  // namespace sheaf::run
