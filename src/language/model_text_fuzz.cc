// Any bytes as a model: the parser tells what is wrong inside of the text, and what is right keeps its
// meaning however it is written.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "language/example_models.h"
#include "language/text_promises.h"

namespace sheaf::language {
namespace {

// With a space between them.
constexpr std::string_view kWords =
    "{ } ( ) [ ] ; , : . / + - * ^ ? | $ = < > <= <> {} 1--* *--* 1 007 0.50 \"\" \"a\" \"A#<id>\" \"\\\\\" "
    "`order` `x\"` x id entity table rel layout pattern op compare expect list map string enum default "
    "between "
    "and in begins exists true now where filter order desc limit page one count budget request rate s strong "
    "set "
    "put link check key index when via edges pk copy tag store none required size unbounded edge on delete "
    "timestamps ttl list< \"\xC3\xA4\" \xC3\xA4 \xFF \" `";
constexpr std::array<std::string_view, 8> kBlanks = {"\n",     "\n\n",    "\r\n",  "\t",
                                                     "// c\n", "/// d\n", "///\n", "//  \r\n"};
constexpr std::string_view kJsonWords =
    "{ } [ ] \" 0 1 - .5 true null e5 , : $ ` < > \\\\ \\n a {} [] \"\" \"x\" \\\" ^2 x.y \\u0000 \\ud800 * "
    "// string";

std::vector<std::string> pieces(std::string_view words) {
  std::vector<std::string> out(kBlanks.begin(), kBlanks.end());
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    out.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

// An example with changes, three bytes each: where, and what.
std::string changed_example(std::string_view example, const uint8_t* data, size_t size) {
  const SourceText source("", std::string(example));
  Diagnostics ignored;
  static const std::vector<std::string> text_pieces = pieces(kWords);
  std::vector<std::string> texts;
  for (const Token& token : tokens_of(source, ignored))
    texts.push_back(std::string(token.text) + (is_comment(token) ? "\n" : " "));
  for (size_t i = 0; i + 2 < size; i += 3) {
    const size_t place = (size_t{data[i]} << 8 | data[i + 1]) % texts.size();
    const size_t what = data[i + 2];
    if (what >= 2 * text_pieces.size()) {
      texts[place].clear();
    } else if (what >= text_pieces.size()) {
      texts[place] = text_pieces[what - text_pieces.size()];
    } else {
      texts[place] += text_pieces[what];
    }
  }
  std::string text;
  for (const std::string& each : texts) text += each;
  return text;
}

// The same for the JSON of one.
std::string changed_json(std::string_view example, const uint8_t* data, size_t size) {
  static const std::vector<std::string> json_pieces = pieces(kJsonWords);
  const SourceText source("", std::string(example));
  Diagnostics ignored;
  std::string json = to_json(parse(source, ignored));
  for (size_t i = 0; i + 2 < size; i += 3) {
    const size_t place = (size_t{data[i]} << 8 | data[i + 1]) % json.size();
    const size_t what = data[i + 2];
    json.replace(place, what < 128 ? 0 : 1, json_pieces[what % json_pieces.size()]);
  }
  return json;
}

std::string broken_promise_of_bytes(const uint8_t* data, size_t size, std::string& text) {
  constexpr size_t kExamples = kExampleModels.size();
  if (size > 0 && data[0] >= kExamples && data[0] < 2 * kExamples) {
    text = changed_json(kExampleModels[data[0] - kExamples], data + 1, size - 1);
    return broken_promise_of_json(text);
  }
  text = size > 0 && data[0] < kExamples ? changed_example(kExampleModels[data[0]], data + 1, size - 1)
                                         : std::string(reinterpret_cast<const char*>(data), size);
  return broken_promise(SourceText("fuzz.sheaf", text));
}

}  // namespace
}  // namespace sheaf::language

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text;
  const std::string broken = sheaf::language::broken_promise_of_bytes(data, size, text);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\nin:\n%s\n", broken.c_str(), text.c_str());
  std::abort();
}
