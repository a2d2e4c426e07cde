// Data for a model, as commands are given it: a file or the standard input, compressed or not.
#pragma once

#include <istream>
#include <memory>
#include <string>

#include "sheaf/result.h"

#include "measure/data_set.h"
#include "transfer/byte_source.h"

namespace sheaf::cmd {

class SourceBuffer;

// One data file, or lines, each of which is one: what it is tells its beginning.
class DataInput {
 public:
  // Reads up to the second line that is not blank. `path`: - is the standard input. kMalformed if it is no
  // JSON, which its first character tells.
  static Result<DataInput> open(const std::string& path);
  DataInput(DataInput&&) noexcept;
  ~DataInput();

  // Whether its first line is JSON by itself and more follows, or its name ends as that of lines does, before
  // what says how it is compressed.
  bool is_lines() const { return is_lines_; }
  // For messages.
  const std::string& name() const { return name_; }
  // From the beginning. Ends early if it cannot be read further, or if the program was told to end while a
  // pipe had nothing.
  std::istream& stream() { return *stream_; }
  // The error with which the stream ended.
  Result<void> status() const;
  // All of it, for who needs it more than once.
  static Result<measure::DataFile> read(const std::string& path);

 private:
  DataInput(std::string name, std::unique_ptr<transfer::ByteSource> source);
  Result<void> look(bool is_named_lines);

  std::string name_;
  std::unique_ptr<SourceBuffer> buffer_;
  std::unique_ptr<std::istream> stream_;
  bool is_lines_ = false;
};

}  // namespace sheaf::cmd
