#include "exports/terraform.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "exports/names.h"
#include "exports/stored_tables.h"

namespace sheaf::exports {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

// As `terraform fmt` lays them out: the signs of equality below each other.
std::string argument_lines(const Arguments& arguments, const std::string& indent) {
  size_t width = 0;
  for (const auto& [name, value] : arguments) width = std::max(width, name.size());
  std::string out;
  for (const auto& [name, value] : arguments)
    out += indent + name + std::string(width - name.size(), ' ') + " = " + value + "\n";
  return out;
}

std::string block(const std::string& name, const Arguments& arguments) {
  return "\n  " + name + " {\n" + argument_lines(arguments, "    ") + "  }\n";
}

void add_key(Arguments& arguments, const KeySchema& key) {
  arguments.emplace_back("hash_key", hcl_text(key.partition.front().name));
  if (!key.sort.empty()) arguments.emplace_back("range_key", hcl_text(key.sort.front().name));
}

std::string resource(const StoredTable& table, const std::string& name) {
  const CreateTable& request = table.request;
  std::string out = "\n" + comments(table.notes, "#");
  out += "resource \"aws_dynamodb_table\" \"" + name + "\" {\n";
  Arguments arguments = {{"name", hcl_text(request.table)}, {"billing_mode", "\"PAY_PER_REQUEST\""}};
  add_key(arguments, request.key);
  arguments.emplace_back("deletion_protection_enabled", "true");
  out += argument_lines(arguments, "  ");
  for (const KeyAttribute& attribute : key_attributes(request))
    out += block("attribute",
                 {{"name", hcl_text(attribute.name)}, {"type", quoted(type_letter(attribute.type))}});
  for (const IndexDeclaration& index : request.global_indexes) {
    Arguments of_index = {{"name", hcl_text(index.name)}};
    add_key(of_index, index.key);
    of_index.emplace_back("projection_type", quoted(projection_word(index.projection)));
    if (!index.included.empty()) {
      std::string list;
      for (const std::string& attribute : index.included)
        list += (list.empty() ? "" : ", ") + hcl_text(attribute);
      of_index.emplace_back("non_key_attributes", "[" + list + "]");
    }
    out += block("global_secondary_index", of_index);
  }
  if (table.ttl) out += block("ttl", {{"attribute_name", hcl_text(*table.ttl)}, {"enabled", "true"}});
  out += block("point_in_time_recovery", {{"enabled", "true"}});
  out += block("lifecycle", {{"prevent_destroy", "true"}});
  return out + "}\n";
}

}  // namespace

std::string to_terraform(const model::Model& model, const model::Layout& layout) {
  std::string out = comments(heading(model, layout), "#");
  out +=
      "terraform {\n"
      "  required_providers {\n"
      "    aws = {\n"
      "      source  = \"hashicorp/aws\"\n"
      "      version = \">= 5.0\"\n"
      "    }\n"
      "  }\n"
      "}\n";
  UniqueNames names;
  for (const StoredTable& table : stored_tables(model, layout))
    out += resource(table, names.claim(snake_case(table.request.table)));
  return out;
}

}  // namespace sheaf::exports
