#include "console/drawn_items.h"

#include <algorithm>
#include <map>

#include "console/fitted_widths.h"
#include "draw/grid.h"
#include "draw/shown_text.h"
#include "draw/stored_items.h"
#include "draw/text_form.h"
#include "draw/text_width.h"
#include "run/plain_json.h"

namespace sheaf::console {
namespace {

constexpr size_t kGap = 2;
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kKey = "\033[36m";
constexpr std::string_view kDim = "\033[2m";
constexpr std::string_view kEnd = "\033[0m";

std::string painted(std::string_view text, std::string_view paint, const Look& look) {
  if (!look.has_colour || text.empty() || paint.empty()) return std::string(text);
  return std::string(paint) + std::string(text) + std::string(kEnd);
}

size_t width_of(std::string_view text) { return static_cast<size_t>(draw::columns(text)); }

std::string cut_to(const std::string& text, size_t width) {
  if (width_of(text) <= width) return text;
  std::string out;
  size_t used = 1;  // the dots
  std::string_view rest = text;
  while (!rest.empty()) {
    const char32_t next = draw::take_code_point(rest);
    used += static_cast<size_t>(draw::columns(next));
    if (used > width) break;
    draw::append_utf8(out, next);
  }
  return out + "…";
}

std::vector<std::string> key_names(const KeySchema& key) {
  std::vector<std::string> names;
  for (const auto* side : {&key.partition, &key.sort})
    for (const KeyAttribute& each : *side) names.push_back(each.name);
  return names;
}

// Keys first, then what most items have, then by name.
std::vector<std::string> column_names(const std::vector<Item>& items, const KeySchema& key) {
  std::map<std::string, size_t> counts;
  for (const Item& item : items)
    for (const Attribute& attribute : item.view()) ++counts[std::string(attribute.name)];
  std::vector<std::string> names;
  for (const std::string& name : key_names(key)) {
    if (counts.erase(name) > 0) names.push_back(name);
  }
  std::vector<std::pair<std::string, size_t>> others(counts.begin(), counts.end());
  std::stable_sort(others.begin(), others.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [name, count] : others) names.push_back(name);
  return names;
}

bool has_same_partition(const Item& a, const Item& b, const KeySchema& key) {
  return std::all_of(key.partition.begin(), key.partition.end(), [&](const KeyAttribute& each) {
    const auto left = a.find(each.name), right = b.find(each.name);
    return left && right && *left == *right;
  });
}

std::vector<DrawnColumn> columns_of(const std::vector<Item>& items, const KeySchema& key) {
  const std::vector<std::string> keys = key_names(key);
  std::vector<DrawnColumn> columns;
  for (const std::string& name : column_names(items, key)) {
    const auto place = std::find(keys.begin(), keys.end(), name);
    const bool is_partition = static_cast<size_t>(place - keys.begin()) < key.partition.size();
    DrawnColumn column{.head = name, .cells = {}, .is_right = true, .is_key = place != keys.end()};
    for (size_t i = 0; i < items.size(); ++i) {
      const std::optional<ValueView> value = items[i].find(name);
      if (value && value->type() != Type::kNumber) column.is_right = false;
      const bool is_repeated =
          is_partition && !key.sort.empty() && i > 0 && has_same_partition(items[i - 1], items[i], key);
      column.cells.push_back(value && !is_repeated ? draw::value_text(*value) : "");
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

std::vector<size_t> natural_widths(const std::vector<DrawnColumn>& columns) {
  std::vector<size_t> widths;
  for (const DrawnColumn& column : columns) {
    size_t width = width_of(draw::ShownText(column.head).utf8());
    for (const std::string& cell : column.cells)
      width = std::max(width, width_of(draw::ShownText(cell).utf8()));
    widths.push_back(width);
  }
  return widths;
}

size_t room_of(size_t columns, const Look& look) {
  const size_t gaps = columns == 0 ? 0 : (columns - 1) * kGap;
  return look.columns > gaps ? look.columns - gaps : 0;
}

// --- Item collections

class RawCollections {
 public:
  RawCollections(const std::vector<Item>& items, const KeySchema& key) : items_(items), key_(key) {
    const std::vector<std::string> keys = key_names(key);
    for (const std::string& name : column_names(items, key)) {
      if (std::find(keys.begin(), keys.end(), name) == keys.end()) names_.push_back(name);
    }
    for (const Item& item : items) across_max_ = std::max(across_max_, attributes_of(item).size());
  }

  size_t across_max() const { return across_max_; }

  draw::Grid grid(size_t across) const {
    draw::Grid grid;
    const size_t key_columns = key_names(key_).size();
    size_t column = 0;
    for (const std::string& name : key_names(key_)) grid.add(draw::header_cell(0, column++, name));
    if (across > 0) grid.add(draw::header_cell(0, key_columns, "Attributes", across));
    grid.header_rows = 1;
    for (size_t i = 0; i < items_.size();) {
      const size_t first_row = grid.rows;
      size_t next = i;
      while (next < items_.size() &&
             (next == i || (!key_.sort.empty() && has_same_partition(items_[i], items_[next], key_))))
        add_item(grid, items_[next++], across, key_columns);
      for (size_t each = 0; each < key_.partition.size(); ++each) {
        grid.add({.row = first_row,
                  .column = each,
                  .rows = grid.rows - first_row,
                  .role = draw::Cell::Role::kPartition,
                  .hue = std::nullopt,
                  .lines = {key_line(items_[i], key_.partition[each].name)}});
      }
      i = next;
    }
    return grid;
  }

 private:
  std::vector<std::string> attributes_of(const Item& item) const {
    std::vector<std::string> there;
    for (const std::string& name : names_)
      if (item.find(name)) there.push_back(name);
    return there;
  }

  static draw::Line key_line(const Item& item, const std::string& name) {
    const std::optional<ValueView> value = item.find(name);
    return {.text = value ? draw::value_text(*value) : "", .style = draw::TextStyle::kCode};
  }

  void add_item(draw::Grid& grid, const Item& item, size_t across, size_t key_columns) const {
    const std::vector<std::string> names = attributes_of(item);
    const size_t first_row = grid.rows;
    const size_t rows = across == 0 ? 1 : std::max<size_t>(1, (names.size() + across - 1) / across);
    for (size_t i = 0; i < names.size(); ++i) {
      grid.add(
          {.row = first_row + i / across,
           .column = key_columns + i % across,
           .role = draw::Cell::Role::kAttribute,
           .hue = std::nullopt,
           .lines = {{.text = names[i], .style = draw::TextStyle::kName},
                     {.text = draw::value_text(*item.find(names[i])), .style = draw::TextStyle::kCode}}});
    }
    if (rows * across > names.size()) {
      const size_t unused = rows * across - names.size();
      grid.add({.row = first_row + rows - 1,
                .column = key_columns + across - unused,
                .columns = unused,
                .role = draw::Cell::Role::kEmpty,
                .hue = std::nullopt,
                .lines = {}});
    }
    grid.rows = std::max(grid.rows, first_row + rows);
    for (size_t i = 0; i < key_.sort.size(); ++i) {
      grid.add({.row = first_row,
                .column = key_.partition.size() + i,
                .rows = rows,
                .role = draw::Cell::Role::kMark,
                .hue = std::nullopt,
                .lines = {key_line(item, key_.sort[i].name)}});
    }
  }

  const std::vector<Item>& items_;
  const KeySchema& key_;
  std::vector<std::string> names_;
  size_t across_max_ = 0;
};

std::string collections_text(const std::vector<Item>& items, const KeySchema& key, const Look& look) {
  const RawCollections collections(items, key);
  const draw::Fits fits = draw::text_fits(look.columns);
  for (size_t across = collections.across_max();; --across) {
    const draw::Grid grid = collections.grid(across);
    if (across > 1 && !fits.grid(grid)) continue;
    return draw::grid_text(grid, look.columns, look.has_colour ? draw::Paint::kColours : draw::Paint::kNone);
  }
}

std::string list_text(const std::vector<Item>& items, const KeySchema& key, const Look& look) {
  std::string out;
  for (const Item& item : items) {
    if (!out.empty()) out += "\n";
    size_t width = 0;
    const std::vector<std::string> names = column_names({item}, key);
    for (const std::string& name : names) width = std::max(width, width_of(draw::ShownText(name).utf8()));
    const std::vector<std::string> keys = key_names(key);
    for (const std::string& name : names) {
      const ValueView value = *item.find(name);
      const bool is_nested = value.type() == Type::kMap || value.type() == Type::kList;
      const std::string raw = is_nested ? run::to_pretty_json(value)
                              : value.type() == Type::kString && !value.bytes().empty()
                                  ? std::string(value.bytes())
                                  : draw::value_text(value);
      const bool is_key = std::find(keys.begin(), keys.end(), name) != keys.end();
      std::string shown;
      for (std::string_view rest = raw;;) {
        const size_t end = is_nested ? std::min(rest.find('\n'), rest.size()) : rest.size();
        const std::string line = draw::ShownText(rest.substr(0, end)).utf8();
        shown += is_key ? painted(line, kKey, look) : line;
        if (end == rest.size()) break;
        rest.remove_prefix(end + 1);
        shown += "\n" + std::string(width + kGap, ' ');
      }
      const std::string head = draw::ShownText(name).utf8();
      out += painted(head, kDim, look) + std::string(width - width_of(head) + kGap, ' ') + shown + "\n";
    }
  }
  return out;
}

}  // namespace

ItemForm fitting_form(const std::vector<Item>& items, const KeySchema& key, const Look& look) {
  constexpr size_t kReadable = 16;
  const std::vector<DrawnColumn> columns = columns_of(items, key);
  size_t filled = 0;
  for (const Item& item : items) filled += item.view().size();
  const bool is_full = filled * 10 >= items.size() * columns.size() * 6;
  const size_t cap = fitting_cap(natural_widths(columns), room_of(columns.size(), look));
  return is_full && cap >= kReadable ? ItemForm::kTable : ItemForm::kCollections;
}

std::string drawn(const std::vector<Item>& items, const KeySchema& key, ItemForm form, const Look& look) {
  if (items.empty()) return "";
  if (form == ItemForm::kList) return list_text(items, key, look);
  const bool has_keys = std::all_of(items.begin(), items.end(), [&](const Item& item) {
    return std::all_of(key.partition.begin(), key.partition.end(),
                       [&](const KeyAttribute& each) { return item.find(each.name).has_value(); });
  });
  if (form == ItemForm::kCollections && has_keys && !key.partition.empty())
    return collections_text(items, key, look);
  return drawn_columns(columns_of(items, key), look);
}

std::string drawn_columns(std::vector<DrawnColumn> columns, const Look& look) {
  for (DrawnColumn& column : columns) {
    column.head = draw::ShownText(column.head).utf8();
    for (std::string& cell : column.cells) cell = draw::ShownText(cell).utf8();
  }
  std::vector<size_t> widths = natural_widths(columns);
  const size_t cap = std::max<size_t>(fitting_cap(widths, room_of(columns.size(), look)), 4);
  for (size_t& width : widths) width = std::min(width, cap);
  const auto line = [&](const auto& text_of, const auto& paint_of) {
    std::string out;
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string text = cut_to(text_of(columns[i]), widths[i]);
      const std::string blank(widths[i] - width_of(text), ' ');
      const std::string shown = painted(text, paint_of(columns[i]), look);
      out += (i == 0 ? "" : "  ") + (columns[i].is_right ? blank + shown : shown + blank);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  };
  std::string out =
      line([](const DrawnColumn& column) { return column.head; }, [](const DrawnColumn&) { return kBold; });
  for (size_t i = 0; i < columns.size(); ++i) {
    for (size_t at = 0; at < widths[i]; ++at) out += "─";
    out += i + 1 == columns.size() ? "\n" : "  ";
  }
  const size_t rows = columns.empty() ? 0 : columns.front().cells.size();
  for (size_t row = 0; row < rows; ++row) {
    out += line([&](const DrawnColumn& column) { return column.cells[row]; },
                [](const DrawnColumn& column) { return column.is_key ? kKey : std::string_view(); });
  }
  return out;
}

}  // namespace sheaf::console
