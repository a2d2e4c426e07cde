#include "console/table_page.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>

#include "base/clock.h"
#include "base/text_table.h"
#include "console/table_words.h"
#include "draw/shown_text.h"
#include "run/time_text.h"
#include "wire/table_description.h"

namespace sheaf::console {
namespace {

std::string_view status_name(TableStatus status) {
  switch (status) {
    case TableStatus::kActive:
      return "active";
    case TableStatus::kUpdating:
      return "updating";
    case TableStatus::kDeleting:
      return "deleting";
  }
  return "";
}

std::string_view status_name(IndexStatus status) {
  switch (status) {
    case IndexStatus::kActive:
      return "active";
    case IndexStatus::kCreating:
      return "being filled";
    case IndexStatus::kDeleting:
      return "deleting";
  }
  return "";
}

std::string_view view_word(StreamView view) {
  switch (view) {
    case StreamView::kKeysOnly:
      return "keys";
    case StreamView::kNewImage:
      return "new";
    case StreamView::kOldImage:
      return "old";
    case StreamView::kNewAndOldImages:
      return "both";
  }
  return "";
}

std::string units_words(const Throughput& units) {
  return std::to_string(units.read_units) + "/" + std::to_string(units.write_units);
}

std::string billing_text(const TableDescription& table) {
  if (table.billing == BillingMode::kProvisioned)
    return units_words(table.throughput) + " units to read/write";
  std::string text = "on demand";
  const Throughput& units = table.throughput;
  if (units.read_units_max > 0) text += ", reads up to " + std::to_string(units.read_units_max);
  if (units.write_units_max > 0) text += ", writes up to " + std::to_string(units.write_units_max);
  return text;
}

std::string shown(std::string_view text) { return draw::ShownText(text).utf8(); }

}  // namespace

std::string shell_word(std::string_view word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           std::string_view("-_./,:=@%+").find(letter) != std::string_view::npos;
  });
  if (is_plain) return std::string(word);
  std::string out = "'";
  for (const char letter : word) out += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return out + "'";
}

std::string bytes_text(int64_t bytes) {
  const char* const units[] = {"bytes", "KB", "MB", "GB", "TB"};
  auto size = static_cast<double>(bytes);
  size_t unit = 0;
  for (; size >= 1000 && unit < 4; ++unit) size /= 1024;
  char text[32];
  std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.1f %s", size, units[unit]);
  return text;
}

std::string table_page(const TableDescription& table, const Look& look) {
  TextTable facts({false, false});
  facts.add({"table", shown(table.name)});
  facts.add({"key", shown(words_of(table.key))});
  facts.add({"status", std::string(status_name(table.status))});
  facts.add({"items", std::to_string(table.item_count) + ", " + bytes_text(table.size_bytes)});
  facts.add({"billing", billing_text(table)});
  if (!table.streams.empty() && table.streams.back().open)
    facts.add({"stream", std::string(view_word(table.streams.back().view))});
  if (table.ttl_enabled) facts.add({"time to live", shown(table.ttl_attribute)});
  if (table.deletion_protected) facts.add({"deletion", "protected"});
  if (!table.table_class.empty()) facts.add({"class", shown(table.table_class)});
  for (const auto& [key, value] : table.tags) facts.add({"tag", shown(key + "=" + value)});
  if (table.created_us > 0)
    facts.add({"created", run::time_text(std::chrono::system_clock::time_point(
                              std::chrono::microseconds(table.created_us)))});
  std::string out = facts.text();
  if (table.indexes.empty()) return out;
  std::vector<DrawnColumn> columns{{.head = "index", .cells = {}, .is_right = false, .is_key = true},
                                   {.head = "kind"},
                                   {.head = "key"},
                                   {.head = "has"},
                                   {.head = "status"},
                                   {.head = "items", .cells = {}, .is_right = true},
                                   {.head = "size", .cells = {}, .is_right = true}};
  for (const IndexDescription& index : table.indexes) {
    const std::string words = words_of(index);
    const size_t space = words.find(' ', words.find('='));
    const std::string has = index.projection == ProjectionKind::kAll ? "all" : words.substr(space + 1);
    const std::string cells[] = {index.name,
                                 index.local ? "local" : "global",
                                 words_of(index.key),
                                 has,
                                 std::string(status_name(index.status)),
                                 std::to_string(index.item_count),
                                 bytes_text(index.size_bytes)};
    for (size_t i = 0; i < columns.size(); ++i) columns[i].cells.push_back(cells[i]);
  }
  return out + "\n" + drawn_columns(std::move(columns), look);
}

std::string tables_page(const std::vector<TableDescription>& tables, const Look& look) {
  std::vector<DrawnColumn> columns{{.head = "table", .cells = {}, .is_right = false, .is_key = true},
                                   {.head = "key"},
                                   {.head = "indexes"},
                                   {.head = "items", .cells = {}, .is_right = true},
                                   {.head = "size", .cells = {}, .is_right = true}};
  for (const TableDescription& table : tables) {
    std::string indexes;
    for (const IndexDescription& index : table.indexes) indexes += (indexes.empty() ? "" : ", ") + index.name;
    const std::string cells[] = {table.name, words_of(table.key), indexes, std::to_string(table.item_count),
                                 bytes_text(table.size_bytes)};
    for (size_t i = 0; i < columns.size(); ++i) columns[i].cells.push_back(cells[i]);
  }
  return drawn_columns(std::move(columns), look);
}

std::string create_words(const TableDescription& table) {
  std::string out = shell_word(table.name) + " --key " + shell_word(words_of(table.key.partition.front()));
  if (!table.key.sort.empty()) out += " --sort " + shell_word(words_of(table.key.sort.front()));
  for (const IndexDescription& index : table.indexes)
    out += (index.local ? " --lsi " : " --gsi ") + shell_word(words_of(index));
  if (table.billing == BillingMode::kProvisioned) out += " --provisioned " + units_words(table.throughput);
  if (!table.streams.empty() && table.streams.back().open)
    out += " --stream " + std::string(view_word(table.streams.back().view));
  if (table.ttl_enabled) out += " --ttl " + shell_word(table.ttl_attribute);
  if (table.deletion_protected) out += " --protect";
  for (const auto& [key, value] : table.tags) out += " --tag " + shell_word(key + "=" + value);
  return out;
}

std::string table_json(const TableDescription& table) {
  std::string out;
  wire::append_table(out, table, wire::Account{}, SystemClock().now_us(), wire::Telling::kAsItIs);
  return out;
}

}  // namespace sheaf::console
