#include "wire/table_declarations.h"

#include <algorithm>
#include <set>

#include "base/errors.h"
#include "base/try.h"
#include "wire/table_shapes.h"

namespace sheaf::wire {
namespace {

Error first_is_not_hash() {
  return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
}

Error same_names() {
  return invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name");
}

Type key_type(std::string_view text) {
  if (text == "N") return Type::kNumber;
  return text == "B" ? Type::kBinary : Type::kString;
}

KeySchema make_key(const std::vector<KeyElement>& elements, const AttributeDefinitions& definitions) {
  KeySchema key;
  for (const KeyElement& element : elements) {
    KeyAttribute attribute{.name = element.name,
                           .type = definitions.type_of(element.name).value_or(Type::kString)};
    (element.hash ? key.partition : key.sort).push_back(std::move(attribute));
  }
  return key;
}

// A maximum of on-demand throughput; -1 takes one away.
Result<int64_t> read_maximum(const Fields& throughput, size_t member, std::string_view name,
                             const std::string& whose, Declared declared) {
  if (!throughput.has(member)) return 0;
  const int64_t units = throughput.integer(member);
  if (units > 0 || (units == -1 && declared == Declared::kBefore)) return units;
  return invalid_parameter("Requested " + std::string(name) + " for OnDemandThroughput for " + whose +
                           " is outside of valid range");
}

// None is shown as 0, and so 0 as less than that: both are too few wherever anything is compared.
int64_t read_warm_units(const Fields& warm, size_t member) {
  if (!warm.has(member)) return 0;
  const int64_t units = warm.integer(member);
  return units == 0 ? -1 : units;
}

}  // namespace

AttributeDefinitions::AttributeDefinitions(const Fields& request, size_t member) {
  if (!request.has(member)) return;
  for (const Json element : request.list(member)) {
    const Fields definition(element, request.element_shape(member));
    attributes_.push_back({.name = std::string(definition.text(kDefinitionName)),
                           .type = key_type(definition.text(kDefinitionType))});
  }
}

std::optional<Type> AttributeDefinitions::type_of(std::string_view name) const {
  for (const KeyAttribute& attribute : attributes_) {
    if (attribute.name == name) return attribute.type;
  }
  return std::nullopt;
}

size_t AttributeDefinitions::distinct_count() const {
  std::set<std::string_view> names;
  for (const KeyAttribute& attribute : attributes_) names.insert(attribute.name);
  return names.size();
}

std::optional<std::string> AttributeDefinitions::duplicate() const {
  std::set<std::string_view> names;
  for (const KeyAttribute& attribute : attributes_) {
    if (!names.insert(attribute.name).second) return attribute.name;
  }
  return std::nullopt;
}

std::string AttributeDefinitions::text() const {
  std::string text;
  for (const KeyAttribute& attribute : attributes_) text += (text.empty() ? "" : ", ") + attribute.name;
  return '[' + text + ']';
}

std::vector<KeyElement> read_key_elements(const Fields& owner, size_t member) {
  std::vector<KeyElement> elements;
  for (const Json json : owner.list(member)) {
    const Fields element(json, owner.element_shape(member));
    elements.push_back(
        {.name = std::string(element.text(kElementName)), .hash = element.text(kElementType) == "HASH"});
  }
  return elements;
}

std::string names_text(const std::vector<KeyElement>& elements) {
  std::string text;
  for (const KeyElement& element : elements) text += (text.empty() ? "" : ", ") + element.name;
  return '[' + text + ']';
}

Result<void> check_defined(const std::vector<KeyElement>& elements, const AttributeDefinitions& definitions) {
  const bool all = std::all_of(elements.begin(), elements.end(), [&](const KeyElement& element) {
    return definitions.type_of(element.name).has_value();
  });
  if (all) return {};
  return invalid_parameter("Some index key attributes are not defined in AttributeDefinitions. Keys: " +
                           names_text(elements) + ", AttributeDefinitions: " + definitions.text());
}

Result<KeySchema> make_single_key(const std::vector<KeyElement>& elements,
                                  const AttributeDefinitions& definitions) {
  if (elements.size() == 2 && elements[0].name == elements[1].name) return same_names();
  if (!elements[0].hash) return first_is_not_hash();
  if (elements.size() == 2 && elements[1].hash)
    return invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  return make_key(elements, definitions);
}

Result<KeySchema> make_global_key(const std::vector<KeyElement>& elements,
                                  const AttributeDefinitions& definitions) {
  if (!elements[0].hash) return first_is_not_hash();
  const bool in_order = std::is_partitioned(elements.begin(), elements.end(),
                                            [](const KeyElement& element) { return element.hash; });
  if (!in_order)
    return invalid_parameter("All HASH key attributes must precede RANGE key attributes in the KeySchema");
  std::set<std::string_view> names;
  for (const KeyElement& element : elements) {
    if (names.insert(element.name).second) continue;
    if (elements.size() == 2 && !elements[1].hash) return same_names();
    return invalid("The KeySchema contains multiple key attributes with the same name");
  }
  return make_key(elements, definitions);
}

Result<IndexDeclaration> read_index(const Fields& index, bool local) {
  IndexDeclaration declaration{.name = std::string(index.text(kIndexName))};
  const Fields projection = index.fields(kIndexProjection);
  if (!projection.has(kProjectionType)) return invalid_parameter("Unknown ProjectionType: null");
  const std::string_view kind = projection.text(kProjectionType);
  declaration.projection = kind == "ALL"       ? ProjectionKind::kAll
                           : kind == "INCLUDE" ? ProjectionKind::kInclude
                                               : ProjectionKind::kKeysOnly;
  if (projection.has(kProjectionIncluded)) {
    for (const Json name : projection.list(kProjectionIncluded))
      declaration.included.emplace_back(name.get_string().value_unsafe());
  }
  if (local) return declaration;
  declaration.throughput = TRY(read_throughput(
      index, {.provisioned = kIndexThroughput, .on_demand = kIndexOnDemand, .warm = kIndexWarm},
      "index : " + declaration.name, Declared::kNow));
  return declaration;
}

Result<Throughput> read_throughput(const Fields& owner, const ThroughputPlaces& places,
                                   const std::string& whose, Declared declared) {
  Throughput throughput;
  if (owner.has(places.provisioned)) {
    const Fields units = owner.fields(places.provisioned);
    throughput.read_units = units.integer(kThroughputRead);
    throughput.write_units = units.integer(kThroughputWrite);
  }
  if (owner.has(places.on_demand)) {
    const Fields maxima = owner.fields(places.on_demand);
    throughput.read_units_max =
        TRY(read_maximum(maxima, kThroughputRead, "MaxReadRequestUnits", whose, declared));
    throughput.write_units_max =
        TRY(read_maximum(maxima, kThroughputWrite, "MaxWriteRequestUnits", whose, declared));
  }
  if (owner.has(places.warm)) {
    const Fields warm = owner.fields(places.warm);
    throughput.read_units_warm = read_warm_units(warm, kThroughputRead);
    throughput.write_units_warm = read_warm_units(warm, kThroughputWrite);
  }
  return throughput;
}

std::optional<BillingMode> read_billing(const Fields& request, size_t billing, size_t mode) {
  if (!request.has(billing) && !request.has(mode)) return std::nullopt;
  const std::string_view text = request.text(request.has(billing) ? billing : mode);
  return text == "PROVISIONED" ? BillingMode::kProvisioned : BillingMode::kOnDemand;
}

Result<void> check_encryption(const Fields& request, size_t member) {
  if (!request.has(member)) return {};
  const Fields encryption = request.fields(member);
  const bool has_type = encryption.has(kEncryptionType);
  const bool has_key = encryption.has(kEncryptionKey);
  const bool off = encryption.has(kEncryptionEnabled) && !encryption.flag(kEncryptionEnabled);
  if (off && has_type) return invalid_parameter("SSEType can not be specified if Enabled is false");
  if (off && has_key) return invalid_parameter("KMSMasterKeyId can not be specified if Enabled is false");
  if (encryption.text(kEncryptionType) == "AES256")
    return invalid_parameter("SSEType AES256 is not supported");
  if (has_key && !has_type)
    return invalid_parameter("SSEType KMS is required if KMSMasterKeyId is specified");
  if (!has_type && !encryption.flag(kEncryptionEnabled)) return {};
  return invalid_parameter(
      "SSESpecification is not supported: there is no key management service here. Encrypt the disk, or "
      "leave "
      "it out");
}

Result<std::optional<std::string>> read_table_class(const Fields& request, size_t member) {
  if (!request.has(member)) return std::optional<std::string>();
  const std::string_view text = request.text(member);
  if (text == "STANDARD" || text == "STANDARD_INFREQUENT_ACCESS") return std::optional(std::string(text));
  return invalid(
      "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, "
      "STANDARD_INFREQUENT_ACCESS].");
}

StreamView stream_view(std::string_view text) {
  if (text == "NEW_IMAGE") return StreamView::kNewImage;
  if (text == "OLD_IMAGE") return StreamView::kOldImage;
  return text == "NEW_AND_OLD_IMAGES" ? StreamView::kNewAndOldImages : StreamView::kKeysOnly;
}

}  // namespace sheaf::wire
