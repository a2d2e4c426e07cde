#include "bench/peers.h"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/try.h"

namespace sheaf::bench {
namespace {

#if defined(__aarch64__)
constexpr const char* kDynoxidePackage = "@dynoxide/linux-arm64";
#else
constexpr const char* kDynoxidePackage = "@dynoxide/linux-x64";
#endif
constexpr const char* kDynalitePackage = "dynalite";

std::string package_directory(const std::string& installed, const std::string& package) {
  return installed + "/node_modules/" + package;
}

bool is_installed(const std::string& installed, const std::string& package) {
  return std::filesystem::exists(package_directory(installed, package) + "/package.json");
}

std::string version_of(const std::string& package) {
  constexpr std::string_view kName = "\"version\": \"";
  std::ostringstream text;
  text << std::ifstream(package + "/package.json").rdbuf();
  const std::string json = text.str();
  const size_t begin = json.find(kName);
  if (begin == std::string::npos) return "";
  const size_t version = begin + kName.size();
  return json.substr(version, json.find('"', version) - version);
}

Error not_installed(const std::string& what) {
  return {Code::kNotFound, what + " is not installed; --peers installs it from npm"};
}

Result<std::unique_ptr<Server>> start_peer(const std::string& name, const std::string& durability,
                                           Command command, uint16_t port) {
  auto server = std::make_unique<Server>(Server::Parts{.name = name,
                                                       .durability = durability,
                                                       .address = {.port = port},
                                                       .process = TRY(ChildProcess::start(command))});
  TRY(server->wait_until_it_answers("/"));
  TRY(server->create_table());
  return server;
}

}  // namespace

Result<void> install_peers(const std::string& directory) {
  if (is_installed(directory, kDynoxidePackage) && is_installed(directory, kDynalitePackage)) return {};
  const std::string npm = find_program("npm");
  if (npm.empty()) return Error{Code::kNotFound, "npm is not installed"};
  std::filesystem::create_directories(directory);
  return run_to_end({.words = {npm, "install", "--prefix", directory, "--no-audit", "--no-fund",
                               kDynoxidePackage, kDynalitePackage},
                     .log_path = directory + "/npm.log"});
}

Result<std::unique_ptr<Server>> start_dynoxide(const std::string& installed, const std::string& directory,
                                               bool on_disk) {
  if (!is_installed(installed, kDynoxidePackage)) return not_installed("Dynoxide");
  const std::string package = package_directory(installed, kDynoxidePackage);
  const uint16_t port = TRY(free_port());
  Command command{.words = {package + "/dynoxide", "serve", "--port", std::to_string(port)},
                  .log_path = directory + "/log"};
  if (on_disk) command.words.insert(command.words.end(), {"--db-path", directory + "/data"});
  const std::string version = "Dynoxide " + version_of(package);
  return start_peer(
      on_disk ? "Dynoxide disk" : "Dynoxide memory",
      version + (on_disk ? ", SQLite on disk: each write is synced" : ", SQLite in memory: none"),
      std::move(command), port);
}

Result<std::unique_ptr<Server>> start_dynalite(const std::string& installed, const std::string& directory) {
  const std::string node = find_program("node");
  if (node.empty() || !is_installed(installed, kDynalitePackage)) return not_installed("dynalite");
  const std::string package = package_directory(installed, kDynalitePackage);
  const uint16_t port = TRY(free_port());
  return start_peer("dynalite", "dynalite " + version_of(package) + ", in memory: none",
                    {.words = {node, package + "/cli.js", "--host", "127.0.0.1", "--port",
                               std::to_string(port), "--createTableMs", "0", "--deleteTableMs", "0"},
                     .log_path = directory + "/log"},
                    port);
}

Result<std::unique_ptr<Server>> join_endpoint(const std::string& name_and_url) {
  constexpr std::string_view kScheme = "http://";
  const Error malformed{Code::kInvalid, "--endpoint wants NAME=http://HOST:PORT, not " + name_and_url};
  const size_t equals = name_and_url.find('=');
  if (equals == std::string::npos || equals == 0) return malformed;
  const std::string name = name_and_url.substr(0, equals);
  std::string_view place = std::string_view(name_and_url).substr(equals + 1);
  if (!place.starts_with(kScheme) || name.find_first_of("\"\\") != std::string::npos) return malformed;
  place.remove_prefix(kScheme.size());
  if (place.ends_with('/')) place.remove_suffix(1);
  const size_t colon = place.rfind(':');
  uint16_t port = 80;
  if (colon != std::string_view::npos) {
    const char* const end = place.data() + place.size();
    const auto [stop, problem] = std::from_chars(place.data() + colon + 1, end, port);
    if (problem != std::errc() || stop != end) return malformed;
  }
  auto server = std::make_unique<Server>(
      Server::Parts{.name = name,
                    .durability = "at " + std::string(place) + ", started by somebody else: not known",
                    .address = {.host = std::string(place.substr(0, colon)), .port = port},
                    .table = "sheaf-bench-" + std::to_string(::getpid())});
  TRY(server->create_table());
  return server;
}

}  // namespace sheaf::bench
