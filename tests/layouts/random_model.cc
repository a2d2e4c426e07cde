#include "random_model.h"

namespace sheaf::layouts {
namespace {

constexpr size_t kLayouts = 4;

class Generator {
 public:
  explicit Generator(std::mt19937& random) : random_(random) {}

  RandomModel run() {
    const size_t count = 2 + below(2);
    for (size_t i = 0; i < count; ++i) made_.entities.push_back({.name = "E" + std::to_string(i)});
    fields_.resize(count);
    const size_t relations = 1 + below(4);
    for (size_t i = 0; i < relations; ++i) add_relation(i);
    std::string text = "model random {\n";
    for (size_t i = 0; i < count; ++i) {
      text += "  entity " + made_.entities[i].name + " { id id matches \"e" + std::to_string(i) +
              "-.+\"; name; n int default 0; nick string?" + fields_[i] + " }\n";
    }
    text += relations_;
    for (size_t layout = 0; layout < kLayouts; ++layout)
      text += "  layout l" + std::to_string(layout) + " { " + layouts_[layout] + "}\n";
    add_patterns(text);
    made_.text = text + "}\n";
    return std::move(made_);
  }

 private:
  size_t below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  bool maybe() { return below(2) == 0; }

  void add_relation(size_t number) {
    const size_t from = below(made_.entities.size()), to = below(made_.entities.size());
    const bool is_many_to_many = below(3) == 0;
    const std::string r = std::to_string(number);
    const std::string down = "down" + r, up = "up" + r;
    const std::string& a = made_.entities[from].name;
    const std::string& b = made_.entities[to].name;
    const bool is_required = !is_many_to_many && from != to && !has_required(to, from) && maybe();
    const bool is_counted = maybe();
    if (is_counted) fields_[from] += "; c" + r + " int = count(" + down + ")";
    relations_ +=
        "  rel " + a + (is_many_to_many ? " *--* " : " 1--* ") + b + " as " + down + " / " + up + " { ";
    if (is_many_to_many) {
      relations_ += "size of " + down + " max 20; size of " + up + " max 20; ";
      if (maybe()) relations_ += "edge { weight int default 1 }; ";
    } else {
      relations_ += "size max 20; ";
      if (is_required) relations_ += "required; ";
      relations_ += is_required || maybe() ? "on delete cascade; " : "on delete unlink; ";
    }
    relations_ += "}\n";
    made_.entities[from].ends.push_back({.name = down, .target = to, .is_many = true});
    made_.entities[to].ends.push_back(
        {.name = up, .target = from, .is_many = is_many_to_many, .is_required = is_required});
    for (size_t layout = 0; layout < kLayouts; ++layout)
      layouts_[layout] += "rel " + a + "." + down + " via " +
                          (is_many_to_many ? many_to_many(down, up) : one_to_many(up)) + "  ";
  }

  // Two that need each other could never be made.
  bool has_required(size_t from, size_t to) const {
    for (const RandomEnd& end : made_.entities[to].ends) {
      if (end.is_required && end.target == from) return true;
    }
    return false;
  }

  std::string one_to_many(const std::string& up) {
    switch (below(5)) {
      case 0:
        return "index";
      case 1:
        return "index copy " + up + "(name)";
      case 2:
        return "edges pk one";
      case 3:
        return "edges pk many";
      default:
        return "edges pk many copy " + up + "(name, n)";
    }
  }

  std::string many_to_many(const std::string& down, const std::string& up) {
    switch (below(3)) {
      case 0:
        return "edges pk " + down;
      case 1:
        return "edges pk " + up;
      default:
        return "edges pk " + up + " copy " + down + "(name) copy " + up + "(nick)";
    }
  }

  void add_patterns(std::string& text) const {
    for (size_t i = 0; i < made_.entities.size(); ++i) {
      const RandomEntity& entity = made_.entities[i];
      const std::string of = "(e: " + entity.name + ") = $e";
      text += "  pattern get" + std::to_string(i) + of + "\n";
      for (const RandomEnd& end : entity.ends) {
        const std::string name = std::to_string(i) + "_" + end.name;
        text += "  pattern ids" + name + of + "." + end.name + " {}\n";
        text += "  pattern all" + name + of + "." + end.name + "\n";
        text += "  pattern with" + name + of + " { *, " + end.name + " { name } }\n";
      }
    }
  }

  std::mt19937& random_;
  RandomModel made_;
  std::vector<std::string> fields_;
  std::string relations_;
  std::string layouts_[kLayouts];
};

}  // namespace

RandomModel random_model(std::mt19937& random) { return Generator(random).run(); }

std::string id_of(size_t entity, int number) {
  return "\"e" + std::to_string(entity) + "-" + std::to_string(number) + "\"";
}

RandomCall random_call(const RandomModel& model, std::mt19937& random) {
  const auto below = [&](size_t bound) {
    return std::uniform_int_distribution<size_t>(0, bound - 1)(random);
  };
  const auto any_id = [&](size_t entity) {
    return id_of(entity, static_cast<int>(below(kIdsPerEntity)) + 1);
  };
  const size_t entity = below(model.entities.size());
  const RandomEntity& self = model.entities[entity];
  const std::string id = any_id(entity);
  const std::string name = "\"name\": \"N" + std::to_string(below(100)) + "\"";
  const size_t kind = below(10);
  if (kind < 3 || self.ends.empty()) {
    std::string document = "{\"id\": " + id + ", " + name;
    for (const RandomEnd& end : self.ends) {
      if (end.is_required || (!end.is_many && below(3) == 0))
        document += ", \"" + end.name + "\": " + any_id(end.target);
    }
    return {.operation = (kind == 0 ? "upsert." : "put.") + self.name, .arguments = {document + "}"}};
  }
  const RandomEnd& end = self.ends[below(self.ends.size())];
  switch (kind) {
    case 3:
      return {.operation = "set." + self.name, .arguments = {id, "{" + name + "}"}};
    case 4:
      return {.operation = "add." + self.name, .arguments = {id, "{\"n\": 1}"}};
    case 5:
      return {.operation = "delete." + self.name, .arguments = {id}};
    case 6:
      return {.operation = "unlink." + self.name + "." + end.name, .arguments = {id, any_id(end.target)}};
    case 7:
      if (!end.is_many)
        return {.operation = "move." + self.name + "." + end.name, .arguments = {id, any_id(end.target)}};
      [[fallthrough]];
    case 8:
      return {.operation = "set." + self.name,
              .arguments = {id, "{\"nick\": \"x" + std::to_string(below(9)) + "\"}"}};
    default:
      return {.operation = "link." + self.name + "." + end.name, .arguments = {id, any_id(end.target)}};
  }
}

}  // namespace sheaf::layouts
