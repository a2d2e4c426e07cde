#include "run/cursor.h"

#include "base/sha256.h"
#include "language/syntax_text.h"
#include "plan/explain.h"
#include "plan/key_interval.h"
#include "run/item_codec.h"
#include "value/base64.h"

namespace sheaf::run {
namespace {

constexpr char kVersion = 1;
constexpr size_t kPartBytes = 8;  // of the fingerprint, and of the parameters
constexpr size_t kSealBytes = 16;
constexpr size_t kHeadBytes = 1 + 2 * kPartBytes;

std::string arguments_digest(const std::vector<Argument>& arguments) {
  std::string text;
  const auto add = [&](std::string_view part) {
    text += std::to_string(part.size()) + ":";
    text += part;
  };
  for (const Argument& argument : arguments) {
    add(argument.is_given ? "1" : "0");
    for (const std::string& part : argument.identity) add(part);
    if (argument.value) add(argument.value->view().encoded());
    add("");
  }
  const Digest digest = sha256(text);
  return std::string(bytes_of(digest).substr(0, kPartBytes));
}

std::string seal(std::string_view secret, std::string_view bytes) {
  const Digest digest = hmac_sha256(secret, bytes);
  return std::string(bytes_of(digest).substr(0, kSealBytes));
}

// In the alphabet that needs no escapes in URLs.
std::string to_url_text(std::string_view bytes) {
  std::string text;
  append_base64(text, bytes);
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return text;
}

std::optional<std::string> from_url_text(std::string_view text) {
  std::string plain(text);
  for (char& c : plain) c = c == '-' ? '+' : c == '_' ? '/' : c;
  while (plain.size() % 4 != 0) plain += '=';
  std::string bytes;
  if (!decode_base64(bytes, plain)) return std::nullopt;
  return bytes;
}

Value texts(const Identity& identity) {
  return Value::list(std::vector<Value>(identity.begin(), identity.end()));
}

Identity identity_in(const ItemView& item, std::string_view name) {
  Identity identity;
  const auto list = item.find(name);
  if (!list || list->type() != Type::kList) return identity;
  for (const ValueView part : list->list()) {
    if (part.type() == Type::kString) identity.emplace_back(part.bytes());
  }
  return identity;
}

Error refused(const std::string& why) { return {Code::kInvalid, "this cursor cannot be used: " + why}; }

}  // namespace

std::string plan_fingerprint(const model::Model& model, const model::Layout& layout, const plan::Plan& plan) {
  std::string text = plan.pattern->name + "\n" + plan::explain(model, layout, plan);
  for (const plan::Request& request : plan.requests) {
    for (const plan::Want& want : request.wants) {
      const model::ItemKind& kind = layout.item_kinds[want.item_kind];
      text += kind.pk.text() + "/" + (kind.sk ? kind.sk->text() : "") + "\n";
      // What is fetched by its address may lie in several tables; its keys are those above.
      if (request.kind == plan::Request::Kind::kQuery)
        text += plan::partition_key(layout, request.view, kind)->text() + "\n";
    }
  }
  const model::Node& node = plan.pattern->node;
  if (node.order) {
    for (const language::Name& name : plan.pattern->syntax->read.tail.order->path.names)
      text += name.text + ".";
    text += node.order->second == language::Direction::kDescending ? "desc" : "asc";
  }
  const Digest digest = sha256(text);
  return std::string(bytes_of(digest).substr(0, kPartBytes));
}

std::string encode_cursor(std::string_view secret, std::string_view fingerprint,
                          const std::vector<Argument>& arguments, const Position& position) {
  Item item;
  if (position.key) item.set("k", Value(*position.key));
  if (!position.anchor.empty()) item.set("a", texts(position.anchor));
  if (position.order) item.set("o", *position.order);
  if (!position.place.empty()) item.set("i", texts(position.place));
  std::string bytes(1, kVersion);
  bytes += fingerprint;
  bytes += arguments_digest(arguments);
  bytes += ItemView(item).encoded();
  return to_url_text(bytes + seal(secret, bytes));
}

Result<Position> decode_cursor(std::string_view secret, std::string_view fingerprint,
                               const std::vector<Argument>& arguments, std::string_view cursor) {
  const auto bytes = from_url_text(cursor);
  if (!bytes || bytes->size() < kHeadBytes + kSealBytes || bytes->front() != kVersion)
    return refused("it is none, or was cut off");
  const std::string_view signed_part = std::string_view(*bytes).substr(0, bytes->size() - kSealBytes);
  if (seal(secret, signed_part) != std::string_view(*bytes).substr(signed_part.size()))
    return refused("it was changed, or comes from another database");
  if (signed_part.substr(1, kPartBytes) != fingerprint)
    return refused("the model has changed since it was given; begin again without it");
  if (signed_part.substr(1 + kPartBytes, kPartBytes) != arguments_digest(arguments))
    return refused("it was given for other parameters");
  const Result<Item> item = Item::decode(std::string(signed_part.substr(kHeadBytes)));
  if (!item.ok()) return refused("it is none, or was cut off");
  Position position;
  if (const auto key = item->find("k"); key && key->type() == Type::kMap) position.key = Item(key->map());
  position.anchor = identity_in(*item, "a");
  if (const auto order = item->find("o")) position.order = Value(*order);
  position.place = identity_in(*item, "i");
  return position;
}

}  // namespace sheaf::run
