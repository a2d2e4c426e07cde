// A model inside a program: departments and employees, in whichever of four ways they are stored.
//   model_example [LAYOUT]
#include <cstdio>

#include "sheaf/model.h"

namespace {

constexpr const char* kModel = R"(model hr {
  entity Department { id id; name changes rarely; staff_count int = count(staff) }
  entity Employee { id id; name; email unique }
  rel Department 1--* Employee as staff / department { required; size avg 20 max 90; on delete restrict }
  layout normalised { rel Department.staff via index }
  layout copied { rel Department.staff via index copy department(name) }
  layout edges { rel Department.staff via edges pk many }
  pattern team(d: Department) = $d { *, staff }
  pattern home(e: Employee) = $e { *, department }
  op hire(e: Employee, d: Department) = { put $e; link $e.department $d }
  op move(e: Employee, d: Department) = set $e.department = $d
})";

void print(const char* what, const sheaf::Result<sheaf::Model::Answer>& answer) {
  if (!answer.ok()) {
    std::printf("%s: %s\n", what, answer.error().message.c_str());
    return;
  }
  for (const sheaf::Value& document : answer->documents)
    std::printf("%s in %d requests: %s\n", what, static_cast<int>(answer->requests),
                document.to_json().c_str());
}

}  // namespace

int main(int count, char** words) {
  const auto database = sheaf::Database::open_in_memory();
  const auto model = sheaf::Model::load(*database, kModel, {.layout = count > 1 ? words[1] : "default"});
  if (!model.ok()) {
    std::fprintf(stderr, "%s\n", model.error().message.c_str());
    return 1;
  }
  sheaf::Model& hr = **model;
  for (const char* name : {"HR", "IT"}) {
    const auto put = hr.act("put.Department", {sheaf::Item{{"id", name}, {"name", name}}});
    if (!put.ok()) return std::fprintf(stderr, "%s\n", put.error().message.c_str()), 1;
  }
  const sheaf::Item ann{{"id", "e1"}, {"name", "Ann"}, {"email", "ann@example.com"}};
  const sheaf::Item bob{{"id", "e2"}, {"name", "Bob"}, {"email", "ann@example.com"}};
  if (!hr.act("hire", {ann, "HR"}).ok()) return 1;
  const auto twice = hr.act("hire", {bob, "HR"});
  std::printf("hire: %s\n", twice.error().message.c_str());
  if (!hr.act("move", {"e1", "IT"}).ok()) return 1;
  print("team", hr.ask("team", {"IT"}));
  print("home", hr.ask("home", {"e1"}));
  const auto refused = hr.act("delete.Department", {"IT"});
  std::printf("delete: %s\n", refused.error().message.c_str());
}
