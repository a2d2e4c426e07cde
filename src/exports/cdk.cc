#include "exports/cdk.h"

#include <algorithm>

#include "exports/names.h"
#include "exports/stored_tables.h"

namespace sheaf::exports {
namespace {

std::string key_part(const KeyAttribute& attribute) {
  const std::string type = attribute.type == Type::kNumber   ? "NUMBER"
                           : attribute.type == Type::kBinary ? "BINARY"
                                                             : "STRING";
  return "{ name: " + single_quoted(attribute.name) + ", type: AttributeType." + type + " }";
}

// Layouts have keys of one partition and at most one sort attribute.
std::string key_lines(const KeySchema& key, const std::string& indent) {
  std::string out = indent + "partitionKey: " + key_part(key.partition.front()) + ",\n";
  if (!key.sort.empty()) out += indent + "sortKey: " + key_part(key.sort.front()) + ",\n";
  return out;
}

std::string table_lines(const StoredTable& table, const std::string& member, const std::string& id) {
  const std::string indent = "      ";
  std::string out = "\n" + comments(table.notes, "    //");
  out += "    this." + member + " = new Table(this, " + single_quoted(id) + ", {\n";
  out += indent + "tableName: " + single_quoted(table.request.table) + ",\n";
  out += key_lines(table.request.key, indent);
  out += indent + "billingMode: BillingMode.PAY_PER_REQUEST,\n";
  if (table.ttl) out += indent + "timeToLiveAttribute: " + single_quoted(*table.ttl) + ",\n";
  out += indent + "deletionProtection: true,\n";
  out += indent + "pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },\n";
  out += indent + "removalPolicy: RemovalPolicy.RETAIN,\n    });\n";
  for (const IndexDeclaration& index : table.request.global_indexes) {
    out += "    this." + member + ".addGlobalSecondaryIndex({\n";
    out += indent + "indexName: " + single_quoted(index.name) + ",\n";
    out += key_lines(index.key, indent);
    out +=
        indent + "projectionType: ProjectionType." + std::string(projection_word(index.projection)) + ",\n";
    if (!index.included.empty()) {
      out += indent + "nonKeyAttributes: [";
      for (size_t i = 0; i < index.included.size(); ++i)
        out += (i == 0 ? "" : ", ") + single_quoted(index.included[i]);
      out += "],\n";
    }
    out += "    });\n";
  }
  return out;
}

}  // namespace

std::string to_cdk(const model::Model& model, const model::Layout& layout) {
  const std::vector<StoredTable> tables = stored_tables(model, layout);
  const bool has_index = std::any_of(tables.begin(), tables.end(), [](const StoredTable& table) {
    return !table.request.global_indexes.empty();
  });
  std::string out = comments(heading(model, layout), "//");
  out += "import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';\n";
  out += std::string("import { AttributeType, BillingMode, ") + (has_index ? "ProjectionType, " : "") +
         "Table } from 'aws-cdk-lib/aws-dynamodb';\n";
  out += "import type { Construct } from 'constructs';\n\n";
  out += "export class " + pascal_case(model.name()) + "Stack extends Stack {\n";
  std::string body;
  // Not those that a stack has already.
  UniqueNames members({"node", "tags", "account", "region", "stackName", "environment", "artifactId"});
  UniqueNames ids;
  for (const StoredTable& table : tables) {
    const std::string member = members.claim(camel_case(table.request.table) + "Table");
    out += "  readonly " + member + ": Table;\n";
    body += table_lines(table, member, ids.claim(pascal_case(table.request.table) + "Table"));
  }
  out +=
      "\n  constructor(scope: Construct, id: string, props?: StackProps) {\n    super(scope, id, props);\n";
  return out + body + "  }\n}\n";
}

}  // namespace sheaf::exports
