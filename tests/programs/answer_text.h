// Answers as text: two answers are the same if their texts are, and a difference can be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/result.h"
#include "sheaf/stream.h"
#include "sheaf/table.h"

namespace sheaf::programs {

std::string to_text(const Error& error);
std::string to_text(const Written& written);
std::string to_text(const Got& got);
std::string to_text(const Page& page);
std::string to_text(const BatchGot& got);
std::string to_text(const BatchWritten& written);
std::string to_text(const TransactWritten& written);
std::string to_text(const TransactGot& got);
std::string to_text(const CollectionSize& size);
std::string to_text(const std::vector<std::string>& names);
// Without ids and times. Totals of indexes only as long as they are active.
std::string to_text(const TableDescription& description);
// Without the sequence.
std::string to_text(const ChangeEvent& event);

template <typename T>
std::string to_text(const Result<T>& result) {
  if (!result.ok()) return to_text(result.error());
  if constexpr (std::is_void_v<T>) {
    return "done";
  } else {
    return to_text(*result);
  }
}

// Takes out of both what the reference does not know.
template <typename T>
void forget_unknown(T&, T&) {}
void forget_unknown(Written& expected, Written& actual);
void forget_unknown(BatchWritten& expected, BatchWritten& actual);
void forget_unknown(TransactWritten& expected, TransactWritten& actual);

// Both answers, if they differ.
template <typename T>
std::optional<std::string> difference(Result<T> expected, Result<T> actual) {
  if (!expected.ok() && !actual.ok() && expected.error().message == "?" &&
      expected.error().code == actual.error().code)
    return std::nullopt;
  if constexpr (!std::is_void_v<T>) {
    if (expected.ok() && actual.ok()) forget_unknown(*expected, *actual);
  }
  const std::string expected_text = to_text(expected), actual_text = to_text(actual);
  if (expected_text == actual_text) return std::nullopt;
  return "expected: " + expected_text + "\n  actual: " + actual_text;
}

}  // namespace sheaf::programs
