// The parts of which requests declare tables: keys, indexes, throughput, streams.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/table.h"

#include "wire/shape.h"

namespace sheaf::wire {

// AttributeDefinitions: the types of attributes that are keys.
class AttributeDefinitions {
 public:
  // None if the member is not there.
  AttributeDefinitions(const Fields& request, size_t member);

  size_t size() const { return attributes_.size(); }
  bool empty() const { return attributes_.empty(); }
  const std::vector<KeyAttribute>& attributes() const { return attributes_; }
  std::optional<Type> type_of(std::string_view name) const;
  size_t distinct_count() const;
  std::optional<std::string> duplicate() const;
  std::string text() const;  // [pk, sk]

 private:
  std::vector<KeyAttribute> attributes_;
};

// A KeySchema as it was sent.
struct KeyElement {
  std::string name;
  bool hash = false;
};
std::vector<KeyElement> read_key_elements(const Fields& owner, size_t member);
std::string names_text(const std::vector<KeyElement>& elements);  // [pk, sk]

// Error if an attribute is not defined.
Result<void> check_defined(const std::vector<KeyElement>& elements, const AttributeDefinitions& definitions);
// The key of a table or of a local index: one attribute of each kind, in order. What is not defined counts as
// a string.
Result<KeySchema> make_single_key(const std::vector<KeyElement>& elements,
                                  const AttributeDefinitions& definitions);
// The key of a global index: several of each kind, in order.
Result<KeySchema> make_global_key(const std::vector<KeyElement>& elements,
                                  const AttributeDefinitions& definitions);

// Everything of an index but its key. `index` is of the shape of a global or a local one.
Result<IndexDeclaration> read_index(const Fields& index, bool local);

// Where a structure holds its ProvisionedThroughput, OnDemandThroughput and WarmThroughput; `whose` is
// "table" or "index : X".
struct ThroughputPlaces {
  size_t provisioned;
  size_t on_demand;
  size_t warm;
};
// Whether it is of something new, which has no maximum that could be taken away.
enum class Declared : uint8_t { kNow, kBefore };
Result<Throughput> read_throughput(const Fields& owner, const ThroughputPlaces& places,
                                   const std::string& whose, Declared declared);

// BillingMode, or else TableThroughputMode.
std::optional<BillingMode> read_billing(const Fields& request, size_t billing, size_t mode);
// Error if SSESpecification contradicts itself or asks for keys: there is no service here that keeps any.
Result<void> check_encryption(const Fields& request, size_t member);
Result<std::optional<std::string>> read_table_class(const Fields& request, size_t member);
StreamView stream_view(std::string_view text);

}  // namespace sheaf::wire
