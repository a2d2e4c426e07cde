// Looks at the items of one table as they are read, whoever reads them.
#pragma once

#include <optional>

#include "api/forwarding_database.h"
#include "lint/item_shapes.h"

namespace sheaf::cmd {

// Hands all calls on; of the table that is described first it looks at what Scans bring. So items are read
// once, and told of twice.
class LintTableItems : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<TableDescription> describe_table(std::string_view table) override;
  Result<Page> scan(const Scan& request) override;

  // Of what was read so far.
  lint::ShapeFigures figures() const { return shapes_ ? shapes_->figures() : lint::ShapeFigures{}; }

 private:
  void look(ItemView item);

  std::optional<TableDescription> table_;
  std::vector<IndexDescription> indexes_;  // the global ones
  std::optional<lint::ItemShapes> shapes_;
};

}  // namespace sheaf::cmd
