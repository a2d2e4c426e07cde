#include "server/workbench_endpoint.h"

#include "http/content_coding.h"
#include "http/response_coding.h"
#include "workbench/page_files.h"

namespace sheaf::server {
namespace {

using http::Denial;
using http::Request;
using http::Response;
using service::Reply;
using workbench::PageFile;
using workbench::Workbench;

constexpr std::string_view kPage = "/workbench/";
constexpr std::string_view kApi = "/workbench/api/";
constexpr size_t kPageBytesMax = size_t{32} << 20;
// Nothing from elsewhere, and nobody's frame. The editor writes its styles itself.
constexpr std::string_view kPolicy =
    "Content-Security-Policy: default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
    "blob:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'\r\n"
    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n";

std::string_view asked_path(const Request& request) {
  return request.target.substr(0, request.target.find('?'));
}

Response redirect(std::string_view to) {
  return {.status = 302,
          .content_type = "text/plain",
          .headers = "Location: " + std::string(to) + "\r\n",
          .body = {}};
}

}  // namespace

bool is_for_workbench(const Request& request) {
  if (workbench::is_below_workbench(request.target)) return true;
  return request.method == "GET" && asked_path(request) == "/" &&
         request.find("accept").value_or("").find("text/html") != std::string_view::npos;
}

void WorkbenchEndpoint::handle(const Request& request, Loop& loop, http::Respond respond) {
  if (!asked_path(request).starts_with(kApi)) return serve_page(request, std::move(respond));
  std::optional<JsonExchange> exchange = parts_.gate.open(request, "workbench", std::move(respond));
  if (!exchange) return;
  const Workbench::Request asked{.method = request.method, .target = request.target, .body = request.body};
  const std::string_view action = Workbench::needs_writer(asked) ? "TransactWriteItems" : "DescribeTable";
  const http::Verdict verdict = parts_.gate.admit(request, action, "*");
  if (const auto* const denial = std::get_if<Denial>(&verdict))
    return parts_.gate.deny(request, *denial, "workbench", std::move(*exchange));
  if (request.method == "POST" && !has_json(request))
    return exchange->answer(service::problem(415, "unsupported_media_type", "the body must be JSON",
                                             "send it with content-type: application/json"));
  // The request lives until it is answered, and so does what the verdict points to.
  Task task = [this, asked, caller = std::get<http::Caller>(verdict), &request, &loop,
               exchange = std::move(*exchange)]() mutable {
    Reply reply = is_stopping_ ? service::problem(503, "unavailable", "the server is being stopped")
                               : parts_.workbench.answer(asked, asker_of(caller));
    audit(asked, caller, request.peer, reply, exchange.request_id());
    loop.post([exchange = std::move(exchange), reply = std::move(reply)]() mutable {
      exchange.answer(std::move(reply));
    });
  };
  // Refused only if it is being stopped, and then the task does not wait.
  if (!workers_.try_submit(std::move(task))) task();
}

void WorkbenchEndpoint::stop() {
  is_stopping_ = true;
  parts_.workbench.close();
  workers_.stop();
}

void WorkbenchEndpoint::audit(const Workbench::Request& asked, const http::Caller& caller,
                              std::string_view peer, const Reply& reply, std::string_view request_id) const {
  if (parts_.audit == nullptr || reply.model.empty()) return;
  parts_.audit->control_operation({.peer = peer,
                                   .access_key_id = caller.access_key_id,
                                   .operation = asked.method == "DELETE" ? "RemoveModel" : "ApplyModel",
                                   .table = reply.model,
                                   .outcome = reply.error.empty() ? "ok" : reply.error,
                                   .request_id = request_id});
}

workbench::Asker WorkbenchEndpoint::asker_of(const http::Caller& caller) const {
  if (parts_.credentials == nullptr) return {};
  const http::Credential* const who = parts_.credentials->current().find(caller.access_key_id);
  if (who == nullptr) return {.may_write = false};
  workbench::Asker asker{.may_write = http::may_perform(who->role(), "TransactWriteItems")};
  asker.environment["AWS_ACCESS_KEY_ID"] = who->access_key_id();
  asker.environment["AWS_SECRET_ACCESS_KEY"] = who->secret_access_key().reveal();
  if (!who->session_token().empty()) asker.environment["AWS_SESSION_TOKEN"] = who->session_token().reveal();
  return asker;
}

void WorkbenchEndpoint::serve_page(const Request& request, http::Respond respond) const {
  if (const std::optional<Denial> denial = parts_.guard.check(request))
    return respond({.status = denial->status, .content_type = "text/plain", .body = denial->message + "\n"});
  if (request.method != "GET" && request.method != "HEAD")
    return respond(
        {.status = 405, .content_type = "text/plain", .headers = "Allow: GET, HEAD\r\n", .body = {}});
  std::string_view path = asked_path(request);
  if (!path.starts_with(kPage)) return respond(redirect(kPage));
  path.remove_prefix(kPage.size());
  const PageFile* const file = workbench::find_page_file(path.empty() ? "index.html" : path);
  if (file == nullptr)
    return respond({.status = 404, .content_type = "text/plain", .body = "the workbench has no such file\n"});
  Response response{.content_type = file->type, .headers = std::string(kPolicy)};
  // Names of all but the first have a sum of their contents in them.
  response.headers += path.starts_with("assets/") ? "Cache-Control: public, max-age=31536000, immutable\r\n"
                                                  : "Cache-Control: no-cache\r\n";
  response.headers += "Vary: Accept-Encoding\r\n";
  if (http::choose_coding(request.find("accept-encoding").value_or("")) == http::ResponseCoding::kGzip) {
    response.headers += "Content-Encoding: gzip\r\n";
    response.body = file->gzipped;
    return respond(std::move(response));
  }
  http::GzipDecoder decoder;
  http::Buffer plain(nullptr);
  size_t bytes = 0;
  const http::Inflated inflated =
      decoder.decode(file->gzipped, {.bytes_max = kPageBytesMax, .padding_bytes = 0}, plain, bytes);
  if (inflated != http::Inflated::kDone)
    return respond({.status = 500, .content_type = "text/plain", .body = "the page is damaged\n"});
  response.body.assign(plain.data(), bytes);
  respond(std::move(response));
}

}  // namespace sheaf::server
