#include "clients/client.h"

#include <set>

#include "clients/python.h"
#include "clients/typescript.h"
#include "exports/names.h"

namespace sheaf::clients {

std::string client_of(const model::Model& model, const model::Layout& layout, Language language) {
  const bool is_python = language == Language::kPython;
  std::vector<std::string> taken = is_python ? python_names() : typescript_names();
  exports::UniqueNames names(std::set<std::string>(taken.begin(), taken.end()));
  const std::string client = names.claim(exports::pascal_case(model.name()) + "Client");
  taken.push_back(client);
  const ModelShapes shapes = shapes_of(model, layout, taken);
  return is_python ? python_of(shapes, client) : typescript_of(shapes, client);
}

}  // namespace sheaf::clients
