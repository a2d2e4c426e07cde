#include "server/admin.h"

#include "server/gate_fixture.h"

namespace sheaf::server {
namespace {

class AdminTest : public GateTest {
 protected:
  Response ask(const OwnedRequest& request) {
    Admin admin([](std::string& out) { out += "sheaf_up 1\n"; });
    return ask_of(admin, request);
  }
};

TEST_F(AdminTest, TellsThisMachineHowItIs) {
  EXPECT_EQ(ask(request("GET", "/healthz")).body, "ok\n");
  EXPECT_EQ(ask(request("GET", "/metrics")).body, "sheaf_up 1\n");
  EXPECT_EQ(ask(request("GET", "/other")).status, 404);
  EXPECT_EQ(ask(request("POST", "/metrics")).status, 405);
}

TEST_F(AdminTest, PagesOfOtherSitesLearnNothing) {
  OwnedRequest rebound = request("GET", "/metrics");
  rebound.headers = {{"Host", "evil.example"}};
  EXPECT_EQ(ask(rebound).status, 403);
  OwnedRequest page = request("GET", "/metrics");
  page.headers.emplace_back("Origin", "https://evil.example");
  EXPECT_EQ(ask(page).status, 403);
}

}  // namespace
}  // namespace sheaf::server
