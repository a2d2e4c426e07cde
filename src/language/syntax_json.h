// A model as JSON, for programs. doc/model.schema.json describes it.
//   - What has its default value is left out.
//   - Names and words are strings; so are paths and key templates, as written_parts.h writes them.
//   - Types are a word, or an object for what holds others: {"list": "string"}.
//   - A value is itself: "text", 1.5, true, null, [..]; a map is {"map": {..}}, the time of the call
//     {"now": true}, a path {"path": "$c.age"}, and a + 1 is {"expression": [{"path": "a"}, {"+": 1}]}.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "language/syntax.h"

namespace sheaf::language {

// Comments other than doc comments are not in it. Texts that differ only in them, in how they are laid out,
// or in what they say although it holds anyway (string, all, asc) have the same JSON.
std::string to_json(const Model& model);

// kInvalid with the JSON path of the first mistake: "$.entities[2].fields[0].type: ..." Nothing in it has a
// span: to tell where something is, go on with to_text (syntax_text.h).
Result<Model> model_from_json(std::string_view json);

// A longer text is refused.
inline constexpr size_t kModelJsonBytesMax = 64u << 20;

}  // namespace sheaf::language
