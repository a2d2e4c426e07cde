#include "cmd/put_items.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "base/try.h"
#include "transfer/key_turns.h"
#include "transfer/patience.h"
#include "transfer/plain_items.h"

namespace sheaf::cmd {
namespace {

constexpr size_t kBatchItems = 25;
constexpr size_t kThreadsMax = 8;
constexpr std::chrono::minutes kPatience{1};

Error of_item(size_t number, const Error& error) {
  return {error.code, "item " + std::to_string(number) + ": " + error.message};
}

bool has_mark(ValueView value) {
  if (value.type() == Type::kMap) {
    const ItemView map = value.map();
    if (map.size() == 1 && (*map.begin()).name.starts_with('$')) return true;
    for (const Attribute each : map)
      if (has_mark(each.value)) return true;
  }
  if (value.type() == Type::kList) {
    for (const ValueView each : value.list())
      if (has_mark(each)) return true;
  }
  return false;
}

// What `sheaf dump --format json` has written can be put: {"$SS":["a"]} is a set.
Result<Item> without_marks(Item item) {
  for (const Attribute each : item.view()) {
    if (has_mark(each.value))
      return transfer::read_plain_item(console::text_of(item, console::JsonForm::kPlain));
  }
  return item;
}

std::string encoded_key(const KeySchema& key, ItemView item) {
  std::string all;
  for (const auto* side : {&key.partition, &key.sort})
    for (const KeyAttribute& each : *side) all += item.find(each.name)->encoded();
  return all;
}

// Items that follow each other, with keys of their own.
struct PutBatch {
  size_t begin, end;
  std::vector<std::string> keys;
};

std::vector<PutBatch> batches_of(const KeySchema& key, const std::vector<console::ReadItem>& items) {
  std::vector<PutBatch> batches;
  for (size_t begin = 0; begin < items.size(); begin = batches.back().end) {
    PutBatch batch{.begin = begin, .end = begin};
    std::set<std::string> keys;  // a batch may have each once
    while (batch.end < items.size() && keys.size() < kBatchItems &&
           keys.insert(encoded_key(key, items[batch.end].item)).second)
      ++batch.end;
    batch.keys.assign(keys.begin(), keys.end());
    batches.push_back(std::move(batch));
  }
  return batches;
}

class BatchPutter {
 public:
  BatchPutter(Database& database, const PutOptions& options, const std::vector<console::ReadItem>& items)
      : database_(database), options_(options), items_(items), batches_(batches_of(options.key, items)) {}

  Result<Capacity> run() {
    std::vector<std::thread> threads;
    for (size_t i = 0; i < std::min(kThreadsMax, batches_.size()); ++i)
      threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    if (!failure_) return capacity_;
    return Error{failure_->code, failure_->message + "; " + std::to_string(put_) + " of " +
                                     std::to_string(items_.size()) + " items were put before that"};
  }

 private:
  void work() {
    while (!is_over()) {
      const size_t number = next_++;
      if (number >= batches_.size()) return;
      const PutBatch& batch = batches_[number];
      if (!turns_.enter(number, batch.keys)) return;
      const Result<void> done = put(batch);
      turns_.leave(number, batch.keys);
      if (!done.ok()) return stop(done.error());
      const std::lock_guard lock(mutex_);
      put_ += batch.end - batch.begin;
      if (options_.progress) options_.progress(put_);
    }
  }

  // Offers a batch until all of it was taken.
  Result<void> put(const PutBatch& batch) {
    BatchWriteItems request;
    std::vector<BatchWriteItems::Write>& writes = request.tables[options_.table];
    for (size_t i = batch.begin; i < batch.end; ++i) writes.push_back({.put = true, .item = items_[i].item});
    transfer::Patience patience(
        kPatience, [this] { return is_over(); }, taken_);
    for (;;) {
      Result<BatchWritten> written = database_.batch_write_items(request);
      if (!written.ok() && !transfer::is_worth_asking_again(written.error().code)) return written.error();
      if (written.ok()) {
        note(*written);
        const size_t offered = request.tables[options_.table].size();
        request.tables = std::move(written->unprocessed);
        const size_t left = request.tables[options_.table].size();
        if (left < offered) taken_.note();
        if (left == 0) return {};
      }
      if (patience.wait()) continue;
      return written.ok() ? Error{Code::kThroughputExceeded, "the table takes no more for now"}
                          : written.error();
    }
  }

  void note(const BatchWritten& written) {
    const std::lock_guard lock(mutex_);
    for (const auto& [table, more] : written.capacity) {
      capacity_.table += more.table;
      for (const auto& [index, units] : more.indexes) capacity_.indexes[index] += units;
    }
  }

  bool is_over() {
    if (is_stopped_) return true;
    if (!options_.is_ended || !options_.is_ended()) return false;
    stop({Code::kUnavailable, "interrupted"});
    return true;
  }

  void stop(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!is_stopped_) failure_ = error;
    is_stopped_ = true;
    turns_.stop();
  }

  Database& database_;
  const PutOptions& options_;
  const std::vector<console::ReadItem>& items_;
  const std::vector<PutBatch> batches_;
  transfer::KeyTurns turns_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> is_stopped_ = false;
  transfer::LastTime taken_;
  std::mutex mutex_;
  Capacity capacity_;
  uint64_t put_ = 0;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::vector<console::ReadItem>> given_items(const std::vector<std::string>& texts,
                                                   console::JsonForm form, const KeySchema& key) {
  std::vector<console::ReadItem> all;
  for (const std::string& text : texts) {
    if (text == "-") {
      const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
      std::vector<console::ReadItem> items = TRY(console::items_of(input, form));
      if (items.empty()) return Error{Code::kInvalid, "the standard input has no items"};
      for (console::ReadItem& each : items) {
        const auto check = [&]() -> Result<void> {
          if (form == console::JsonForm::kPlain) each.item = TRY(without_marks(std::move(each.item)));
          return console::check_key(key, each.item);
        };
        const Result<void> checked = check();
        if (!checked.ok())
          return Error{checked.error().code,
                       "line " + std::to_string(each.line) + ": " + checked.error().message};
        all.push_back(std::move(each));
      }
      continue;
    }
    const size_t number = all.size() + 1;
    Result<Item> item = console::item_of(text, form);
    if (item.ok() && form == console::JsonForm::kPlain) item = without_marks(std::move(*item));
    if (!item.ok()) return texts.size() == 1 ? item.error() : of_item(number, item.error());
    const Result<void> checked = console::check_key(key, *item);
    if (!checked.ok()) return texts.size() == 1 ? checked.error() : of_item(number, checked.error());
    all.push_back({.item = std::move(*item), .line = number});
  }
  return all;
}

Result<Capacity> put_in_batches(Database& database, const PutOptions& options,
                                const std::vector<console::ReadItem>& items) {
  return BatchPutter(database, options, items).run();
}

}  // namespace sheaf::cmd
