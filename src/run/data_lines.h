// Large data: lines, each of which is a data file of its own, of one document or link as a rule.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "run/data_file.h"

namespace sheaf::run {

struct DataText {
  std::string name;  // what messages about it begin with
  std::string json;
};

// Several data files as if they were one. `is_part`: more may follow, which tells links that are items.
Result<Data> read_data(const model::Model& model, const model::Layout& layout,
                       const std::vector<DataText>& texts, bool is_part);

// Whether an item follows from the line of its own entity or link: nothing is copied from others, counted,
// embedded or listed. Then lines are loaded one after the other, and need no memory.
bool is_line_by_line(const model::Model& model, const model::Layout& layout);

struct LineReading {
  // Takes some lines together; an error ends it.
  std::function<Result<void>(const Data& data)> take;
  // Is told the lines that are read, every thousand. May be empty.
  std::function<void(size_t lines)> progress;
  // Asked after each line; true: what was not taken yet is dropped. May be empty.
  std::function<bool()> is_ended;
};
// Reads lines as data: some hundred at a time if the layout is line by line, otherwise all of them at once.
// Returns how many there were. Errors of a line begin with its number.
Result<size_t> read_lines(const model::Model& model, const model::Layout& layout, std::istream& lines,
                          const LineReading& reading);

struct LoadedLines {
  size_t lines = 0;
  size_t items = 0;  // without guards
};

// As load_data does. Where it is not line by line, all lines are read before the first item is written;
// otherwise what stands before a line that is wrong is loaded. Errors begin with the number of the line.
// `progress` may be empty; it is told the lines that are read, every thousand.
Result<LoadedLines> load_lines(Database& database, const model::Model& model, const model::Layout& layout,
                               std::istream& lines, const std::function<void(size_t lines)>& progress);

}  // namespace sheaf::run
