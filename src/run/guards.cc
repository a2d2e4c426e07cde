#include "run/guards.h"

#include <algorithm>

#include "base/article.h"
#include "plan/write_needs.h"
#include "run/system_table.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kGuardSk = "guard";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '#') {
      out += "%23";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string joined(const Identity& identity) {
  std::string text;
  for (const std::string& part : identity) text += (text.empty() ? "" : "#") + escaped(part);
  return text;
}

Identity split(std::string_view joined) {
  Identity identity(1);
  for (size_t at = 0; at < joined.size(); ++at) {
    const std::string_view rest = joined.substr(at);
    if (rest.starts_with("%25") || rest.starts_with("%23")) {
      identity.back() += rest[2] == '5' ? '%' : '#';
      at += 2;
    } else if (rest.front() == '#') {
      identity.emplace_back();
    } else {
      identity.back() += rest.front();
    }
  }
  return identity;
}

std::string shown(const Identity& identity) {
  std::string text;
  for (const std::string& part : identity) text += (text.empty() ? "" : ", ") + part;
  return identity.size() == 1 ? text : "[" + text + "]";
}

Guard unique_guard(const model::Model& model, const model::Layout& layout, const Record& owner,
                   model::FieldId field, ValueView value) {
  const model::Entity& entity = model.entities[owner.entity];
  const std::string text = key_text(value).value_or("");
  return {.key = system_key("unique#" + layout.name + "#" + entity.name + "." + entity.fields[field].name +
                                "#" + escaped(text),
                            kGuardSk),
          .owner = owner.identity,
          .why = "there is already " + with_article(entity.name) + " with the " + entity.fields[field].name +
                 " " + text};
}

Guard one_guard(const model::Model& model, const model::Layout& layout, model::EndId end,
                const Identity& holder, const Identity& target) {
  const model::End& declared = model.end(end);
  const std::string& name = model.entities[declared.holder].name;
  return {.key = system_key("one#" + layout.name + "#" + name + "." + declared.name + "#" + joined(holder),
                            kGuardSk),
          .owner = target,
          .why = "the " + name + " " + shown(holder) + " is linked already by its end " + declared.name};
}

Guard identity_guard(const model::Model& model, const model::Layout& layout, const Record& record) {
  const std::string& name = model.entities[record.entity].name;
  return {.key = system_key("id#" + layout.name + "#" + name + "#" + joined(record.identity), kGuardSk),
          .owner = record.identity,
          .why = "there is already " + with_article(name) + " " + shown(record.identity)};
}

std::vector<Guard> guards_of(const model::Model& model, const model::Layout& layout, const Record& record) {
  std::vector<Guard> guards;
  const std::vector<model::Field>& fields = model.entities[record.entity].fields;
  for (model::FieldId id = 0; id < fields.size(); ++id) {
    const auto value = record.fields.find(fields[id].name);
    if (fields[id].syntax->is_unique && value != record.fields.end())
      guards.push_back(unique_guard(model, layout, record, id, value->second));
  }
  if (plan::needs_identity_guard(model, layout, record.entity))
    guards.push_back(identity_guard(model, layout, record));
  return guards;
}

Item guard_item(const Guard& guard) {
  Item item = guard.key;
  item.set(kGuardOwner, Value::list(std::vector<Value>(guard.owner.begin(), guard.owner.end())));
  return item;
}

Identity guard_owner(ItemView item) {
  Identity owner;
  const auto list = item.find(kGuardOwner);
  if (!list || list->type() != Type::kList) return owner;
  for (const ValueView part : list->list()) {
    if (part.type() == Type::kString) owner.emplace_back(part.bytes());
  }
  return owner;
}

}  // namespace sheaf::run
