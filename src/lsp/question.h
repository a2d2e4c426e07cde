// One question about a text, without a conversation: what a page asks while somebody types.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "language/json_tree.h"

namespace sheaf::lsp {

// {"text":"..","ask":"check"}, and where: "at":{"line":0,"character":0} for complete and hover, "range" for
// fixes; format and outline are of all of it. The answer has the form that the protocol has for it. kInvalid
// if there is no such question.
Result<std::string> answer_question(const language::Json& question);

}  // namespace sheaf::lsp
