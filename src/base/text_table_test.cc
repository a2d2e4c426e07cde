#include "base/text_table.h"

#include <gtest/gtest.h>

namespace sheaf {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
  TextTable table({false, true, false});
  table.add({"", "units", "what"});
  table.add({"team", "1.5", "x"});
  table.add({"a long name", "10"});
  EXPECT_EQ(table.text(),
            "             units  what\n"
            "team           1.5  x\n"
            "a long name     10\n");
}

}  // namespace
}  // namespace sheaf
