// Values of one field: by its type, what it must keep to, and what its name says that it is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "generate/chance.h"
#include "generate/expression_texts.h"
#include "model/model.h"

namespace sheaf::generate {

// What the keys of all layouts ask of a field.
struct KeyNeeds {
  bool is_in_key = false;
  std::string forbidden;              // characters that its keys cannot hold
  std::optional<int64_t> digits_max;  // it is written with so many digits
};

// From when to when, in milliseconds since 1970.
struct Period {
  int64_t begin_ms = 0;
  int64_t end_ms = 0;
};

// What a value goes along with.
struct Occasion {
  int64_t time_ms = 0;  // when the entity came to be
  Period period;
};

class FieldValues {
 public:
  struct Options {
    uint64_t key = 0;
    KeyNeeds needs;
    Period period;
    uint64_t wanted = 1;              // about how many different ones
    bool is_expiry = false;           // when the entity is to be gone
    std::string_view owner;           // the entity, for what its name is
    std::vector<std::string> likely;  // texts that the model itself speaks of
  };
  static constexpr uint64_t kCountMax = ExpressionTexts::kCountMax;

  // `field` outlives it. kInvalid if no value can be made.
  static Result<FieldValues> of(const model::Field& field, const Options& options);

  // Some value, as JSON would have it.
  Value some(const Occasion& occasion, Chance& chance) const;
  // One that no other index has, of count().
  Value nth(uint64_t index, const Occasion& occasion) const;
  uint64_t count() const { return count_; }

  // Whether its text may be longer for the sake of its size.
  bool is_free_text() const;
  // Whether it is longer than a few words.
  bool is_text() const { return sort_ == Sort::kText; }
  // Whether different ones are not short and of few letters, as names and numbers are.
  bool is_code() const;

 private:
  // Of an element, or of a field inside.
  struct Inner;

  // What a text is.
  enum class Sort : uint8_t {
    kWords,
    kPerson,
    kFirstName,
    kLastName,
    kUserName,
    kEmail,
    kCity,
    kCountry,
    kState,
    kStreet,
    kZip,
    kPhone,
    kUrl,
    kCompany,
    kTitle,
    kProduct,
    kText,
    kColor,
    kStatus,
    kTopic,
    kRole,
    kCurrency,
    kLanguage,
    kDigits4,
    kExpiry,
    kCode,
  };

  // What a number counts, and when a time is.
  enum class Amount : uint8_t { kAny, kMoney, kShare, kYear, kAge, kRating, kFew, kLarge };
  enum class When : uint8_t { kThen, kLater, kAfter, kBirth };

  explicit FieldValues(const model::Field& field) : field_(&field) {}

  static Sort sort_of(const model::Field& field, bool is_in_key, std::string_view owner);
  static Amount amount_of(const model::Field& field);
  static When when_of(const model::Field& field);
  Result<void> prepare(const Options& options);
  bool fits(std::string_view text) const;
  std::string some_text(Chance& chance) const;
  std::string text_of_sort(Chance& chance) const;
  std::string named_text(uint64_t index) const;
  std::string code(uint64_t index) const;
  Value some_number(Chance& chance) const;
  Value some_of_many(const Occasion& occasion, Chance& chance) const;
  int64_t time_of(const Occasion& occasion, Chance& chance) const;

  const model::Field* field_;
  uint64_t key_ = 0;
  KeyNeeds needs_;
  Period period_;
  bool is_expiry_ = false;
  std::vector<std::string> likely_;
  Sort sort_ = Sort::kWords;
  Amount amount_ = Amount::kAny;
  When when_ = When::kThen;
  uint64_t bytes_max_ = ExpressionTexts::kBytesMax;
  uint64_t count_ = 0;
  uint64_t text_bytes_max_ = 0;
  bool is_named_ = false;   // different ones are made of words
  std::string alphabet_;    // of codes
  uint64_t code_size_ = 0;  // of most
  uint64_t codes_ = 0;      // so many have it
  // Shared: values are copied, and these never change.
  std::shared_ptr<const ExpressionTexts> texts_;
  std::shared_ptr<const std::vector<Inner>> inner_;
};

}  // namespace sheaf::generate
