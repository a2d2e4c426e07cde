#include "model/mistakes.h"

namespace sheaf::model {

void Mistakes::tell_unknown(language::ErrorId id, std::string_view what, const language::Name& name,
                            const std::vector<std::string_view>& candidates) {
  std::string fix = "declare it, or use another name";
  const std::string_view near = language::nearest(name.text, candidates);
  if (!near.empty()) {
    fix = "write " + std::string(near);
  } else if (!candidates.empty() && candidates.size() <= 12) {
    fix = "there are: ";
    for (size_t i = 0; i < candidates.size(); ++i) fix += (i > 0 ? ", " : "") + std::string(candidates[i]);
  }
  tell(id, name.span, "there is no " + std::string(what) + " named " + name.text, std::move(fix));
}

void Mistakes::tell_duplicate(std::string_view what, const language::Name& second, language::Span first) {
  tell("said-twice", second.span, "there are two " + std::string(what) + " named " + second.text,
       "rename or remove one of them", {{.span = first, .text = "the first is here"}});
}

}  // namespace sheaf::model
