// What texts and numbers are by the names of their fields.
#include <algorithm>
#include <cctype>

#include "generate/field_values.h"
#include "generate/permutation.h"
#include "generate/words.h"

namespace sheaf::generate {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// The words of a name: shippingAddress_line2 is " shipping address line2 ".
std::string words_of(std::string_view name) {
  std::string out = " ";
  for (size_t i = 0; i < name.size(); ++i) {
    const bool is_upper = name[i] >= 'A' && name[i] <= 'Z';
    const bool is_after_lower = i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    if (is_upper && is_after_lower) out += ' ';
    out += name[i] == '_' || name[i] == '-' ? ' ' : name[i];
  }
  return lower(out) + " ";
}

bool has(const std::string& words, std::initializer_list<std::string_view> any) {
  return std::any_of(any.begin(), any.end(), [&](std::string_view each) {
    return words.find(" " + std::string(each)) != std::string::npos;
  });
}

// In braces, chance is asked from left to right: every compiler draws the same.
struct Part {
  Part(const char* part) : text(part) {}             // NOLINT: implicit
  Part(std::string_view part) : text(part) {}        // NOLINT: implicit
  Part(std::string part) : text(std::move(part)) {}  // NOLINT: implicit
  std::string text;
};
std::string joined(std::initializer_list<Part> parts) {
  std::string text;
  for (const Part& part : parts) text += part.text;
  return text;
}

std::string digits(uint64_t count, Chance& chance) {
  std::string text;
  for (uint64_t i = 0; i < count; ++i) text += static_cast<char>('0' + chance.below(10));
  return text;
}

std::string title(Chance& chance) {
  std::string text = joined({one_of(kAdjectives, chance), " ", one_of(kNouns, chance)});
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (chance.one_in(3)) text += " and " + std::string(one_of(kNouns, chance));
  return text;
}

uint64_t text_words(Chance& chance) {
  const uint64_t few = chance.below(10);
  const uint64_t words = 2 + few * (1 + chance.low(5));
  return chance.one_in(16) ? words * 5 : words;
}

}  // namespace

FieldValues::Sort FieldValues::sort_of(const model::Field& field, bool is_in_key, std::string_view owner) {
  const std::string words = words_of(field.name), entity = words_of(owner);
  const bool is_name = has(words, {"name ", "full "});
  // A name is that of its owner.
  if (words == " name ") {
    if (has(entity, {"org", "compan", "vendor", "store", "shop", "brand", "supplier", "location", "tenant"}))
      return Sort::kCompany;
    if (has(entity, {"product", "item", "thing", "asset", "device"})) return Sort::kProduct;
    if (has(entity,
            {"project", "task", "deal", "team", "department", "group", "repo", "event", "album", "course"}))
      return Sort::kTitle;
    if (has(entity, {"city", "town", "place"})) return Sort::kCity;
    if (has(entity, {"country"})) return Sort::kCountry;
    if (has(entity, {"topic", "tag", "category", "genre"})) return Sort::kTopic;
  }
  if (has(words, {"email", "mail "})) return Sort::kEmail;
  if (has(words, {"first name", "firstname", "given"})) return Sort::kFirstName;
  if (has(words, {"last name", "lastname", "surname", "family"})) return Sort::kLastName;
  if (has(words, {"user name", "username", "login", "handle", "nick"})) return Sort::kUserName;
  if (has(words, {"company", "org", "employer", "vendor", "brand"})) return Sort::kCompany;
  if (is_name || has(words, {"author", "director", "owner", "teacher", "contact"})) return Sort::kPerson;
  if (has(words, {"city", "town"})) return Sort::kCity;
  if (has(words, {"country"})) return Sort::kCountry;
  if (has(words, {"state ", "region", "province"})) return Sort::kState;
  if (has(words, {"street", "address"})) return Sort::kStreet;
  if (has(words, {"zip", "postcode", "postal"})) return Sort::kZip;
  if (has(words, {"phone", "mobile", "fax"})) return Sort::kPhone;
  if (has(words, {"url", "link", "website", "image", "avatar", "photo"})) return Sort::kUrl;
  if (has(words, {"title", "subject", "headline"})) return Sort::kTitle;
  if (has(words, {"product", "item", "thing"})) return Sort::kProduct;
  if (has(words, {"color", "colour"})) return Sort::kColor;
  if (has(words, {"status"})) return Sort::kStatus;
  if (has(words, {"topic", "category", "tag", "genre", "kind", "type", "area"})) return Sort::kTopic;
  if (has(words, {"role", "permission"})) return Sort::kRole;
  if (has(words, {"currency"})) return Sort::kCurrency;
  if (has(words, {"language", "locale", "lang "})) return Sort::kLanguage;
  if (has(words, {"last4", "pin "})) return Sort::kDigits4;
  if (has(words, {"expir"})) return Sort::kExpiry;
  if (field.is_id ||
      has(words, {"id ", "sku", "code", "key", "token", "number", "tracking", "serial", "hash"}))
    return Sort::kCode;
  if (!is_in_key && has(words, {"text", "body", "content", "description", "note", "comment", "message", "bio",
                                "summary", "about", "details", "review"}))
    return Sort::kText;
  return Sort::kWords;
}

std::string FieldValues::text_of_sort(Chance& chance) const {
  switch (sort_) {
    case Sort::kPerson:
      return joined({one_of(kFirstNames, chance), " ", one_of(kLastNames, chance)});
    case Sort::kFirstName:
      return std::string(one_of(kFirstNames, chance));
    case Sort::kLastName:
      return std::string(one_of(kLastNames, chance));
    case Sort::kUserName:
      return lower(joined({one_of(kFirstNames, chance), digits(3, chance)}));
    case Sort::kEmail:
      return lower(joined({one_of(kFirstNames, chance), ".", one_of(kLastNames, chance), digits(2, chance),
                           "@", one_of(kDomains, chance)}));
    case Sort::kCity:
      return std::string(low_of(kCities, chance));
    case Sort::kCountry:
      return std::string(low_of(kCountries, chance));
    case Sort::kState:
      return std::string(low_of(kStates, chance));
    case Sort::kStreet:
      return joined({std::to_string(1 + chance.low(200)), " ", one_of(kStreets, chance)});
    case Sort::kZip:
      return digits(5, chance);
    case Sort::kPhone:
      return joined({"+1 555 ", digits(3, chance), " ", digits(4, chance)});
    case Sort::kUrl:
      return joined(
          {"https://", one_of(kDomains, chance), "/", one_of(kNouns, chance), "/", digits(6, chance)});
    case Sort::kCompany:
      return std::string(one_of(kCompanies, chance));
    case Sort::kTitle:
    case Sort::kProduct:
      return title(chance);
    case Sort::kText:
      return sentences(text_words(chance), chance);
    case Sort::kColor:
      return std::string(low_of(kColors, chance));
    case Sort::kStatus:
      return std::string(low_of(kStatuses, chance));
    case Sort::kTopic:
      return std::string(low_of(kTopics, chance));
    case Sort::kRole:
      return std::string(low_of(kRoles, chance));
    case Sort::kCurrency:
      return std::string(low_of(kCurrencies, chance));
    case Sort::kLanguage:
      return std::string(low_of(kLanguages, chance));
    case Sort::kDigits4:
      return digits(4, chance);
    case Sort::kExpiry: {
      const uint64_t month = 1 + chance.below(12);
      return joined(
          {month < 10 ? "0" : "", std::to_string(month), "/", std::to_string(26 + chance.below(5))});
    }
    case Sort::kCode:
      return code(chance.below(std::min(count_, codes_)));
    case Sort::kWords:
      break;
  }
  std::string text(one_of(kAdjectives, chance));
  for (uint64_t more = needs_.is_in_key ? 0 : chance.below(3); more > 0; --more)
    text += " " + std::string(one_of(kNouns, chance));
  return text;
}

std::string FieldValues::named_text(uint64_t index) const {
  // Two lists, and behind them a number, when all their pairs are used.
  Words first = kAdjectives, second;
  std::string_view between = " ";
  bool is_lower = false;
  switch (sort_) {
    case Sort::kPerson:
      first = kFirstNames;
      second = kLastNames;
      break;
    case Sort::kUserName:
    case Sort::kEmail:
      first = kFirstNames;
      second = kLastNames;
      between = sort_ == Sort::kEmail ? "." : "_";
      is_lower = true;
      break;
    case Sort::kFirstName:
      first = kFirstNames;
      break;
    case Sort::kLastName:
      first = kLastNames;
      break;
    case Sort::kCity:
      first = kCities;
      break;
    case Sort::kCountry:
      first = kCountries;
      break;
    case Sort::kState:
      first = kStates;
      break;
    case Sort::kCompany:
      first = kCompanies;
      break;
    case Sort::kTopic:
      first = kTopics;
      break;
    case Sort::kColor:
      first = kColors;
      break;
    case Sort::kRole:
      first = kRoles;
      break;
    default:
      second = kNouns;
  }
  const uint64_t pairs = first.size() * std::max<size_t>(second.size(), 1);
  const uint64_t pair = Permutation(key_, pairs).forward(index % pairs);
  std::string text(first[pair % first.size()]);
  if (!second.empty()) text += std::string(between) + std::string(second[pair / first.size()]);
  if (is_lower) text = lower(text);
  if (index >= pairs) text += (second.empty() || is_lower ? "" : " ") + std::to_string(index / pairs + 1);
  if (sort_ == Sort::kEmail) text += "@" + std::string(kDomains[mixed(key_, index) % kDomains.size()]);
  return text;
}

FieldValues::Amount FieldValues::amount_of(const model::Field& field) {
  const std::string words = words_of(field.name);
  if (has(words, {"price", "amount", "total", "cost", "fee", "salary", "balance", "payment"}))
    return Amount::kMoney;
  if (has(words, {"share", "ratio", "rate", "percent", "discount", "tax"})) return Amount::kShare;
  if (has(words, {"year"})) return Amount::kYear;
  if (has(words, {"age "})) return Amount::kAge;
  if (has(words, {"rating", "stars", "score"})) return Amount::kRating;
  if (has(words, {"quantity", "qty", "count", "number of"})) return Amount::kFew;
  if (has(words, {"square", "area", "size", "bytes", "length"})) return Amount::kLarge;
  return Amount::kAny;
}

FieldValues::When FieldValues::when_of(const model::Field& field) {
  const std::string words = words_of(field.name);
  const bool has_since = field.syntax != nullptr && field.syntax->since;
  if (field.kept == model::Kept::kUpdated || has(words, {"updat", "modif", "last", "seen", "chang", "edit"}))
    return When::kLater;
  if (!has_since && has(words, {"due", "expir", "end", "until", "valid", "ttl", "deadline", "billing"}))
    return When::kAfter;
  if (!has_since && has(words, {"birth", "born"})) return When::kBirth;
  return When::kThen;
}

Value FieldValues::some_number(Chance& chance) const {
  const bool is_int = field_->type.kind == language::Type::Kind::kInt;
  if (is_expiry_) return Value(period_.begin_ms / 1000 + static_cast<int64_t>(chance.below(365 * 86'400)));
  uint64_t value = 0, cents = 0;
  if (amount_ == Amount::kMoney) {
    value = chance.below(20);
    value = 1 + value * (1 + chance.low(30));
    cents = chance.one_in(2) ? 99 : chance.below(100);
  } else if (amount_ == Amount::kShare) {
    cents = 1 + chance.below(100);
    value = is_int ? chance.below(101) : 0;
  } else if (amount_ == Amount::kYear) {
    value = 2026 - chance.low(70);
  } else if (amount_ == Amount::kAge) {
    value = 18 + chance.low(70);
  } else if (amount_ == Amount::kRating) {
    value = 5 - chance.low(5);
  } else if (amount_ == Amount::kFew) {
    value = 1 + chance.low(10);
  } else if (amount_ == Amount::kLarge) {
    value = 100 + chance.low(10000);
  } else {
    value = chance.low(1000);
    if (chance.one_in(10)) value *= 10;
  }
  uint64_t max = FieldValues::kCountMax;
  if (field_->syntax != nullptr && field_->syntax->max)
    max = static_cast<uint64_t>(field_->syntax->max->value);
  if (needs_.digits_max) {
    uint64_t bound = 1;
    for (int64_t i = 0; i < *needs_.digits_max && i < 18; ++i) bound *= 10;
    max = std::min(max, bound - 1);
  }
  if (value > max) value %= max + 1;
  if (is_int || needs_.digits_max || value >= max || cents == 0) return Value(static_cast<int64_t>(value));
  const std::string text = std::to_string(value) + (cents < 10 ? ".0" : ".") + std::to_string(cents);
  return Value(*Number::parse(text));
}

int64_t FieldValues::time_of(const Occasion& occasion, Chance& chance) const {
  constexpr int64_t kDay = 86'400'000;
  const auto room = static_cast<uint64_t>(std::max<int64_t>(period_.end_ms - occasion.time_ms, 0)) + 1;
  const bool has_since = field_->syntax != nullptr && field_->syntax->since;
  // What expires has a period of its own.
  if (occasion.time_ms < period_.begin_ms)
    return period_.begin_ms +
           static_cast<int64_t>(chance.below(static_cast<uint64_t>(period_.end_ms - period_.begin_ms)));
  int64_t time = occasion.time_ms;
  switch (when_) {
    case When::kLater:
      time += static_cast<int64_t>(chance.low(room));
      break;
    case When::kAfter:
      time += static_cast<int64_t>(1 + chance.below(90)) * kDay;
      break;
    case When::kBirth:
      time -= static_cast<int64_t>(18 * 365 + chance.low(50 * 365)) * kDay;
      break;
    case When::kThen:
      break;
  }
  if (has_since) time = std::clamp(time, period_.begin_ms, period_.end_ms);
  return time;
}

}  // namespace sheaf::generate
