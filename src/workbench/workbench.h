// What the workbench, the page that is served, asks for itself; no word of sockets or credentials.
//   GET    /workbench/api/about           version, models with their texts
//   POST   /workbench/api/language        a question about a model's text, while it is typed
//   POST   /workbench/api/models          offers a model, or another text of it
//   DELETE /workbench/api/models/NAME     offers it no longer
//   POST   /workbench/api/commands        runs a command of `sheaf`
//   GET    /workbench/api/commands/ID     how it is
//   DELETE /workbench/api/commands/ID     ends it
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "sheaf/database.h"

#include "language/json_tree.h"
#include "language/json_writer.h"
#include "service/model_service.h"
#include "service/reply.h"
#include "workbench/command_runs.h"

namespace sheaf::workbench {

// Who asks.
struct Asker {
  bool may_write = true;
  // With which a command is signed that asks the server; empty: it takes any.
  std::map<std::string, std::string> environment = {};
};

struct WorkbenchParts {
  Database& database;
  service::ModelService& models;
  std::string version;
  bool has_credentials = false;
  CommandRuns::Options commands;
};

// Thread-safe. Calls wait on the thread that makes them.
class Workbench {
 public:
  // What it refers to must outlive it.
  explicit Workbench(WorkbenchParts parts) : parts_(std::move(parts)), runs_(parts_.commands) {}

  // Of the server, on this machine, for commands that ask it; before that they cannot.
  void set_url(const std::string& url);
  // Nobody waits for a command from now on.
  void close() { runs_.close(); }
  // Offers the models that were kept. Those that cannot be are told, and stay where they are.
  Result<void> open();

  struct Request {
    std::string_view method;
    std::string_view target;  // with its query
    std::string_view body;
  };
  // Whether it changes something: for those who may. Of commands each is looked at: they ask the server with
  // the key of whoever runs them.
  static bool needs_writer(const Request& request);
  service::Reply answer(const Request& request, const Asker& asker);

 private:
  service::Reply about(const Asker& asker) const;
  service::Reply language(std::string_view body) const;
  service::Reply put_model(std::string_view body);
  service::Reply offer(const std::string& name, const service::ModelSource& source);
  service::Reply remove_model(const std::string& name);
  service::Reply start_command(std::string_view body, const Asker& asker);
  service::Reply look_at_command(const std::string& id, std::string_view target);
  service::Reply stop_command(const std::string& id);
  void write_model(language::JsonWriter& json, const service::ServedModel& model) const;
  bool is_kept(std::string_view name) const;

  WorkbenchParts parts_;
  CommandRuns runs_;
  // Held while a model comes or goes: what is offered and what is kept are the same. Taken before the other.
  std::mutex changing_mutex_;
  mutable std::mutex mutex_;
  std::string url_;
  std::set<std::string, std::less<>> kept_;  // names of models
};

// Whether a target belongs here.
bool is_below_workbench(std::string_view target);

}  // namespace sheaf::workbench
