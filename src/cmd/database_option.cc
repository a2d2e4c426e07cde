#include "cmd/database_option.h"

#include <unistd.h>

#include <CLI/CLI.hpp>

#include "base/try.h"
#include "http/origin_guard.h"
#include "remote/endpoint_url.h"
#include "store/data_directory.h"

namespace sheaf::cmd {
namespace {

using remote::Environment;

constexpr std::string_view kAws = "aws";
constexpr const char* kDataVariable = "SHEAF_DATA";
constexpr const char* kEndpointVariable = "SHEAF_ENDPOINT";
constexpr std::string_view kUsualRegion = "us-east-1";
constexpr const char* kNoneNamed =
    "where is the data? --data DIRECTORY or --endpoint URL says it, or SHEAF_DATA or SHEAF_ENDPOINT in the "
    "environment";

// "eu-west-1" of dynamodb.eu-west-1.amazonaws.com; "" of what is not AWS.
std::string region_of_host(std::string_view host) {
  for (const std::string_view domain : {".amazonaws.com", ".amazonaws.com.cn", ".api.aws"}) {
    if (!host.ends_with(domain)) continue;
    const std::string_view name = host.substr(0, host.size() - domain.size());
    for (const std::string_view service : {"dynamodb.", "dynamodb-fips."}) {
      if (name.starts_with(service)) return std::string(name.substr(service.size()));
    }
  }
  return "";
}

std::string region_of_environment(const Environment& environment) {
  std::string region = environment("AWS_REGION").value_or("");
  return region.empty() ? environment("AWS_DEFAULT_REGION").value_or("") : region;
}

Result<AccessKey> key_of(const DatabaseChoice& choice, bool any_will_do, const Environment& environment) {
  if (!choice.profile.empty() || !choice.credentials_path.empty()) {
    return remote::access_key_of_file({.path = choice.credentials_path, .profile = choice.profile},
                                      environment);
  }
  Result<AccessKey> key = remote::find_access_key(environment);
  if (key.ok() || key.error().code != Code::kNotFound) return key;
  if (any_will_do) return AccessKey{.id = "sheaf", .secret = "sheaf"};
  return Error{Code::kNotFound, "no credentials for " + choice.endpoint + ": " + key.error().message +
                                    "; --profile and --credentials name others"};
}

// A variable of a script that was not set. What it was to name, nobody knows.
void check_not_empty(const char* option, const std::string& given) {
  if (given.empty()) throw CLI::ValidationError(option, "it is empty");
}

// Before it is opened: that makes a database where there is none, and takes what may not be looked at for
// something else.
Result<void> check_directory(const DatabaseChoice& choice) {
  TRY(store::check_access(choice.directory));
  const std::string format = choice.directory + "/FORMAT";
  if (choice.must_exist && ::access(format.c_str(), F_OK) != 0)
    return Error{Code::kNotFound, "there is no database in " + choice.directory};
  return {};
}

}  // namespace

void add_database_options(CLI::App& command, DatabaseChoice& choice, DatabaseNeed need,
                          const Environment& environment) {
  if (need != DatabaseNeed::kOptional) {
    choice.directory = environment(kDataVariable).value_or("");
    choice.endpoint = environment(kEndpointVariable).value_or("");
    // Which of the two was meant, nobody knows.
    choice.is_ambiguous = !choice.directory.empty() && !choice.endpoint.empty();
    if (choice.is_ambiguous) choice.directory = choice.endpoint = "";
  }
  const bool is_endpoint_known = !choice.endpoint.empty();
  CLI::Option_group* const group = command.add_option_group(
      "database", need != DatabaseNeed::kOptional
                      ? "Where the data is; without either: what SHEAF_DATA or SHEAF_ENDPOINT has"
                      : "Where the data is");
  // The command line has the last word.
  group->add_option_function<std::string>(
      "--data",
      [&choice](const std::string& given) {
        check_not_empty("--data", given);
        choice.directory = given;
        choice.endpoint.clear();
      },
      choice.must_exist ? "In this directory" : "In this directory (made if it is not there)");
  CLI::Option* const endpoint = group->add_option_function<std::string>(
      "--endpoint",
      [&choice](const std::string& given) {
        check_not_empty("--endpoint", given);
        choice.endpoint = given;
        choice.directory.clear();
      },
      "Behind this URL, which speaks the DynamoDB API: a Sheaf server, an emulator; aws: AWS itself");
  group->require_option(0, 1);
  if (need == DatabaseNeed::kRequired) {
    command.parse_complete_callback([&choice] {
      if (choice.is_in_memory() && !choice.is_ambiguous)
        throw CLI::RequiredError(kNoneNamed, CLI::ExitCodes::RequiredError);
    });
  }
  const auto add = [&](const char* name, std::string& value, const char* meaning) {
    CLI::Option* const option = command.add_option(name, value, meaning)->group("Of an endpoint");
    if (!is_endpoint_known) option->needs(endpoint);
  };
  add("--region", choice.region, "Its region; else AWS_REGION or AWS_DEFAULT_REGION");
  add("--profile", choice.profile, "Sign with the key of this profile of the credentials file");
  add("--credentials", choice.credentials_path,
      "The credentials file, in AWS's form; without it and --profile: AWS_ACCESS_KEY_ID and "
      "AWS_SECRET_ACCESS_KEY, then ~/.aws/credentials");
  add("--ca-file", choice.authorities_path,
      "PEM file: trust the certificates of these authorities instead of the system's");
}

Result<Endpoint> endpoint_of(const DatabaseChoice& choice, const Environment& environment) {
  const bool is_aws = choice.endpoint == kAws;
  Endpoint endpoint{.region = choice.region, .authorities_path = choice.authorities_path};
  bool any_key_will_do = false;
  if (!is_aws) {
    const remote::EndpointUrl url = TRY(remote::parse_endpoint_url(choice.endpoint));
    if (!url.encrypted && !choice.authorities_path.empty())
      return Error{Code::kInvalid, "--ca-file is for an endpoint with https://"};
    endpoint.url = choice.endpoint;
    any_key_will_do = http::is_loopback_host(url.host_header());
    if (endpoint.region.empty()) endpoint.region = region_of_host(url.host);
  }
  if (endpoint.region.empty()) endpoint.region = region_of_environment(environment);
  if (endpoint.region.empty() && is_aws)
    return Error{Code::kInvalid, "which region of AWS? Give --region, or set AWS_REGION"};
  if (endpoint.region.empty()) endpoint.region = kUsualRegion;
  endpoint.writer = choice.writer;
  if (choice.attempts_max > 0) endpoint.attempts_max = choice.attempts_max;
  if (choice.connections_max > 0) endpoint.connections_max = choice.connections_max;
  endpoint.access_key = TRY(key_of(choice, any_key_will_do, environment));
  return endpoint;
}

Result<std::unique_ptr<Database>> open_database(const DatabaseChoice& choice,
                                                const Environment& environment) {
  if (choice.is_in_memory() && choice.is_ambiguous)
    return Error{Code::kInvalid,
                 "SHEAF_DATA and SHEAF_ENDPOINT are both set: --data or --endpoint says which is meant"};
  if (choice.is_in_memory()) return Database::open_in_memory();
  if (!choice.directory.empty()) {
    TRY(check_directory(choice));
    return Database::open(choice.directory);
  }
  const Endpoint endpoint = TRY(endpoint_of(choice, environment));
  return connect(endpoint);
}

}  // namespace sheaf::cmd
