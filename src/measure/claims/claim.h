// What the documents say of each strategy, and how it is decided by measured figures. S1 to S4 are the
// documents that the models of models/ come from: doc/measure.md says which they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "measure/claims/evidence.h"

namespace sheaf::measure {

enum class Verdict : uint8_t { kHolds, kPartly, kContradicted };
std::string_view verdict_text(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::kHolds;
  std::string figure;  // that decides
};

struct Claim {
  std::string_view points;     // I1; I6 K2
  std::string_view source;     // S4
  std::string_view about;      // method 1, reassign
  std::string_view statement;  // what is claimed; + for it, - against it
  std::string_view how;        // what is looked at, with the names of experiments in backquotes
  Judgement (*judge)(const Evidence& evidence);

  bool is_of(std::string_view point) const;
};

// All of them, in the order in which they are told.
const std::vector<Claim>& claims();

// I1: the four methods and four operations that the document has a verdict for, each beside what was
// measured.
std::string method_grid(const Evidence& evidence);

// Parts of it, one a file.
std::vector<Claim> method_claims();      // I1, I3, I4, I5, K2, K9
std::vector<Claim> collection_claims();  // I2, K1, K3, K4, K5, K11
std::vector<Claim> network_claims();     // K6, K7, K8, K10, K12

// --- For judges.
Judgement holds_if(bool holds, std::string figure);   // otherwise it is contradicted
Judgement partly_if(bool holds, std::string figure);  // likewise; if it holds, not for all that is claimed

// The experiments that claims of these points name; of all, if there are none.
std::vector<const Experiment*> experiments_for(const std::vector<std::string>& points);

// Those of the points, or all if there are none, as a table for people or as JSON.
std::string claims_text(const Evidence& evidence, const std::vector<std::string>& points);
std::string claims_json(const Evidence& evidence, const std::vector<std::string>& points);

}  // namespace sheaf::measure
