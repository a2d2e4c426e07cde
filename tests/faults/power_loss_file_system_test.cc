// The tests that rest on this file system are worth what it is worth.
#include "power_loss_file_system.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/ordered_log_file_system.h"

namespace sheaf::faults {
namespace {

using rocksdb::IOOptions;
using rocksdb::IOStatus;

class PowerLoss : public testing::Test {
 protected:
  // Runs `check` on many file systems that differ in their luck, each with a synced folder /d.
  template <typename Check>
  void for_many_seeds(Check check) {
    for (uint64_t seed = 1; seed <= 100; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      files_ = std::make_unique<PowerLossFileSystem>(seed);
      ASSERT_TRUE(files_->CreateDir("/d", io_, nullptr).ok());
      sync_folder("/");
      check();
      if (HasFailure()) return;
    }
  }

  std::unique_ptr<rocksdb::FSWritableFile> create(const std::string& path) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(files_->NewWritableFile(path, {}, &file, nullptr).ok());
    return file;
  }
  void write(const std::string& path, const std::string& text, bool synced) {
    const auto file = create(path);
    EXPECT_TRUE(file->Append(text, io_, nullptr).ok());
    if (synced) {
      EXPECT_TRUE(file->Sync(io_, nullptr).ok());
    }
  }
  IOStatus sync_folder(const std::string& path) {
    std::unique_ptr<rocksdb::FSDirectory> folder;
    EXPECT_TRUE(files_->NewDirectory(path, io_, &folder, nullptr).ok());
    return folder->Fsync(io_, nullptr);
  }
  // "-" if there is no such file.
  std::string read(const std::string& path) {
    std::unique_ptr<rocksdb::FSSequentialFile> file;
    if (!files_->NewSequentialFile(path, {}, &file, nullptr).ok()) return "-";
    std::string scratch(1 << 20, '\0');
    rocksdb::Slice text;
    EXPECT_TRUE(file->Read(scratch.size(), io_, &text, scratch.data(), nullptr).ok());
    return text.ToString();
  }
  void lose_power() {
    files_->cut_power();
    files_->restore();
  }

  const IOOptions io_;
  std::unique_ptr<PowerLossFileSystem> files_;
};

TEST_F(PowerLoss, KeepsWhatWasSynced) {
  for_many_seeds([&] {
    write("/d/a", "text", /*synced=*/true);
    sync_folder("/d");
    lose_power();
    EXPECT_EQ(read("/d/a"), "text");
  });
}

TEST_F(PowerLoss, TakesWhatWasNotSyncedInPart) {
  int none = 0, all = 0, part = 0, damaged = 0;
  const std::string head(5000, 'h'), tail(20000, 't');
  for_many_seeds([&] {
    {
      const auto file = create("/d/a");
      ASSERT_TRUE(file->Append(head, io_, nullptr).ok());
      ASSERT_TRUE(file->Sync(io_, nullptr).ok());
      ASSERT_TRUE(file->Append(tail, io_, nullptr).ok());
    }
    sync_folder("/d");
    EXPECT_EQ(read("/d/a"), head + tail);
    lose_power();
    const std::string left = read("/d/a");
    ASSERT_EQ(left.substr(0, head.size()), head) << "what was synced is never damaged";
    const std::string rest = left.substr(head.size());
    none += rest.empty();
    all += rest == tail;
    damaged += rest != tail.substr(0, rest.size());
    part += !rest.empty() && rest.size() < tail.size();
  });
  EXPECT_GT(none, 0);
  EXPECT_GT(all, 0);
  EXPECT_GT(part, 0);
  EXPECT_GT(damaged, 0);
}

TEST_F(PowerLoss, ANameIsDurableWithItsFolder) {
  int kept = 0;
  for_many_seeds([&] {
    write("/d/a", "old", true);
    sync_folder("/d");
    write("/d/b", "new", true);
    ASSERT_TRUE(files_->RenameFile("/d/b", "/d/a", io_, nullptr).ok());
    EXPECT_EQ(read("/d/a"), "new");
    lose_power();
    const std::string a = read("/d/a"), b = read("/d/b");
    EXPECT_TRUE((a == "old" && (b == "-" || b == "new")) || (a == "new" && b == "-")) << a << " " << b;
    kept += a == "new";

    write("/d/c", "text", true);
    ASSERT_TRUE(files_->RenameFile("/d/c", "/d/a", io_, nullptr).ok());
    ASSERT_TRUE(sync_folder("/d").ok());
    lose_power();
    EXPECT_EQ(read("/d/a"), "text");
    EXPECT_EQ(read("/d/c"), "-");
  });
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, 100);
}

TEST_F(PowerLoss, ARemovedFileMayComeBack) {
  int back = 0;
  for_many_seeds([&] {
    write("/d/a", "text", true);
    sync_folder("/d");
    ASSERT_TRUE(files_->DeleteFile("/d/a", io_, nullptr).ok());
    EXPECT_EQ(read("/d/a"), "-");
    lose_power();
    back += read("/d/a") == "text";
    static_cast<void>(files_->DeleteFile("/d/a", io_, nullptr));
    sync_folder("/d");
    lose_power();
    EXPECT_EQ(read("/d/a"), "-");
  });
  EXPECT_GT(back, 0);
  EXPECT_LT(back, 100);
}

TEST_F(PowerLoss, AFolderWhoseNameIsNotDurableTakesItsFilesAlong) {
  int gone = 0;
  for_many_seeds([&] {
    ASSERT_TRUE(files_->CreateDir("/d/e", io_, nullptr).ok());
    write("/d/e/a", "text", true);
    sync_folder("/d/e");
    lose_power();
    gone += read("/d/e/a") == "-";
  });
  EXPECT_GT(gone, 0);
  EXPECT_LT(gone, 100);
}

TEST_F(PowerLoss, ARenameBetweenFoldersIsOneStep) {
  for_many_seeds([&] {
    ASSERT_TRUE(files_->CreateDir("/d/e", io_, nullptr).ok());
    write("/d/e/a", "text", true);
    sync_folder("/d/e");
    sync_folder("/d");
    ASSERT_TRUE(files_->RenameFile("/d/e/a", "/d/a", io_, nullptr).ok());
    lose_power();
    EXPECT_EQ((read("/d/a") == "text") + (read("/d/e/a") == "text"), 1);
  });
}

TEST_F(PowerLoss, LinksAreTheSameFile) {
  for_many_seeds([&] {
    write("/d/a", "text", true);
    ASSERT_TRUE(files_->LinkFile("/d/a", "/d/b", io_, nullptr).ok());
    EXPECT_EQ(files_->used_bytes(), 4u);
    ASSERT_TRUE(files_->DeleteFile("/d/a", io_, nullptr).ok());
    EXPECT_EQ(files_->used_bytes(), 4u);
    sync_folder("/d");
    lose_power();
    EXPECT_EQ(read("/d/b"), "text");
    EXPECT_EQ(read("/d/a"), "-");
    ASSERT_TRUE(files_->DeleteFile("/d/b", io_, nullptr).ok());
    EXPECT_EQ(files_->used_bytes(), 0u);
  });
}

TEST_F(PowerLoss, NothingWorksWithoutPowerAndOldHandlesNeverAgain) {
  for_many_seeds([&] {
    const auto file = create("/d/a");
    ASSERT_TRUE(file->Append("text", io_, nullptr).ok());
    files_->cut_power();
    EXPECT_TRUE(files_->is_off());
    EXPECT_FALSE(file->Append("more", io_, nullptr).ok());
    EXPECT_FALSE(file->Sync(io_, nullptr).ok());
    EXPECT_FALSE(files_->FileExists("/d", io_, nullptr).ok());
    EXPECT_FALSE(files_->CreateDir("/x", io_, nullptr).ok());
    files_->restore();
    EXPECT_TRUE(files_->FileExists("/d", io_, nullptr).ok());
    EXPECT_FALSE(file->Append("more", io_, nullptr).ok());
    EXPECT_FALSE(file->Sync(io_, nullptr).ok());
  });
}

TEST_F(PowerLoss, GoesDuringTheCallThatWasNamed) {
  int done = 0;
  for_many_seeds([&] {
    const auto file = create("/d/a");
    sync_folder("/d");
    files_->cut_power_during(3);
    EXPECT_TRUE(file->Append("text", io_, nullptr).ok());
    EXPECT_TRUE(files_->CreateDir("/d/e", io_, nullptr).ok());
    EXPECT_FALSE(files_->is_off());
    EXPECT_FALSE(file->Sync(io_, nullptr).ok());
    EXPECT_TRUE(files_->is_off());
    files_->restore();
    done += read("/d/a") == "text";
  });
  EXPECT_GT(done, 10);
  EXPECT_LT(done, 100);
}

TEST_F(PowerLoss, AFailedSyncGivesItsBytesUpForGood) {
  for_many_seeds([&] {
    const auto file = create("/d/a.log");
    sync_folder("/d");
    ASSERT_TRUE(file->Append("first ", io_, nullptr).ok());
    ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    files_->fail_sync(1, ".log");
    ASSERT_TRUE(file->Append("second ", io_, nullptr).ok());
    EXPECT_FALSE(file->Sync(io_, nullptr).ok());
    EXPECT_EQ(read("/d/a.log"), "first second ") << "the page cache still has it";
    ASSERT_TRUE(file->Append("third", io_, nullptr).ok());
    EXPECT_TRUE(file->Sync(io_, nullptr).ok());
    lose_power();
    EXPECT_EQ(read("/d/a.log"), "first " + std::string(7, '\0') + "third");
  });
}

// What a relaxed store rests on (src/store/ordered_log_file_system.h).
TEST_F(PowerLoss, AnOrderedLogIsDurableBeforeTheNextOneIsBegun) {
  for_many_seeds([&] {
    const std::shared_ptr<PowerLossFileSystem> shared(std::move(files_));
    {
      store::OrderedLogFileSystem ordered(shared, "/d");
      std::vector<std::unique_ptr<rocksdb::FSWritableFile>> logs(4);
      const std::string paths[] = {"/d/1.log", "/d/2.log", "/e.log", "/d/3.log"};
      for (size_t i = 0; i < logs.size(); ++i) {
        ASSERT_TRUE(ordered.NewWritableFile(paths[i], {}, &logs[i], nullptr).ok());
        ASSERT_TRUE(logs[i]->Append("log " + std::to_string(i), io_, nullptr).ok());
        if (i == 0) {
          ASSERT_TRUE(logs[0]->Close(io_, nullptr).ok()) << "then it is not the next one's business";
        }
      }
    }
    shared->cut_power();
    shared->restore();
    files_ = std::make_unique<PowerLossFileSystem>(1);
    std::unique_ptr<rocksdb::FSSequentialFile> file;
    ASSERT_TRUE(shared->NewSequentialFile("/d/2.log", {}, &file, nullptr).ok());
    char scratch[16];
    rocksdb::Slice text;
    ASSERT_TRUE(file->Read(sizeof(scratch), io_, &text, scratch, nullptr).ok());
    EXPECT_EQ(text.ToString(), "log 1");
  });
}

TEST_F(PowerLoss, ALogThatCannotBeSyncedHasNoSuccessor) {
  const auto shared = std::make_shared<PowerLossFileSystem>(1);
  store::OrderedLogFileSystem ordered(shared, "/");
  std::unique_ptr<rocksdb::FSWritableFile> first, second;
  ASSERT_TRUE(ordered.NewWritableFile("/1.log", {}, &first, nullptr).ok());
  ASSERT_TRUE(first->Append("text", io_, nullptr).ok());
  shared->fail_sync(1, "1.log");
  EXPECT_FALSE(ordered.NewWritableFile("/2.log", {}, &second, nullptr).ok());
  EXPECT_EQ(second, nullptr);
}

TEST_F(PowerLoss, AFullDiskTakesAPartAndSaysSo) {
  for_many_seeds([&] {
    files_->set_capacity(10);
    const auto file = create("/d/a");
    EXPECT_TRUE(file->Append("12345678", io_, nullptr).ok());
    const IOStatus full = file->Append("12345678", io_, nullptr);
    EXPECT_TRUE(full.IsNoSpace()) << full.ToString();
    EXPECT_LE(files_->used_bytes(), 10u);
    files_->set_capacity(100);
    EXPECT_TRUE(file->Append("12345678", io_, nullptr).ok());
  });
}

TEST_F(PowerLoss, ErrorsComeAtTheirRates) {
  files_ = std::make_unique<PowerLossFileSystem>(1);
  const auto file = create("/a");
  files_->set_error_rates(0.5, 0.2);
  int sync_errors = 0, no_space = 0;
  for (int i = 0; i < 400; ++i) {
    no_space += !file->Append("x", io_, nullptr).ok();
    sync_errors += !file->Sync(io_, nullptr).ok();
  }
  EXPECT_NEAR(no_space, 80, 40);
  EXPECT_NEAR(sync_errors, 200, 50);
}

TEST_F(PowerLoss, ALockIsHeldOnceAndNotOverAPowerLoss) {
  files_ = std::make_unique<PowerLossFileSystem>(1);
  rocksdb::FileLock *first = nullptr, *second = nullptr;
  EXPECT_TRUE(files_->LockFile("/LOCK", io_, &first, nullptr).ok());
  EXPECT_FALSE(files_->LockFile("/LOCK", io_, &second, nullptr).ok());
  EXPECT_TRUE(files_->UnlockFile(first, io_, nullptr).ok());
  EXPECT_TRUE(files_->LockFile("/LOCK", io_, &first, nullptr).ok());
  lose_power();
  EXPECT_TRUE(files_->LockFile("/LOCK", io_, &second, nullptr).ok());
  delete first;
  EXPECT_TRUE(files_->UnlockFile(second, io_, nullptr).ok());
}

}  // namespace
}  // namespace sheaf::faults
