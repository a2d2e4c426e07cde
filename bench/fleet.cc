#include "bench/fleet.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/try.h"
#include "bench/peers.h"

namespace sheaf::bench {
namespace {

// What a server with its default --memory gives to the store.
constexpr uint64_t kStoreBytes = (uint64_t{256} << 20) / 4 * 3;

constexpr const char* kAccessKey = "AKIDBENCHMARK0000000";
constexpr const char* kSecret = "benchmark0000000benchmark0000000benchmark";

}  // namespace

Fleet::Fleet(FleetOptions options)
    : options_(std::move(options)),
      credential_(std::make_shared<http::Credential>(http::Credential::Parts{
          .name = "bench", .access_key_id = kAccessKey, .secret_access_key = kSecret})) {}

std::string Fleet::new_directory(const std::string& name) {
  const std::string path = options_.directory + "/" + name;
  std::filesystem::create_directories(path);
  return path;
}

void Fleet::note(const std::string& text) {
  if (std::find(notes_.begin(), notes_.end(), text) != notes_.end()) return;
  std::fprintf(stderr, "note: %s\n", text.c_str());
  notes_.push_back(text);
}

Result<Server*> Fleet::server(Member member) {
  const auto found = servers_.find(member);
  if (found != servers_.end()) return found->second.get();
  Result<std::unique_ptr<Server>> started = start(member);
  if (!started.ok()) {
    if (started.error().code != Code::kNotFound) return started.error();
    note(started.error().message);
    servers_[member] = nullptr;
    return nullptr;
  }
  return (servers_[member] = std::move(*started)).get();
}

Result<std::unique_ptr<Server>> Fleet::start(Member member) {
  switch (member) {
    case Member::kDynoxideMemory:
      return start_dynoxide(options_.peers_directory, new_directory("dynoxide-memory"), false);
    case Member::kDynoxideDisk:
      return start_dynoxide(options_.peers_directory, new_directory("dynoxide-disk"), true);
    case Member::kDynalite:
      return start_dynalite(options_.peers_directory, new_directory("dynalite"));
    default:
      return start_sheaf(member);
  }
}

Result<std::unique_ptr<Server>> Fleet::start_sheaf(Member member) {
  SheafOptions sheaf{.program = options_.sheaf_program};
  const std::string relaxed = "RocksDB: a crash of the process; power loss may take the last second";
  switch (member) {
    case Member::kSheafDurable:
      sheaf.name = "Sheaf durable";
      sheaf.durability = "RocksDB: power loss";
      break;
    case Member::kSheafMemory:
      sheaf.name = "Sheaf memory";
      sheaf.durability = "in memory: none";
      break;
    case Member::kSheafSigned:
      sheaf.name = "Sheaf signed";
      sheaf.durability = "as Sheaf relaxed; signatures are verified";
      break;
    case Member::kSheafUnsigned:
      sheaf.name = "Sheaf unsigned";
      sheaf.durability = "as Sheaf relaxed; gets the same signed requests, and believes them";
      break;
    default:
      sheaf.name = "Sheaf relaxed";
      sheaf.durability = relaxed;
  }
  std::string folder = sheaf.name;
  std::replace(folder.begin(), folder.end(), ' ', '-');
  sheaf.directory = new_directory(folder);
  if (member == Member::kSheafMemory) {
    sheaf.arguments = {"--in-memory"};
  } else {
    sheaf.arguments = {"--data", sheaf.directory + "/data", "--durability",
                       member == Member::kSheafDurable ? "durable" : "relaxed"};
  }
  if (member == Member::kSheafSigned) {
    sheaf.credential = credential_;
    const std::string file = sheaf.directory + "/credentials";
    std::ofstream(file) << "[bench]\naws_access_key_id = " << kAccessKey
                        << "\naws_secret_access_key = " << kSecret << "\n";
    std::filesystem::permissions(file,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    sheaf.arguments.insert(sheaf.arguments.end(), {"--credentials", file});
  }
  return bench::start_sheaf(sheaf);
}

Result<std::vector<Server*>> Fleet::endpoints() {
  if (!std::exchange(has_joined_, true)) {
    for (const std::string& each : options_.endpoints) joined_.push_back(TRY(join_endpoint(each)));
  }
  std::vector<Server*> servers;
  for (const std::unique_ptr<Server>& each : joined_) servers.push_back(each.get());
  return servers;
}

Result<EchoServer*> Fleet::echo() {
  if (echo_ == nullptr) echo_ = TRY(EchoServer::start());
  return echo_.get();
}

Result<RawProcess*> Fleet::raw() {
  if (!raw_) {
    raw_.emplace(TRY(RawProcess::start(
        {.directory = new_directory("rocksdb"), .memory_bytes = kStoreBytes, .sizes = options_.sizes})));
  }
  return &*raw_;
}

Result<PostgresServer*> Fleet::postgres() {
  if (postgres_ != nullptr || postgres_missing_) return postgres_.get();
  Result<std::unique_ptr<PostgresServer>> started =
      PostgresServer::start(options_.directory + "/postgres", options_.sizes.orders);
  if (started.ok()) {
    postgres_ = std::move(*started);
  } else if (started.error().code == Code::kNotFound) {
    postgres_missing_ = true;
    note(started.error().message + "; the order is not compared with it");
  } else {
    return started.error();
  }
  return postgres_.get();
}

std::vector<std::pair<std::string, std::string>> Fleet::legend() const {
  std::vector<std::pair<std::string, std::string>> lines;
  if (echo_ != nullptr) {
    lines.emplace_back(kEcho,
                       "the limit: receives such requests and sends such answers, and does nothing else");
    lines.emplace_back(kEchoReference, "the same with GetItem's sizes: what the goals are fractions of");
  }
  if (raw_) {
    lines.emplace_back(
        kRawRocksdb,
        "in process, without a server: what the store does for the operation, on one thread, and "
        "where it is durable on as many as there are connections, synced");
  }
  for (const auto& [member, server] : servers_)
    if (server != nullptr) lines.emplace_back(server->name(), server->durability());
  for (const std::unique_ptr<Server>& server : joined_)
    lines.emplace_back(server->name(), server->durability());
  return lines;
}

}  // namespace sheaf::bench
