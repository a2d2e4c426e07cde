// A workload whose every step is known beforehand: what an item is like after its n-th write, and the request
// that makes it so. So a journal of two numbers an item is enough to judge what is there after a crash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"

namespace sheaf::faults {

inline constexpr uint32_t kWriters = 8;
// Every writer has items of its own, numbered from 0: such that it writes one at a time, such that it writes
// in batches, and groups that it writes in transactions.
inline constexpr uint32_t kSingles = 20;
inline constexpr uint32_t kBatchItems = 10;
inline constexpr uint32_t kGroups = 4;
inline constexpr uint32_t kGroupMembers = 4;
inline constexpr uint32_t kItemsPerWriter = kSingles + kBatchItems + kGroups * kGroupMembers;
// All writers share these.
inline constexpr int kAccounts = 6;
inline constexpr int kAccountMoney = 100;
// Items that are written once, for indexes to be filled from.
inline constexpr int kFillers = 2000;

inline const std::string kItemsTable = "Items";        // with a sort key, local and global indexes
inline const std::string kPairsTable = "Pairs";        // without
inline const std::string kAccountsTable = "Accounts";  // what writers share
inline const std::string kLateIndex = "Late";          // made and removed while writers are busy

struct Slot {
  uint32_t writer;
  uint32_t number;
};
// The first member of a group.
Slot group_slot(uint32_t writer, uint32_t group, uint32_t member);

// The tables, to be made if they are not there.
std::vector<CreateTable> planned_tables();
CreateTable planned_short_lived_table(uint32_t number);
IndexDeclaration planned_late_index();
Item filler(int number);

// Version 0 is before the first write: nothing.
const std::string& table_of(Slot slot);
Item key_of(Slot slot);
std::optional<Item> state_of(Slot slot, uint32_t version);

// Leads from the version before to `version`. Its condition, if any, holds if that is where the item is.
TransactAction write_of(Slot slot, uint32_t version);
// The same as part of a batch, which has no conditions and no updates.
BatchWriteItems::Write batch_write_of(Slot slot, uint32_t version);

}  // namespace sheaf::faults
