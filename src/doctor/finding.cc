#include "doctor/finding.h"

#include <algorithm>
#include <array>

namespace sheaf::doctor {
namespace {

struct Description {
  std::string_view name, one, many, remedy, advice;
};

constexpr std::string_view kRestore =
    "restore a copy of the directory, or save what can be read with `sheaf dump --salvage` and load it into "
    "a new directory";

constexpr std::array<Description, 17> kDescriptions{{
    {"damaged-file", "table file is damaged", "table files are damaged", "", kRestore},
    {"unreadable", "part cannot be read", "parts cannot be read", "", kRestore},
    {"bad-settings", "table's settings cannot be read", "tables' settings cannot be read", "", kRestore},
    {"ids-used-again", "id would be given twice", "ids would be given twice",
     "sets the next id behind all of them", ""},
    {"bad-item", "item cannot be decoded", "items cannot be decoded", "", kRestore},
    {"misplaced-item", "item is not under its key", "items are not under their keys", "", kRestore},
    {"missing-entry", "item lacks its entry in the index", "items lack their entries in the index",
     "writes them", ""},
    {"wrong-entry", "entry is not what its item says", "entries are not what their items say",
     "writes them anew", ""},
    {"orphan-entry", "entry belongs to no item", "entries belong to no item", "removes them", ""},
    {"wrong-total", "count is wrong", "counts are wrong", "corrects them", ""},
    {"wrong-collection", "item collection is counted wrongly", "item collections are counted wrongly",
     "corrects them", ""},
    {"missing-expiry", "item would never expire", "items would never expire", "writes their expiry", ""},
    {"orphan-expiry", "expiry belongs to no item", "expiries belong to no item", "removes them", ""},
    {"bad-log-record", "record of the stream cannot be read", "records of the stream cannot be read", "",
     "readers of the stream fail there; it is trimmed after 24 hours, or close the stream and open a new "
     "one"},
    {"bad-job", "job cannot be read", "jobs cannot be read", "removes them", ""},
    {"stuck-job", "piece of background work would never be done",
     "pieces of background work would never be done", "queues them again", ""},
    {"stray-rows", "group of rows belongs to nothing that exists",
     "groups of rows belong to nothing that exists", "removes them", ""},
}};

const Description& description(Trouble trouble) { return kDescriptions[static_cast<size_t>(trouble)]; }

}  // namespace

std::string_view name_of(Trouble trouble) { return description(trouble).name; }
std::string_view remedy_of(Trouble trouble) { return description(trouble).remedy; }
std::string_view advice_of(Trouble trouble) { return description(trouble).advice; }

std::string text_of(const Finding& finding) {
  const Description& what = description(finding.trouble);
  std::string text = finding.where + ": " + std::to_string(finding.count) + " " +
                     std::string(finding.count == 1 ? what.one : what.many) + " (" + std::string(what.name) +
                     ")";
  if (!finding.example.empty()) text += "\n    such as " + finding.example;
  if (finding.is_repaired) return text + "\n    repaired";
  if (!what.remedy.empty()) return text + "\n    --repair " + std::string(what.remedy);
  return text + "\n    not to be repaired: " + std::string(what.advice);
}

void Findings::add(Trouble trouble, const std::string& where, std::string example, bool is_repaired) {
  Finding& finding = findings_[{trouble, where, is_repaired}];
  if (finding.count++ > 0) return;
  finding.trouble = trouble;
  finding.where = where;
  finding.example = std::move(example);
  finding.is_repaired = is_repaired;
}

bool Findings::has(Trouble trouble) const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [&](const auto& finding) { return finding.second.trouble == trouble; });
}

std::vector<Finding> Findings::all() const {
  std::vector<Finding> all;
  for (const auto& [key, finding] : findings_) all.push_back(finding);
  return all;
}

}  // namespace sheaf::doctor
