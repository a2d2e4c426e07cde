// The text of one key: where it can be cut, and what its parts look like.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::infer {

// ORG#acme::7 is the tokens ORG, acme, 7 with # before the second and :: before the third.
struct KeyTokens {
  std::vector<std::string> tokens;      // at least one; may be empty texts
  std::vector<std::string> delimiters;  // one less
};

// Cuts at #, ::, :, |, ~ and /; a time in a key (2026-11-15T08:30:00.000Z) stays whole.
KeyTokens split_key(std::string_view text);

// Letters and _ or - between them: what people write as a label, and hardly as an id.
bool is_word(std::string_view text);
// A word in capitals: METADATA, LINE_ITEM.
bool is_capital_word(std::string_view text);
bool has_digit(std::string_view text);
// Words for the one item of a partition that stands for all of it: METADATA, PROFILE, ROOT, ...
bool is_head_word(std::string_view text);
// user_ of user_123, d- of d-17: what ids of one kind begin with. Empty if there is nothing like it.
std::string id_prefix(std::string_view text);

// The value that a hole of a key holds, with its %XX read; the text itself if it is not written like that.
std::string unescaped(std::string_view text);

std::string lower(std::string_view text);

}  // namespace sheaf::infer
