#include "transfer/plain_items.h"

#include "base/errors.h"
#include "base/try.h"
#include "run/plain_json.h"
#include "value/base64.h"
#include "value/value_json.h"

namespace sheaf::transfer {
namespace {

constexpr std::string_view kMapMark = "$M";

// Which of the marks it is, or nothing.
std::optional<Type> marked_type(std::string_view name) {
  if (name == "$B") return Type::kBinary;
  if (name == "$SS") return Type::kStringSet;
  if (name == "$NS") return Type::kNumberSet;
  if (name == "$BS") return Type::kBinarySet;
  if (name == kMapMark) return Type::kMap;
  return std::nullopt;
}

std::optional<Type> mark_of(ItemView map) {
  return map.size() == 1 ? marked_type((*map.begin()).name) : std::nullopt;
}

void append_text(std::string& out, ValueView value);

void append_map(std::string& out, ItemView map) {
  out += '{';
  bool is_first = true;
  for (const Attribute attribute : map) {
    if (!is_first) out += ',';
    is_first = false;
    append_json_string(out, attribute.name);
    out += ':';
    append_text(out, attribute.value);
  }
  out += '}';
}

void append_binary(std::string& out, std::string_view bytes) {
  out += '"';
  append_base64(out, bytes);
  out += '"';
}

void append_elements(std::string& out, Type type, SetView set) {
  out += '[';
  bool is_first = true;
  for (const std::string_view element : set) {
    if (!is_first) out += ',';
    is_first = false;
    if (type == Type::kStringSet) {
      append_json_string(out, element);
    } else if (type == Type::kNumberSet) {
      NumberView(element).append_to(out);
    } else {
      append_binary(out, element);
    }
  }
  out += ']';
}

void append_text(std::string& out, ValueView value) {
  switch (value.type()) {
    case Type::kNull:
      out += "null";
      return;
    case Type::kBool:
      out += value.boolean() ? "true" : "false";
      return;
    case Type::kNumber:
      value.number().append_to(out);
      return;
    case Type::kString:
      append_json_string(out, value.bytes());
      return;
    case Type::kBinary:
      out += "{\"$B\":";
      append_binary(out, value.bytes());
      break;
    case Type::kMap:
      if (!mark_of(value.map())) return append_map(out, value.map());
      out += "{\"$M\":";
      append_map(out, value.map());
      break;
    case Type::kList: {
      out += '[';
      bool is_first = true;
      for (const ValueView element : value.list()) {
        if (!is_first) out += ',';
        is_first = false;
        append_text(out, element);
      }
      out += ']';
      return;
    }
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      out += "{\"$" + std::string(type_name(value.type())) + "\":";
      append_elements(out, value.type(), value.set());
      break;
  }
  out += '}';
}

Error wrong_mark(Type type) {
  return invalid("what $" + std::string(type_name(type)) + " marks is not of that type");
}

// Copies what was read, with what is marked as what it stands for.
class Unmarking {
 public:
  Result<Value> value(ValueView read) {
    TRY(put(read));
    return Value::from_encoded(TRY(writer_.finish()));
  }
  Result<Item> item(ItemView read) {
    writer_.begin_item();
    for (const Attribute attribute : read) {
      if (attribute.name.empty()) return invalid_parameter("Empty attribute name");
      writer_.key(attribute.name);
      TRY(put(attribute.value));
    }
    writer_.end_item();
    return Item::from_encoded(TRY(writer_.finish()));
  }

 private:
  Result<void> put(ValueView read) {
    if (read.type() == Type::kList) {
      writer_.begin_list();
      for (const ValueView element : read.list()) TRY(put(element));
      writer_.end_list();
    } else if (read.type() == Type::kMap) {
      const std::optional<Type> mark = mark_of(read.map());
      if (!mark) return put_map(read.map());
      return put_marked(*mark, (*read.map().begin()).value);
    } else {
      writer_.copy(read);
    }
    return {};
  }

  Result<void> put_map(ItemView map) {
    writer_.begin_map();
    for (const Attribute attribute : map) {
      writer_.key(attribute.name);
      TRY(put(attribute.value));
    }
    writer_.end_map();
    return {};
  }

  Result<void> put_marked(Type type, ValueView marked) {
    if (type == Type::kMap) return marked.type() == Type::kMap ? put_map(marked.map()) : wrong_mark(type);
    if (type == Type::kBinary) {
      if (marked.type() != Type::kString) return wrong_mark(type);
      writer_.binary(TRY(decoded(type, marked.bytes())));
      return {};
    }
    if (marked.type() != Type::kList) return wrong_mark(type);
    writer_.begin_set(type);
    for (const ValueView element : marked.list()) {
      if (element.type() != (type == Type::kNumberSet ? Type::kNumber : Type::kString))
        return wrong_mark(type);
      if (type == Type::kNumberSet) {
        writer_.element(element.number().encoded());
      } else if (type == Type::kStringSet) {
        writer_.element(element.bytes());
      } else {
        writer_.element(TRY(decoded(type, element.bytes())));
      }
    }
    writer_.end_set();
    return {};
  }

  Result<std::string> decoded(Type type, std::string_view text) {
    std::string bytes;
    if (!decode_base64(bytes, text)) return wrong_mark(type);
    return bytes;
  }

  ValueWriter writer_;
};

}  // namespace

Result<Item> read_plain_item(std::string_view line) {
  const Value value = TRY(run::from_plain_json(line));
  if (value.type() != Type::kMap) return invalid("this is no object of JSON");
  return Unmarking().item(value.view().map());
}

void append_plain_line(std::string& out, ItemView item) {
  append_map(out, item);
  out += '\n';
}

Result<Value> read_plain_value(std::string_view text) {
  const Value value = TRY(run::from_plain_json(text));
  return Unmarking().value(value);
}

std::string plain_text(ValueView value) {
  std::string text;
  append_text(text, value);
  return text;
}

}  // namespace sheaf::transfer
