#include "wire/table_shapes.h"

#include <array>
#include <string_view>

namespace sheaf::wire {
namespace {

constexpr Limits kNameLimits{.required = true, .min = 3, .max = 255, .table_name = true};
constexpr Limits kAttributeNameLimits{.required = true, .min = 1, .max = 255};
constexpr Member kTable{
    "TableName", &kString, {.required = true, .alone = true, .min = 3, .max = 255, .table_name = true}};

constexpr std::array<std::string_view, 2> kBillingModes = {"PROVISIONED", "PAY_PER_REQUEST"};
constexpr std::array<std::string_view, 3> kAttributeTypes = {"B", "N", "S"};
constexpr std::array<std::string_view, 2> kKeyTypes = {"HASH", "RANGE"};
constexpr std::array<std::string_view, 3> kProjectionTypes = {"ALL", "INCLUDE", "KEYS_ONLY"};
constexpr std::array<std::string_view, 4> kViewTypes = {"OLD_IMAGE", "KEYS_ONLY", "NEW_AND_OLD_IMAGES",
                                                        "NEW_IMAGE"};
constexpr std::array<std::string_view, 2> kEncryptionTypes = {"AES256", "KMS"};

constexpr Shape structure(std::string_view name, std::span<const Member> members) {
  return {.kind = Kind::kStructure, .class_name = name, .members = members};
}

constexpr Shape list_of(const Shape& element, Limits limits = {.required = true}) {
  return {.kind = Kind::kList, .element = &element, .element_limits = limits};
}

constexpr Member kKeyElementMembers[] = {
    {"AttributeName", &kString, kAttributeNameLimits},
    {"KeyType", &kString, {.required = true, .values = kKeyTypes}},
};
constexpr Shape kKeyElement = structure("KeySchemaElement", kKeyElementMembers);
constexpr Shape kKeyElements = list_of(kKeyElement);
constexpr Limits kKeyLimits{.required = true, .min = 1, .max = 2};
constexpr Limits kGlobalKeyLimits{.required = true, .min = 1, .max = 8};

constexpr Member kDefinitionMembers[] = {
    {"AttributeType", &kString, {.required = true, .values = kAttributeTypes}},
    {"AttributeName", &kString, kAttributeNameLimits},
};
constexpr Shape kDefinition = structure("AttributeDefinition", kDefinitionMembers);
constexpr Shape kDefinitions = list_of(kDefinition);

constexpr Shape kIncludedNames = list_of(kString, kAttributeNameLimits);
constexpr Member kProjectionMembers[] = {
    {"ProjectionType", &kString, {.values = kProjectionTypes}},
    {"NonKeyAttributes", &kIncludedNames, {.min = 1, .max = 20}},
};
constexpr Shape kProjection = structure("Projection", kProjectionMembers);

constexpr Member kThroughputMembers[] = {
    {"WriteCapacityUnits", &kLong, {.required = true, .min = 1}},
    {"ReadCapacityUnits", &kLong, {.required = true, .min = 1}},
};
constexpr Shape kThroughput = structure("ProvisionedThroughput", kThroughputMembers);

constexpr Member kOnDemandMembers[] = {
    {"MaxWriteRequestUnits", &kLong},
    {"MaxReadRequestUnits", &kLong},
};
constexpr Shape kOnDemand = structure("OnDemandThroughput", kOnDemandMembers);

constexpr Member kWarmMembers[] = {
    {"WriteUnitsPerSecond", &kLong},
    {"ReadUnitsPerSecond", &kLong},
};
constexpr Shape kWarm = structure("WarmThroughput", kWarmMembers);

constexpr Member kThroughputMember{"ProvisionedThroughput", &kThroughput};
constexpr Member kOnDemandMember{"OnDemandThroughput", &kOnDemand};
constexpr Member kWarmMember{"WarmThroughput", &kWarm};

constexpr Member kGlobalIndexMembers[] = {
    {"IndexName", &kString, kNameLimits},
    {"KeySchema", &kKeyElements, kGlobalKeyLimits},
    {"Projection", &kProjection, {.required = true}},
    kThroughputMember,
    kOnDemandMember,
    kWarmMember,
};
constexpr Shape kGlobalIndex = structure("GlobalSecondaryIndex", kGlobalIndexMembers);
constexpr Shape kGlobalIndexes = list_of(kGlobalIndex);
constexpr Shape kCreateIndex = structure("CreateGlobalSecondaryIndexAction", kGlobalIndexMembers);

constexpr Member kLocalIndexMembers[] = {
    {"IndexName", &kString, kNameLimits},
    {"KeySchema", &kKeyElements, kKeyLimits},
    {"Projection", &kProjection, {.required = true}},
};
constexpr Shape kLocalIndex = structure("LocalSecondaryIndex", kLocalIndexMembers);
constexpr Shape kLocalIndexes = list_of(kLocalIndex);

constexpr Member kChangeIndexMembers[] = {
    {"IndexName", &kString, kNameLimits},
    kThroughputMember,
    kOnDemandMember,
    kWarmMember,
};
constexpr Shape kChangeIndex = structure("UpdateGlobalSecondaryIndexAction", kChangeIndexMembers);
constexpr Member kDeleteIndexMembers[] = {{"IndexName", &kString, kNameLimits}};
constexpr Shape kDeleteIndex = structure("DeleteGlobalSecondaryIndexAction", kDeleteIndexMembers);
constexpr Member kIndexUpdateMembers[] = {
    {"Update", &kChangeIndex},
    {"Create", &kCreateIndex},
    {"Delete", &kDeleteIndex},
};
constexpr Shape kIndexUpdateShape = structure("GlobalSecondaryIndexUpdate", kIndexUpdateMembers);
constexpr Shape kIndexUpdates = list_of(kIndexUpdateShape);

constexpr Member kStreamMembers[] = {
    {"StreamEnabled", &kBoolean, {.required = true}},
    {"StreamViewType", &kString, {.values = kViewTypes}},
};
constexpr Shape kStreamSpecification = structure("StreamSpecification", kStreamMembers);

constexpr Member kEncryptionMembers[] = {
    {"Enabled", &kBoolean},
    {"SSEType", &kString, {.values = kEncryptionTypes}},
    {"KMSMasterKeyId", &kString, {.min = 1}},
};
constexpr Shape kEncryption = structure("SSESpecification", kEncryptionMembers);

constexpr Member kTagMembers[] = {{"Key", &kString}, {"Value", &kString}};
constexpr Shape kTag = structure("Tag", kTagMembers);

// What is refused whatever it says.
constexpr Shape kAnyStructure = structure("", {});
constexpr Shape kAnyStructures = list_of(kAnyStructure, {});

constexpr Member kBillingMember{"BillingMode", &kString, {.values = kBillingModes}};
// An older name that no SDK has, but AWS still takes.
constexpr Member kModeMember{"TableThroughputMode", &kString, {.values = kBillingModes}};
constexpr Member kReplicationMember{"GlobalTableSettingsReplicationMode", &kString};
constexpr Member kStreamMember{"StreamSpecification", &kStreamSpecification};
constexpr Member kEncryptionMember{"SSESpecification", &kEncryption};
constexpr Member kClassMember{"TableClass", &kString};
constexpr Member kProtectedMember{"DeletionProtectionEnabled", &kBoolean};

constexpr Member kCreateMembers[] = {
    kBillingMember,
    kModeMember,
    kTable,
    kThroughputMember,
    {"KeySchema", &kKeyElements, kKeyLimits},
    {"AttributeDefinitions", &kDefinitions, {.required = true}},
    {"GlobalSecondaryIndexes", &kGlobalIndexes},
    {"LocalSecondaryIndexes", &kLocalIndexes},
    kStreamMember,
    kEncryptionMember,
    {"Tags", &kTagList},
    kClassMember,
    kProtectedMember,
    kWarmMember,
    kOnDemandMember,
    {"ResourcePolicy", &kString},
    {"GlobalTableSourceArn", &kString},
    kReplicationMember,
    {"VectorIndexes", &kAnyStructures},
};

constexpr Member kUpdateMembers[] = {
    kTable,
    kBillingMember,
    kModeMember,
    kThroughputMember,
    {"AttributeDefinitions", &kDefinitions},
    {"GlobalSecondaryIndexUpdates", &kIndexUpdates},
    kStreamMember,
    kEncryptionMember,
    {"ReplicaUpdates", &kAnyStructures, {.min = 1}},
    kClassMember,
    kProtectedMember,
    {"MultiRegionConsistency", &kString},
    {"GlobalTableWitnessUpdates", &kAnyStructures},
    kReplicationMember,
    {"DisassociationProtectionEnabled", &kBoolean},
    kOnDemandMember,
    kWarmMember,
    {"VectorIndexUpdates", &kAnyStructures},
};

constexpr Member kTableMembers[] = {kTable};
constexpr Member kListTablesMembers[] = {
    {"Limit", &kInteger, {.min = 1, .max = 100}},
    {"ExclusiveStartTableName", &kString, {.min = 3, .max = 255, .table_name = true}},
};

}  // namespace

constexpr Shape kTagList = list_of(kTag);
constexpr Shape kDescribeTableShape = structure("DescribeTableInput", kTableMembers);
constexpr Shape kDeleteTableShape = structure("DeleteTableInput", kTableMembers);
constexpr Shape kListTablesShape = structure("ListTablesInput", kListTablesMembers);
constexpr Shape kCreateTableShape = structure("CreateTableInput", kCreateMembers);
constexpr Shape kUpdateTableShape = structure("UpdateTableInput", kUpdateMembers);

}  // namespace sheaf::wire
