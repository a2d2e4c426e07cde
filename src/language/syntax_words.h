// The words for what the syntax tree enumerates, as JSON and the language write them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "language/syntax.h"

namespace sheaf::language {

template <typename T>
struct WordOf {
  T value;
  std::string_view text;
};

inline constexpr std::array<WordOf<Type::Kind>, 10> kScalarWords = {{{Type::Kind::kString, "string"},
                                                                     {Type::Kind::kNumber, "number"},
                                                                     {Type::Kind::kInt, "int"},
                                                                     {Type::Kind::kBool, "bool"},
                                                                     {Type::Kind::kBinary, "binary"},
                                                                     {Type::Kind::kTime, "time"},
                                                                     {Type::Kind::kDate, "date"},
                                                                     {Type::Kind::kUlid, "ulid"},
                                                                     {Type::Kind::kUuid, "uuid"},
                                                                     {Type::Kind::kAny, "any"}}};
inline constexpr std::array<WordOf<Type::Kind>, 3> kContainerWords = {
    {{Type::Kind::kList, "list"}, {Type::Kind::kMap, "map"}, {Type::Kind::kSet, "set"}}};
inline constexpr std::array<WordOf<Condition::Test>, 11> kTestWords = {
    {{Condition::Test::kEqual, "="},
     {Condition::Test::kNotEqual, "<>"},
     {Condition::Test::kLess, "<"},
     {Condition::Test::kLessOrEqual, "<="},
     {Condition::Test::kGreater, ">"},
     {Condition::Test::kGreaterOrEqual, ">="},
     {Condition::Test::kBegins, "begins"},
     {Condition::Test::kBetween, "between"},
     {Condition::Test::kIn, "in"},
     {Condition::Test::kExists, "exists"},
     {Condition::Test::kMissing, "missing"}}};
inline constexpr std::array<WordOf<Changes>, 2> kChangesWords = {
    {{Changes::kRarely, "rarely"}, {Changes::kOften, "often"}}};
inline constexpr std::array<WordOf<Store>, 3> kStoreWords = {
    {{Store::kItem, "item"}, {Store::kEav, "eav"}, {Store::kNone, "none"}}};
inline constexpr std::array<WordOf<Via::Kind>, 10> kViaWords = {{{Via::Kind::kAuto, "auto"},
                                                                 {Via::Kind::kRef, "ref"},
                                                                 {Via::Kind::kCollection, "collection"},
                                                                 {Via::Kind::kPath, "path"},
                                                                 {Via::Kind::kGraph, "graph"},
                                                                 {Via::Kind::kLists, "lists"},
                                                                 {Via::Kind::kEmbed, "embed"},
                                                                 {Via::Kind::kIndex, "index"},
                                                                 {Via::Kind::kIds, "ids"},
                                                                 {Via::Kind::kEdges, "edges"}}};
inline constexpr std::array<WordOf<Via::EmbedAs>, 2> kEmbedWords = {
    {{Via::EmbedAs::kMap, "map"}, {Via::EmbedAs::kList, "list"}}};
inline constexpr std::array<WordOf<Cardinality>, 3> kCardinalityWords = {
    {{Cardinality::kOneToOne, "1--1"},
     {Cardinality::kOneToMany, "1--*"},
     {Cardinality::kManyToMany, "*--*"}}};
inline constexpr std::array<WordOf<OnDelete>, 3> kOnDeleteWords = {
    {{OnDelete::kCascade, "cascade"}, {OnDelete::kRestrict, "restrict"}, {OnDelete::kUnlink, "unlink"}}};
inline constexpr std::array<WordOf<Aggregate>, 4> kAggregateWords = {{{Aggregate::kCount, "count"},
                                                                      {Aggregate::kSum, "sum"},
                                                                      {Aggregate::kMin, "min"},
                                                                      {Aggregate::kMax, "max"}}};
inline constexpr std::array<WordOf<Budget::Unit>, 3> kBudgetWords = {{{Budget::Unit::kRequests, "requests"},
                                                                      {Budget::Unit::kRounds, "rounds"},
                                                                      {Budget::Unit::kUnits, "units"}}};
inline constexpr std::array<WordOf<Rate::Per>, 4> kRateWords = {{{Rate::Per::kSecond, "s"},
                                                                 {Rate::Per::kMinute, "min"},
                                                                 {Rate::Per::kHour, "h"},
                                                                 {Rate::Per::kDay, "day"}}};
inline constexpr std::array<WordOf<Prefer>, 2> kPreferWords = {
    {{Prefer::kRequests, "requests"}, {Prefer::kUnits, "units"}}};
inline constexpr std::array<WordOf<Write::Kind>, 9> kWriteWords = {{{Write::Kind::kPut, "put"},
                                                                    {Write::Kind::kUpsert, "upsert"},
                                                                    {Write::Kind::kDelete, "delete"},
                                                                    {Write::Kind::kSet, "set"},
                                                                    {Write::Kind::kAdd, "add"},
                                                                    {Write::Kind::kRemove, "remove"},
                                                                    {Write::Kind::kLink, "link"},
                                                                    {Write::Kind::kUnlink, "unlink"},
                                                                    {Write::Kind::kCheck, "check"}}};
inline constexpr std::array<WordOf<Expectation::What>, 4> kExpectationWords = {
    {{Expectation::What::kRequests, "requests"},
     {Expectation::What::kReads, "reads"},
     {Expectation::What::kReturns, "returns"},
     {Expectation::What::kUnits, "units"}}};

// Empty if `value` has no word.
template <typename T, size_t N>
std::string_view word_for(const std::array<WordOf<T>, N>& words, T value) {
  for (const WordOf<T>& word : words) {
    if (word.value == value) return word.text;
  }
  return {};
}

template <typename T, size_t N>
std::optional<T> value_of_word(const std::array<WordOf<T>, N>& words, std::string_view text) {
  for (const WordOf<T>& word : words) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

}  // namespace sheaf::language
