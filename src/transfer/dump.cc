#include "transfer/dump.h"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <random>

#include "base/errors.h"
#include "base/try.h"
#include "transfer/crew.h"
#include "transfer/dump_position.h"
#include "transfer/export_folder.h"
#include "transfer/json_items.h"
#include "transfer/output_file.h"
#include "transfer/patience.h"
#include "transfer/plain_items.h"
#include "transfer/salvage.h"
#include "transfer/whole_file.h"

namespace sheaf::transfer {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kDumpKeptEvery{1000};
constexpr std::string_view kUnfinished = ".part";

int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// As AWS makes them: milliseconds, and something random.
std::string new_export_id(int64_t time_us) {
  char text[96];
  std::snprintf(text, sizeof(text), "%014lld-%08x", static_cast<long long>(time_us / 1000),
                std::random_device{}());
  return text;
}

std::string data_file(const std::string& folder, const std::string& id, size_t segment) {
  char name[96];
  std::snprintf(name, sizeof(name), "%s-%04zu.json.gz", id.c_str(), segment);
  return folder + "/data/" + name;
}

class Dump {
 public:
  Dump(Database& database, const TableDescription& table, const DumpOptions& options, DumpPosition position)
      : database_(database),
        table_(table),
        options_(options),
        position_(std::move(position)),
        crew_({.look =
                   [this] {
                     const std::lock_guard lock(mutex_);
                     if (options_.progress && !outputs_.empty()) tell();
                   },
               .silence =
                   [this](std::chrono::milliseconds since) {
                     const std::lock_guard lock(mutex_);
                     if (options_.silence) options_.silence(since);
                   },
               .is_ended = [this] { return is_over() && is_ended_; },
               .ending =
                   [this](size_t requests) {
                     const std::lock_guard lock(mutex_);
                     if (options_.ending) options_.ending(requests);
                   }}) {}

  Result<Dumped> run(bool is_resumed) {
    const Result<void> done = write_all(is_resumed);
    // Who can go on does so from here; else a part is of no use, and in the way of the next try.
    if (!done.ok() || is_ended_) {
      const Result<void> kept = outputs_.empty() ? Result<void>() : keep();
      if (options_.position_path.empty()) remove_outputs();
      if (!done.ok()) return done.error();
      if (!kept.ok()) return kept.error();
    }
    Dumped dumped{.text_bytes = text_bytes_,
                  .is_resumed = is_resumed,
                  .is_ended = is_ended_,
                  .gaps = gaps_,
                  .columns = position_.columns};
    for (const DumpPosition::Segment& segment : position_.segments) dumped.items += segment.items;
    return dumped;
  }

 private:
  bool is_export() const { return position_.format == Format::kExport; }
  bool is_file() const { return position_.out != "-" && !is_export(); }

  Result<void> write_all(bool is_resumed) {
    if (position_.format == Format::kCsv && !is_resumed) TRY(find_columns());
    if (is_ended_) return {};
    gaps_ = 0;
    TRY(open_outputs(is_resumed));
    TRY(in_all_segments([this](size_t segment) { return dump_segment(segment); }));
    return is_ended_ ? Result<void>() : finish();
  }

  // A thread for each; the first error, after all have ended.
  template <typename Work>
  Result<void> in_all_segments(Work work) {
    crew_.run(position_.segments.size(), [&](size_t segment) {
      const Result<void> done = work(segment);
      if (done.ok()) return;
      const std::lock_guard lock(mutex_);
      if (!is_stopped_) failure_ = done.error();
      is_stopped_ = true;
    });
    if (failure_) return *failure_;
    return {};
  }

  // Whether nobody waits for more.
  bool is_over() {
    if (is_stopped_) return true;
    if (!options_.is_ended || !options_.is_ended()) return false;
    is_ended_ = true;
    is_stopped_ = true;
    return true;
  }

  // Waits before the database is asked again.
  bool wait(Patience& patience, const Error& why) {
    if (options_.waiting) {
      const std::lock_guard lock(mutex_);
      options_.waiting(why, patience.waited());
    }
    return patience.wait();
  }

  // A page, for which is asked until it comes.
  template <typename Ask>
  Result<Page> ask_for_page(Ask ask) {
    Patience patience(
        options_.patience, [this] { return is_over(); }, taken_);
    while (true) {
      Result<Page> page = crew_.request(ask);
      if (page.ok()) taken_.note();
      if (page.ok() || !is_worth_asking_again(page.error().code)) return page;
      if (!wait(patience, page.error())) return page;
    }
  }

  // `take(page)` for each page of the segment from `last_key` on.
  template <typename Take>
  Result<void> read_segment(size_t segment, std::optional<Item> last_key, Take take) {
    if (options_.is_salvage) return salvage_segment(segment, take);
    Scan request{
        .table = table_.name, .start_key = std::move(last_key), .consistent = options_.is_consistent};
    if (position_.segments.size() > 1) {
      request.segment = static_cast<uint32_t>(segment);
      request.segment_count = static_cast<uint32_t>(position_.segments.size());
    }
    while (!is_over()) {
      const Page page = TRY(ask_for_page([&] { return database_.scan(request); }));
      request.start_key = page.last_key;
      TRY(take(page));
      if (!request.start_key) break;
    }
    return {};
  }

  Result<void> salvage_segment(size_t segment, const std::function<Result<void>(const Page&)>& take) {
    Salvage salvage(
        table_, static_cast<uint32_t>(position_.segments.size()),
        {.scan = [&](const Scan& request) { return ask_for_page([&] { return database_.scan(request); }); },
         .query =
             [&](const Query& request) { return ask_for_page([&] { return database_.query(request); }); },
         .take = take,
         .is_over = [this] { return is_over(); }});
    gaps_ += TRY(salvage.read(static_cast<uint32_t>(segment)));
    return {};
  }

  Result<void> find_columns() {
    ColumnsSeen seen;
    uint64_t items = 0;
    TRY(in_all_segments([&](size_t segment) {
      return read_segment(segment, std::nullopt, [&](const Page& page) -> Result<void> {
        ColumnsSeen here;
        for (size_t i = 0; i < page.items.size(); ++i) here.add(page.items[i]);
        const std::lock_guard lock(mutex_);
        seen.add(here);
        items += page.items.size();
        if (options_.progress) options_.progress({.items = items, .is_looking = true});
        return {};
      });
    }));
    position_.columns = seen.columns(table_.key);
    return {};
  }

  Result<void> open_outputs(bool is_resumed) {
    if (is_export()) {
      std::error_code failed;
      is_folder_made_ = !TRY(is_there(position_.out));
      fs::create_directories(position_.out + "/data", failed);
      if (failed) return Error{Code::kIo, "cannot create " + position_.out + ": " + failed.message()};
      for (size_t i = 0; i < position_.segments.size(); ++i) {
        const std::string path = data_file(position_.out, position_.id, i);
        const bool is_begun = is_resumed && TRY(is_there(path));
        OutputFile file =
            TRY(is_begun ? OutputFile::open_at(path, position_.segments[i].bytes) : OutputFile::create(path));
        outputs_.push_back(std::move(file));
      }
      // A new position must not name files that are not there.
      return keep();
    }
    if (!is_file()) {
      outputs_.push_back(OutputFile::standard_output());
    } else {
      const std::string path = position_.out + std::string(kUnfinished);
      OutputFile file =
          TRY(is_resumed ? OutputFile::open_at(path, position_.bytes) : OutputFile::create(path));
      outputs_.push_back(std::move(file));
    }
    if (position_.format == Format::kCsv && !is_resumed) {
      std::string header;
      append_header(header, position_.columns);
      TRY(outputs_[0].append(packed(header, position_.compression)));
      position_.bytes = outputs_[0].bytes();
    }
    return keep();
  }

  Result<void> append_lines(std::string& text, const Page& page) const {
    for (size_t i = 0; i < page.items.size(); ++i) {
      if (position_.format == Format::kCsv) {
        TRY(append_row(text, page.items[i], position_.columns));
      } else if (position_.format == Format::kPlainJson) {
        append_plain_line(text, page.items[i]);
      } else {
        append_export_line(text, page.items[i]);
      }
    }
    return {};
  }

  Result<void> dump_segment(size_t number) {
    DumpPosition::Segment& segment = position_.segments[number];
    if (segment.is_done) return {};
    return read_segment(number, segment.last_key, [&](const Page& page) -> Result<void> {
      std::string text;
      TRY(append_lines(text, page));
      const std::string bytes = text.empty() ? "" : packed(text, position_.compression);
      const std::lock_guard lock(mutex_);
      OutputFile& output = outputs_[is_export() ? number : 0];
      TRY(output.append(bytes));
      text_bytes_ += text.size();
      segment.items += page.items.size();
      segment.last_key = page.last_key;
      segment.is_done = !page.last_key;
      (is_export() ? segment.bytes : position_.bytes) = output.bytes();
      if (options_.progress) tell();
      const auto now = std::chrono::steady_clock::now();
      if (now - kept_ < kDumpKeptEvery) return {};
      kept_ = now;
      return keep();
    });
  }

  void tell() {
    DumpFigures figures;
    for (const DumpPosition::Segment& each : position_.segments) figures.items += each.items;
    options_.progress(figures);
  }

  // What the position says is on the disk first.
  Result<void> keep() {
    if (options_.position_path.empty()) return {};
    for (OutputFile& output : outputs_) TRY(output.sync());
    return write_whole_file(options_.position_path, to_json(position_));
  }

  // All that this call has made.
  void remove_outputs() {
    std::error_code ignored;
    if (is_file() && !outputs_.empty()) fs::remove(position_.out + std::string(kUnfinished), ignored);
    if (!is_export()) return;
    for (size_t i = 0; i < outputs_.size(); ++i)
      fs::remove(data_file(position_.out, position_.id, i), ignored);
    if (!is_folder_made_) return;
    // Only while nothing else is in them.
    fs::remove(position_.out + "/data", ignored);
    fs::remove(position_.out, ignored);
  }

  Result<void> finish() {
    // An empty file is none that gunzip takes.
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (outputs_[i].bytes() == 0 && position_.compression != Compression::kNone)
        TRY(outputs_[i].append(packed("", position_.compression)));
      if (is_export()) position_.segments[i].bytes = outputs_[i].bytes();
      if (position_.out != "-") TRY(outputs_[i].sync());
    }
    if (!is_export()) position_.bytes = outputs_[0].bytes();
    TRY(keep());
    if (is_file()) {
      const std::string path = position_.out + std::string(kUnfinished);
      if (std::rename(path.c_str(), position_.out.c_str()) != 0)
        return Error{Code::kIo, "cannot rename " + path};
    }
    if (!is_export()) return {};
    ExportFacts facts{
        .table = table_, .id = position_.id, .begin_us = position_.begin_us, .end_us = now_us()};
    for (size_t i = 0; i < position_.segments.size(); ++i)
      facts.files.push_back(
          {.path = data_file(position_.out, position_.id, i), .items = position_.segments[i].items});
    return write_manifests(position_.out, facts);
  }

  Database& database_;
  const TableDescription& table_;
  const DumpOptions& options_;

  std::mutex mutex_;
  DumpPosition position_;
  std::vector<OutputFile> outputs_;  // one for all segments or, of an export, for each
  bool is_folder_made_ = false;      // of the export
  uint64_t text_bytes_ = 0;
  std::atomic<uint64_t> gaps_ = 0;
  LastTime taken_;
  Crew crew_;
  std::chrono::steady_clock::time_point kept_{};
  std::optional<Error> failure_;
  std::atomic<bool> is_stopped_ = false, is_ended_ = false;
};

Result<std::optional<DumpPosition>> kept_position(const TableDescription& table, const DumpOptions& options) {
  const std::string& path = options.position_path;
  if (path.empty() || !TRY(is_there(path))) return std::optional<DumpPosition>();
  const std::string text = TRY(read_whole_file(path));
  Result<DumpPosition> kept = read_dump_position(text);
  if (!kept.ok()) return invalid(path + " does not say how far a dump is: " + kept.error().message);
  if (kept->table != table.name || kept->out != options.out || kept->format != options.format ||
      kept->compression != options.compression)
    return invalid(path + " is of another dump: of " + kept->table + " into " + kept->out + ", as " +
                   std::string(name_of(kept->format)) + ", compression " +
                   std::string(name_of(kept->compression)));
  return std::optional<DumpPosition>(std::move(*kept));
}

Result<void> check_options(const DumpOptions& options) {
  if (options.out == "-" && !options.position_path.empty())
    return invalid("what went to the standard output cannot be gone on with: name a file with --out");
  if (options.out == "-" && options.format == Format::kExport)
    return invalid("an export is a folder: name it with --out");
  if (options.is_salvage && !options.position_path.empty())
    return invalid("what is salvaged cannot be gone on with");
  return {};
}

}  // namespace

Result<Dumped> dump(Database& database, const TableDescription& table, const DumpOptions& wanted) {
  DumpOptions options = wanted;
  if (options.format == Format::kExport) options.compression = Compression::kGzip;
  TRY(check_options(options));
  std::optional<DumpPosition> kept = TRY(kept_position(table, options));
  const bool is_resumed = kept.has_value();
  const bool is_out_there = options.out != "-" && TRY(is_there(options.out));
  if (is_resumed && is_out_there && (options.format != Format::kExport || is_export_folder(options.out))) {
    Dumped dumped{.is_resumed = true, .was_whole = true, .columns = kept->columns};
    for (const DumpPosition::Segment& segment : kept->segments) {
      dumped.items += segment.items;
      if (!segment.is_done) return invalid(options.out + " is there already, and it is not from this dump");
    }
    return dumped;
  }
  if (!is_resumed) {
    if (is_out_there) return invalid(options.out + " is there already; name another, or remove it");
    // Of somebody who was interrupted before there was a position.
    if (std::error_code none; !options.position_path.empty())
      fs::remove(options.out + std::string(kUnfinished), none);
    kept = DumpPosition{.table = table.name,
                        .out = options.out,
                        .format = options.format,
                        .compression = options.compression,
                        .begin_us = now_us()};
    kept->id = new_export_id(kept->begin_us);
    kept->segments.resize(std::max<size_t>(options.segments, 1));
  }
  Dump dump(database, table, options, std::move(*kept));
  return dump.run(is_resumed);
}

}  // namespace sheaf::transfer
