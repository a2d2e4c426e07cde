// What every SVG promises, checked for tests and fuzzing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draw/shown_text.h"

namespace sheaf::draw {

// Reads the part of XML that drawings use: elements, attributes in double quotes, text, the four named
// entities. Anything else is a mistake.
class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : rest_(text) {}

  // Why it is not well-formed, or nothing. `texts` then has what the <text> elements say.
  std::optional<std::string> run() {
    if (!element()) return problem_ + " before: " + std::string(rest_.substr(0, 60));
    if (rest_ != "\n") return "something follows the root element";
    return std::nullopt;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  bool fail(const std::string& why) {
    if (problem_.empty()) problem_ = why;
    return false;
  }

  bool take(std::string_view wanted) {
    if (!rest_.starts_with(wanted)) return fail("expected " + std::string(wanted));
    rest_.remove_prefix(wanted.size());
    return true;
  }

  std::string name() {
    size_t length = 0;
    while (length < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[length])) != 0 ||
                                     rest_[length] == ':' || rest_[length] == '-'))
      ++length;
    const std::string found(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return found;
  }

  // Up to one of `ends`.
  bool characters(std::string_view ends, std::string& out) {
    while (!rest_.empty() && ends.find(rest_.front()) == std::string_view::npos) {
      if (rest_.front() == '&') {
        if (!entity(out)) return false;
        continue;
      }
      const std::string_view before = rest_;
      const char32_t c = take_code_point(rest_);
      const bool is_whole = !(c == 0xFFFD && before.front() != '\xEF');
      const bool is_legal = c == '\n' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
      if (!is_whole || !is_legal) return fail("a character that XML does not have");
      out.append(before.substr(0, before.size() - rest_.size()));
    }
    return !rest_.empty() || fail("an end is missing");
  }

  bool entity(std::string& out) {
    for (const auto& [entity, meaning] :
         {std::pair("&amp;", '&'), {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}}) {
      if (!rest_.starts_with(entity)) continue;
      rest_.remove_prefix(std::string_view(entity).size());
      out += meaning;
      return true;
    }
    return fail("an unknown entity");
  }

  bool attributes() {
    std::vector<std::string> seen;
    while (rest_.starts_with(' ')) {
      rest_.remove_prefix(1);
      const std::string attribute = name();
      for (const std::string& other : seen) {
        if (other == attribute) return fail("an attribute twice");
      }
      seen.push_back(attribute);
      std::string value;
      if (attribute.empty() || !take("=\"") || !characters("\"<", value) || !take("\""))
        return fail("a wrong attribute");
    }
    return true;
  }

  bool element() {
    if (!take("<")) return false;
    const std::string tag = name();
    if (tag.empty()) return fail("an element without a name");
    if (!attributes()) return false;
    if (rest_.starts_with("/>")) return take("/>");
    if (!take(">")) return false;
    std::string text;
    while (true) {
      if (!characters("<", text)) return false;
      if (rest_.starts_with("</")) break;
      if (!element()) return false;
    }
    if (tag == "text") texts_.push_back(text);
    return take("</" + tag + ">");
  }

  std::string_view rest_;
  std::string problem_;
  std::vector<std::string> texts_;
};

}  // namespace sheaf::draw
