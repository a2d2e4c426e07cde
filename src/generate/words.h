// Words of which values are made that look like those of people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "generate/chance.h"

namespace sheaf::generate {

using Words = std::span<const std::string_view>;

extern const Words kFirstNames, kLastNames, kCities, kCountries, kStates, kStreets, kDomains, kCompanies,
    kAdjectives, kNouns, kTexts, kColors, kStatuses, kTopics, kRoles, kCurrencies, kLanguages;

inline std::string_view one_of(Words words, Chance& chance) { return words[chance.below(words.size())]; }
// The first are likelier.
inline std::string_view low_of(Words words, Chance& chance) { return words[chance.low(words.size())]; }

// Sentences of about this many words.
std::string sentences(uint64_t words, Chance& chance);
// Exactly this many bytes of them.
std::string filler(uint64_t bytes, Chance& chance);

}  // namespace sheaf::generate
