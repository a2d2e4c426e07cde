#include "migrate/source_check.h"

#include "run/item_change.h"

namespace sheaf::migrate {

using run::Expected;

Result<std::vector<run::NewJob>> SourceCheck::join(const std::vector<run::Change>&,
                                                   const run::AttemptOptions&, run::Transaction& transaction,
                                                   run::Figures&) const {
  for (const SourceItem& source : sources_) {
    run::ItemChange& check = transaction.change(source.table, source.pk_name, source.key);
    if (!source.item) {
      check.expect({.kind = Expected::Kind::kAbsent, .is_race = true});
      continue;
    }
    check.expect({.kind = Expected::Kind::kExists, .is_race = true});
    for (const Attribute attribute : source.item->view()) {
      if (source.key.find(attribute.name)) continue;
      check.expect({.kind = Expected::Kind::kEquals,
                    .path = {std::string(attribute.name)},
                    .values = {Value(attribute.value)},
                    .is_race = true});
    }
    for (const std::string& name : source.missing)
      check.expect({.kind = Expected::Kind::kMissing, .path = {name}, .is_race = true});
    check.expect(
        {.kind = Expected::Kind::kMissing, .path = {std::string(run::kDeletingAttribute)}, .is_race = true});
  }
  return std::vector<run::NewJob>();
}

Result<void> SourceCheck::catch_up(const std::vector<run::Change>&) const {
  return Error{Code::kConflict, "what it is made from was changed meanwhile"};
}

}  // namespace sheaf::migrate
