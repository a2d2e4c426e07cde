// Any bytes into Value::decode, Item::decode and take_key_component; what they take must read, and write, as
// itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sheaf/value.h"

#include "value/key_codec.h"

namespace {

using sheaf::ItemView;
using sheaf::Type;
using sheaf::ValueView;
using sheaf::ValueWriter;

void require(bool condition) {
  if (!condition) std::abort();
}

void write(ValueWriter& writer, ValueView value);

void write_attributes(ValueWriter& writer, ItemView item) {
  for (const auto attribute : item) {
    require(item.find(attribute.name) == attribute.value);
    writer.key(attribute.name);
    write(writer, attribute.value);
  }
}

void write(ValueWriter& writer, ValueView value) {
  switch (value.type()) {
    case Type::kNull:
      return writer.null();
    case Type::kBool:
      return writer.boolean(value.boolean());
    case Type::kNumber:
      return writer.number(*sheaf::Number::parse(value.number().to_string()));
    case Type::kString:
      return writer.string(value.bytes());
    case Type::kBinary:
      return writer.binary(value.bytes());
    case Type::kMap:
      writer.begin_map();
      write_attributes(writer, value.map());
      return writer.end_map();
    case Type::kList:
      writer.begin_list();
      for (const auto element : value.list()) write(writer, element);
      return writer.end_list();
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      writer.begin_set(value.type());
      for (const auto element : value.set()) writer.element(element);
      return writer.end_set();
  }
}

void check_value(const std::string& bytes) {
  const auto value = sheaf::Value::decode(bytes);
  if (!value.ok()) return;
  require(value->view().encoded() == bytes);
  require(value->view().depth() <= sheaf::kNestingMax);
  require(value->view().size_bytes() <= 4 * bytes.size());
  require(!value->to_json().empty());
  ValueWriter writer;
  write(writer, *value);
  const auto written = writer.finish();
  require(written.ok() && *written == bytes);
}

void check_item(const std::string& bytes) {
  auto item = sheaf::Item::decode(bytes);
  if (!item.ok()) return;
  require(item->view().encoded() == bytes);
  require(item->view().size_bytes() <= 4 * bytes.size());
  ValueWriter writer;
  writer.begin_item();
  write_attributes(writer, *item);
  writer.end_item();
  const auto written = writer.finish();
  require(written.ok() && *written == bytes);
  const bool had = item->view().contains("a");
  item->set("a", sheaf::Value(1));
  require(sheaf::Item::decode(std::string(item->encoded())).ok());
  item->remove("a");
  require(had || item->encoded() == bytes);
}

void check_component(const std::string& bytes, Type type) {
  std::string_view left = bytes;
  const auto value = sheaf::take_key_component(left, type);
  if (!value.ok()) return;
  std::string written;
  sheaf::append_key_component(written, *value);
  require(written == std::string_view(bytes).substr(0, bytes.size() - left.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A string of its own, so that reading behind the end is noticed.
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_value(bytes);
  check_item(bytes);
  check_component(bytes, Type::kString);
  check_component(bytes, Type::kBinary);
  check_component(bytes, Type::kNumber);
  return 0;
}
