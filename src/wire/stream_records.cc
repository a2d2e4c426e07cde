#include "wire/stream_records.h"

#include <xxhash.h>

#include <cstdio>

#include "base/big_endian.h"
#include "wire/json_object.h"
#include "wire/stream_places.h"
#include "wire/table_description.h"

namespace sheaf::wire {
namespace {

std::string_view event_name(ChangeEvent::Kind kind) {
  switch (kind) {
    case ChangeEvent::Kind::kInsert:
      return "INSERT";
    case ChangeEvent::Kind::kModify:
      return "MODIFY";
    case ChangeEvent::Kind::kRemove:
      break;
  }
  return "REMOVE";
}

// The same for a record whenever it is read.
std::string event_id(const ChangeEvent& event, const RecordOrigin& origin) {
  std::string place;
  append_u32(place, origin.stream);
  place += static_cast<char>(origin.shard);
  append_u64(place, event.sequence.stamp);
  append_u16(place, event.sequence.position);
  const XXH128_hash_t hash = XXH3_128bits(place.data(), place.size());
  char text[40];
  const int length =
      std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                    static_cast<unsigned long long>(hash.low64));
  return std::string(text, static_cast<size_t>(length));
}

int64_t size_bytes(const ChangeEvent& event) {
  int64_t bytes = event.key.view().size_bytes();
  if (event.old_image) bytes += event.old_image->view().size_bytes();
  if (event.new_image) bytes += event.new_image->view().size_bytes();
  return bytes;
}

}  // namespace

void append_record(std::string& out, const ChangeEvent& event, const RecordOrigin& origin) {
  JsonObject record(out);
  record.text("eventID", event_id(event, origin));
  record.text("eventName", event_name(event.kind));
  record.text("eventVersion", "1.1");
  record.text("eventSource", "aws:dynamodb");
  record.text("awsRegion", origin.region);
  {
    JsonObject change(record.member("dynamodb"));
    change.integer("ApproximateCreationDateTime", event.time_us() / 1'000'000);
    append_json(change.member("Keys"), event.key.view());
    if (event.new_image) append_json(change.member("NewImage"), event.new_image->view());
    if (event.old_image) append_json(change.member("OldImage"), event.old_image->view());
    change.text("SequenceNumber", sequence_number(event.sequence));
    change.integer("SizeBytes", size_bytes(event));
    change.text("StreamViewType", view_name(origin.view));
  }
  if (!event.expired) return;
  JsonObject identity(record.member("userIdentity"));
  identity.text("PrincipalId", "dynamodb.amazonaws.com");
  identity.text("Type", "Service");
}

}  // namespace sheaf::wire
