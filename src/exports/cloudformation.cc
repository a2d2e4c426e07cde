#include "exports/cloudformation.h"

#include "exports/names.h"
#include "exports/stored_tables.h"

namespace sheaf::exports {
namespace {

class TemplateWriter {
 public:
  void line(size_t level, const std::string& text) { out_ += std::string(2 * level, ' ') + text + "\n"; }

  void table(const StoredTable& table, const std::string& logical_id) {
    const CreateTable& request = table.request;
    out_ += "\n" + comments(table.notes, "  #");
    line(1, logical_id + ":");
    line(2, "Type: AWS::DynamoDB::Table");
    line(2, "DeletionPolicy: Retain");
    line(2, "UpdateReplacePolicy: Retain");
    line(2, "Properties:");
    line(3, "TableName: " + yaml_text(request.table));
    line(3, "BillingMode: PAY_PER_REQUEST");
    line(3, "DeletionProtectionEnabled: true");
    line(3, "PointInTimeRecoverySpecification:");
    line(4, "PointInTimeRecoveryEnabled: true");
    line(3, "AttributeDefinitions:");
    for (const KeyAttribute& attribute : key_attributes(request)) {
      line(4, "- AttributeName: " + yaml_text(attribute.name));
      line(5, "AttributeType: " + std::string(type_letter(attribute.type)));
    }
    key(3, request.key);
    if (!request.global_indexes.empty()) line(3, "GlobalSecondaryIndexes:");
    for (const IndexDeclaration& index : request.global_indexes) {
      line(4, "- IndexName: " + yaml_text(index.name));
      key(5, index.key);
      line(5, "Projection:");
      line(6, "ProjectionType: " + std::string(projection_word(index.projection)));
      if (!index.included.empty()) line(6, "NonKeyAttributes:");
      for (const std::string& attribute : index.included) line(7, "- " + yaml_text(attribute));
    }
    if (!table.ttl) return;
    line(3, "TimeToLiveSpecification:");
    line(4, "AttributeName: " + yaml_text(*table.ttl));
    line(4, "Enabled: true");
  }

  std::string take() { return std::move(out_); }

 private:
  void key(size_t level, const KeySchema& schema) {
    line(level, "KeySchema:");
    const auto add = [&](const KeyAttribute& attribute, const std::string& type) {
      line(level + 1, "- AttributeName: " + yaml_text(attribute.name));
      line(level + 2, "KeyType: " + type);
    };
    for (const KeyAttribute& attribute : schema.partition) add(attribute, "HASH");
    for (const KeyAttribute& attribute : schema.sort) add(attribute, "RANGE");
  }

  std::string out_;
};

}  // namespace

std::string to_cloudformation(const model::Model& model, const model::Layout& layout) {
  TemplateWriter writer;
  writer.line(0, "AWSTemplateFormatVersion: \"2010-09-09\"");
  writer.line(
      0, "Description: " + quoted("Tables of the model " + model.name() + " in its layout " + layout.name));
  writer.line(0, "Resources:");
  UniqueNames names;
  for (const StoredTable& table : stored_tables(model, layout))
    writer.table(table, names.claim(pascal_case(table.request.table) + "Table"));
  return comments(heading(model, layout), "#") + writer.take();
}

}  // namespace sheaf::exports
