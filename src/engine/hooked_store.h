// For tests: a store that lets a test step in where threads would have to meet by chance.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace sheaf::engine {

// Passes everything on to another store. Thread-safe apart from setting the hooks.
class HookedStore final : public store::Store {
 public:
  explicit HookedStore(store::Store& inner) : inner_(inner) {}

  // Runs once, before the next batch goes on: what happens between a decision and its commit.
  void before_next_submit(std::function<void()> hook) { before_submit_ = std::move(hook); }
  // Runs once, behind the next read of `key`: what happens between a read and what follows from it.
  void after_next_read(std::string key, std::function<void()> hook) {
    hooked_key_ = std::move(key);
    after_read_ = std::move(hook);
  }
  // Runs once, in front of the next read or scan: what happens between the opening of a view and its use.
  void before_next_look(std::function<void()> hook) { before_look_ = std::move(hook); }
  // Answers batches itself where it returns an outcome; these go no further.
  std::function<std::optional<store::Outcome>(const store::Batch&)> answer;

  int submit_count() const { return submit_count_; }

  std::unique_ptr<store::View> view(const store::ViewOptions& options) override {
    return std::make_unique<HookedView>(*this, inner_.view(options));
  }

  void submit(store::Batch batch, Loop& loop, store::Done done) override {
    EXPECT_EQ(views_open_, 0) << "invariant 9: no view lives across a submit";
    ++submit_count_;
    if (const auto hook = take(before_submit_)) hook();
    std::optional<store::Outcome> outcome;
    if (answer) outcome = answer(batch);
    if (!outcome) return inner_.submit(std::move(batch), loop, std::move(done));
    loop.post([done = std::make_shared<store::Done>(std::move(done)), outcome] { (*done)(*outcome); });
  }

  Result<void> drop(const store::Range& range) override { return inner_.drop(range); }
  Result<void> checkpoint(const std::string& directory) override { return inner_.checkpoint(directory); }
  store::Stamp last_stamp() const override { return inner_.last_stamp(); }

 private:
  class HookedView final : public store::View {
   public:
    HookedView(HookedStore& store, std::unique_ptr<store::View> inner)
        : store_(store), inner_(std::move(inner)) {
      ++views_open_;
    }
    ~HookedView() override { --views_open_; }

    Result<store::Read> read(std::string_view key) override {
      store_.looks();
      Result<store::Read> read = inner_->read(key);
      store_.has_read(key);
      return read;
    }
    Result<std::vector<store::Read>> read_many(std::span<const std::string> keys) override {
      store_.looks();
      Result<std::vector<store::Read>> reads = inner_->read_many(keys);
      for (const std::string& key : keys) store_.has_read(key);
      return reads;
    }
    Result<store::ScanEnd> scan(const store::Range& range, const store::ScanOptions& options,
                                FunctionRef<bool(std::string_view, std::string_view)> row) override {
      store_.looks();
      return inner_->scan(range, options, row);
    }

   private:
    HookedStore& store_;
    std::unique_ptr<store::View> inner_;
  };

  void looks() {
    if (const auto hook = take(before_look_)) hook();
  }
  void has_read(std::string_view key) {
    if (key != hooked_key_) return;
    if (const auto hook = take(after_read_)) hook();
  }

  // Each hook runs once, so that what it does can pass through here itself.
  std::function<void()> take(std::function<void()>& hook) {
    std::lock_guard lock(mutex_);
    return std::exchange(hook, nullptr);
  }

  static inline thread_local int views_open_ = 0;

  store::Store& inner_;
  std::mutex mutex_;
  std::string hooked_key_;
  std::function<void()> before_submit_, before_look_, after_read_;
  std::atomic<int> submit_count_ = 0;
};

}  // namespace sheaf::engine
