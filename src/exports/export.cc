#include "exports/export.h"

#include "exports/cdk.h"
#include "exports/cloudformation.h"
#include "exports/create_table.h"
#include "exports/electrodb.h"
#include "exports/onetable.h"
#include "exports/terraform.h"
#include "exports/workbench.h"

namespace sheaf::exports {

Result<std::string> export_layout(const model::Model& model, const model::Layout& layout, Format format,
                                  const run::Data* data) {
  switch (format) {
    case Format::kCloudFormation:
      return to_cloudformation(model, layout);
    case Format::kCdk:
      return to_cdk(model, layout);
    case Format::kTerraform:
      return to_terraform(model, layout);
    case Format::kCreateTable:
      return to_create_table(model, layout);
    case Format::kElectroDb:
      return to_electrodb(model, layout);
    case Format::kOneTable:
      return to_onetable(model, layout);
    case Format::kWorkbench:
      break;
  }
  return to_workbench(model, layout, data);
}

}  // namespace sheaf::exports
