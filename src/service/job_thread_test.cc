#include "service/job_thread.h"

#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::service {
namespace {

using std::chrono::milliseconds;

// What a process that died left undone is done by the next that serves the model.
TEST(JobThread, DoesWhatOthersHaveLeft) {
  const auto database = Database::open_in_memory();
  const ModelSource source{.path = "copied.sheaf", .text = run::model_file("copied/model.sheaf")};
  // Its jobs are left, and their leases run out at once.
  const auto lazy = ModelService::open(*database, {source}, {.runs_jobs = false, .lease = milliseconds(0)});
  ASSERT_TRUE(lazy.ok()) << lazy.error().message;
  const auto version = (*lazy)->models().front()->live().reading();
  const run::Session& session = version->session();
  const auto data = run::read_data(session.model(), session.layout(), run::model_file("copied/data.json"));
  ASSERT_TRUE(data.ok());
  ASSERT_TRUE(run::load_data(*database, session.model(), session.layout(), *data).ok());
  const auto written = session.write("rename", run::from_json({R"("c1")", R"("Ann Brown")"}));
  ASSERT_TRUE(written.ok()) << written.error().message;
  ASSERT_EQ(session.jobs()->size(), 1u);

  const auto diligent = ModelService::open(*database, {source});
  JobThread thread(**diligent, milliseconds(10));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!session.jobs()->empty() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(milliseconds(5));
  EXPECT_TRUE(session.jobs()->empty());
  thread.stop();
}

}  // namespace
}  // namespace sheaf::service
