// Objects in documents of JSON that do not stand on lines of their own.
//
// Read are the elements of arrays, [{...},{...}]; the items of what Scan and Query answer, {"Items":[...]},
// of which the rest is left out; and any other object as it is. Documents may follow each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::transfer {

// Whether a file whose first line is this holds documents rather than an object a line: it begins with an
// array or with the answer of a Scan, or its first object goes on in the next line.
bool begins_document(std::string_view first_line);

// Finds one object after the other. What it has seen it does not look at again, so that a large object can
// come in small parts.
class JsonDocuments {
 public:
  enum class Found : uint8_t {
    kObject,   // it lies from begin() to end()
    kMore,     // there is none as far as the text goes; what lies before begin() is done with
    kProblem,  // problem(), at begin()
  };
  // `text` is that of the last call, and may have become longer. If `is_all`, no more will come: then kMore
  // means that there are no more objects.
  Found next(std::string_view text, bool is_all);
  // So many bytes of the text, with which it is done, are taken off.
  void drop(size_t bytes);
  // Before the first call: so many bytes are of no interest.
  void skip_to(size_t begin) { begin_ = begin; }
  size_t begin() const { return begin_; }
  size_t end() const { return end_; }
  const std::string& problem() const { return problem_; }

 private:
  enum class Place : uint8_t {
    kBetween,  // documents
    kArray,    // between its elements
    kPage,     // likewise, of "Items"
    kRest,     // of an answer, behind its items
    kObject,   // in the midst of one that is wanted
  };

  Found fail(size_t at, std::string problem);
  Found begin_object(std::string_view text, bool is_all);
  Found go_on(std::string_view text, bool is_all);

  Place place_ = Place::kBetween;
  Place outside_ = Place::kBetween;  // of the object
  bool is_found_ = false;            // by the last call
  size_t begin_ = 0, end_ = 0;
  size_t seen_ = 0;  // of the object or the rest
  uint32_t depth_ = 0;
  bool is_text_ = false, is_escaped_ = false;
  std::string problem_;
};

}  // namespace sheaf::transfer
