// Models whose layouts have keys and indexes made by chance, and patterns of every shape over them.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace sheaf::plans {

struct RandomKeys {
  std::string text;
  std::vector<std::pair<std::string, std::string>> entities;  // documents of the data, with their entities
  std::vector<std::pair<std::string, std::string>> links;     // from an A to a D, as JSON
};

// The layout `default` leaves all keys to Sheaf. Others may be refused: not all keys can be told apart.
RandomKeys random_keys(std::mt19937& random);

// The model without patterns that the layout `default` cannot answer, which would be mistakes. Empty if it
// has others.
std::string servable(const std::string& text);

// An identity in its data of the entity with this name, as JSON.
std::string random_identity(const std::string& entity, std::mt19937& random);

}  // namespace sheaf::plans
