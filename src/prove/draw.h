// What a generator may draw: the size of models, and features that are forced or left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

#include "prove/chance.h"

namespace sheaf::prove {

// Features that can be forced or left out. The grammar beyond them is always drawn.
enum class Topic : uint8_t {
  kOddNames,    // keywords, long names, names that need backquotes
  kComments,    // comments and doc comments
  kWithin,      // entities whose identity begins with that of a parent
  kEdgeFields,  // relations with fields
  kParallel,    // edge fields that are ids
  kSymmetric,   // relations with one name
  kLoops,       // relations of an entity with itself that allow it
  kUnchecked,   // links to entities that do not exist
  kRequired,    // required ends
  kRestrict,    // on delete restrict
  kCascade,     // on delete cascade
  kUnbounded,   // ends without a declared size
  kTimestamps,  // created_at and updated_at
  kVersioned,   // version
  kTimeToLive,  // ttl
  kCounts,      // = count(END)
  kUnique,      // unique fields
  kContainers,  // lists, maps, sets
  kObjects,     // object types
  kAny,         // fields of type any
  kBinary,      // binary fields
  kDefaults,    // defaults
  kMatches,     // matches
  kStoredAs,    // stored as
  kDepth,       // end^k
  kAggregates,  // count, sum, min, max
  kOptionalParameters,
  kStrong,
  kSnapshot,
  kGhosts,        // store none
  kFieldByField,  // store eav
  kEmbed,
  kGraph,
  kLists,
  kIdLists,
  kCopies,
  kBuckets,
  kShards,
  kSparse,           // index lines with when
  kExplicitDefault,  // keys and indexes in the bodies of entities
  kSeveralTables,
  kExtends,
};

struct GeneratorOptions {
  enum class Size : uint8_t { kSmall, kMedium };
  Size size = Size::kSmall;
  size_t layouts_max = 3;  // beside `default`
  std::set<Topic> without;
  std::set<Topic> forced;
};

// A source of chance that knows the options.
class Draw {
 public:
  Draw(uint64_t seed, const GeneratorOptions& options) : chance(seed), options_(options) {}
  Draw(Chance from, const GeneratorOptions& options) : chance(from), options_(options) {}

  // Whether something of the topic is drawn, with this many percent if nothing is forced.
  bool wants(Topic topic, size_t share) {
    const bool drawn = chance.percent(share);
    if (options_.without.contains(topic)) return false;
    return drawn || (options_.forced.contains(topic) && !chance.one_in(4));
  }
  bool may(Topic topic) const { return !options_.without.contains(topic); }
  const GeneratorOptions& options() const { return options_; }
  bool is_small() const { return options_.size == GeneratorOptions::Size::kSmall; }
  Draw fork(uint64_t label) { return {chance.fork(label), options_}; }

  Chance chance;

 private:
  const GeneratorOptions& options_;
};

}  // namespace sheaf::prove
