// The shapes of requests that make, change and describe tables. The members of each stand in the order in
// which AWS complains of them; the enums name their places.
#pragma once

#include "wire/shape.h"

namespace sheaf::wire {

// A request that names a table and nothing else.
enum TableMember : size_t { kTableOfTable };
extern const Shape kDescribeTableShape, kDeleteTableShape;

enum ListTablesMember : size_t { kListLimit, kListStart };
extern const Shape kListTablesShape;

enum CreateTableMember : size_t {
  kCreateBilling,
  kCreateMode,
  kCreateTable,
  kCreateThroughput,
  kCreateKey,
  kCreateDefinitions,
  kCreateGlobal,
  kCreateLocal,
  kCreateStream,
  kCreateEncryption,
  kCreateTags,
  kCreateClass,
  kCreateProtected,
  kCreateWarm,
  kCreateOnDemand,
  kCreatePolicy,
  kCreateSource,
  kCreateReplication,
  kCreateVectors,
};
extern const Shape kCreateTableShape;

enum UpdateTableMember : size_t {
  kUpdateTable,
  kUpdateBilling,
  kUpdateMode,
  kUpdateThroughput,
  kUpdateDefinitions,
  kUpdateIndexes,
  kUpdateStream,
  kUpdateEncryption,
  kUpdateReplicas,
  kUpdateClass,
  kUpdateProtected,
  kUpdateConsistency,
  kUpdateWitnesses,
  kUpdateReplication,
  kUpdateDisassociation,
  kUpdateOnDemand,
  kUpdateWarm,
  kUpdateVectors,
};
extern const Shape kUpdateTableShape;

// Parts of them.
enum KeyElementMember : size_t { kElementName, kElementType };
enum DefinitionMember : size_t { kDefinitionType, kDefinitionName };
enum ProjectionMember : size_t { kProjectionType, kProjectionIncluded };
enum IndexMember : size_t {
  kIndexName,
  kIndexKey,
  kIndexProjection,
  kIndexThroughput,
  kIndexOnDemand,
  kIndexWarm,
};
enum IndexUpdateMember : size_t { kIndexUpdate, kIndexCreate, kIndexDelete };
enum IndexChangeMember : size_t { kChangeName, kChangeThroughput, kChangeOnDemand, kChangeWarm };
enum ThroughputMember : size_t { kThroughputWrite, kThroughputRead };
enum StreamSpecificationMember : size_t { kStreamEnabled, kStreamView };
enum EncryptionMember : size_t { kEncryptionEnabled, kEncryptionType, kEncryptionKey };
enum TagMember : size_t { kTagKey, kTagValue };
extern const Shape kTagList;

}  // namespace sheaf::wire
