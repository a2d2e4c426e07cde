// A deletion whose process died while a model moves: the others wait until they may go on with it.
#include "migrate/changed_model.h"
#include "run/jobs.h"

namespace sheaf::migrate {
namespace {

constexpr const char* kGroups = R"(model m {
  table app { pk PK; sk SK; tag Type }
  entity User { id id; name }
  entity Group { id id; name }
  rel User *--* Group as groups / members { size of groups max 50; size of members max 50; via edges pk both }
  layout lists { rel User.groups via lists }
  pattern user(u: User) = $u { *, groups }
})";

class LeftDeletion : public ChangedModel {
 protected:
  void SetUp() override {
    options_.pause = [this](int) { now_ += std::chrono::seconds(1); };
    open(kGroups);
    ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u1","name":"Ann"})"}), "");
    for (const char* group : {R"({"id":"g1","name":"a"})", R"({"id":"g2","name":"b"})"})
      ASSERT_EQ(write(*old_, "put.Group", {group}), "");
    for (const char* group : {R"("g1")", R"("g2")"})
      ASSERT_EQ(write(*old_, "link.User.groups", {R"("u1")", group}), "");
  }
  // Marks the group, and leaves everything else to others, who may begin with it in the old layout only after
  // ten minutes.
  void leave_deletion() {
    run::WriterOptions idle = options_;
    idle.runs_jobs = false;
    auto live = LiveModel::open(*database_, kGroups, {.layout = "default", .applies = false, .writer = idle});
    ASSERT_TRUE(live.ok()) << live.error().message;
    ASSERT_EQ(write(**live, "delete.Group", {R"("g1")"}), "");
    const std::shared_ptr<const OpenVersion> version = (*live)->reading();
    const auto jobs = version->session().jobs();
    ASSERT_EQ(jobs->size(), 1u);
    UpdateItem held{.table = "m-sheaf",
                    .key = run::job_key(version->layout(), jobs->front().id),
                    .update = "SET lease_until_ms = :t"};
    const auto until = now_ + std::chrono::minutes(10);
    held.values.set(
        ":t", Value(std::chrono::duration_cast<std::chrono::milliseconds>(until.time_since_epoch()).count()));
    ASSERT_TRUE(database_->update_item(held).ok());
  }
};

TEST_F(LeftDeletion, IsWaitedForBeforeLinksAreCopied) {
  leave_deletion();
  begin(kGroups, "lists");
  const auto begun = now_;
  copy();
  EXPECT_GT(now_ - begun, std::chrono::minutes(5));
  step(&Migration::read_new);
  EXPECT_EQ(ask(*old_, "user", {R"("u1")"}),
            "{\"groups\":[{\"id\":\"g2\",\"name\":\"b\"}],\"id\":\"u1\",\"name\":\"Ann\"}\n");
  EXPECT_EQ(findings(), 0u);
}

TEST_F(LeftDeletion, IsNoDifferenceThoughOneLayoutIsFurtherThanTheOther) {
  begin(kGroups, "lists");
  copy();
  step(&Migration::read_new);
  step(&Migration::step_back);
  leave_deletion();
  // The new layout gets done with it; in the old one the links are still there.
  const auto next = OpenVersion::open(*database_, *migration_->record().next, options_, false);
  ASSERT_TRUE(next.ok()) << next.error().message;
  ASSERT_EQ((*next)->session().jobs()->size(), 1u);
  ASSERT_TRUE((*next)->session().work().ok());
  const auto begun = now_;
  copy();
  EXPECT_EQ(migration_->progress().rounds, 0) << migration_->progress().difference;
  EXPECT_LT(now_ - begun, std::chrono::minutes(5));
  now_ = begun + std::chrono::minutes(11);
  step(&Migration::read_new);
  EXPECT_EQ(findings(), 0u);
  end();
}

// The other way round: what the old layout is done with, the new one still has.
TEST_F(LeftDeletion, IsNoSurplusInTheOneThatIsBehind) {
  begin(kGroups, "lists");
  copy();
  step(&Migration::read_new);  // now the lists lead
  leave_deletion();
  ASSERT_EQ(migration_->progress().stage, Progress::Stage::kDone);
  step(&Migration::step_back);
  copy();
  EXPECT_EQ(migration_->progress().rounds, 0) << migration_->progress().difference;
  EXPECT_EQ(findings(), 0u);
}

}  // namespace
}  // namespace sheaf::migrate
