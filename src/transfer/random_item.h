// For tests: items of all types.
#pragma once

#include <algorithm>
#include <string>

#include "value/random_value.h"

namespace sheaf::transfer {

// Items of a table with the key pk, a string, and sk, a number.
class RandomItems {
 public:
  Random& random() { return random_; }

  Item item(int number) {
    ValueWriter writer;
    writer.begin_item();
    writer.key("pk");
    writer.string("p" + std::to_string(number % 7));
    writer.key("sk");
    writer.number(Number(number));
    for (int64_t i = random_.between(0, 6); i > 0; --i) {
      writer.key("a" + std::to_string(i) + random_.text(3));
      value(writer, 0);
    }
    writer.end_item();
    Result<std::string> encoded = writer.finish();
    return Item::from_encoded(std::move(*encoded));
  }

 private:
  void value(ValueWriter& writer, int depth) {
    switch (random_.between(1, depth < 4 ? 10 : 8)) {
      case 1:
        return writer.null();
      case 2:
        return writer.boolean(random_.one_in(2));
      case 3:
        return writer.number(random_.number());
      case 4:
        return writer.string(random_.one_in(4) ? random_.pick(tricky_) : random_.text(12));
      case 5:
        return writer.binary(random_.bytes(12));
      case 6:
      case 7:
      case 8:
        return set(writer);
      case 9: {
        writer.begin_list();
        for (int64_t i = random_.between(0, 3); i > 0; --i) value(writer, depth + 1);
        return writer.end_list();
      }
      default: {
        writer.begin_map();
        const int64_t count = random_.between(0, 3);
        for (int64_t i = 0; i < count; ++i) {
          writer.key(count == 1 && random_.one_in(2) ? random_.pick(marks_) : "n" + std::to_string(i));
          value(writer, depth + 1);
        }
        return writer.end_map();
      }
    }
  }

  void set(ValueWriter& writer) {
    static const std::vector<Type> types = {Type::kStringSet, Type::kNumberSet, Type::kBinarySet};
    const Type type = random_.pick(types);
    writer.begin_set(type);
    std::vector<std::string> elements;
    for (int64_t i = random_.between(1, 4); i > 0; --i) {
      elements.push_back(type == Type::kNumberSet   ? std::string(random_.number().encoded())
                         : type == Type::kStringSet ? random_.text(6)
                                                    : random_.bytes(6));
    }
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    for (const std::string& element : elements) writer.element(element);
    writer.end_set();
  }

  Random random_;
  const std::vector<std::string> tricky_ = {"",    "5",  "true", "null", "{",   "[1]",
                                            "a,b", "\"", "a\nb", "\r\n", " a ", "{\"S\":\"x\"}"};
  const std::vector<std::string> marks_ = {"$B", "$SS", "$NS", "$BS", "$M", "S", "Item", "$"};
};

}  // namespace sheaf::transfer
