#include "workbench/workbench.h"

#include <algorithm>
#include <charconv>

#include "base/log.h"
#include "base/try.h"
#include "language/json_writer.h"
#include "lsp/question.h"
#include "service/route.h"
#include "workbench/command_check.h"
#include "workbench/kept_models.h"

namespace sheaf::workbench {
namespace {

using language::Json;
using language::JsonWriter;
using service::problem;
using service::Reply;

constexpr std::string_view kApi = "/workbench/api/";
constexpr size_t kModelBytesMax = 350'000;  // it is kept in one item
constexpr std::chrono::milliseconds kWaitMax{25'000};
constexpr size_t kUnfinishedBytesMax = size_t{64} << 10;

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

const Json* find(const Json& object, std::string_view name) {
  for (size_t i = 0; i < object.names.size(); ++i) {
    if (object.names[i] == name) return &object.items[i];
  }
  return nullptr;
}

std::string text_of(const Json& object, std::string_view name) {
  const Json* const found = find(object, name);
  return found != nullptr && found->kind == Json::Kind::kString ? found->text : std::string();
}

bool has_text(const Json& object, std::string_view name) {
  const Json* const found = find(object, name);
  return found != nullptr && found->kind == Json::Kind::kString;
}

std::chrono::milliseconds wait_of(std::string_view text) {
  int64_t wait = 0;
  std::from_chars(text.data(), text.data() + text.size(), wait);
  return std::clamp(std::chrono::milliseconds(wait), std::chrono::milliseconds(0), kWaitMax);
}

Result<Json> read_object(std::string_view body) {
  Json json = TRY(language::read_json(body));
  if (json.kind != Json::Kind::kObject) return Error{Code::kInvalid, "the body must be a JSON object"};
  return json;
}

Result<Command> read_command(const Json& json) {
  Command command;
  const Json* const arguments = find(json, "arguments");
  if (arguments == nullptr || arguments->kind != Json::Kind::kArray)
    return Error{Code::kInvalid, "arguments must be a list of texts"};
  for (const Json& each : arguments->items) {
    if (each.kind != Json::Kind::kString) return Error{Code::kInvalid, "arguments must be a list of texts"};
    command.arguments.push_back(each.text);
  }
  if (const Json* const files = find(json, "files")) {
    if (files->kind != Json::Kind::kObject)
      return Error{Code::kInvalid, "files must be texts by their names"};
    for (size_t i = 0; i < files->names.size(); ++i) {
      if (files->items[i].kind != Json::Kind::kString)
        return Error{Code::kInvalid, "files must be texts by their names"};
      command.files[files->names[i]] = files->items[i].text;
    }
  }
  return command;
}

void member(JsonWriter& json, std::string_view name, std::string_view text) {
  json.member(name);
  json.text(text);
}

void flag(JsonWriter& json, std::string_view name, bool value) {
  json.member(name);
  json.word(value ? "true" : "false");
}

// What it says is sent when it is whole; until then whole lines, and no more of them than can be sent each
// time that somebody looks.
std::string_view output_so_far(const CommandState& state) {
  const std::string_view output = state.output;
  if (!state.is_running) return output;
  const std::string_view begin = output.substr(0, kUnfinishedBytesMax);
  return begin.substr(0, begin.rfind('\n') + 1);
}

Reply reply_of(const CommandState& state) {
  JsonWriter json;
  json.object([&] {
    member(json, "id", state.id);
    member(json, "state", state.is_running ? "running" : "done");
    json.member("status");
    json.word(std::to_string(state.status));
    member(json, "progress", state.progress);
    member(json, "output", output_so_far(state));
    member(json, "errors", state.errors);
    json.member("files");
    json.object([&] {
      for (const auto& [name, text] : state.files) member(json, name, text);
    });
  });
  return {.body = json.take()};
}

Reply nothing_here() { return problem(404, "not_found", "the workbench has nothing here"); }

Reply wrong_method(std::string_view allow) {
  Reply reply = problem(405, "method_not_allowed", "this is asked with " + std::string(allow) + " alone");
  reply.allow = allow;
  return reply;
}

}  // namespace

bool is_below_workbench(std::string_view target) {
  const std::string_view path = path_of(target);
  return path == "/workbench" || path.starts_with("/workbench/");
}

void Workbench::set_url(const std::string& url) {
  std::lock_guard lock(mutex_);
  url_ = url;
}

Result<void> Workbench::open() {
  for (const service::ModelSource& source : TRY(read_kept_models(parts_.database))) {
    const std::string name = source.path.substr(0, source.path.rfind('.'));
    if (parts_.models.find(name) != nullptr) continue;  // a file has it now
    const auto served = parts_.models.put(source);
    if (!served.ok()) {
      log(LogLevel::kWarning, "a model of the workbench cannot be served",
          {{"model", name}, {"reason", served.error().message}});
      continue;
    }
    kept_.insert(name);
  }
  return {};
}

bool Workbench::needs_writer(const Request& request) {
  const std::string_view path = path_of(request.target);
  if (path.starts_with("/workbench/api/commands") || path == "/workbench/api/language") return false;
  return request.method != "GET" && request.method != "HEAD";
}

Reply Workbench::answer(const Request& request, const Asker& asker) {
  std::string_view path = path_of(request.target);
  if (!path.starts_with(kApi)) return nothing_here();
  path.remove_prefix(kApi.size());
  const std::string_view what = path.substr(0, path.find('/'));
  path.remove_prefix(std::min(what.size() + 1, path.size()));
  const std::string name(path);
  const bool is_get = request.method == "GET" || request.method == "HEAD";
  if (name.find('/') != std::string::npos || name.find('%') != std::string::npos) return nothing_here();
  if (what == "about" && name.empty()) return is_get ? about(asker) : wrong_method("GET, HEAD");
  if (what == "language" && name.empty())
    return request.method == "POST" ? language(request.body) : wrong_method("POST");
  if (what == "models" && name.empty())
    return request.method == "POST" ? put_model(request.body) : wrong_method("POST");
  if (what == "models") return request.method == "DELETE" ? remove_model(name) : wrong_method("DELETE");
  if (what == "commands" && name.empty())
    return request.method == "POST" ? start_command(request.body, asker) : wrong_method("POST");
  if (what == "commands") {
    if (is_get) return look_at_command(name, request.target);
    return request.method == "DELETE" ? stop_command(name) : wrong_method("DELETE, GET, HEAD");
  }
  return nothing_here();
}

void Workbench::write_model(JsonWriter& json, const service::ServedModel& model) const {
  const std::shared_ptr<const migrate::OpenVersion> version = model.live().reading();
  json.object([&] {
    member(json, "name", model.name());
    member(json, "layout", model.layout_name());
    json.member("layouts");
    json.array([&] {
      for (const model::Layout& layout : version->planned().compiled.layouts) {
        if (layout.is_sound) json.text(layout.name);
      }
    });
    member(json, "text", version->version().text);
    flag(json, "is_moving", model.live().is_moving());
    flag(json, "is_kept", is_kept(model.name()));
  });
}

Reply Workbench::about(const Asker& asker) const {
  JsonWriter json;
  json.object([&] {
    member(json, "version", parts_.version);
    member(json, "mode", parts_.has_credentials ? "credentials" : "development");
    member(json, "role", asker.may_write ? "admin" : "readonly");
    json.member("models");
    json.array([&] {
      for (const auto& model : parts_.models.models()) write_model(json, *model);
    });
  });
  return {.body = json.take()};
}

Reply Workbench::language(std::string_view body) const {
  const Result<Json> question = read_object(body);
  if (!question.ok()) return problem(question.error());
  const Result<std::string> answer = lsp::answer_question(*question);
  if (!answer.ok()) return problem(answer.error());
  return {.body = "{\"answer\":" + *answer + "}"};
}

Reply Workbench::put_model(std::string_view body) {
  const Result<Json> json = read_object(body);
  if (!json.ok()) return problem(json.error());
  if (!has_text(*json, "text")) return problem(400, "invalid", "text must be the text of a model");
  service::ModelSource source{
      .path = "model.sheaf", .text = text_of(*json, "text"), .layout = text_of(*json, "layout")};
  if (source.layout.empty()) source.layout = model::kDefaultLayout;
  if (source.text.size() > kModelBytesMax)
    return problem(400, "too_large", "a model of more than 350,000 bytes cannot be kept here");
  const model::CompiledModel compiled = model::compile(source.path, source.text);
  if (!compiled.ok()) return problem(400, "invalid", compiled.rendered());
  const std::string name = compiled.model.name();
  source.path = name + ".sheaf";
  Reply reply = offer(name, source);
  reply.model = name;
  return reply;
}

Reply Workbench::offer(const std::string& name, const service::ModelSource& source) {
  std::lock_guard changing(changing_mutex_);
  if (parts_.models.find(name) != nullptr && !is_kept(name))
    return problem(409, "in_use",
                   "the model " + name +
                       " is a file of the server's: change it there, or give "
                       "this one another name");
  const std::shared_ptr<const service::ServedModel> before = parts_.models.find(name);
  const auto served = parts_.models.put(source);
  if (!served.ok()) return problem(served.error());
  if (const Result<void> kept = keep_model(parts_.database, name, source); !kept.ok()) {
    // What is not kept is not offered either: it would be gone after the next start.
    if (before == nullptr) {
      parts_.models.remove(name);
    } else {
      (void)parts_.models.put(before->source());
    }
    return problem(kept.error());
  }
  {
    std::lock_guard lock(mutex_);
    kept_.insert(name);
  }
  log(LogLevel::kInfo, "serving a model", {{"model", name}, {"layout", (*served)->layout_name()}});
  JsonWriter writer;
  write_model(writer, **served);
  return {.body = writer.take()};
}

Reply Workbench::remove_model(const std::string& name) {
  std::lock_guard changing(changing_mutex_);
  if (!is_kept(name)) return problem(404, "not_found", "no model " + name + " was given here");
  Reply reply{.body = "{}"};
  if (const Result<void> gone = forget_model(parts_.database, name); !gone.ok()) {
    reply = problem(gone.error());
  } else {
    parts_.models.remove(name);
    std::lock_guard lock(mutex_);
    kept_.erase(name);
  }
  reply.model = name;
  return reply;
}

bool Workbench::is_kept(std::string_view name) const {
  std::lock_guard lock(mutex_);
  return kept_.contains(name);
}

Reply Workbench::start_command(std::string_view body, const Asker& asker) {
  const Result<Json> json = read_object(body);
  if (!json.ok()) return problem(json.error());
  Result<Command> command = read_command(*json);
  if (!command.ok()) return problem(command.error());
  if (!asker.may_write && keeps_busy(*command))
    return problem(403, "forbidden", "measuring keeps the server busy: it takes a key that may write");
  {
    std::lock_guard lock(mutex_);
    command->server = url_;
  }
  const bool needs_server = asks_server(*command);
  if (needs_server && command->server.empty())
    return problem(400, "invalid", "the server is not ready for commands yet: try again");
  if (needs_server) command->environment = asker.environment;
  const Result<std::string> id = runs_.start(*command);
  if (!id.ok()) return problem(id.error());
  const Json* const wait = find(*json, "wait_ms");
  const auto state = runs_.look(*id, wait_of(wait == nullptr ? "0" : wait->text));
  return state ? reply_of(*state) : nothing_here();
}

Reply Workbench::look_at_command(const std::string& id, std::string_view target) {
  std::string wait = "0";
  for (const auto& [name, value] : service::query_of(target).value_or(service::Query())) {
    if (name == "wait_ms") wait = value;
  }
  const auto state = runs_.look(id, wait_of(wait));
  return state ? reply_of(*state) : problem(404, "not_found", "there is no such command, or it was long ago");
}

Reply Workbench::stop_command(const std::string& id) {
  if (!runs_.stop(id)) return problem(404, "not_found", "it does not run");
  return {.body = "{}"};
}

}  // namespace sheaf::workbench
