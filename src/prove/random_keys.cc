#include "prove/random_keys.h"

#include <algorithm>

#include "model/value_type.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

using Format = language::Hole::Format;
using Words = std::vector<std::string>;

std::string upper_word(const std::string& name) {
  std::string word;
  for (const char c : name) {
    if (fits_in_keys(std::string_view(&c, 1)))
      word += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return word.empty() ? "K" : word.substr(0, 12);
}

void add_text(language::Template& key, const std::string& text) {
  if (text.empty()) return;
  if (!key.pieces.empty()) {
    if (auto* last = std::get_if<std::string>(&key.pieces.back())) {
      *last += text;
      return;
    }
  }
  key.pieces.emplace_back(text);
}

}  // namespace

bool fits_in_keys(const HoleDraft& hole) {
  return model::may_be_key(hole.type) &&
         std::all_of(hole.names.begin(), hole.names.end(),
                     [](const std::string& name) { return fits_in_keys(name); });
}

AttributeType attribute_type(const language::Type& type) {
  if (model::is_numeric(type)) return AttributeType::kNumber;
  return type.kind == language::Type::Kind::kBinary ? AttributeType::kBinary : AttributeType::kString;
}

KeyWriter::KeyWriter(Draw& draw, const model::Model& model) : draw_(draw), model_(model) {
  static const Words delimiters = {"#", "#",   "#", "::", "/", "-", "_", "|", ":",
                                   ".", "-x-", " ", "@",  "~", "é", "<", ">"};
  delimiter_ = draw.chance.of(delimiters);
  digits_ = draw.chance.one_in(6) ? draw.chance.between(1, 38) : draw.chance.between(8, 20);
}

std::string KeyWriter::fresh_word(const std::string& name) {
  std::string word = upper_word(name);
  if (draw_.chance.one_in(5)) word = "K" + std::to_string(words_++);
  while (!taken_.insert(word).second) word = "K" + std::to_string(words_++);
  return word;
}

language::Hole KeyWriter::hole(const HoleDraft& draft) {
  language::Hole made;
  for (const std::string& name : draft.names) made.path.names.push_back({.text = name});
  const bool is_number = model::is_numeric(draft.type);
  const bool is_whole = draft.type.kind == language::Type::Kind::kInt;  // others have no width
  if (is_whole && (draft.is_ordered ? !draw_.chance.one_in(20) : draw_.chance.one_in(3))) {
    made.format = Format::kDigits;
    made.count = static_cast<int64_t>(digits_);
  } else if (!is_number && draw_.chance.one_in(25)) {
    made.format = Format::kRaw;
  }
  return made;
}

language::Template KeyWriter::joined(const std::string& word, const std::vector<HoleDraft>& holes) {
  language::Template key;
  // A hole alone would be the field itself, which need not be a text.
  const bool is_alone = word.empty() && holes.size() == 1 && !model::is_textual(holes.front().type);
  add_text(key, is_alone ? "V" : word);
  bool is_first = word.empty() && !is_alone;
  for (const HoleDraft& each : holes) {
    if (!is_first) add_text(key, delimiter_);
    is_first = false;
    key.pieces.emplace_back(hole(each));
  }
  // Something behind the last hole, now and then.
  if (!holes.empty() && !word.empty() && draw_.chance.one_in(15)) add_text(key, delimiter_ + "end");
  return key;
}

language::Template KeyWriter::bare(const HoleDraft& each) {
  language::Template key;
  language::Hole made;
  for (const std::string& name : each.names) made.path.names.push_back({.text = name});
  key.pieces.emplace_back(std::move(made));
  return key;
}

language::Template KeyWriter::word(const std::string& text) {
  language::Template key;
  add_text(key, text);
  return key;
}

void KeyWriter::append_part(language::Template& key, const HoleDraft& each, Format format, int64_t count) {
  add_text(key, delimiter_);
  language::Hole made;
  for (const std::string& name : each.names) made.path.names.push_back({.text = name});
  made.format = format;
  made.count = count;
  key.pieces.emplace_back(std::move(made));
}

language::Template KeyWriter::moved(const language::Template& key, const std::string& end) {
  language::Template made = key;
  for (auto& piece : made.pieces) {
    if (auto* each = std::get_if<language::Hole>(&piece))
      each->path.names.insert(each->path.names.begin(), language::Name{.text = end});
  }
  return made;
}

HoleDraft KeyWriter::hole_of(model::EntityId entity, const model::FieldPath& path,
                             const std::vector<std::string>& prefix) const {
  const model::Field& field = model_.field(entity, path);
  HoleDraft made{.names = prefix, .type = field.type};
  const std::vector<std::string> names = names_of(model_, entity, path);
  made.names.insert(made.names.end(), names.begin(), names.end());
  if (field.syntax->since) made.since = field.syntax->since->text;
  return made;
}

std::vector<HoleDraft> KeyWriter::identity(model::EntityId entity,
                                           const std::vector<std::string>& prefix) const {
  std::vector<HoleDraft> holes;
  for (const model::FieldPath& path : model_.entities[entity].identity)
    holes.push_back(hole_of(entity, path, prefix));
  return holes;
}

}  // namespace sheaf::prove
