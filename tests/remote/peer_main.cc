// A remote database on an endpoint that runs elsewhere. All tables there are removed.
//   remote_peer_test [GTEST_OPTION...] sheaf|dynoxide|dynalite URL
#include <iostream>

#include "remote/peer.h"

namespace sheaf::remote {
namespace {

Peer the_peer;

constexpr Capabilities kEverything{.transactions = true,
                                   .multi_attribute_keys = true,
                                   .capacity_figures = true,
                                   .indexes_added_later = true,
                                   .streams = true,
                                   .time_to_live = true};

bool choose(const std::string& name, const std::string& url) {
  the_peer = {.name = name,
              .endpoint = {.url = url, .access_key = AccessKey{.id = "any", .secret = "any"}},
              .capabilities = kEverything};
  if (name == "dynoxide") {
    the_peer.capabilities.multi_attribute_keys = false;  // can be declared, but not asked for
  } else if (name == "dynalite") {
    the_peer.capabilities = {.transactions = false,
                             .multi_attribute_keys = false,
                             .capacity_figures = true,
                             .indexes_added_later = false,  // not without units
                             .streams = false,
                             .time_to_live = false};
  } else if (name != "sheaf") {
    return false;
  }
  return true;
}

}  // namespace

const Peer& peer() { return the_peer; }

}  // namespace sheaf::remote

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc != 3 || !sheaf::remote::choose(argv[1], argv[2])) {
    std::cerr << "usage: remote_peer_test [GTEST_OPTION...] sheaf|dynoxide|dynalite URL\n";
    return 2;
  }
  return RUN_ALL_TESTS();
}
