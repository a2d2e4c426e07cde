#include "transfer/kept_json.h"

#include "base/errors.h"
#include "base/try.h"
#include "run/plain_json.h"

namespace sheaf::transfer {

Result<KeptJson> KeptJson::read(std::string_view json) {
  const Result<Value> value = run::from_plain_json(json);
  if (!value.ok() || value->type() != Type::kMap) return invalid("it is no object of JSON");
  return KeptJson(value->view().map());
}

Result<ValueView> KeptJson::member(std::string_view name, Type type) const {
  const std::optional<ValueView> value = object_.find(name);
  if (!value || value->type() != type)
    return invalid("its \"" + std::string(name) + "\" is missing or wrong");
  return *value;
}

Result<std::string> KeptJson::text(std::string_view name) const {
  return std::string(TRY(member(name, Type::kString)).bytes());
}

Result<uint64_t> KeptJson::count(std::string_view name) const {
  const Result<int64_t> number = TRY(member(name, Type::kNumber)).number().to_int64();
  if (!number.ok() || *number < 0) return invalid("its \"" + std::string(name) + "\" is no count");
  return static_cast<uint64_t>(*number);
}

Result<std::vector<std::string>> KeptJson::texts(std::string_view name) const {
  std::vector<std::string> texts;
  for (const ValueView each : TRY(member(name, Type::kList)).list()) {
    if (each.type() != Type::kString) return invalid("its \"" + std::string(name) + "\" is wrong");
    texts.emplace_back(each.bytes());
  }
  return texts;
}

Result<std::vector<uint64_t>> KeptJson::counts(std::string_view name) const {
  std::vector<uint64_t> counts;
  for (const ValueView each : TRY(member(name, Type::kList)).list()) {
    if (each.type() != Type::kNumber) return invalid("its \"" + std::string(name) + "\" is wrong");
    const Result<int64_t> number = each.number().to_int64();
    if (!number.ok() || *number < 0) return invalid("its \"" + std::string(name) + "\" is wrong");
    counts.push_back(static_cast<uint64_t>(*number));
  }
  return counts;
}

Result<std::vector<KeptJson>> KeptJson::objects(std::string_view name) const {
  std::vector<KeptJson> objects;
  for (const ValueView each : TRY(member(name, Type::kList)).list()) {
    if (each.type() != Type::kMap) return invalid("its \"" + std::string(name) + "\" is wrong");
    objects.emplace_back(each.map());
  }
  return objects;
}

}  // namespace sheaf::transfer
