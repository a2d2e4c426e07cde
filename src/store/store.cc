#include "store/store.h"

namespace sheaf::store {

Outcome commit(Store& store, Batch batch) {
  BlockingLoop loop;
  std::optional<Outcome> outcome;
  store.submit(std::move(batch), loop, [&](Outcome result) { outcome = std::move(result); });
  loop.run_until([&] { return outcome.has_value(); });
  return std::move(*outcome);
}

}  // namespace sheaf::store
