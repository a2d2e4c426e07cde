// What the patterns and operations of a model take and give, as types: what a description for other
// languages, and clients in them, are made of. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::clients {

struct Member;

// A type of JSON values. Objects have names, so that languages can declare them: only a NamedShape is
// kObject, all others refer to it.
struct Shape {
  enum class Kind : uint8_t {
    kText,
    kNumber,
    kWhole,
    kFlag,
    kAny,
    kEnum,    // one of `values`
    kList,    // of one element
    kMap,     // from texts to one element
    kTuple,   // a list with each of its elements
    kObject,  // with `members`, and no others
    kNamed,   // the shape of this name
  };
  Kind kind = Kind::kAny;
  std::string format;  // kText: time, date, ulid, uuid or base64; empty: any text
  std::vector<std::string> values;
  std::vector<Shape> elements;
  std::vector<Member> members;
  std::string name;
  bool is_set = false;  // kList: its elements differ, and there is one at least
};

struct Member {
  std::string name;
  Shape shape;
  bool is_optional = false;
  std::string doc;
};

struct NamedShape {
  std::string name;  // Pascal case, and of this one alone
  Shape shape;
  std::string doc;
};

struct PatternShape {
  std::string name;
  std::string doc;
  std::vector<Member> parameters;
  Shape document;
  bool is_single = false;  // it gives one document, or none; others give pages of them
};

struct OperationShape {
  std::string name;
  std::string doc;
  std::vector<Member> parameters;  // in their order; optional ones are last or may be null
  bool is_basic = false;           // put.ENTITY and the like, which every model has
};

struct ModelShapes {
  std::string name;
  std::string doc;
  std::vector<NamedShape> named;  // in an order in which each refers only to earlier ones
  std::vector<PatternShape> patterns;
  std::vector<OperationShape> operations;  // the model's own first

  const Shape* find(const std::string& name) const;
};

// `taken` are names of types that are used for something else. What is asked is the same in every layout;
// what is put depends on it: children that are embedded are put with their parent.
ModelShapes shapes_of(const model::Model& model, const model::Layout& layout,
                      const std::vector<std::string>& taken = {});

}  // namespace sheaf::clients
