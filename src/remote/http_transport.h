// Questions over HTTP/1.1, signed, on connections that are kept.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "http/credentials.h"
#include "http/tls.h"
#include "remote/access_key.h"
#include "remote/connection_pool.h"
#include "remote/endpoint_url.h"
#include "remote/transport.h"

namespace sheaf::remote {

struct HttpOptions {
  EndpointUrl url;
  std::string region = "us-east-1";
  AccessKey access_key;
  std::string authorities_path;  // whom to trust, in PEM form; empty: whom the system does
  int64_t connect_ms = 3'000;    // to be connected, encryption included
  int64_t answer_ms = 30'000;    // from the first byte sent to the last one received
  size_t answer_bytes_max = size_t{128} << 20;
  ConnectionPool::Limits connections;
  std::string writer;            // of Endpoint
  const Clock* clock = nullptr;  // dates signatures; null: the system's; must outlive the transport
};

class HttpTransport final : public Transport {
 public:
  // kInvalid, with the reason, if there is no key to sign with or the authorities cannot be read. Connects to
  // nobody yet.
  static Result<std::unique_ptr<HttpTransport>> create(HttpOptions options);

  Exchanged exchange(const Question& question) override;

 private:
  HttpTransport(HttpOptions options, http::Credential credential, std::unique_ptr<http::TlsContext> tls);

  std::string head_of(const Question& question) const;
  Exchanged receive(ConnectionPool::Lease& lease, Deadline deadline) const;

  const HttpOptions options_;  // without the key
  const SystemClock system_clock_;
  const Clock& clock_;
  const http::Credential credential_;
  const std::unique_ptr<http::TlsContext> tls_;  // null: not encrypted
  ConnectionPool pool_;                          // last: it uses the others
};

}  // namespace sheaf::remote
