// What is wrong with a CreateTable or UpdateTable by itself, before any table is looked at. In DynamoDB's
// order: first the shape of each member, then what the members mean together.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/table.h"

namespace sheaf::api {

inline constexpr size_t kTableNameBytesMin = 3;
inline constexpr size_t kTableNameBytesMax = 255;
inline constexpr size_t kKeyNameBytesMax = 255;
inline constexpr size_t kTableKeyAttributesMax = 2;
inline constexpr size_t kIncludedPerIndexMax = 20;
inline constexpr size_t kTtlNameBytesMax = 255;
inline constexpr int64_t kUnitsMax = 1'000'000'000'000;

// Said of an UpdateTable that changes nothing.
inline constexpr std::string_view kNothingToUpdate =
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
    "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
    "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is "
    "required";

Result<void> check_table_name(std::string_view name);
Result<void> check_create(const CreateTable& request);
// The part of it that DynamoDB looks at first: whether the table has units if and only if it needs them.
Result<void> check_billing(const CreateTable& request);
Result<void> check_update(const UpdateTable& request);
// The name of an index whose Contributor Insights are asked for.
Result<void> check_insights_index(std::string_view name);
Result<void> check_ttl_attribute(std::string_view attribute);

}  // namespace sheaf::api
