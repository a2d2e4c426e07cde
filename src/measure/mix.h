// What the runs of a trial come to for the mix of a model: how often each pattern and operation is asked for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "measure/trial.h"

namespace sheaf::measure {

// One a subject of the script; together 1. By the rates that the model declares, or that `rates` (a second,
// by name) say instead. What has no rate is as frequent as the most frequent that the model declares; if it
// declares none, once a second, so that without `rates` all are alike. Basic operations count only if they
// are all that is written. kInvalid if `rates` names something else.
Result<std::vector<double>> weights(const Script& script, const std::map<std::string, double>& rates);

// Of one average call of the mix.
struct Summary {
  double requests = 0;
  double rounds = 0;
  double read_units = 0;
  double write_units = 0;
  double items_read = 0;
  double items_returned = 0;
  double latency_us = 0;  // medians
  // Of one average write: items that are written, and units that this takes.
  double items_a_write = 0;
  double units_a_write = 0;
  int64_t bytes_stored = 0;
  int64_t items_stored = 0;

  double units() const { return read_units + write_units; }
};

Summary summary(const Script& script, const Trial& trial, const std::vector<double>& weights);

// What layouts are ranked by.
enum class Criterion : uint8_t { kRequests, kUnits, kBytes, kAmplification, kLatency };
inline constexpr std::pair<Criterion, std::string_view> kCriteria[] = {
    {Criterion::kRequests, "requests"},
    {Criterion::kUnits, "units"},
    {Criterion::kBytes, "bytes"},
    {Criterion::kAmplification, "amplification"},
    {Criterion::kLatency, "latency"}};
double figure(const Summary& summary, Criterion criterion);

}  // namespace sheaf::measure
