// What a benchmark found: figures with their goals, as a table for people and as JSON for programs.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::bench {

struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
  enum class Goal : uint8_t { kNone, kAtLeast, kAtMost } kind = Goal::kNone;
  double goal = 0;
  bool listed = true;  // in the table for people

  bool ok() const;
};

class Figures {
 public:
  void note(std::string name, double value, std::string unit);
  void at_least(std::string name, double value, std::string unit, double goal);
  void at_most(std::string name, double value, std::string unit, double goal);
  // For programs alone: people are shown it in a table of its own.
  void record(std::string name, double value, std::string unit);

  // Prints the table; writes JSON if the command line said `--json FILE`. Returns the program's exit code.
  int report(int argc, char** argv) const;

 private:
  void add(Figure figure);
  std::vector<Figure> figures_;
};

// Seconds that `work` took.
double seconds(const std::function<void()>& work);

double median(std::vector<double> values);

// The work of several contenders in turns, so that what disturbs the machine disturbs all of them: the median
// rate of each, in operations a second, over `rounds`.
struct Contender {
  std::string name;
  std::function<void()> work;  // does `operations`
};
std::vector<double> rates(const std::vector<Contender>& contenders, double operations, int rounds);

}  // namespace sheaf::bench
