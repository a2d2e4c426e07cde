#include "wire/tags.h"

#include <algorithm>
#include <vector>

#include "base/errors.h"
#include "base/try.h"
#include "engine/tables.h"
#include "wire/json_object.h"
#include "wire/resource_names.h"
#include "wire/table_shapes.h"

namespace sheaf::wire {
namespace {

constexpr size_t kTagKeyCharactersMax = 128;
constexpr size_t kTagValueCharactersMax = 256;

using Tags = std::map<std::string, std::string>;

Error too_many_tags() {
  return invalid("Number of Tags exceed the current limit for the provided ResourceArn");
}

// Letters of any script, digits, spaces and a few signs. What is beyond ASCII counts as a letter.
bool is_tag_text(std::string_view text, size_t min, size_t max) {
  size_t characters = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) ++characters;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || byte >= 0x80;
    const bool other =
        (c >= '0' && c <= '9') || std::string_view(" +-=._:/@").find(c) != std::string_view::npos;
    if (!letter && !other) return false;
  }
  return characters >= min && characters <= max;
}

Result<void> check_tag_key(std::string_view key, const std::string& shown) {
  if (is_tag_text(key, 1, kTagKeyCharactersMax)) return {};
  return invalid("The Tag Key provided is invalid, Key: " + shown);
}

Result<void> check_tag(const Fields& tag) {
  const std::string key(tag.text(kTagKey));
  TRY(check_tag_key(key, tag.has(kTagKey) ? key : "null"));
  if (key.starts_with("aws:")) return invalid("Tag Key cannot be prefixed with aws:, Key: " + key);
  const std::string value(tag.text(kTagValue));
  if (!tag.has(kTagValue) || !is_tag_text(value, 0, kTagValueCharactersMax))
    return invalid("The Tag Value provided is invalid, Value: " + (tag.has(kTagValue) ? value : "null"));
  return {};
}

enum TagResourceMember : size_t { kTagArn, kTagTags };
enum UntagResourceMember : size_t { kUntagArn, kUntagKeys };
enum ListTagsMember : size_t { kListTagsArn };

constexpr Member kArnMember{"ResourceArn", &kString, {.required = true, .min = 1, .max = 1283}};
constexpr Shape kTagKeys{.kind = Kind::kList, .element = &kString, .element_limits = {.required = true}};
constexpr Member kTagResourceMembers[] = {kArnMember, {"Tags", &kTagList, {.required = true}}};
constexpr Member kUntagResourceMembers[] = {kArnMember, {"TagKeys", &kTagKeys, {.required = true}}};
constexpr Member kListTagsMembers[] = {kArnMember, {"NextToken", &kString}};

struct TagRequest {
  std::string arn;
  ResourceName name;
  Tags tags;                      // to be set
  std::vector<std::string> keys;  // to be removed
};

Result<TagRequest> read_tag_resource(const Fields& request) {
  TagRequest read{.arn = std::string(request.text(kTagArn))};
  read.name = TRY(parse_resource_arn(read.arn));
  if (request.list(kTagTags).size() == 0) return invalid("Atleast one Tag needs to be provided as Input.");
  read.tags = TRY(read_tags(request, kTagTags));
  return read;
}

Result<TagRequest> read_untag_resource(const Fields& request) {
  TagRequest read{.arn = std::string(request.text(kUntagArn))};
  read.name = TRY(parse_resource_arn(read.arn));
  for (const Json key : request.list(kUntagKeys)) read.keys.emplace_back(key.get_string().value_unsafe());
  if (read.keys.empty()) return invalid("Atleast one Tag Key needs to be provided as Input.");
  for (const std::string& key : read.keys) TRY(check_tag_key(key, key));
  if (read.keys.size() > engine::kTagsMax) return too_many_tags();
  return read;
}

// Of an ARN of another account AWS does not say whether it names anything. The account that a server has if
// none was chosen is nobody's: ARNs with it count as those of others.
Answer refusal(const Error& error, const Account& account, std::string_view operation,
               const TagRequest& request) {
  if (error.code != Code::kNotFound) return error_answer(error);
  if (request.name.account == account.id && account.id != Account().id) {
    return error_answer(
        {Code::kNotFound, "Requested resource not found: ResourceArn: " + request.arn + " not found"});
  }
  return exception("AccessDeniedException", "User: arn:aws:iam::" + account.id +
                                                ":root is not authorized to perform: dynamodb:" +
                                                std::string(operation) + " on resource: " + request.arn);
}

Answer empty_answer() { return {.body = "{}"}; }

}  // namespace

constexpr Shape kTagResourceShape{
    .kind = Kind::kStructure, .class_name = "TagResourceInput", .members = kTagResourceMembers};
constexpr Shape kUntagResourceShape{
    .kind = Kind::kStructure, .class_name = "UntagResourceInput", .members = kUntagResourceMembers};
constexpr Shape kListTagsOfResourceShape{
    .kind = Kind::kStructure, .class_name = "ListTagsOfResourceInput", .members = kListTagsMembers};

Result<Tags> read_tags(const Fields& request, size_t member) {
  Tags tags;
  if (!request.has(member)) return tags;
  for (const Json json : request.list(member)) {
    const Fields tag(json, request.element_shape(member));
    TRY(check_tag(tag));
    const auto [place, is_new] = tags.emplace(tag.text(kTagKey), tag.text(kTagValue));
    if (!is_new)
      return invalid("Duplicate Tag Keys provided as input: Duplicate Tag Key found " + place->first);
  }
  if (tags.size() > engine::kTagsMax) return too_many_tags();
  return tags;
}

void tag_resource(Call call, const Input& input) {
  const Result<TagRequest> request = read_tag_resource(input.fields());
  if (!request.ok()) return call.done(error_answer(request.error()));
  const Result<void> tagged = call.database.tag_table(request->name.table, request->tags);
  if (!tagged.ok()) return call.done(refusal(tagged.error(), call.account, "TagResource", *request));
  call.done(empty_answer());
}

void untag_resource(Call call, const Input& input) {
  const Result<TagRequest> request = read_untag_resource(input.fields());
  if (!request.ok()) return call.done(error_answer(request.error()));
  const Result<void> untagged = call.database.untag_table(request->name.table, request->keys);
  if (!untagged.ok()) return call.done(refusal(untagged.error(), call.account, "UntagResource", *request));
  call.done(empty_answer());
}

// All at once: there are at most fifty, and AWS gives out no token for these either.
void list_tags_of_resource(Call call, const Input& input) {
  TagRequest request{.arn = std::string(input.fields().text(kListTagsArn))};
  Result<ResourceName> name = parse_resource_arn(request.arn);
  if (!name.ok()) return call.done(error_answer(name.error()));
  request.name = std::move(*name);
  const Result<TableDescription> table = call.database.describe_table(request.name.table);
  if (!table.ok()) return call.done(refusal(table.error(), call.account, "ListTagsOfResource", request));
  call.done(object_answer([&](JsonObject& object) {
    std::string& out = object.member("Tags");
    append_json_list(out, table->tags, [&](const auto& tag) {
      JsonObject entry(out);
      entry.text("Key", tag.first);
      entry.text("Value", tag.second);
    });
  }));
}

}  // namespace sheaf::wire
