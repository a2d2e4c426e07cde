#include "run/requests.h"

#include <algorithm>

#include "base/try.h"
#include "model/value_type.h"
#include "plan/key_interval.h"
#include "run/conditions.h"

namespace sheaf::run {

using model::KeyTemplate;
using plan::Binding;
using plan::Request;
using plan::Want;
using Test = language::Condition::Test;

namespace {

// Above every character of a key.
constexpr std::string_view kLast = "\U0010FFFF";

// The nearest number that so many digits can hold. Whatever it is compared with can be held.
std::string in_digits(std::string whole, size_t digits) {
  if (whole.starts_with('-')) return "0";
  return whole.size() > digits ? std::string(digits, '9') : whole;
}

}  // namespace

bool is_in_partition(const model::Layout& layout, const plan::View& view, const Query& query, ItemView key) {
  const auto partition = key.find(plan::partition_attribute(layout, view).name);
  return partition && query.values.find(":p")->encoded() == partition->encoded();
}

// The sort keys from `low` to `high`, both included.
struct RequestBuilder::Interval {
  std::string low;
  std::string high;
  bool is_prefix = false;  // all that begin with `low`
  bool is_low_open = false;
  bool is_high_open = false;
};

Result<std::string> RequestBuilder::bound(const Binding& binding, const KnownNodes& known) const {
  if (binding.kind == Binding::Kind::kCondition) {
    const auto value = operand_value(model_, binding.condition->syntax->operands.front(), *binding.condition,
                                     0, arguments_, plan_.pattern->parameters, now_);
    const auto text = value ? key_text(*value) : std::nullopt;
    if (!text) return Error{Code::kInvalid, "a parameter is missing or has no place in a key"};
    return *text;
  }
  const auto at = known.find(binding.node);
  if (at == known.end()) return Error{Code::kInvalid, "a key needs what is not known yet"};
  const std::vector<model::FieldPath>& paths = model_.entities[plan_.nodes[binding.node].entity].identity;
  const auto part = std::find(paths.begin(), paths.end(), binding.path);
  if (at->second.size() != paths.size()) return Error{Code::kInvalid, "a key needs what is not known yet"};
  return at->second[static_cast<size_t>(part - paths.begin())];
}

Result<RequestBuilder::Interval> RequestBuilder::interval(const Request& request, const Want& want,
                                                          const KnownNodes& known) const {
  const KeyTemplate& sk = *plan::sort_key(layout_, request.view, layout_.item_kinds[want.item_kind]);
  std::vector<std::string> values;
  for (const Binding& binding : want.sort.bound) values.push_back(TRY(bound(binding, known)));
  const std::string text = TRY(sk.encode_prefix(values));
  if (want.sort.is_whole) return Interval{.low = text, .high = text};
  if (want.sort.range == nullptr)
    return Interval{.low = text, .high = text + std::string(kLast), .is_prefix = true};
  return range(sk, *want.sort.range, values, text);
}

// A condition on the next hole. Exact ends are tested again on what was read.
Result<RequestBuilder::Interval> RequestBuilder::range(const KeyTemplate& sk,
                                                       const model::Condition& condition,
                                                       const std::vector<std::string>& values,
                                                       const std::string& prefix) const {
  const auto operand = [&](size_t index) -> Result<std::string> {
    const auto value = operand_value(model_, condition.syntax->operands[index], condition, index, arguments_,
                                     plan_.pattern->parameters, now_);
    const auto text = value ? key_text(*value) : std::nullopt;
    if (!text) return Error{Code::kInvalid, "a parameter has no place in a key"};
    // As the hole writes it, without the literal that follows.
    std::vector<std::string> with = values;
    with.push_back(*text);
    std::vector<KeyTemplate::Piece> pieces;
    size_t holes = 0;
    for (const KeyTemplate::Piece& piece : sk.pieces()) {
      pieces.push_back(piece);
      const auto* const hole = std::get_if<model::Hole>(&piece);
      if (hole == nullptr || ++holes < with.size()) continue;
      if (hole->format == language::Hole::Format::kDigits)
        with.back() = in_digits(std::move(with.back()), static_cast<size_t>(hole->count));
      break;
    }
    return KeyTemplate(std::move(pieces), sk.span()).encode_prefix(with);
  };
  Interval made{.low = prefix, .high = prefix + std::string(kLast)};
  const std::string first = TRY(operand(0));
  // A number that is the key itself is compared as one: there is nothing above it to close the interval with.
  const bool is_number = sk.bare_hole() != nullptr && model::is_numeric(sk.bare_hole()->field.type);
  const std::string above = is_number ? std::string() : std::string(kLast);
  switch (condition.syntax->test) {
    case Test::kBegins:
      made.low = first;
      made.high = first + std::string(kLast);
      made.is_prefix = true;
      break;
    case Test::kLess:
    case Test::kLessOrEqual:
      made.high = first + above;
      made.is_low_open = is_number;
      break;
    case Test::kGreater:
    case Test::kGreaterOrEqual:
      made.low = first;
      made.is_high_open = is_number;
      break;
    default: {
      const std::string second = TRY(operand(1));
      made.low = first;
      made.high = second + above;
      break;
    }
  }
  return made;
}

// One interval that holds all that is wanted.
Result<void> RequestBuilder::narrow(const Request& request, const KnownNodes& known,
                                    const model::KeyAttribute& sk, const Value* from, Query& query) const {
  std::optional<Interval> all;
  for (const Want& want : request.wants) {
    Interval one = TRY(interval(request, want, known));
    if (!all) {
      all = std::move(one);
      continue;
    }
    all->is_prefix = false;
    all->low = std::min(all->low, one.low);
    all->high = std::max(all->high, one.high);
  }
  if (from != nullptr) {
    (request.is_backward ? all->high : all->low) = key_text(*from).value_or("");
    (request.is_backward ? all->is_high_open : all->is_low_open) = false;
    all->is_prefix = false;
  }
  // Of which nothing is said.
  all->is_low_open = all->is_low_open || all->low.empty();
  all->is_high_open = all->is_high_open || all->high == kLast;
  if (all->is_low_open && all->is_high_open) return {};
  query.names.emplace_back("#s", sk.name);
  query.values.set(":s", key_value(all->is_low_open ? all->high : all->low, sk));
  if (all->is_low_open) {
    query.key_condition += " AND #s <= :s";
  } else if (all->is_high_open) {
    query.key_condition += " AND #s >= :s";
  } else if (all->low == all->high) {
    query.key_condition += " AND #s = :s";
  } else if (all->is_prefix) {
    query.key_condition += " AND begins_with(#s, :s)";
  } else {
    // From more to less there is nothing; the conditions drop what may lie at the one key that is asked for.
    const auto order = compare(key_value(all->high, sk), key_value(all->low, sk));
    const bool is_empty = order && *order < 0;
    query.key_condition += " AND #s BETWEEN :s AND :t";
    query.values.set(":t", key_value(is_empty ? all->low : all->high, sk));
  }
  return {};
}

Result<std::string> RequestBuilder::partition(const Request& request, const KnownNodes& known,
                                              const std::vector<std::string>& choice) const {
  std::vector<std::string> values;
  std::vector<bool> is_chosen;
  size_t next = 0;
  for (const Binding& binding : request.partition) {
    is_chosen.push_back(binding.kind == Binding::Kind::kEach);
    if (!is_chosen.back()) {
      values.push_back(TRY(bound(binding, known)));
    } else if (next < choice.size()) {
      values.push_back(choice[next++]);
    } else {
      return Error{Code::kInvalid, "a key needs what is not known yet"};
    }
  }
  const model::ItemKind& kind = layout_.item_kinds[request.wants.front().item_kind];
  const KeyTemplate& key = *plan::partition_key(layout_, request.view, kind);
  return request.is_spread() ? key.with_numbers_for(is_chosen).encode(values) : key.encode(values);
}

Result<Query> RequestBuilder::query(const Request& request, const KnownNodes& known,
                                    const std::vector<std::string>& choice, const Value* from) const {
  const model::Table& table = layout_.tables[request.view.table];
  const model::Index* const index = request.view.index ? &table.indexes[*request.view.index] : nullptr;
  const model::KeyAttribute& pk = plan::partition_attribute(layout_, request.view);
  const std::optional<model::KeyAttribute>& sk = plan::sort_attribute(layout_, request.view);

  const std::string partition = TRY(this->partition(request, known, choice));
  Query query{.table = table.name,
              .key_condition = "#p = :p",
              .names = {{"#p", pk.name}},
              .descending = request.is_backward,
              .consistent = plan_.is_strong};
  if (index != nullptr) query.index = index->name;
  query.values.set(":p", key_value(partition, pk));
  if (sk) TRY(narrow(request, known, *sk, from, query));
  if (request.limit) query.limit = static_cast<uint32_t>(*request.limit);
  return query;
}

}  // namespace sheaf::run
