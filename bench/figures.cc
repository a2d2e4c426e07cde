#include "bench/figures.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace sheaf::bench {
namespace {

std::string goal_text(const Figure& figure) {
  if (figure.kind == Figure::Goal::kNone) return "";
  char text[64];
  std::snprintf(text, sizeof(text), "%s %g",
                figure.kind == Figure::Goal::kAtLeast ? ">=" : "<=", figure.goal);
  return text;
}

bool write_json(const std::vector<Figure>& figures, const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return false;
  std::fputs("[\n", file);
  for (size_t i = 0; i < figures.size(); ++i) {
    const Figure& figure = figures[i];
    std::fprintf(file,
                 "  {\"figure\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"goal\": ", figure.name.c_str(),
                 figure.value, figure.unit.c_str());
    if (figure.kind == Figure::Goal::kNone) {
      std::fputs("null", file);
    } else {
      std::fprintf(file, "\"%s\"", goal_text(figure).c_str());
    }
    std::fprintf(file, ", \"ok\": %s}%s\n", figure.ok() ? "true" : "false",
                 i + 1 < figures.size() ? "," : "");
  }
  std::fputs("]\n", file);
  return std::fclose(file) == 0;
}

}  // namespace

bool Figure::ok() const {
  switch (kind) {
    case Goal::kAtLeast:
      return value >= goal;
    case Goal::kAtMost:
      return value <= goal;
    case Goal::kNone:
      break;
  }
  return true;
}

void Figures::note(std::string name, double value, std::string unit) {
  add({.name = std::move(name), .value = value, .unit = std::move(unit)});
}

void Figures::at_least(std::string name, double value, std::string unit, double goal) {
  add({.name = std::move(name),
       .value = value,
       .unit = std::move(unit),
       .kind = Figure::Goal::kAtLeast,
       .goal = goal});
}

void Figures::at_most(std::string name, double value, std::string unit, double goal) {
  add({.name = std::move(name),
       .value = value,
       .unit = std::move(unit),
       .kind = Figure::Goal::kAtMost,
       .goal = goal});
}

void Figures::record(std::string name, double value, std::string unit) {
  figures_.push_back({.name = std::move(name), .value = value, .unit = std::move(unit), .listed = false});
}

void Figures::add(Figure figure) {
  std::fprintf(stderr, "  %s: %.4g %s\n", figure.name.c_str(), figure.value, figure.unit.c_str());
  figures_.push_back(std::move(figure));
}

int Figures::report(int argc, char** argv) const {
  std::printf("\n%-58s %14s %-10s %-9s\n", "figure", "value", "unit", "goal");
  for (const Figure& figure : figures_) {
    if (!figure.listed) continue;
    const char* verdict = figure.kind == Figure::Goal::kNone ? "" : figure.ok() ? "ok" : "FALLS SHORT";
    std::printf("%-58s %14.4g %-10s %-9s %s\n", figure.name.c_str(), figure.value, figure.unit.c_str(),
                goal_text(figure).c_str(), verdict);
  }
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0 && !write_json(figures_, argv[i + 1])) {
      std::fprintf(stderr, "cannot write %s\n", argv[i + 1]);
      return 1;
    }
  }
  return 0;
}

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<double> rates(const std::vector<Contender>& contenders, double operations, int rounds) {
  std::vector<std::vector<double>> measured(contenders.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < contenders.size(); ++i)
      measured[i].push_back(operations / seconds(contenders[i].work));
  }
  std::vector<double> medians;
  for (const std::vector<double>& each : measured) medians.push_back(median(each));
  return medians;
}

}  // namespace sheaf::bench
