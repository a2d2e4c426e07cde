#include "run/plain_json.h"

#include <simdjson.h>

#include <algorithm>
#include <vector>

#include "value/base64.h"
#include "value/number_parts.h"
#include "value/value_json.h"

namespace sheaf::run {
namespace {

class Printer {
 public:
  explicit Printer(bool is_pretty) : is_pretty_(is_pretty) {}

  std::string run(ValueView value) {
    print(value, 0);
    return std::move(out_);
  }

 private:
  void append_binary(std::string_view bytes) {
    out_ += '"';
    append_base64(out_, bytes);
    out_ += '"';
  }

  void break_line(int depth) {
    if (!is_pretty_) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(depth) * 2, ' ');
  }

  template <typename List, typename Print>
  void print_all(const List& list, char open, char close, int depth, Print print_one) {
    out_ += open;
    bool is_first = true;
    for (const auto& element : list) {
      if (!is_first) out_ += ',';
      is_first = false;
      break_line(depth + 1);
      print_one(element);
    }
    if (!is_first) break_line(depth);
    out_ += close;
  }

  void print(ValueView value, int depth) {
    switch (value.type()) {
      case Type::kNull:
        out_ += "null";
        break;
      case Type::kBool:
        out_ += value.boolean() ? "true" : "false";
        break;
      case Type::kNumber:
        value.number().append_to(out_);
        break;
      case Type::kString:
        append_json_string(out_, value.bytes());
        break;
      case Type::kBinary:
        append_binary(value.bytes());
        break;
      case Type::kMap:
        print_all(value.map(), '{', '}', depth, [&](const Attribute& attribute) {
          append_json_string(out_, attribute.name);
          out_ += is_pretty_ ? ": " : ":";
          print(attribute.value, depth + 1);
        });
        break;
      case Type::kList:
        print_all(value.list(), '[', ']', depth, [&](ValueView element) { print(element, depth + 1); });
        break;
      case Type::kStringSet:
        print_all(value.set(), '[', ']', depth,
                  [&](std::string_view element) { append_json_string(out_, element); });
        break;
      case Type::kNumberSet:
        print_all(value.set(), '[', ']', depth,
                  [&](std::string_view element) { NumberView(element).append_to(out_); });
        break;
      case Type::kBinarySet:
        print_all(value.set(), '[', ']', depth, [&](std::string_view element) { append_binary(element); });
        break;
    }
  }

  const bool is_pretty_;
  std::string out_;
};

// ", line 3" if there are several.
std::string line_of(std::string_view text, size_t bytes) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  if (text.find('\n') == std::string_view::npos) return "";
  const std::string_view before = text.substr(0, std::min(bytes, text.size()));
  return ", line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
}

// What is no number at all may be anything that is no JSON.
std::string number_problem(std::string_view raw, const Error& error) {
  for (const std::string_view bound : {kNumberTooLarge, kNumberTooSmall, kNumberTooPrecise}) {
    if (error.message == bound) return std::string(raw) + ": " + error.message;
  }
  return "this is no JSON";
}

// Numbers come as their text, so that none is rounded.
class JsonReader {
 public:
  Result<Value> run(std::string_view text) {
    const simdjson::padded_string padded(text);
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    if (parser.iterate(padded).get(document)) return Error{Code::kMalformed, "this is no JSON"};
    simdjson::ondemand::value value;
    if (document.get_value().get(value)) {
      // A scalar by itself.
      return scalar(document);
    }
    read(value, 0);
    const char* at = nullptr;
    const bool is_somewhere = !document.current_location().get(at);
    if (problem_.empty() && is_somewhere) problem_ = "there is more behind the end of the JSON";
    if (!problem_.empty()) {
      const auto bytes = is_somewhere ? static_cast<size_t>(at - padded.data()) : text.size();
      return Error{Code::kMalformed, problem_ + line_of(text, bytes)};
    }
    Result<std::string> encoded = writer_.finish();
    // A name that is given twice.
    if (!encoded.ok()) return Error{Code::kMalformed, encoded.error().message};
    return Value::from_encoded(std::move(*encoded));
  }

 private:
  Result<Value> scalar(simdjson::ondemand::document& document) {
    std::string_view raw;
    if (document.raw_json_token().get(raw)) return Error{Code::kMalformed, "this is no JSON"};
    while (!raw.empty() &&
           (raw.back() == ' ' || raw.back() == '\n' || raw.back() == '\r' || raw.back() == '\t'))
      raw.remove_suffix(1);
    if (raw == "true") return Value(true);
    if (raw == "false") return Value(false);
    if (raw == "null") return Value();
    if (raw.starts_with('"')) {
      std::string_view text;
      if (document.get_string().get(text)) return Error{Code::kMalformed, "this is no JSON"};
      return Value(text);
    }
    const auto number = Number::parse(raw);
    if (!number.ok()) return Error{Code::kMalformed, number_problem(raw, number.error())};
    return Value(*number);
  }

  void fail(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
  }

  void read(simdjson::ondemand::value value, int depth) {
    if (!problem_.empty()) return;
    if (depth > kJsonNestingMax - 1) return fail("it is nested too deep");
    simdjson::ondemand::json_type type;
    if (value.type().get(type)) return fail("this is no JSON");
    switch (type) {
      case simdjson::ondemand::json_type::object: {
        simdjson::ondemand::object object;
        if (value.get_object().get(object)) return fail("this is no JSON");
        writer_.begin_map();
        for (auto field : object) {
          std::string_view name;
          if (field.unescaped_key().get(name)) return fail("this is no JSON");
          writer_.key(name);
          simdjson::ondemand::value inner;
          if (field.value().get(inner)) return fail("this is no JSON");
          read(inner, depth + 1);
          if (!problem_.empty()) return;
        }
        return writer_.end_map();
      }
      case simdjson::ondemand::json_type::array: {
        simdjson::ondemand::array array;
        if (value.get_array().get(array)) return fail("this is no JSON");
        writer_.begin_list();
        for (auto element : array) {
          simdjson::ondemand::value inner;
          if (element.get(inner)) return fail("this is no JSON");
          read(inner, depth + 1);
          if (!problem_.empty()) return;
        }
        return writer_.end_list();
      }
      case simdjson::ondemand::json_type::string: {
        std::string_view text;
        if (value.get_string().get(text)) return fail("this is no JSON");
        return writer_.string(text);
      }
      case simdjson::ondemand::json_type::number: {
        std::string_view raw = value.raw_json_token();
        while (!raw.empty() &&
               (raw.back() == ' ' || raw.back() == '\n' || raw.back() == '\r' || raw.back() == '\t'))
          raw.remove_suffix(1);
        const auto number = Number::parse(raw);
        if (!number.ok()) return fail(number_problem(raw, number.error()));
        return writer_.number(*number);
      }
      case simdjson::ondemand::json_type::boolean: {
        bool flag = false;
        if (value.get_bool().get(flag)) return fail("this is no JSON");
        return writer_.boolean(flag);
      }
      case simdjson::ondemand::json_type::null:
        if (bool is_null = false; value.is_null().get(is_null) || !is_null) return fail("this is no JSON");
        return writer_.null();
    }
  }

  ValueWriter writer_{kJsonNestingMax};
  std::string problem_;
};

}  // namespace

std::string to_plain_json(ValueView value) { return Printer(false).run(value); }
std::string to_pretty_json(ValueView value) { return Printer(true).run(value); }
Result<Value> from_plain_json(std::string_view text) { return JsonReader().run(text); }

std::string sorted_text(ValueView value) {
  std::string text;
  if (value.type() == Type::kMap) {
    for (const Attribute part : value.map())
      text += std::string(part.name) + ":" + sorted_text(part.value) + ",";
    return "{" + text + "}";
  }
  if (value.type() != Type::kList) return to_plain_json(value);
  std::vector<std::string> elements;
  for (const ValueView each : value.list()) elements.push_back(sorted_text(each));
  std::sort(elements.begin(), elements.end());
  for (const std::string& each : elements) text += each + ",";
  return "[" + text + "]";
}

}  // namespace sheaf::run
