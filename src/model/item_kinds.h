// The kinds of items of a layout: those of entities, with their keys and their places in indexes.
#pragma once

#include <optional>
#include <string_view>

#include "model/layout_draft.h"

namespace sheaf::model {

// The table that a clause names, or the only one.
std::optional<size_t> table_of(LayoutDraft& draft, const language::Physical& physical, language::Span span,
                               std::string_view what);
// Sets the primary key of `kind`, whose table is known. False if something is wrong with it, which is told.
bool read_keys(LayoutDraft& draft, const TemplateOwner& owner, const language::Keys& keys, ItemKind& kind);
// An `index` line.
void add_entry(LayoutDraft& draft, const TemplateOwner& owner, const language::IndexKeys& syntax,
               ItemKind& kind);

// After the strategies are chosen. Entities whose key nobody wrote down get one, behind their parent's where
// they lie in its partition.
void add_entities(LayoutDraft& draft);

}  // namespace sheaf::model
