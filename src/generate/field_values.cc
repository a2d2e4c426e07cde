#include "generate/field_values.h"

#include <algorithm>
#include <set>

#include "base/try.h"
#include "generate/permutation.h"
#include "generate/words.h"
#include "run/item_codec.h"
#include "run/time_text.h"
#include "value/base64.h"

namespace sheaf::generate {

struct FieldValues::Inner {
  std::unique_ptr<const model::Field> field;  // at one place, because values point to it
  FieldValues values;
};

namespace {

using Kind = language::Type::Kind;

constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kUlidDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr uint64_t kTextBytesMax = 4000;
constexpr uint64_t kLongCodeSize = 12;
constexpr int64_t kDay = 86'400'000;
constexpr uint64_t kWholeMax = uint64_t{1} << 53;

uint64_t power(uint64_t base, uint64_t exponent) {
  unsigned __int128 value = 1;
  for (uint64_t i = 0; i < exponent && value < FieldValues::kCountMax; ++i) value *= base;
  return value < FieldValues::kCountMax ? static_cast<uint64_t>(value) : FieldValues::kCountMax;
}

std::string time_text(int64_t ms) {
  return run::time_text(std::chrono::system_clock::time_point(std::chrono::milliseconds(ms)));
}

std::string ulid(int64_t ms, uint64_t high, uint64_t low) {
  std::string text(26, '0');
  const auto put = [&](size_t begin, size_t end, uint64_t bits) {
    for (size_t i = end; i-- > begin; bits >>= 5) text[i] = kUlidDigits[bits & 31];
  };
  put(0, 10, static_cast<uint64_t>(ms));
  put(10, 18, high);
  put(18, 26, low);
  return text;
}

std::string uuid(uint64_t high, uint64_t low) {
  std::string text;
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) text += '-';
    uint64_t digit = ((i < 16 ? high : low) >> (4 * (15 - i % 16))) & 15;
    if (i == 12) digit = 4;
    if (i == 16) digit = 8 | (digit & 3);
    text += kHexDigits[digit];
  }
  return text;
}

std::string base64(std::string_view bytes) {
  std::string text;
  append_base64(text, bytes);
  return text;
}

std::string number_bytes(uint64_t number) {
  std::string bytes;
  for (int i = 8; i-- > 0;) bytes += static_cast<char>(number >> (8 * i));
  return bytes;
}

}  // namespace

Result<FieldValues> FieldValues::of(const model::Field& field, const Options& options) {
  FieldValues made(field);
  TRY(made.prepare(options));
  return made;
}

Result<void> FieldValues::prepare(const Options& options) {
  key_ = options.key;
  needs_ = options.needs;
  period_ = options.period;
  is_expiry_ = options.is_expiry;
  likely_ = options.likely;
  amount_ = amount_of(*field_);
  when_ = when_of(*field_);
  const auto max = field_->syntax != nullptr && field_->syntax->max
                       ? std::optional(static_cast<uint64_t>(field_->syntax->max->value))
                       : std::nullopt;
  const auto inside = [&](std::vector<Inner>& all, const language::Field* syntax, const language::Type& type,
                          const std::string& name) -> Result<void> {
    Inner inner{.field = std::make_unique<model::Field>(
                    model::Field{.syntax = syntax,
                                 .name = name,
                                 .type = type,
                                 .is_optional = syntax != nullptr && syntax->is_optional}),
                .values = FieldValues(*field_)};
    inner.values = TRY(of(*inner.field, {.key = mixed(key_, name), .period = period_}));
    all.push_back(std::move(inner));
    return {};
  };
  switch (field_->type.kind) {
    case Kind::kEnum:
      count_ = field_->type.values.size();
      return {};
    case Kind::kBool:
      count_ = 2;
      return {};
    case Kind::kInt:
    case Kind::kNumber:
      count_ = std::min(max.value_or(kWholeMax), kWholeMax);
      if (needs_.digits_max)
        count_ = std::min(count_, power(10, static_cast<uint64_t>(*needs_.digits_max)) - 1);
      return {};
    case Kind::kTime:
      count_ = static_cast<uint64_t>(period_.end_ms - period_.begin_ms);
      return {};
    case Kind::kDate:
      count_ = static_cast<uint64_t>((period_.end_ms - period_.begin_ms) / kDay);
      return {};
    case Kind::kUlid:
      count_ = uint64_t{1} << 40;
      return {};
    case Kind::kUuid:
    case Kind::kBinary:
      count_ = kCountMax;
      return {};
    case Kind::kObject: {
      auto all = std::make_shared<std::vector<Inner>>();
      for (const language::Field& each : field_->type.fields)
        TRY(inside(*all, &each, each.type.value_or(language::Type{}), each.name.text));
      inner_ = std::move(all);
      return {};
    }
    case Kind::kList:
    case Kind::kSet:
    case Kind::kMap: {
      auto all = std::make_shared<std::vector<Inner>>();
      TRY(inside(*all, nullptr, field_->type.element.front(), field_->name));
      inner_ = std::move(all);
      return {};
    }
    default:
      break;
  }
  sort_ = sort_of(*field_, needs_.is_in_key, options.owner);
  text_bytes_max_ = max.value_or(needs_.is_in_key ? ExpressionTexts::kBytesMax : kTextBytesMax);
  bytes_max_ = std::min(text_bytes_max_, ExpressionTexts::kBytesMax);
  for (const char c : kLetters) {
    if (needs_.forbidden.find(c) == std::string::npos) alphabet_ += c;
  }
  code_size_ = 4;
  while (code_size_ < bytes_max_ && code_size_ < 8 &&
         power(alphabet_.size(), code_size_) / 4 < options.wanted)
    ++code_size_;
  code_size_ = std::min(code_size_, bytes_max_);
  codes_ = power(alphabet_.size(), code_size_);
  count_ = bytes_max_ < kLongCodeSize ? codes_
                                      : std::min(kCountMax, codes_ + power(alphabet_.size(), kLongCodeSize));
  if (field_->syntax != nullptr && field_->syntax->matches) {
    auto texts = ExpressionTexts::of(
        field_->syntax->matches->text,
        {.key = key_, .forbidden = needs_.forbidden, .bytes_max = bytes_max_, .wanted = options.wanted});
    if (!texts.ok())
      return Error{Code::kInvalid,
                   "for the field " + field_->name + " there are no values: " + texts.error().message};
    texts_ = std::make_shared<const ExpressionTexts>(std::move(*texts));
    count_ = texts_->count();
    return {};
  }
  is_named_ = bytes_max_ == ExpressionTexts::kBytesMax && needs_.forbidden.empty() && sort_ != Sort::kCode &&
              sort_ != Sort::kText && sort_ != Sort::kZip && sort_ != Sort::kPhone && sort_ != Sort::kUrl &&
              sort_ != Sort::kDigits4;
  if (is_named_) count_ = kCountMax;
  return {};
}

bool FieldValues::fits(std::string_view text) const {
  return !text.empty() && text.size() <= text_bytes_max_ &&
         (needs_.forbidden.empty() || text.find_first_of(needs_.forbidden) == std::string_view::npos);
}

bool FieldValues::is_free_text() const {
  return field_->type.kind == Kind::kString && !texts_ && !field_->is_id && !needs_.is_in_key &&
         !(field_->syntax != nullptr && (field_->syntax->is_unique || field_->syntax->max));
}

bool FieldValues::is_code() const {
  switch (field_->type.kind) {
    case Kind::kString:
    case Kind::kAny:
      return !is_named_;
    case Kind::kUlid:
    case Kind::kUuid:
    case Kind::kBinary:
      return true;
    default:
      return false;
  }
}

std::string FieldValues::code(uint64_t index) const {
  const bool is_long = index >= codes_;
  const uint64_t size = is_long ? kLongCodeSize : code_size_;
  const uint64_t all = is_long ? power(alphabet_.size(), kLongCodeSize) : codes_;
  uint64_t number = Permutation(key_ + size, all).forward(is_long ? index - codes_ : index);
  std::string text(size, '0');
  for (size_t i = size; i-- > 0; number /= alphabet_.size()) text[i] = alphabet_[number % alphabet_.size()];
  return text;
}

std::string FieldValues::some_text(Chance& chance) const {
  if (!likely_.empty() && chance.one_in(2)) return likely_[chance.below(likely_.size())];
  if (texts_) return texts_->nth(chance.below(texts_->count()));
  std::string text = text_of_sort(chance);
  if (text.size() > text_bytes_max_) text.resize(text_bytes_max_);
  return fits(text) ? text : code(chance.below(codes_));
}

Value FieldValues::some_of_many(const Occasion& occasion, Chance& chance) const {
  const Inner& inner = inner_->front();
  uint64_t size = 1 + chance.low(5);
  if (field_->syntax != nullptr && field_->syntax->max)
    size = std::min(size, static_cast<uint64_t>(field_->syntax->max->value));
  if (field_->type.kind == Kind::kMap) {
    run::Fields parts;
    for (uint64_t i = 0; i < size; ++i)
      parts[std::string(one_of(kNouns, chance))] = inner.values.some(occasion, chance);
    return Value(run::item_of(parts));
  }
  std::vector<Value> elements;
  std::set<std::string> seen;
  for (uint64_t i = 0; i < size; ++i) {
    Value element = inner.values.some(occasion, chance);
    const bool is_new = seen.insert(std::string(element.view().encoded())).second;
    if (is_new || field_->type.kind == Kind::kList) elements.push_back(std::move(element));
  }
  return Value::list(elements);
}

Value FieldValues::some(const Occasion& occasion, Chance& chance) const {
  switch (field_->type.kind) {
    case Kind::kEnum:
      return Value(field_->type.values[chance.low(count_)].text);
    case Kind::kBool:
      return Value(chance.one_in(3));
    case Kind::kInt:
    case Kind::kNumber:
      return some_number(chance);
    case Kind::kTime:
      return Value(time_text(time_of(occasion, chance)));
    case Kind::kDate:
      return Value(time_text(time_of(occasion, chance)).substr(0, 10));
    case Kind::kUlid: {
      const uint64_t high = chance.next();
      return Value(ulid(occasion.time_ms, high, chance.next()));
    }
    case Kind::kUuid: {
      const uint64_t high = chance.next();
      return Value(uuid(high, chance.next()));
    }
    case Kind::kBinary: {
      std::string bytes;
      for (uint64_t size = 4 + chance.low(28); bytes.size() < size;)
        bytes += static_cast<char>(chance.below(256));
      if (field_->syntax != nullptr && field_->syntax->max)
        bytes.resize(std::min(bytes.size(), static_cast<size_t>(field_->syntax->max->value) * 3 / 4));
      return Value(base64(bytes));
    }
    case Kind::kObject: {
      run::Fields parts;
      for (const Inner& inner : *inner_) {
        if (inner.field->is_optional && chance.one_in(3)) continue;
        parts[inner.field->name] = inner.values.some(occasion, chance);
      }
      return Value(run::item_of(parts));
    }
    case Kind::kList:
    case Kind::kSet:
    case Kind::kMap:
      return some_of_many(occasion, chance);
    default:
      return Value(some_text(chance));
  }
}

Value FieldValues::nth(uint64_t index, const Occasion& occasion) const {
  switch (field_->type.kind) {
    case Kind::kEnum:
      return Value(field_->type.values[index].text);
    case Kind::kBool:
      return Value(index == 1);
    case Kind::kInt:
    case Kind::kNumber:
      return Value(static_cast<int64_t>(index + 1));
    case Kind::kTime:
      return Value(
          time_text(period_.begin_ms + static_cast<int64_t>(Permutation(key_, count_).forward(index))));
    case Kind::kDate:
      return Value(
          time_text(period_.begin_ms + kDay * static_cast<int64_t>(Permutation(key_, count_).forward(index)))
              .substr(0, 10));
    case Kind::kUlid:
      return Value(ulid(occasion.time_ms, mixed(key_, index), Permutation(key_, count_).forward(index)));
    case Kind::kUuid:
      return Value(uuid(mixed(key_, index), Permutation(key_, kCountMax).forward(index)));
    case Kind::kBinary:
      return Value(base64(number_bytes(Permutation(key_, kCountMax).forward(index))));
    default:
      break;
  }
  if (texts_) return Value(texts_->nth(index));
  return Value(is_named_ ? named_text(index) : code(index));
}

}  // namespace sheaf::generate
