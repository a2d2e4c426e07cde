#include "draw/markdown_form.h"

#include <algorithm>

#include "draw/text_width.h"

namespace sheaf::draw {
namespace {

// Text that Markdown leaves as it is.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|~#").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

// Between as many backquotes as it needs. A bar would end the cell of a table, even there.
std::string code(std::string_view text) {
  size_t longest = 0;
  size_t run = 0;
  std::string inside;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|') inside += '\\';
    inside += c;
  }
  const std::string fence(longest + 1, '`');
  const bool needs_space = text.starts_with('`') || text.ends_with('`') || text.starts_with(' ');
  const std::string space = needs_space ? " " : "";
  return fence + space + inside + space + fence;
}

std::string marked(const Line& line) {
  if (line.text.empty()) return {};
  switch (line.style) {
    case TextStyle::kCode:
      return code(line.text.utf8());
    case TextStyle::kName:
    case TextStyle::kMuted:
      return "*" + escaped(line.text.utf8()) + "*";
    case TextStyle::kStrong:
      return "**" + escaped(line.text.utf8()) + "**";
    case TextStyle::kHeading:
    case TextStyle::kPlain:
      return escaped(line.text.utf8());
  }
  return {};
}

using Rows = std::vector<std::vector<std::string>>;

// Spanned places are empty. Of several rows of headings the last stay, and what spans all of them.
Rows rows_of(const Grid& grid) {
  Rows rows(grid.rows, std::vector<std::string>(grid.columns));
  for (const Cell& cell : grid.cells) {
    std::string text;
    for (const Line& line : cell.lines) text += (text.empty() ? "" : "<br>") + marked(line);
    const bool is_header = cell.row < grid.header_rows;
    rows[is_header ? cell.row + cell.rows - 1 : cell.row][cell.column] = std::move(text);
  }
  if (grid.header_rows > 1)
    rows.erase(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(grid.header_rows - 1));
  return rows;
}

// Columns are aligned, so that the text is legible as it is.
std::string table(const Rows& rows) {
  std::vector<int> widths(rows.front().size(), 3);
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::string out;
  for (size_t number = 0; number < rows.size(); ++number) {
    out += "|";
    for (size_t i = 0; i < rows[number].size(); ++i) {
      const int padding = widths[i] - columns(rows[number][i]);
      out += " " + rows[number][i] + std::string(static_cast<size_t>(padding), ' ') + " |";
    }
    out += "\n";
    if (number > 0) continue;
    out += "|";
    for (const int width : widths) out += " " + std::string(static_cast<size_t>(width), '-') + " |";
    out += "\n";
  }
  return out;
}

// Row beside row; the links are the numbers.
std::string table(const GridPair& pair) {
  Rows left = rows_of(pair.left);
  Rows right = rows_of(pair.right);
  const size_t count = std::max(left.size(), right.size());
  left.resize(count, std::vector<std::string>(pair.left.columns));
  right.resize(count, std::vector<std::string>(pair.right.columns));
  for (size_t row = 0; row < count; ++row) {
    left[row].emplace_back();
    left[row].insert(left[row].end(), right[row].begin(), right[row].end());
  }
  return table(left);
}

// --- Mermaid

bool is_word(std::string_view text) {
  return !text.empty() && !(text.front() >= '0' && text.front() <= '9') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

// What Mermaid's quotes do not hold is written by its number.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (std::string_view("\"#%\\").find(c) != std::string_view::npos) {
      out += "#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// Mermaid's own kinds of words; what is cut off stands in a comment.
std::string word_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_word(out + c)) break;
    out += c;
  }
  return out.empty() ? "_" : out;
}

std::string foot(Multiplicity multiplicity, bool is_left) {
  switch (multiplicity) {
    case Multiplicity::kOne:
      return "||";
    case Multiplicity::kZeroOrOne:
      return is_left ? "|o" : "o|";
    case Multiplicity::kMany:
      return is_left ? "}o" : "o{";
  }
  return {};
}

std::string mermaid(const Diagram& diagram) {
  std::string out = "```mermaid\nerDiagram\n";
  std::vector<std::string> names;
  for (size_t i = 0; i < diagram.boxes.size(); ++i) {
    const std::string& title = diagram.boxes[i].title.utf8();
    names.push_back(is_word(title) ? title : "entity_" + std::to_string(i));
    out += "  " + names[i] + (is_word(title) ? "" : "[" + quoted(title) + "]") + " {\n";
    for (const BoxRow& row : diagram.boxes[i].rows) {
      const std::string type = word_of(row.type.utf8());
      const std::string name = word_of(row.name.utf8());
      const bool is_cut = type != row.type.utf8() || name != row.name.utf8();
      out += "    " + type + " " + name + (row.is_identity ? " PK" : "");
      if (is_cut) out += " " + quoted(row.name.utf8() + ": " + row.type.utf8());
      out += "\n";
    }
    out += "  }\n";
  }
  for (const Connection& connection : diagram.connections) {
    out += "  " + names[connection.from.box] + " " + foot(connection.from.multiplicity, true) + "--" +
           foot(connection.to.multiplicity, false) + " " + names[connection.to.box] + " : " +
           quoted(connection.to.label.utf8() + " / " + connection.from.label.utf8()) + "\n";
  }
  return out + "```\n";
}

}  // namespace

Fits markdown_fits() {
  return {.grid = [](const Grid&) { return true; }, .pair = [](const GridPair&) { return true; }};
}

std::string to_markdown(const std::vector<Section>& sections) {
  std::string out;
  for (const Section& section : sections) {
    if (!out.empty()) out += "\n";
    out += (section.level == Section::Level::kDrawing ? "# " : "## ") + escaped(section.title.utf8()) + "\n";
    if (!section.note.empty()) out += "\n" + escaped(section.note.utf8()) + ".\n";
    if (const auto* grid = std::get_if<Grid>(&section.body)) out += "\n" + table(rows_of(*grid));
    if (const auto* pair = std::get_if<GridPair>(&section.body)) out += "\n" + table(*pair);
    if (const auto* diagram = std::get_if<Diagram>(&section.body)) out += "\n" + mermaid(*diagram);
  }
  return out;
}

}  // namespace sheaf::draw
