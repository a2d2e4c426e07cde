#include "plan/explain.h"

#include <algorithm>
#include <cmath>

#include "model/time_buckets.h"
#include "plan/budgets.h"
#include "plan/key_interval.h"
#include "plan/units.h"

namespace sheaf::plan {
namespace {

using model::KeyTemplate;

std::string counted(double count, std::string_view one, std::string_view many) {
  return number_text(count) + " " + std::string(count == 1 ? one : many);
}

class Explainer {
 public:
  Explainer(const model::Model& model, const model::Layout& layout, const Plan& plan)
      : model_(model), layout_(layout), plan_(plan) {}

  std::string run() {
    std::string out = plan_.pattern->name + "(";
    bool is_first = true;
    for (size_t i = 0; i < plan_.given.size(); ++i) {
      if (!plan_.given[i]) continue;
      out += (is_first ? "" : ", ") + plan_.pattern->parameters[i].name;
      is_first = false;
    }
    out += "): " + counted(plan_.cost.requests, "request", "requests") + ", " +
           counted(plan_.cost.rounds, "round", "rounds") + ", " + about(plan_.cost.units) +
           number_text(plan_.cost.units) + " units" +
           (plan_.is_snapshot ? ", snapshot"
            : plan_.is_strong ? ", strong"
                              : "") +
           "\n";
    for (size_t i = 0; i < plan_.requests.size(); ++i)
      out += "  " + std::to_string(i + 1) + ". " + request(plan_.requests[i]) + "\n";
    if (plan_.requests.empty()) out += "  nothing to read: the parameters say it all\n";
    return out;
  }

  RequestText parts(const Request& request) const {
    RequestText text{.line = this->request(request)};
    text.operation = text.line.substr(0, text.line.find_first_of(" :"));
    const model::Table& table = layout_.tables[request.view.table];
    switch (request.kind) {
      case Request::Kind::kQuery:
        text.view = table.name + (request.view.index ? "." + table.indexes[*request.view.index].name : "");
        text.key_condition = key_condition(request);
        break;
      case Request::Kind::kRest:
        text.view = table.name;
        text.key_condition = "the keys that request " + std::to_string(request.anchor + 1) + " found";
        break;
      case Request::Kind::kPoints:
        for (const Want& want : request.wants) add_point(layout_.item_kinds[want.item_kind], text);
    }
    return text;
  }

 private:
  // One kind of items whose addresses are known.
  void add_point(const model::ItemKind& kind, RequestText& text) const {
    const model::Table& table = layout_.tables[kind.table];
    if (("," + text.view + ",").find("," + table.name + ",") == std::string::npos)
      text.view += (text.view.empty() ? "" : ",") + table.name;
    std::string key = table.pk.name + " = \"" + kind.pk.text() + "\"";
    if (kind.sk) key += ", " + table.sk->name + " = \"" + kind.sk->text() + "\"";
    text.key_condition += (text.key_condition.empty() ? "" : "; ") + key;
  }

  std::string key_condition(const Request& request) const {
    const std::optional<model::KeyAttribute>& sk = sort_attribute(layout_, request.view);
    return partition_attribute(layout_, request.view).name + " = \"" +
           filled(*partition_key(layout_, request.view, layout_.item_kinds[request.wants.front().item_kind]),
                  request.partition) +
           "\"" + sort_text(request, sk ? sk->name : "");
  }

  std::string name_of(size_t node) const {
    const DocumentNode& at = plan_.nodes[node];
    return at.parent ? model_.end(*at.end).name : model_.entities[at.entity].name;
  }

  std::string value(const Binding& binding) const {
    if (binding.kind == Binding::Kind::kEach) return "<" + each(*binding.hole) + ">";
    if (binding.kind == Binding::Kind::kCondition) {
      const language::Operand& operand = binding.condition->syntax->operands.front();
      if (const auto* path = std::get_if<language::Path>(&operand)) {
        std::string text;
        for (const language::Name& name : path->names) text += (text.empty() ? "<$" : ".") + name.text;
        return text + ">";
      }
      return std::get<language::Literal>(operand).text;
    }
    const DocumentNode& node = plan_.nodes[binding.node];
    const std::string start = !node.parent && plan_.pattern->start
                                  ? "$" + plan_.pattern->parameters[*plan_.pattern->start].name
                                  : name_of(binding.node);
    return "<" + start + "." + model_.text(node.entity, binding.path) + ">";
  }

  static std::string each(const model::Hole& hole) {
    return hole.is_shard() ? "each of " + std::to_string(hole.count) + " shards"
                           : "each " + std::string(model::TimeBuckets(hole.format).name());
  }

  // In which order partitions are read, if there are several.
  static std::string spread_text(const Request& request) {
    std::string out = request.is_merged ? ", merged in their order" : "";
    if (const model::Hole* const bucket = request.bucket()) {
      const std::string name(model::TimeBuckets(bucket->format).name());
      out += ", a call for every " + name +
             (request.is_backward ? " from the newest back" : " from the oldest on");
      if (request.limit) out += " until there are enough";
    }
    return out;
  }

  // The template with what fills its first holes, up to the first that is not bound.
  std::string filled(const KeyTemplate& key, const std::vector<Binding>& bindings) const {
    std::string out;
    size_t next = 0;
    for (const auto& piece : key.pieces()) {
      if (const auto* text = std::get_if<std::string>(&piece)) {
        out += *text;
      } else if (next < bindings.size()) {
        out += value(bindings[next++]);
      } else {
        break;
      }
    }
    return out;
  }

  std::string request(const Request& request) const {
    const model::Table& table = layout_.tables[request.view.table];
    std::string wants;
    for (const Want& want : request.wants) {
      wants += (wants.empty() ? "" : ", ") + std::string(want.kind == Want::Kind::kEdges ? "edges to " : "") +
               name_of(want.node);
    }
    if (request.kind == Request::Kind::kPoints) {
      const double keys = request.items_read;
      const std::string call =
          plan_.is_snapshot ? "TransactGetItems of " + counted(keys, "key", "keys")
          : keys == 1       ? "GetItem"
                            : "BatchGetItem of " + counted(keys, "key", "keys") +
                            (request.calls > 1 ? " in " + number_text(request.calls) + " calls" : "");
      if (request.levels > 1)
        return "BatchGetItem of " + counted(request.items_read, "key", "keys") + ": " + wants +
               levels(request);
      return call + ": " + wants;
    }
    if (request.kind == Request::Kind::kRest)
      return "BatchGetItem of what the index does not hold, " + counted(request.items_read, "key", "keys") +
             ": " + wants;
    const model::Index* const index = request.view.index ? &table.indexes[*request.view.index] : nullptr;
    std::string out = "Query " + table.name + (index != nullptr ? "." + index->name : "") + ": ";
    out += key_condition(request);
    if (request.is_backward) out += ", backwards";
    if (request.limit) out += ", limit " + std::to_string(*request.limit);
    out += spread_text(request);
    out += ": " + wants;
    if (request.levels > 1) {
      out += levels(request);
    } else if (request.calls > 1) {
      out += " (" + counted(request.calls, "call", "calls") + ")";
    }
    for (const size_t kind : request.polluted_by) {
      const bool is_wanted = std::any_of(request.wants.begin(), request.wants.end(),
                                         [&](const Want& want) { return want.item_kind == kind; });
      out +=
          "; reads and drops " + std::string(is_wanted ? "others of " : "") + layout_.item_kinds[kind].name;
    }
    return out;
  }

  // What each level takes: one round, with so many calls at once. There are fewer of all if the list that it
  // begins with is cut.
  std::string levels(const Request& request) const {
    const DocumentNode& node = plan_.nodes[request.wants.front().node];
    const double parents = plan_.nodes[*node.parent].count;
    double queries = parents, keys = 0;
    for (size_t level = 0; level < request.levels; ++level) {
      if (level + 1 < request.levels) queries += node.levels[level];
      keys += node.levels[level];
    }
    std::string out;
    for (size_t level = 0; level < request.levels; ++level) {
      const bool is_batch = request.kind == Request::Kind::kPoints;
      const double calls = is_batch
                               ? std::ceil(node.levels[level] * request.items_read / keys / kBatchKeys)
                               : (level == 0 ? parents : node.levels[level - 1]) * request.calls / queries;
      out += (out.empty() ? " (level " : ", level ") + std::to_string(level + 1) + ": " +
             counted(calls, "call", "calls");
    }
    return out + ")";
  }

  std::string sort_text(const Request& request, const std::string& name) const {
    if (name.empty()) return {};
    std::vector<std::string> prefixes;
    for (const Want& want : request.wants)
      prefixes.push_back(
          filled(*sort_key(layout_, request.view, layout_.item_kinds[want.item_kind]), want.sort.bound));
    if (prefixes.size() == 1) {
      const Want& want = request.wants.front();
      if (want.sort.is_whole) return ", " + name + " = \"" + prefixes[0] + "\"";
      if (want.sort.range != nullptr) return ", " + name + " in a range behind \"" + prefixes[0] + "\"";
      return prefixes[0].empty() ? "" : ", " + name + " begins with \"" + prefixes[0] + "\"";
    }
    const auto [low, high] = std::minmax_element(prefixes.begin(), prefixes.end());
    if (low->empty()) return {};
    return ", " + name + " from \"" + *low + "\" to \"" + *high + "\"";
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const Plan& plan_;
};

}  // namespace

std::string about(double units) { return units > 0 ? "about " : ""; }

std::string explain(const model::Model& model, const model::Layout& layout, const Plan& plan) {
  return Explainer(model, layout, plan).run();
}

std::vector<RequestText> request_texts(const model::Model& model, const model::Layout& layout,
                                       const Plan& plan) {
  const Explainer explainer(model, layout, plan);
  std::vector<RequestText> texts;
  for (const Request& request : plan.requests) texts.push_back(explainer.parts(request));
  return texts;
}

}  // namespace sheaf::plan
