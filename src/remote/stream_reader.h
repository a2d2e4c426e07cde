// Change streams over an endpoint. A StreamPosition is a place in a shard for as long as the stream is; so
// the streams that can be read are those whose sequence numbers are such places and whose shards stay: those
// of Sheaf. AWS splits and closes shards every few hours, and its sequence numbers are longer than a
// position.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/stream.h"
#include "sheaf/table.h"

#include "base/clock.h"
#include "remote/client.h"

namespace sheaf::remote {

// A stream and where its records are.
struct StreamPlace {
  StreamDescription description;
  std::string arn;
  std::vector<std::string> shards;  // their ids, in the order of their numbers
  StreamPosition first;             // before everything that it holds
  bool is_readable = false;         // its shards and sequence numbers are of the form that this needs
};

// Thread-safe.
class StreamReader {
 public:
  // Both must outlive it.
  StreamReader(Client& client, const Clock& clock) : client_(client), clock_(clock) {}

  // Of a table, oldest first. Nothing if the endpoint has no operations for streams, or does not let us use
  // them.
  Result<std::optional<std::vector<StreamPlace>>> list(std::string_view table);

  // kInvalid if the stream cannot be read. How far back a place lies is judged by the clock.
  Result<StreamRead> read(const ReadStream& request);

 private:
  Result<std::optional<StreamPlace>> describe(std::string_view arn);
  Result<StreamPlace> find(const ReadStream& request);
  // An iterator; nothing if the place to begin at lies behind everything that was written.
  Result<std::optional<std::string>> begin(const StreamPlace& place, const ReadStream& request);
  Result<StreamRead> read_beyond_end(const StreamPlace& place, const ReadStream& request);
  Result<Answer> demand(std::string_view operation, std::string_view body);

  Client& client_;
  const Clock& clock_;
  // Places do not change; what is known is not asked for again.
  std::mutex mutex_;
  std::map<std::pair<std::string, uint32_t>, StreamPlace> known_;
};

}  // namespace sheaf::remote
