#include "cmd/top_screen.h"

#include <algorithm>
#include <string_view>

#include "draw/shown_text.h"

namespace sheaf::cmd {
namespace {

constexpr std::string_view kLeave = "q: leave";

struct Shared {
  const TopSection* section = nullptr;
  std::vector<std::string_view> lines;  // the head first
  size_t taken = 0;                     // of its lines; 0: it is left out
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// How many lines each has of `room`, if `before` lines are before its head.
void share(std::vector<Shared>& sections, size_t room, size_t before) {
  std::vector<Shared*> ranked;
  for (Shared& each : sections) {
    each.taken = 0;
    ranked.push_back(&each);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Shared* a, const Shared* b) { return a->section->rank < b->section->rank; });
  for (Shared* const each : ranked) {
    const size_t least = std::min<size_t>(each->lines.size(), 2);
    if (before + least > room) break;
    each->taken = least;
    room -= before + least;
  }
  for (bool has_given = true; has_given && room > 0;) {
    has_given = false;
    for (Shared* const each : ranked) {
      if (room == 0 || each->taken == 0 || each->taken == each->lines.size()) continue;
      ++each->taken;
      --room;
      has_given = true;
    }
  }
}

bool is_all(const std::vector<Shared>& sections) {
  return std::all_of(sections.begin(), sections.end(),
                     [](const Shared& each) { return each.taken == each.lines.size(); });
}

std::string painted(std::string_view code, std::string_view text, bool has_colour) {
  if (!has_colour) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

}  // namespace

std::string top_screen(const TopSnapshot& snapshot, size_t lines_max, bool has_colour) {
  const std::vector<TopSection> sections = top_sections(snapshot);
  std::vector<Shared> shared;
  for (const TopSection& section : sections)
    shared.push_back({.section = &section, .lines = lines_of(section.table)});
  std::string out = painted("1", top_heading(snapshot), has_colour) + "\n";
  size_t used = 2;  // with the last
  if (!snapshot.trouble.empty()) {
    out += painted("31", draw::ShownText(snapshot.trouble).utf8(), has_colour) + "\n";
    ++used;
  }
  const size_t room = lines_max > used ? lines_max - used : 0;
  // A line between sections is for where there is room for everything.
  share(shared, room > 0 ? room - 1 : 0, 2);
  const bool is_airy = is_all(shared);
  if (!is_airy) share(shared, room, 1);
  for (const Shared& each : shared) {
    if (each.taken == 0) continue;
    if (is_airy) out += "\n";
    out += painted(each.section->title == "THROTTLED" ? "1;31" : "1;36", each.section->title, has_colour);
    const size_t rows_left = each.lines.size() - each.taken;
    if (rows_left > 0) out += " (" + std::to_string(rows_left) + " more)";
    out += "\n";
    for (size_t i = 0; i < each.taken; ++i)
      out += (i == 0 ? painted("2", each.lines[i], has_colour) : std::string(each.lines[i])) + "\n";
  }
  if (is_airy) out += "\n";
  return out + painted("2", kLeave, has_colour) + "\n";
}

}  // namespace sheaf::cmd
