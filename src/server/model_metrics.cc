#include "server/model_metrics.h"

namespace sheaf::server {

void ModelMetrics::record(const ModelRequestFigures& figures) {
  std::lock_guard lock(mutex_);
  Sums& sums = sums_[Of{.model = std::string(figures.model),
                        .is_operation = figures.is_operation,
                        .name = std::string(figures.name)}];
  sums.latency.add(figures.took_us);
  sums.units += figures.units;
  if (!figures.error.empty()) ++sums.errors[std::string(figures.error)];
}

void ModelMetrics::append_text(std::string& out) const {
  std::lock_guard lock(mutex_);
  PrometheusText text(out);
  text.begin("sheaf_model_request_seconds", "histogram",
             "Time from a whole request to a model to its answer");
  for (const auto& [of, sums] : sums_) sums.latency.append_to(text, of.labels());
  text.begin("sheaf_model_errors_total", "counter", "Requests to models that were answered with an error");
  for (const auto& [of, sums] : sums_) {
    for (const auto& [code, count] : sums.errors) {
      Labels labels = of.labels();
      labels.emplace_back("code", code);
      text.value(labels, static_cast<double>(count));
    }
  }
  text.begin("sheaf_model_units_total", "counter", "Capacity units consumed by patterns and operations");
  for (const auto& [of, sums] : sums_) text.value(of.labels(), sums.units);
}

}  // namespace sheaf::server
