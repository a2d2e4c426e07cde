// What there is to know of a table, on a page.
#pragma once

#include <string>
#include <vector>

#include "sheaf/table.h"

#include "console/drawn_items.h"

namespace sheaf::console {

std::string table_page(const TableDescription& table, const Look& look);
// A row a table.
std::string tables_page(const std::vector<TableDescription>& tables, const Look& look);

// The words that make the same table with `sheaf table create`, quoted for a shell.
std::string create_words(const TableDescription& table);

// As DescribeTable tells it, on one line.
std::string table_json(const TableDescription& table);

// 'a b': one word for a shell, whatever is in it.
std::string shell_word(std::string_view word);

// 1.5 KB
std::string bytes_text(int64_t bytes);

}  // namespace sheaf::console
