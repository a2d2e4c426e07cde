// What an account answers that has none of it: global tables, streams to Kinesis, backups, exports and
// imports, resource policies. Lists are empty, what is asked for by name is not found, and what would make
// one of them is refused.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kListGlobalTablesShape, kGlobalTableShape, kReplicationGroupShape, kReplicaUpdatesShape,
    kReplicaAutoScalingShape;
void list_global_tables(Call call, const Input& input);
void describe_global_table(Call call, const Input& input);
void global_table_settings(Call call, const Input& input);
void change_global_table(Call call, const Input& input);
void replica_auto_scaling(Call call, const Input& input);

extern const Shape kDescribeKinesisShape, kChangeKinesisShape;
void describe_kinesis_destination(Call call, const Input& input);
void enable_kinesis_destination(Call call, const Input& input);
void disable_kinesis_destination(Call call, const Input& input);
void update_kinesis_destination(Call call, const Input& input);

extern const Shape kListBackupsShape, kBackupShape, kListExportsShape, kExportShape, kListImportsShape,
    kImportShape;
void list_backups(Call call, const Input& input);
void find_backup(Call call, const Input& input);
void list_exports(Call call, const Input& input);
void find_export(Call call, const Input& input);
void list_imports(Call call, const Input& input);
void find_import(Call call, const Input& input);

extern const Shape kGetPolicyShape, kPutPolicyShape;
void get_resource_policy(Call call, const Input& input);
void put_resource_policy(Call call, const Input& input);
void delete_resource_policy(Call call, const Input& input);

}  // namespace sheaf::wire
