#include "cmd/metrics_page.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace sheaf::cmd {
namespace {

constexpr std::string_view kLatencyMetric = "sheaf_request_seconds_bucket";

// Takes {a="b",c="d"} off the text; false if it is not of this form.
bool take_labels(std::string_view& text, std::map<std::string, std::string>& labels) {
  if (!text.starts_with('{')) return true;
  text.remove_prefix(1);
  while (!text.starts_with('}')) {
    const size_t equals = text.find("=\"");
    if (equals == std::string_view::npos) return false;
    std::string& value = labels[std::string(text.substr(0, equals))];
    text.remove_prefix(equals + 2);
    while (!text.empty() && text.front() != '"') {
      const bool is_escape = text.front() == '\\' && text.size() > 1;
      if (is_escape) text.remove_prefix(1);
      value += is_escape && text.front() == 'n' ? '\n' : text.front();
      text.remove_prefix(1);
    }
    if (text.empty()) return false;
    text.remove_prefix(1);
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  text.remove_prefix(1);
  return true;
}

std::optional<Metric> read_metric(std::string_view line) {
  const size_t end = line.find_first_of("{ ");
  if (line.starts_with('#') || end == std::string_view::npos) return std::nullopt;
  Metric metric{.name = std::string(line.substr(0, end))};
  line.remove_prefix(end);
  if (!take_labels(line, metric.labels) || !line.starts_with(' ')) return std::nullopt;
  line.remove_prefix(1);
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), metric.value);
  if (error != std::errc() || rest != line.data() + line.size()) return std::nullopt;
  return metric;
}

// Requests in all classes up to the end that is the key.
using Classes = std::map<double, double>;

std::map<std::string, Classes> latency_classes(const std::vector<Metric>& page) {
  std::map<std::string, Classes> classes;
  for (const Metric& metric : page) {
    if (metric.name != kLatencyMetric) continue;
    const std::string end = metric.label("le");
    double seconds = std::numeric_limits<double>::infinity();
    if (end != "+Inf") std::from_chars(end.data(), end.data() + end.size(), seconds);
    classes[metric.label("operation")][seconds] += metric.value;
  }
  return classes;
}

std::optional<double> quantile(const Classes& classes, double requests, double share) {
  for (const auto& [end, count] : classes) {
    if (count >= share * requests) return std::isinf(end) ? std::nullopt : std::optional(end);
  }
  return std::nullopt;
}

}  // namespace

std::string Metric::label(const std::string& of) const {
  const auto found = labels.find(of);
  return found == labels.end() ? "" : found->second;
}

std::vector<Metric> read_metrics(std::string_view text) {
  std::vector<Metric> page;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (auto metric = read_metric(text.substr(0, end))) page.push_back(std::move(*metric));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return page;
}

std::vector<OperationLatency> latencies(const std::vector<Metric>& before, const std::vector<Metric>& now) {
  std::map<std::string, Classes> then = latency_classes(before);
  std::vector<OperationLatency> all;
  for (auto& [operation, classes] : latency_classes(now)) {
    Classes grown;
    for (const auto& [end, count] : classes) grown[end] = std::max(count - then[operation][end], 0.0);
    const double requests = grown.empty() ? 0 : grown.rbegin()->second;
    if (requests <= 0) continue;
    all.push_back({.operation = operation,
                   .requests = requests,
                   .half = quantile(grown, requests, 0.5),
                   .ninety_nine = quantile(grown, requests, 0.99)});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.requests > b.requests; });
  return all;
}

std::map<std::vector<std::string>, double> growth_of(std::string_view name,
                                                     const std::vector<std::string>& labels,
                                                     const std::vector<Metric>& before,
                                                     const std::vector<Metric>& now) {
  std::map<std::vector<std::string>, double> growth;
  const auto add = [&](const std::vector<Metric>& page, double sign) {
    for (const Metric& metric : page) {
      if (metric.name != name) continue;
      std::vector<std::string> values;
      for (const std::string& label : labels) values.push_back(metric.label(label));
      growth[values] += sign * metric.value;
    }
  };
  add(now, 1);
  add(before, -1);
  std::erase_if(growth, [](const auto& each) { return each.second <= 0; });
  return growth;
}

std::string latency_text(std::optional<double> seconds) {
  if (!seconds) return "longer";
  std::array<char, 32> text;
  const bool is_second = *seconds >= 1, is_milli = *seconds >= 0.001;
  const double amount = *seconds * (is_second ? 1 : is_milli ? 1e3 : 1e6);
  const int length = std::snprintf(text.data(), text.size(), "%.3g", amount);
  return std::string(text.data(), static_cast<size_t>(length)) + (is_second  ? " s"
                                                                  : is_milli ? " ms"
                                                                             : " us");
}

}  // namespace sheaf::cmd
