#include "console/table_words.h"

#include <charconv>
#include <map>
#include <optional>

#include "base/errors.h"
#include "base/try.h"

namespace sheaf::console {
namespace {

constexpr std::string_view kSpecial = "=/,: \\";

struct KeyWord {
  std::string name;
  std::optional<Type> type;
};

struct IndexWords {
  std::string name;
  std::vector<KeyWord> partition;
  std::vector<KeyWord> sort;
  ProjectionKind projection = ProjectionKind::kAll;
  std::vector<std::string> included;
};

// Reads forward.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text), rest_(text) {}

  bool is_at_end() const { return rest_.empty(); }

  bool take(char mark) {
    if (rest_.empty() || rest_.front() != mark) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skip_spaces() {
    while (take(' ')) {
    }
  }

  // Up to the next mark.
  Result<std::string> name(std::string_view what) {
    std::string name;
    while (!rest_.empty() && (rest_.front() == '\\' || kSpecial.find(rest_.front()) == std::string::npos)) {
      if (rest_.front() == '\\') rest_.remove_prefix(1);
      if (rest_.empty()) return wrong("nothing is behind the backslash");
      name += rest_.front();
      rest_.remove_prefix(1);
    }
    if (name.empty()) return wrong(std::string(what) + " is missing");
    return name;
  }

  Result<KeyWord> key_word() {
    KeyWord word;
    word.name = TRY(name("the name of a key attribute"));
    if (!take(':')) return word;
    const std::string type = TRY(name("the type of " + word.name));
    if (type == "S" || type == "s") {
      word.type = Type::kString;
    } else if (type == "N" || type == "n") {
      word.type = Type::kNumber;
    } else if (type == "B" || type == "b") {
      word.type = Type::kBinary;
    } else {
      return wrong("a key is of type S (text), N (number) or B (binary), and not " + type);
    }
    return word;
  }

  Result<std::vector<KeyWord>> key_words() {
    std::vector<KeyWord> words;
    do words.push_back(TRY(key_word()));
    while (take(','));
    return words;
  }

  Error wrong(const std::string& why) const { return invalid("\"" + std::string(text_) + "\": " + why); }

 private:
  std::string_view text_;
  std::string_view rest_;
};

Result<void> read_projection(WordReader& reader, IndexWords& index) {
  reader.skip_spaces();
  if (reader.is_at_end()) return {};
  const std::string kind = TRY(reader.name("what the index has"));
  if (kind == "keys") {
    index.projection = ProjectionKind::kKeysOnly;
  } else if (kind == "include") {
    index.projection = ProjectionKind::kInclude;
    reader.skip_spaces();
    do index.included.push_back(TRY(reader.name("the name of an attribute behind include")));
    while (reader.take(','));
  } else if (kind != "all") {
    return reader.wrong("an index has all, keys or include A,B, and not " + kind);
  }
  reader.skip_spaces();
  if (!reader.is_at_end()) return reader.wrong("there is more than name=keys and what the index has");
  return {};
}

Result<IndexWords> read_index(std::string_view text, bool is_local) {
  WordReader reader(text);
  IndexWords index;
  index.name = TRY(reader.name("the index's name"));
  if (!reader.take('=')) return reader.wrong("it wants name=key, as in GSI1=GSI1PK/GSI1SK");
  std::vector<KeyWord>& first = is_local ? index.sort : index.partition;
  first = TRY(reader.key_words());
  if (!is_local && reader.take('/')) index.sort = TRY(reader.key_words());
  TRY(read_projection(reader, index));
  return index;
}

Result<KeyWord> read_key(std::string_view text) {
  WordReader reader(text);
  const KeyWord word = TRY(reader.key_word());
  if (!reader.is_at_end()) return reader.wrong("a key of a table is one attribute, as in PK or date:N");
  return word;
}

class KeyTypes {
 public:
  Result<void> note(const std::vector<KeyWord>& words) {
    for (const KeyWord& word : words) {
      if (!word.type) continue;
      const auto [known, is_new] = types_.emplace(word.name, *word.type);
      if (!is_new && known->second != *word.type) {
        return invalid(word.name + " cannot be both of type " + std::string(type_name(known->second)) +
                       " and of type " + std::string(type_name(*word.type)));
      }
    }
    return {};
  }

  Result<void> note(const KeySchema& key) {
    for (const auto* side : {&key.partition, &key.sort})
      for (const KeyAttribute& each : *side) types_.emplace(each.name, each.type);
    return {};
  }

  std::vector<KeyAttribute> attributes(const std::vector<KeyWord>& words) const {
    std::vector<KeyAttribute> attributes;
    for (const KeyWord& word : words) {
      const auto known = types_.find(word.name);
      attributes.push_back(
          {.name = word.name, .type = known == types_.end() ? Type::kString : known->second});
    }
    return attributes;
  }

  IndexDeclaration index(const IndexWords& words) const {
    return {.name = words.name,
            .key = {.partition = attributes(words.partition), .sort = attributes(words.sort)},
            .projection = words.projection,
            .included = words.included,
            .throughput = {}};
  }

 private:
  std::map<std::string, Type> types_;
};

std::string escaped(std::string_view name) {
  std::string out;
  for (const char letter : name) {
    if (kSpecial.find(letter) != std::string_view::npos) out += '\\';
    out += letter;
  }
  return out;
}

std::string words_of(const std::vector<KeyAttribute>& attributes) {
  std::string out;
  for (const KeyAttribute& each : attributes) out += (out.empty() ? "" : ",") + console::words_of(each);
  return out;
}

}  // namespace

Result<CreateTable> create_table_of(const TableWords& words) {
  std::vector<KeyWord> partition, sort;
  partition.push_back(TRY(read_key(words.key)));
  if (!words.sort.empty()) sort.push_back(TRY(read_key(words.sort)));
  KeyTypes types;
  TRY(types.note(partition));
  TRY(types.note(sort));
  std::vector<IndexWords> global, local;
  for (const std::string& text : words.global_indexes) global.push_back(TRY(read_index(text, false)));
  for (const std::string& text : words.local_indexes) local.push_back(TRY(read_index(text, true)));
  for (const auto* indexes : {&global, &local}) {
    for (const IndexWords& index : *indexes) {
      TRY(types.note(index.partition));
      TRY(types.note(index.sort));
    }
  }
  CreateTable request{.table = words.table};
  request.key = {.partition = types.attributes(partition), .sort = types.attributes(sort)};
  for (const IndexWords& index : global) request.global_indexes.push_back(types.index(index));
  for (IndexWords& index : local) {
    index.partition = partition;
    request.local_indexes.push_back(types.index(index));
  }
  return request;
}

Result<IndexDeclaration> added_index_of(std::string_view words, const TableDescription& table) {
  KeyTypes types;
  TRY(types.note(table.key));
  for (const IndexDescription& index : table.indexes) TRY(types.note(index.key));
  const IndexWords index = TRY(read_index(words, false));
  TRY(types.note(index.partition));
  TRY(types.note(index.sort));
  return types.index(index);
}

Result<Throughput> units_of(std::string_view words) {
  Throughput units;
  const size_t slash = words.find('/');
  const auto read = [](std::string_view text, int64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0;
  };
  if (slash == std::string_view::npos || !read(words.substr(0, slash), units.read_units) ||
      !read(words.substr(slash + 1), units.write_units)) {
    return invalid("\"" + std::string(words) +
                   "\": units are two whole numbers from 1 on, to read and to write, as in 5/10");
  }
  return units;
}

std::string words_of(const KeyAttribute& attribute) {
  const std::string type =
      attribute.type == Type::kString ? "" : ":" + std::string(type_name(attribute.type));
  return escaped(attribute.name) + type;
}

std::string words_of(const KeySchema& key) {
  return words_of(key.partition) + (key.sort.empty() ? "" : "/" + words_of(key.sort));
}

std::string words_of(const IndexDescription& index) {
  std::string out =
      escaped(index.name) + "=" + (index.local ? words_of(index.key.sort) : words_of(index.key));
  if (index.projection == ProjectionKind::kKeysOnly) out += " keys";
  if (index.projection == ProjectionKind::kInclude) {
    std::string names;
    for (const std::string& each : index.included) names += (names.empty() ? "" : ",") + escaped(each);
    out += " include " + names;
  }
  return out;
}

}  // namespace sheaf::console
