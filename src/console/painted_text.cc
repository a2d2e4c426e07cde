#include "console/painted_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sheaf::console {
namespace {

constexpr std::string_view kPlain = "\033[0m";

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::kWrong:
      return "\033[1;31m";
    case Paint::kDoubt:
      return "\033[1;33m";
    case Paint::kRemark:
      return "\033[1;36m";
    case Paint::kGood:
      return "\033[32m";
    case Paint::kHead:
      return "\033[1m";
    case Paint::kMargins:
      break;
  }
  return "\033[2m";
}

std::string with(std::string_view text, Paint paint) { return painted(text, paint, true); }

// "shop.sheaf:3:7: error: there is no entity named Custmer [unknown-entity]"
struct FindingHead {
  std::string_view place, severity, message, id;
  Paint paint = Paint::kWrong;
};

std::optional<FindingHead> finding_head(std::string_view line) {
  struct Severity {
    std::string_view mark;
    Paint paint;
  };
  static constexpr std::array<Severity, 3> kSeverities{
      {{": error: ", Paint::kWrong}, {": warning: ", Paint::kDoubt}, {": note: ", Paint::kRemark}}};
  std::optional<FindingHead> head;
  size_t first = std::string_view::npos;
  for (const Severity& each : kSeverities) {
    const size_t found = line.find(each.mark);
    if (found == std::string_view::npos || found >= first) continue;
    first = found;
    head = FindingHead{.place = line.substr(0, found + 1),
                       .severity = each.mark.substr(2, each.mark.size() - 3),
                       .message = line.substr(found + each.mark.size()),
                       .paint = each.paint};
  }
  if (!head || line.starts_with(' ')) return std::nullopt;
  const size_t id = head->message.ends_with(']') ? head->message.rfind(" [") : std::string_view::npos;
  if (id != std::string_view::npos) {
    head->id = head->message.substr(id + 1);
    head->message = head->message.substr(0, id + 1);
  }
  return head;
}

// How long "   3 | " is, or "     | "; 0 if the line has none.
size_t margin_bytes(std::string_view line) {
  constexpr std::string_view kBar = " | ";
  const size_t bar = line.find(kBar);
  const bool is_margin = bar != std::string_view::npos && bar >= 4 &&
                         line.substr(0, bar).find_first_not_of(" 0123456789") == std::string_view::npos;
  return is_margin ? bar + kBar.size() : 0;
}

std::string painted_finding_line(std::string_view line, Paint& paint) {
  if (const std::optional<FindingHead> head = finding_head(line)) {
    paint = head->paint;
    return with(head->place, Paint::kHead) + " " + with(head->severity, paint) + " " +
           std::string(head->message) + with(head->id, Paint::kMargins);
  }
  if (const size_t margin = margin_bytes(line); margin > 0) {
    const std::string_view rest = line.substr(margin);
    const bool is_marks = rest.ends_with('^') && rest.find_first_not_of(" \t^") == std::string_view::npos &&
                          line.substr(0, margin).find_first_of("0123456789") == std::string_view::npos;
    return with(line.substr(0, margin), Paint::kMargins) + (is_marks ? with(rest, paint) : std::string(rest));
  }
  for (const std::string_view sign : {"     = ", "     : "}) {
    if (line.starts_with(sign))
      return with(sign, sign.ends_with("= ") ? Paint::kGood : Paint::kMargins) +
             std::string(line.substr(sign.size()));
  }
  return std::string(line);
}

std::string painted_head(std::string_view line, Paint paint) {
  const size_t end = std::min(line.find(": "), line.size());
  return with(line.substr(0, end), paint) + std::string(line.substr(end));
}

// `paint_line` returns each line as it is to be, without its end.
template <typename PaintLine>
std::string each_line(std::string_view text, PaintLine paint_line) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += paint_line(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

std::string painted(std::string_view text, Paint paint, bool has_colour) {
  if (!has_colour || text.empty()) return std::string(text);
  return std::string(code_of(paint)) + std::string(text) + std::string(kPlain);
}

std::string painted_findings(std::string_view text, bool has_colour) {
  if (!has_colour) return std::string(text);
  Paint paint = Paint::kWrong;
  return each_line(text, [&](std::string_view line) { return painted_finding_line(line, paint); });
}

std::string painted_heads(std::string_view text, Paint paint, bool has_colour) {
  if (!has_colour) return std::string(text);
  return each_line(text, [&](std::string_view line) {
    return line.starts_with(' ') ? std::string(line) : painted_head(line, paint);
  });
}

std::string painted_report(std::string_view text, std::initializer_list<Mark> marks, bool has_colour) {
  if (!has_colour) return std::string(text);
  bool is_first = true;
  return each_line(text, [&](std::string_view line) {
    const bool is_head = std::exchange(is_first, line.empty());
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    for (const Mark& mark : marks) {
      if (!line.substr(indent).starts_with(mark.text)) continue;
      return std::string(line.substr(0, indent)) + with(mark.text, mark.paint) +
             std::string(line.substr(indent + mark.text.size()));
    }
    return is_head && !line.empty() ? painted_head(line, Paint::kHead) : std::string(line);
  });
}

std::string painted_remarks(std::string_view text, bool has_colour) {
  if (!has_colour) return std::string(text);
  return each_line(text, [&](std::string_view line) {
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    return line.substr(indent).starts_with("//") ? with(line, Paint::kMargins) : std::string(line);
  });
}

}  // namespace sheaf::console
