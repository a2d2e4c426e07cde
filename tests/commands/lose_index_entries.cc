// Damages a data directory, for tests of sheaf doctor: takes entries out of an index, and its items know
// nothing of it.
//   lose_index_entries DIRECTORY TABLE INDEX COUNT
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/try.h"
#include "engine/engine.h"
#include "store/rocks_store.h"

namespace sheaf {
namespace {

struct Loss {
  std::string directory, table, index;
  size_t count = 0;
};

Result<void> lose(const Loss& loss) {
  const SystemClock clock;
  const auto store = TRY(store::open_rocks_store({.directory = loss.directory}, clock));
  engine::Engine engine(*store, clock, {});
  const engine::TableRef table = TRY(engine.catalog.find(loss.table));
  const engine::Index* const index = table->find_index(loss.index);
  if (index == nullptr) return Error{Code::kNotFound, "there is no index " + loss.index};
  std::vector<std::string> keys;
  const char space = index->prefix.front();
  const store::Range range{.begin = index->prefix, .end = std::string(1, static_cast<char>(space + 1))};
  TRY(store->view({})->scan(range, {}, [&](std::string_view key, std::string_view) {
    if (key.starts_with(index->prefix)) keys.emplace_back(key);
    return key.starts_with(index->prefix) && keys.size() < loss.count;
  }));
  if (keys.size() < loss.count) return Error{Code::kInvalid, "it has not so many entries"};
  store::Batch batch;
  for (const std::string& key : keys) batch.erase(key);
  const store::Outcome outcome = store::commit(*store, std::move(batch));
  if (outcome.kind != store::Outcome::Kind::kApplied) return Error{Code::kIo, "they could not be removed"};
  return {};
}

}  // namespace
}  // namespace sheaf

int main(int count, char** arguments) {
  size_t entries = 0;
  if (count != 5 || (entries = std::strtoul(arguments[4], nullptr, 10)) == 0) {
    std::fprintf(stderr, "usage: lose_index_entries DIRECTORY TABLE INDEX COUNT\n");
    return 2;
  }
  const sheaf::Result<void> lost = sheaf::lose(
      {.directory = arguments[1], .table = arguments[2], .index = arguments[3], .count = entries});
  if (!lost.ok()) std::fprintf(stderr, "%s\n", lost.error().message.c_str());
  return lost.ok() ? 0 : 1;
}
