#include "programs/transaction_order.h"

#include <algorithm>

namespace sheaf::programs {
namespace {

// What happened to one version of one item: who wrote it, who saw it, who replaced it.
struct VersionUse {
  std::optional<size_t> writer;
  std::vector<size_t> readers;
  std::optional<size_t> successor;
};

// Nodes are the transactions and, behind them, the moments of their answers: one for each, in order of time,
// so that "was answered before the other was called" needs one edge and not one for each pair.
class Precedence {
 public:
  explicit Precedence(const std::vector<TransactionRecord>& transactions)
      : transactions_(transactions), edges_(2 * transactions.size()) {}

  void add(size_t before, size_t after) {
    if (before != after) edges_[before].push_back(after);
  }

  void add_time() {
    const size_t count = transactions_.size();
    std::vector<size_t> by_answer(count);
    for (size_t i = 0; i < count; ++i) by_answer[i] = i;
    std::sort(by_answer.begin(), by_answer.end(),
              [&](size_t a, size_t b) { return transactions_[a].answered < transactions_[b].answered; });
    for (size_t moment = 0; moment < count; ++moment) {
      add(by_answer[moment], count + moment);
      if (moment > 0) add(count + moment - 1, count + moment);
    }
    for (size_t i = 0; i < count; ++i) {
      const auto later = std::partition_point(by_answer.begin(), by_answer.end(), [&](size_t other) {
        return transactions_[other].answered < transactions_[i].called;
      });
      if (later != by_answer.begin()) add(count + static_cast<size_t>(later - by_answer.begin()) - 1, i);
    }
  }

  // Depth first; a node that is met while it is still on the way closes a cycle.
  std::optional<std::vector<size_t>> cycle() const {
    enum class Mark : uint8_t { kNew, kOnTheWay, kDone };
    std::vector<Mark> marks(edges_.size(), Mark::kNew);
    std::vector<std::pair<size_t, size_t>> way;  // node, next edge
    for (size_t root = 0; root < edges_.size(); ++root) {
      if (marks[root] != Mark::kNew) continue;
      way.emplace_back(root, 0);
      marks[root] = Mark::kOnTheWay;
      while (!way.empty()) {
        auto& [node, edge] = way.back();
        if (edge == edges_[node].size()) {
          marks[node] = Mark::kDone;
          way.pop_back();
          continue;
        }
        const size_t next = edges_[node][edge++];
        if (marks[next] == Mark::kOnTheWay) return cycle_on(way, next);
        if (marks[next] == Mark::kDone) continue;
        marks[next] = Mark::kOnTheWay;
        way.emplace_back(next, 0);
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<size_t> cycle_on(const std::vector<std::pair<size_t, size_t>>& way, size_t start) const {
    std::vector<size_t> nodes;
    auto at = std::find_if(way.begin(), way.end(), [&](const auto& each) { return each.first == start; });
    for (; at != way.end(); ++at) {
      if (at->first < transactions_.size()) nodes.push_back(at->first);
    }
    return nodes;
  }

  const std::vector<TransactionRecord>& transactions_;
  std::vector<std::vector<size_t>> edges_;
};

}  // namespace

std::string TransactionRecord::to_text() const {
  std::string text = std::to_string(called) + "-" + std::to_string(answered) + " read";
  for (const auto& [item, version] : read) text += " " + item + ":" + std::to_string(version);
  text += " wrote";
  for (const auto& [item, version] : written) text += " " + item + ":" + std::to_string(version);
  return text;
}

std::optional<std::string> find_cycle(const std::vector<TransactionRecord>& transactions) {
  std::map<std::string, std::map<uint64_t, VersionUse>> items;
  for (size_t i = 0; i < transactions.size(); ++i) {
    for (const auto& [item, version] : transactions[i].written) {
      VersionUse& use = items[item][version];
      if (use.writer) return "two transactions wrote one version of " + item;
      use.writer = i;
      const auto before = transactions[i].read.find(item);
      if (before == transactions[i].read.end()) return "a transaction wrote " + item + " unread";
      VersionUse& replaced = items[item][before->second];
      if (replaced.successor) {
        return "an update was lost: both replaced the same version of " + item + "\n  " +
               transactions[*replaced.successor].to_text() + "\n  " + transactions[i].to_text();
      }
      replaced.successor = i;
    }
    for (const auto& [item, version] : transactions[i].read) items[item][version].readers.push_back(i);
  }
  Precedence precedence(transactions);
  for (const auto& [item, versions] : items) {
    for (const auto& [version, use] : versions) {
      if (version != 0 && !use.writer)
        return "a version of " + item + " was seen that nobody wrote: " + std::to_string(version);
      for (const size_t reader : use.readers) {
        if (use.writer) precedence.add(*use.writer, reader);
        if (use.successor) precedence.add(reader, *use.successor);
      }
    }
  }
  precedence.add_time();
  const auto cycle = precedence.cycle();
  if (!cycle) return std::nullopt;
  std::string text = "no order agrees with these:";
  for (const size_t node : *cycle) text += "\n  " + transactions[node].to_text();
  return text;
}

}  // namespace sheaf::programs
