// Values and items in their flat form: one buffer, read in place, attribute by attribute
// (doc/item-format.md). Equal values have equal bytes: maps are sorted by name, sets by element, numbers are
// canonical.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/number.h"
#include "sheaf/result.h"

namespace sheaf {

inline constexpr uint32_t kItemBytesMax = 400 * 1024;  // DynamoDB's count: names and values
inline constexpr int kNestingMax = 32;                 // levels of values; an attribute's own is the first

enum class Type : uint8_t {
  kNull = 1,
  kBool,
  kNumber,
  kString,
  kBinary,
  kMap,
  kList,
  kStringSet,
  kNumberSet,
  kBinarySet
};

// DynamoDB's name of a type: "S", "N", "SS", ...
std::string_view type_name(Type type);

class ItemView;
class ListView;
class SetView;

// One encoded value, borrowed. Accessors assert the type; test type() first.
class ValueView {
 public:
  // `encoded` starts with a value; what follows it is ignored. Trusted bytes only: see Value::decode.
  static ValueView at(const char* encoded);

  Type type() const;
  bool boolean() const;
  NumberView number() const;
  std::string_view bytes() const;  // of a string or a binary
  ItemView map() const;
  ListView list() const;
  SetView set() const;

  std::string_view encoded() const { return encoded_; }
  // Bytes that DynamoDB counts for this value.
  uint32_t size_bytes() const;
  // Levels of values: 1, and in maps and lists those of the deepest element on top. An attribute may have
  // kNestingMax of them.
  int depth() const;
  // {"S":"text"}: for messages and tests.
  std::string to_json() const;

  friend bool operator==(ValueView a, ValueView b) { return a.encoded_ == b.encoded_; }

 private:
  explicit ValueView(std::string_view encoded) : encoded_(encoded) {}

  std::string_view encoded_;
};

// <, ==, > between two numbers, two strings or two binaries; nothing between any others.
std::optional<std::strong_ordering> compare(ValueView a, ValueView b);

// The elements of an encoded list, in order.
class ListView {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = ValueView;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = ValueView;

    ValueView operator*() const { return ValueView::at(position_); }
    iterator& operator++();
    iterator operator++(int) {
      auto before = *this;
      return ++*this, before;
    }
    friend bool operator==(iterator a, iterator b) = default;

   private:
    friend class ListView;
    explicit iterator(const char* position) : position_(position) {}
    const char* position_;
  };

  uint32_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  iterator begin() const { return iterator(elements_.data()); }
  iterator end() const { return iterator(elements_.data() + elements_.size()); }
  // Walks there: for one element, not for a loop.
  std::optional<ValueView> at(uint32_t index) const;

 private:
  friend class ValueView;
  ListView(uint32_t count, std::string_view elements) : count_(count), elements_(elements) {}
  uint32_t count_;
  std::string_view elements_;
};

// The elements of an encoded set, ascending: bytes of strings or binaries, or encoded numbers.
class SetView {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = std::string_view;

    std::string_view operator*() const;
    iterator& operator++();
    iterator operator++(int) {
      auto before = *this;
      return ++*this, before;
    }
    friend bool operator==(iterator a, iterator b) = default;

   private:
    friend class SetView;
    explicit iterator(const char* position) : position_(position) {}
    const char* position_;
  };

  uint32_t size() const { return count_; }
  iterator begin() const { return iterator(elements_.data()); }
  iterator end() const { return iterator(elements_.data() + elements_.size()); }
  // `element`: the bytes of a string or binary, or an encoded number.
  bool contains(std::string_view element) const;

 private:
  friend class ValueView;
  SetView(uint32_t count, std::string_view elements) : count_(count), elements_(elements) {}
  uint32_t count_;
  std::string_view elements_;
};

struct Attribute {
  std::string_view name;
  ValueView value;
};

// An encoded item (or map), borrowed: attributes in the order of their names' bytes.
class ItemView {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Attribute;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Attribute;

    Attribute operator*() const;
    iterator& operator++();
    iterator operator++(int) {
      auto before = *this;
      return ++*this, before;
    }
    friend bool operator==(iterator a, iterator b) = default;

   private:
    friend class ItemView;
    explicit iterator(const char* position) : position_(position) {}
    const char* position_;
  };

  // The item without attributes.
  ItemView();
  // Trusted bytes only: see Item::decode.
  explicit ItemView(std::string_view encoded);

  // Finds one attribute without decoding the others.
  std::optional<ValueView> find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name).has_value(); }

  uint32_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  iterator begin() const { return iterator(entries_.data()); }
  iterator end() const { return iterator(entries_.data() + entries_.size()); }

  std::string_view encoded() const { return encoded_; }
  // Bytes that DynamoDB counts for an item: names and values.
  uint32_t size_bytes() const;
  std::string to_json() const;

  friend bool operator==(ItemView a, ItemView b) { return a.encoded_ == b.encoded_; }

 private:
  std::string_view encoded_;
  std::string_view entries_;
  uint32_t count_;
};

// Writes the flat form front to back, with no tree between: the way from JSON, from an update, from C++.
// Start with begin_item() or with one value; inside maps call key() before each value. Calls out of turn are
// asserted; what data can get wrong is kept, and the first such Error is returned by finish, in DynamoDB's
// words: a name given twice, a set element given twice, an empty set, nesting deeper than kNestingMax. Names
// and strings are taken to be UTF-8. Reusable after finish or reset, keeping its memory.
class ValueWriter {
 public:
  // Values that are not stored may be nested deeper than items.
  explicit ValueWriter(int nesting_max = kNestingMax) : nesting_max_(nesting_max) {}

  void reset();

  void begin_item();
  void end_item();

  void key(std::string_view name);
  void null();
  void boolean(bool value);
  void number(NumberView value);
  void string(std::string_view value);
  void binary(std::string_view value);
  void begin_map();
  void end_map();
  void begin_list();
  void end_list();
  // `type`: one of the three set types. Elements by element(): bytes, or an encoded number.
  void begin_set(Type type);
  void element(std::string_view bytes);
  void end_set();
  // A value that is encoded already.
  void copy(ValueView value);

  // The bytes of what was written.
  Result<std::string> finish();

 private:
  // A map, list, set or item that is still open.
  struct Level {
    Type type;
    bool is_item;          // the outermost map: neither tag nor length
    bool sorted;           // so far, by name or element
    bool key_given;        // in a map: the next call writes its value
    uint32_t start;        // of the body, behind its length
    uint32_t count;        // of the entries
    uint32_t last_start;   // the last name or element
    uint32_t last_length;  // likewise
    uint64_t last_prefix;  // likewise: its first bytes, so that most comparisons are one
  };
  // An entry of a map or set while it is being sorted.
  struct Entry {
    uint64_t prefix;  // of the name or element
    std::string_view key;
    std::string_view whole;
  };
  char* reserve(size_t bytes);
  void grow(size_t bytes);
  void advance_to(const char* position);
  void append_bytes(Type type, std::string_view bytes);
  void open(Type type, bool is_item);
  void close(Type type);
  void before_value();
  void append_entry_key(Level& level, std::string_view key);
  void sort_entries(const Level& level);
  void collect_entries(const Level& level);
  void fail_duplicate(const Level& level, std::string_view key);
  void fail_nesting();
  void fail(std::string message);

  std::string buffer_;  // filled up to size_; the rest is room
  size_t size_ = 0;
  std::vector<Level> levels_;
  std::vector<Entry> entries_;  // scratch
  std::string sorted_entries_;  // scratch
  int nesting_max_;
  int nesting_ = 0;  // open maps and lists
  std::optional<Error> error_;
};

class Item;

// An owned value.
class Value {
 public:
  Value();  // null
  Value(bool value);
  Value(int value);
  Value(int64_t value);
  Value(const Number& value);
  Value(std::string_view text);
  Value(const char* text);
  Value(const std::string& text);
  Value(const Item& map);
  explicit Value(ValueView value) : encoded_(value.encoded()) {}

  static Value binary(std::string_view bytes);
  static Value list(std::initializer_list<Value> elements);
  static Value list(const std::vector<Value>& elements);
  // Sets assert what the database would refuse: no elements, or one twice.
  static Value string_set(std::initializer_list<std::string_view> elements);
  static Value number_set(std::initializer_list<Number> elements);
  static Value binary_set(std::initializer_list<std::string_view> elements);

  // Takes bytes from outside, checking every length, order and bound.
  static Result<Value> decode(std::string encoded);

  // Takes bytes that ValueWriter or a ValueView gave.
  static Value from_encoded(std::string encoded);

  ValueView view() const { return ValueView::at(encoded_.data()); }
  operator ValueView() const { return view(); }  // NOLINT: implicit, a view costs nothing
  Type type() const { return view().type(); }
  std::string to_json() const { return view().to_json(); }

  friend bool operator==(const Value& a, const Value& b) { return a.encoded_ == b.encoded_; }

 private:
  friend class Item;
  std::string encoded_;
};

// An owned item: `Item{{"PK", "ORG#acme"}, {"seats", 40}}`.
class Item {
 public:
  Item();
  // Of a name given twice the last value stays.
  Item(std::initializer_list<std::pair<std::string_view, Value>> attributes);
  explicit Item(ItemView item) : encoded_(item.encoded()) {}

  // Takes bytes from outside, checking every length, order and bound.
  static Result<Item> decode(std::string encoded);
  // Takes bytes that ValueWriter or an ItemView gave.
  static Item from_encoded(std::string encoded);

  ItemView view() const { return ItemView(encoded_); }
  operator ItemView() const { return view(); }  // NOLINT: implicit, a view costs nothing
  std::optional<ValueView> find(std::string_view name) const { return view().find(name); }
  bool empty() const { return view().empty(); }
  // Replaces or adds one attribute; removes one. Each rewrites the buffer.
  void set(std::string_view name, ValueView value);
  void remove(std::string_view name);
  std::string_view encoded() const { return encoded_; }
  std::string to_json() const { return view().to_json(); }

  friend bool operator==(const Item& a, const Item& b) { return a.encoded_ == b.encoded_; }

 private:
  std::string encoded_;
};

}  // namespace sheaf
