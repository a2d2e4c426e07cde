// Models made by chance: entities, relations in several layouts, a pattern for every way to read them.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace sheaf::layouts {

struct RandomEnd {
  std::string name;
  size_t target = 0;
  bool is_many = false;
  bool is_required = false;
};

struct RandomEntity {
  std::string name;
  std::vector<RandomEnd> ends;
};

struct RandomModel {
  std::vector<RandomEntity> entities;
  std::string text;
};

RandomModel random_model(std::mt19937& random);

// An operation on it, as Session::write takes it, with JSON arguments.
struct RandomCall {
  std::string operation;
  std::vector<std::string> arguments;
};
RandomCall random_call(const RandomModel& model, std::mt19937& random);

// Ids that calls use: e0-1 to e0-N.
inline constexpr int kIdsPerEntity = 5;
std::string id_of(size_t entity, int number);

}  // namespace sheaf::layouts
