#include "assist/declaration_text.h"

#include "language/syntax_words.h"
#include "language/written_parts.h"
#include "model/value_type.h"

namespace sheaf::assist {
namespace {

// A name that could not be read is empty.
std::string shown(const language::Name& name) { return name.text.empty() ? "" : written(name); }

}  // namespace

std::string text_of(const std::vector<language::Parameter>& parameters) {
  std::string out = "(";
  for (const language::Parameter& parameter : parameters) {
    if (out.size() > 1) out += ", ";
    const auto* const entity = std::get_if<language::Name>(&parameter.type);
    out += shown(parameter.name) + ": " +
           (entity != nullptr ? shown(*entity) : model::text_of(std::get<language::Type>(parameter.type)));
    if (parameter.is_optional) out += "?";
  }
  return out + ")";
}

std::string heading(const language::Relation& relation) {
  const auto names = [](const std::vector<language::Name>& all) {
    std::string out;
    for (const language::Name& name : all) out += (out.empty() ? "" : " | ") + shown(name);
    return out;
  };
  return names(relation.from) + " " +
         std::string(word_for(language::kCardinalityWords, relation.cardinality)) + " " + names(relation.to) +
         " as " + shown(relation.forward) + (relation.backward ? " / " + shown(*relation.backward) : "");
}

}  // namespace sheaf::assist
