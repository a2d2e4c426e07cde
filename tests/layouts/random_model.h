// Models made by chance: entities with all kinds of ids and fields, relations of every cardinality, a pattern
// for every way to read them, an operation for every way to write them. Layouts: random_layout.h.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sheaf::layouts {

class Chance {
 public:
  explicit Chance(uint64_t seed) : random_(seed) {}
  size_t below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  bool one_in(size_t many) { return below(many) == 0; }
  template <typename T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  std::mt19937_64 random_;
};

// How much is tried, and where it begins, as the environment has it.
inline uint64_t number_in(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<uint64_t>(std::atoll(text));
}

struct RandomId {
  std::string name;
  bool is_number = false;
  std::vector<std::string> values;  // that calls use, as JSON
};

struct RandomEnd {
  std::string name;
  size_t target = 0;
  size_t relation = 0;
  bool is_many = false;
  bool is_required = false;
};

struct RandomEntity {
  std::string name;
  std::vector<RandomId> ids;        // its own
  std::optional<RandomEnd> within;  // its parent's id comes before them
  std::vector<RandomEnd> ends;
  bool is_leaf = false;   // it has its parent and nothing else, so that it can be embedded
  bool has_code = false;  // a unique field
};

struct RandomRelation {
  enum class Kind { kOneToOne, kOneToMany, kManyToMany };
  Kind kind = Kind::kOneToMany;
  size_t from = 0;
  size_t to = 0;
  std::string down;  // a member of `from`
  std::string up;    // a member of `to`; the same as `down` if it is symmetric
  bool is_symmetric = false;
  bool is_within = false;
  bool is_required = false;
  std::string edge_id;     // an edge field that belongs to the edge's identity
  std::string edge_field;  // another
};

// A declared operation, and how to make up its arguments.
struct RandomOperation {
  enum class Argument { kDocument, kId, kText, kNumber, kColor };
  struct Parameter {
    Argument kind = Argument::kId;
    size_t entity = 0;
  };
  std::string name;
  bool is_declared = true;
  std::vector<Parameter> parameters;
  // An end that the operation itself links, so that the document does not name it.
  std::string linked;
  // The same by the name that every model has for it, and how its arguments are written there. %1 is the
  // first.
  std::string basic;
  std::vector<std::string> basic_arguments;
};

struct RandomModel {
  std::vector<RandomEntity> entities;
  std::vector<RandomRelation> relations;
  std::vector<RandomOperation> operations;
  std::string text;  // without the closing brace: layouts follow
};

RandomModel random_model(Chance& chance);

// The ids of an entity that calls use, as JSON.
std::vector<std::string> ids_of(const RandomModel& model, size_t entity);

// An operation with its arguments in JSON, as Session::write takes them.
struct RandomCall {
  const RandomOperation* operation = nullptr;
  std::string name;
  std::vector<std::string> arguments;
};
// No document leads to one of `hidden`, unless it must.
RandomCall random_call(const RandomModel& model, const RandomOperation& operation,
                       const std::set<size_t>& hidden, Chance& chance);

}  // namespace sheaf::layouts
