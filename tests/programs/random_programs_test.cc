// The engine against its reference: random programs, every answer compared, on every store.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>

#include "programs/program_generator.h"
#include "programs/program_runner.h"

namespace sheaf::programs {
namespace {

using MakeTarget = std::function<std::unique_ptr<TestTarget>(uint64_t seed)>;

uint64_t rounds() {
  const char* text = std::getenv("SHEAF_TEST_ROUNDS");
  return text == nullptr ? 1 : std::max<uint64_t>(1, std::strtoull(text, nullptr, 10));
}

// The fixed ones, and one that is different every time; or just the one that was asked for.
std::vector<uint64_t> seeds(uint64_t fixed) {
  if (const char* text = std::getenv("SHEAF_TEST_SEED")) return {std::strtoull(text, nullptr, 10)};
  std::vector<uint64_t> all;
  for (uint64_t i = 1; i <= fixed * rounds(); ++i) all.push_back(i);
  all.push_back(std::random_device()());
  std::cout << "random seed " << all.back() << "\n";
  return all;
}

std::optional<Failure> run_once(const MakeTarget& make, uint64_t seed, const Program& program,
                                std::map<std::string, uint64_t>* answers = nullptr) {
  const std::unique_ptr<TestTarget> target = make(seed);
  ProgramRunner runner(*target);
  std::optional<Failure> failure = runner.run(program);
  if (answers != nullptr) {
    for (const auto& [what, count] : runner.answers()) (*answers)[what] += count;
  }
  return failure;
}

void report(const MakeTarget& make, uint64_t seed, Program program, const Failure& failure) {
  std::cout << "seed " << seed << ", step " << failure.step << ": " << to_text(program[failure.step]) << "\n"
            << failure.text << "\n";
  program.resize(failure.step + 1);
  const auto fails = [&](const Program& part) { return run_once(make, seed, part).has_value(); };
  if (!fails(program)) {
    std::cout << "(it does not fail again without what came after it)\n";
    return;
  }
  program = shrink(std::move(program), fails, 400);
  const std::optional<Failure> shorter = run_once(make, seed, program);
  std::cout << "the shortest program found that fails:\n";
  for (size_t i = 0; i < program.size(); ++i) std::cout << "  " << i << ": " << to_text(program[i]) << "\n";
  if (shorter) std::cout << "at " << shorter->step << ": " << shorter->text << "\n";
}

void run_programs(const MakeTarget& make, uint64_t fixed_seeds, uint32_t operations) {
  std::map<std::string, uint64_t> answers;
  for (const uint64_t seed : seeds(fixed_seeds)) {
    const Program program = ProgramGenerator({.seed = seed, .operations = operations}).generate();
    const std::optional<Failure> failure = run_once(make, seed, program, &answers);
    if (!failure) continue;
    report(make, seed, program, *failure);
    FAIL() << "run it again with SHEAF_TEST_SEED=" << seed;
  }
  if (std::getenv("SHEAF_TEST_VERBOSE") == nullptr) return;
  for (const auto& [what, count] : answers) std::cout << count << "\t" << what << "\n";
}

// A1, A4, A6-A12, A14, A15, A17-A20: items, item collections, queries, indexes, transactions, batches,
// paging, limits and capacity are what a plain model says they are.
TEST(RandomPrograms, AnswerLikeTheReferenceInMemory) {
  run_programs([](uint64_t) { return memory_target(kStartTimeUs); }, 8, 4000);
}

// The same on disk, closed and opened again in between.
TEST(RandomPrograms, AnswerLikeTheReferenceOnDisk) {
  run_programs([](uint64_t) { return rocks_target(kStartTimeUs); }, 2, 3000);
}

// The same although guards fail for nothing, scans end early and the outcome of some writes is not told.
TEST(RandomPrograms, AnswerLikeTheReferenceWhenTheStoreMisbehaves) {
  run_programs([](uint64_t seed) { return faulty_target(kStartTimeUs, seed); }, 8, 2500);
}

}  // namespace
}  // namespace sheaf::programs
