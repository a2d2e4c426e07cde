// Metrics in the text form that Prometheus reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::server {

// Names and values; labels without a value are left out.
using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

class PrometheusText {
 public:
  explicit PrometheusText(std::string& out) : out_(out) {}

  // The metric that the following lines are of. `type`: "counter", "gauge" or "histogram".
  void begin(std::string_view name, std::string_view type, std::string_view help);
  void value(const Labels& labels, double value);
  // The classes of a histogram in order, each with all that is in it or below it, and then its end.
  void bucket(const Labels& labels, double upper_end, uint64_t count);
  void end_histogram(const Labels& labels, uint64_t count, double sum);
  // A metric of one line.
  void single(std::string_view name, std::string_view type, std::string_view help, double number);

 private:
  void line(std::string_view suffix, const Labels& labels, std::string_view bucket_end, double number);

  std::string& out_;
  std::string name_;
};

}  // namespace sheaf::server
