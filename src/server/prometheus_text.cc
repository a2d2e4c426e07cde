#include "server/prometheus_text.h"

#include <charconv>

namespace sheaf::server {
namespace {

std::string number_text(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

void append_label(std::string& out, bool first, std::string_view name, std::string_view value) {
  out += first ? '{' : ',';
  out += name;
  out += "=\"";
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

}  // namespace

void PrometheusText::begin(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  out_.append("# HELP ").append(name).append(" ").append(help).append("\n");
  out_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void PrometheusText::line(std::string_view suffix, const Labels& labels, std::string_view bucket_end,
                          double number) {
  out_.append(name_).append(suffix);
  bool first = true;
  for (const auto& [name, value] : labels) {
    if (value.empty()) continue;
    append_label(out_, first, name, value);
    first = false;
  }
  if (!bucket_end.empty()) {
    append_label(out_, first, "le", bucket_end);
    first = false;
  }
  if (!first) out_ += '}';
  out_ += ' ';
  out_ += number_text(number);
  out_ += '\n';
}

void PrometheusText::value(const Labels& labels, double value) { line("", labels, "", value); }

void PrometheusText::bucket(const Labels& labels, double upper_end, uint64_t count) {
  line("_bucket", labels, number_text(upper_end), static_cast<double>(count));
}

void PrometheusText::end_histogram(const Labels& labels, uint64_t count, double sum) {
  line("_bucket", labels, "+Inf", static_cast<double>(count));
  line("_sum", labels, "", sum);
  line("_count", labels, "", static_cast<double>(count));
}

void PrometheusText::single(std::string_view name, std::string_view type, std::string_view help,
                            double number) {
  begin(name, type, help);
  value({}, number);
}

}  // namespace sheaf::server
