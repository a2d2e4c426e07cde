#include "lint/finding.h"

#include <array>

namespace sheaf::lint {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"note", "warning", "error"};

}  // namespace

std::string_view name_of(Severity severity) { return kNames[static_cast<size_t>(severity)]; }

std::optional<Severity> severity_named(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Severity>(i);
  }
  return std::nullopt;
}

Place place_of(const language::SourceText& source, language::Span span) {
  const language::Position begin = source.position(span.begin);
  return {.file = source.name(),
          .begin = begin,
          .end = source.position(span.end),
          .line = std::string(source.line(begin.line))};
}

}  // namespace sheaf::lint
