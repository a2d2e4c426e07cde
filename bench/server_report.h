// What the measurements say: tables for people, and figures with their goals.
#pragma once

#include <string>
#include <vector>

#include "bench/experiments.h"
#include "bench/figures.h"
#include "bench/fleet.h"

namespace sheaf::bench {

// Rates and processor time, one row for each workload, one column for each contender.
void print_tables(const Findings& findings, const Fleet& fleet);

// Every figure of the tables, and those that have a goal.
void add_figures(const Findings& findings, Figures& figures);

}  // namespace sheaf::bench
