// Models for the tests of this layer.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assist/document.h"

namespace sheaf::assist {

// All models of models/, with their paths.
inline std::vector<std::pair<std::string, std::string>> models_on_disk() {
  std::vector<std::pair<std::string, std::string>> models;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SHEAF_MODELS)) {
    if (entry.path().extension() != ".sheaf") continue;
    std::ifstream file(entry.path());
    models.emplace_back(entry.path().string(), std::string(std::istreambuf_iterator<char>(file), {}));
  }
  return models;
}

// A text with a | where somebody points.
struct MarkedText {
  std::string text;
  uint32_t offset = 0;
};

inline MarkedText marked(std::string_view text) {
  const size_t at = text.find('|');
  MarkedText made{.text = std::string(text), .offset = static_cast<uint32_t>(at)};
  made.text.erase(at, 1);
  return made;
}

inline constexpr std::string_view kShop = R"sheaf(/// A shop.
model shop {
  table shop { pk PK; sk SK; tag Type; gsi GSI1 A / B }
  /// Who buys.
  entity Customer {
    id id;
    /// As it is on the letter.
    name;
    home { street; zip string? }?;
    many int = count(orders);
    key "C#<id>" / "C";
  }
  entity Order within customer { number id int; total number; index GSI1 "O#<number>" / "<customer.id>" }
  entity Product { sku id; title; }
  rel Customer 1--* Order as orders / customer { via collection; size avg 3 max 10; on delete cascade }
  rel Order *--* Product as lines / bought { edge { quantity int }; via edges; size of lines max 20; size of bought max 9 }
  layout other { entity Product { key "P#<sku>" / "P" } rel Order.lines via edges pk lines }
  pattern orders(c: Customer) = $c.orders order number desc limit 5 { *, lines { title } }
  pattern big(o: Order) = $o.lines filter edge.quantity > 1 limit 5
  pattern one(c: Customer) = $c { *, orders limit 3 { total }, n: count(orders) } budget 2 requests
  op sell(o: Order, p: Product, q: int) = link $o.lines $p { quantity = $q }
  op name(c: Customer, n: string) = set $c.name = $n, $c.home.street = $n
  compare [default, other]
  expect orders("a"): returns = 0
}
)sheaf";

}  // namespace sheaf::assist
