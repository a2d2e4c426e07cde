#include "run/jobs.h"

#include "base/try.h"
#include "run/system_table.h"
#include "run/time_text.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kCopy = "copy";
constexpr std::string_view kDelete = "delete";

std::string partition(const model::Layout& layout) { return "jobs#" + layout.name; }

int64_t whole(ItemView item, std::string_view name) {
  const auto value = item.find(name);
  if (!value || value->type() != Type::kNumber) return 0;
  const auto number = value->number().to_int64();
  return number.ok() ? *number : 0;
}

}  // namespace

Item job_key(const model::Layout& layout, const std::string& id) { return system_key(partition(layout), id); }

Item job_item(const model::Model& model, const model::Layout& layout, const NewJob& job,
              std::chrono::system_clock::time_point now, int64_t lease_until_ms) {
  Item item = job_key(layout, job.id);
  item.set("kind", Value(job.kind == NewJob::Kind::kCopy ? kCopy : kDelete));
  item.set("entity", Value(model.entities[job.entity].name));
  item.set("identity", Value::list(std::vector<Value>(job.identity.begin(), job.identity.end())));
  item.set("created_ms", Value(epoch_milliseconds(now)));
  item.set("lease_until_ms", Value(lease_until_ms));
  item.set("done", Value(0));
  return item;
}

std::optional<Job> job_of(const model::Model& model, ItemView item) {
  const auto text = [&](std::string_view name) -> std::string {
    const auto value = item.find(name);
    return value && value->type() == Type::kString ? std::string(value->bytes()) : std::string();
  };
  const auto entity = model.find_entity(text("entity"));
  const auto identity = item.find("identity");
  if (!entity || !identity || identity->type() != Type::kList) return std::nullopt;
  Job job{.kind = text("kind") == kCopy ? NewJob::Kind::kCopy : NewJob::Kind::kDelete,
          .id = text("sk"),
          .entity = *entity,
          .created_ms = whole(item, "created_ms"),
          .lease_until_ms = whole(item, "lease_until_ms"),
          .done = whole(item, "done")};
  for (const ValueView part : identity->list()) job.identity.emplace_back(part.bytes());
  return job;
}

Result<std::vector<Job>> list_jobs(Database& database, const model::Model& model,
                                   const model::Layout& layout) {
  Query query{.table = system_table_name(model), .key_condition = "pk = :p", .consistent = true};
  query.values.set(":p", Value(partition(layout)));
  std::vector<Job> jobs;
  while (true) {
    const Page page = TRY(database.query(query));
    for (size_t i = 0; i < page.items.size(); ++i) {
      if (auto job = job_of(model, page.items[i])) jobs.push_back(std::move(*job));
    }
    if (!page.last_key) return jobs;
    query.start_key = page.last_key;
  }
}

}  // namespace sheaf::run
