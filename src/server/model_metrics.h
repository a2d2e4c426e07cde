// What was asked of models, how long it took and what it consumed; by model and by pattern or operation.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

#include "server/latency_histogram.h"

namespace sheaf::server {

struct ModelRequestFigures {
  std::string_view model;
  bool is_operation = false;
  std::string_view name;   // of the pattern or operation
  std::string_view error;  // its code; empty: it went well
  uint64_t took_us = 0;
  double units = 0;
};

// Thread-safe. Names are those of models that are served, never what a client made up: so it does not grow
// without end.
class ModelMetrics {
 public:
  void record(const ModelRequestFigures& figures);

  // In Prometheus' text form.
  void append_text(std::string& out) const;

 private:
  struct Of {
    std::string model;
    bool is_operation = false;
    std::string name;

    bool operator<(const Of& other) const {
      return std::tie(model, is_operation, name) < std::tie(other.model, other.is_operation, other.name);
    }
    Labels labels() const {
      return {{"model", model}, {"kind", is_operation ? "operation" : "pattern"}, {"name", name}};
    }
  };
  struct Sums {
    LatencyHistogram latency;
    double units = 0;
    std::map<std::string, uint64_t, std::less<>> errors;
  };

  mutable std::mutex mutex_;
  std::map<Of, Sums> sums_;
};

}  // namespace sheaf::server
