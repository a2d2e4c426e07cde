#include "exports/create_table.h"

#include "exports/stored_tables.h"
#include "language/json_writer.h"

namespace sheaf::exports {
namespace {

class RequestWriter {
 public:
  void create(const CreateTable& request) {
    json_.object([&] {
      member("TableName", request.table);
      json_.member("AttributeDefinitions");
      json_.array([&] {
        for (const KeyAttribute& attribute : key_attributes(request)) {
          json_.object([&] {
            member("AttributeName", attribute.name);
            member("AttributeType", type_letter(attribute.type));
          });
        }
      });
      key(request.key);
      if (!request.global_indexes.empty()) {
        json_.member("GlobalSecondaryIndexes");
        json_.array([&] {
          for (const IndexDeclaration& each : request.global_indexes) index(each);
        });
      }
      member("BillingMode", "PAY_PER_REQUEST");
    });
  }

  void expire(const std::string& table, const std::string& attribute) {
    json_.object([&] {
      member("TableName", table);
      json_.member("TimeToLiveSpecification");
      json_.object([&] {
        json_.member("Enabled");
        json_.word("true");
        member("AttributeName", attribute);
      });
    });
  }

  language::JsonWriter& json() { return json_; }

 private:
  void member(std::string_view name, std::string_view value) {
    json_.member(name);
    json_.text(value);
  }

  void key(const KeySchema& schema) {
    json_.member("KeySchema");
    json_.array([&] {
      const auto add = [&](const KeyAttribute& attribute, std::string_view type) {
        json_.object([&] {
          member("AttributeName", attribute.name);
          member("KeyType", type);
        });
      };
      for (const KeyAttribute& attribute : schema.partition) add(attribute, "HASH");
      for (const KeyAttribute& attribute : schema.sort) add(attribute, "RANGE");
    });
  }

  void index(const IndexDeclaration& index) {
    json_.object([&] {
      member("IndexName", index.name);
      key(index.key);
      write_projection(json_, index);
    });
  }

  language::JsonWriter json_;
};

}  // namespace

std::string to_create_table(const model::Model& model, const model::Layout& layout) {
  const std::vector<StoredTable> tables = stored_tables(model, layout);
  RequestWriter writer;
  language::JsonWriter& json = writer.json();
  json.object([&] {
    json.member("CreateTable");
    json.array([&] {
      for (const StoredTable& table : tables) writer.create(table.request);
    });
    json.member("UpdateTimeToLive");
    json.array([&] {
      for (const StoredTable& table : tables) {
        if (table.ttl) writer.expire(table.request.table, *table.ttl);
      }
    });
  });
  return json.take();
}

}  // namespace sheaf::exports
