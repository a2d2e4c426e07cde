#include "cmd/audited_models.h"

#include "base/try.h"
#include "migrate/version.h"
#include "model/layout.h"
#include "model/model.h"
#include "plan/planned_model.h"
#include "run/audit.h"

namespace sheaf::cmd {
namespace {

constexpr std::string_view kSystemTableEnd = "-sheaf";

Result<AuditedModel> audit_version(Database& database, const std::string& table,
                                   const migrate::Version& version) {
  AuditedModel audited{.system_table = table, .layout = version.layout};
  plan::PlannedModel planned = plan::plan_model(model::compile(table, version.text));
  if (!planned.compiled.ok()) {
    audited.problems.push_back("the model that is kept there has mistakes");
    return audited;
  }
  for (model::Layout& layout : planned.compiled.layouts) {
    if (layout.name != version.layout) continue;
    migrate::rename_as(version, layout);
    const run::Audit audit = TRY(run::audit(database, planned.compiled.model, layout, {}));
    audited.items = audit.items;
    for (const run::Finding& finding : audit.findings)
      audited.problems.push_back(std::string(run::name_of(finding.kind)) + ": " + finding.what + ": " +
                                 finding.message);
    return audited;
  }
  audited.problems.push_back("the model that is kept there has no layout " + version.layout);
  return audited;
}

}  // namespace

Result<std::vector<AuditedModel>> audit_models(Database& database) {
  std::vector<AuditedModel> audited;
  for (const std::string& table : TRY(database.list_tables())) {
    if (!table.ends_with(kSystemTableEnd)) continue;
    const Result<std::optional<migrate::VersionRecord>> record = migrate::read_versions(database, table);
    // A table that is called so and is somebody else's.
    if (!record.ok() || !*record) continue;
    AuditedModel model = TRY(audit_version(database, table, (*record)->current));
    audited.push_back(std::move(model));
  }
  return audited;
}

}  // namespace sheaf::cmd
