#include "prove/value_texts.h"

namespace sheaf::prove {

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts = {"a",          "a#",
                                                 "a-",         "a#b",
                                                 "ab",         "a b",
                                                 "b",          "A",
                                                 "a::b",       "a/b",
                                                 "a_b",        "a|b",
                                                 "a:b",        "a.b",
                                                 "a%23b",      "%",
                                                 "%41",        " ",
                                                 "é",          "日本",
                                                 "😀",          "a😀",
                                                 "\"a\"",      "a\\b",
                                                 "<a>",        "a\tb",
                                                 "a\nb",       "\x01",
                                                 "\x7f",       "New York",
                                                 "New",        "New#1",
                                                 "~",          "!",
                                                 "&",          "'",
                                                 "0",          "10",
                                                 "9",          "-1",
                                                 "true",       "null",
                                                 "a\x1f",      "METADATA",
                                                 "a+b=c",      "\xEF\xBF\xBD",
                                                 "zzzzzzzzzz", "a##",
                                                 "#a",         "::",
                                                 "__root__",   "{}",
                                                 "$a",         "`"};
  return texts;
}

const std::vector<std::string>& hostile_numbers() {
  static const std::vector<std::string> numbers = {"0",
                                                   "1",
                                                   "-1",
                                                   "2",
                                                   "10",
                                                   "9",
                                                   "-10",
                                                   "0.5",
                                                   "-0.5",
                                                   "1.50",
                                                   "100",
                                                   "99999999",
                                                   "12345678901234567890123456789012345678",
                                                   "0.00000000000000000000000000000000000001",
                                                   "1E125",
                                                   "-1E125",
                                                   "1E-130",
                                                   "3.14159"};
  return numbers;
}

const std::vector<std::string>& whole_numbers() {
  static const std::vector<std::string> numbers = {
      "0",  "1",   "2",  "3",   "9",          "10",       "11",
      "99", "100", "-1", "-10", "2147483648", "99999999", "123456789012345678"};
  return numbers;
}

const std::vector<std::string>& border_times() {
  static const std::vector<std::string> times = {"2024-01-01T00:00:00.000Z", "2024-01-31T23:59:59.999Z",
                                                 "2024-02-01T00:00:00.000Z", "2024-02-29T12:00:00.000Z",
                                                 "2024-02-29T12:59:59.999Z", "2024-02-29T13:00:00.000Z",
                                                 "2024-03-01T00:00:00.000Z", "2024-06-15T08:30:00.000Z",
                                                 "2024-06-15T08:30:00.001Z", "2024-12-31T23:59:59.999Z"};
  return times;
}

const std::vector<std::string>& border_dates() {
  static const std::vector<std::string> dates = {"2024-01-01", "2024-01-31", "2024-02-01", "2024-02-29",
                                                 "2024-03-01", "2024-06-15", "2024-12-31"};
  return dates;
}

const std::vector<Expression>& expressions() {
  static const std::vector<Expression> all = {
      {"x-.+", {"x-a", "x-a#", "x-a-", "x-ab", "x-😀", "x-a b"}},
      {"[a-z]{1,8}", {"a", "ab", "abc", "b", "zzzzzzzz"}},
      {"[A-Z]{2}-\\d{3}", {"AB-001", "AB-010", "AB-100", "ZZ-999"}},
      {"\\d+", {"0", "1", "10", "2", "007"}},
      {"(red|blue)(-light)?", {"red", "red-light", "blue", "blue-light"}},
      {"\\w+@\\w+\\.\\w{2,3}", {"a@b.de", "a_1@b.com", "ab@b.de"}},
      {"[^#%]*", {"", "a", "a-", "a b", "é"}},
      {".?a.*", {"a", "aa", "#a", "-a#b", "😀a"}}};
  return all;
}

}  // namespace sheaf::prove
