#include "assist/symbol_text.h"

#include <algorithm>

#include "assist/declaration_text.h"
#include "assist/plan_text.h"
#include "base/article.h"
#include "language/syntax_words.h"
#include "language/written_parts.h"
#include "model/strategies/strategy.h"
#include "model/value_type.h"
#include "plan/explain_storage.h"

namespace sheaf::assist {
namespace {

using language::Span;

std::string code(std::string_view text) { return "```sheaf\n" + std::string(text) + "\n```"; }

// As it is written, on one line.
std::string written_at(const Document& document, Span span) {
  std::string out;
  bool is_space = false;
  for (const char c : document.source().text(span)) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (is_blank) {
      is_space = true;
      continue;
    }
    if (is_space && !out.empty()) out += ' ';
    is_space = false;
    out += c;
  }
  return out;
}

class SymbolText {
 public:
  SymbolText(const Document& document, const Occurrence& occurrence)
      : document_(document),
        model_(document.planned().compiled.model),
        layouts_(document.planned().compiled.layouts),
        occurrence_(occurrence),
        symbol_(document.symbols().symbol(occurrence)) {}

  std::string run() {
    switch (symbol_.kind) {
      case SymbolKind::kModel:
        paragraph(code("model " + symbol_.name));
        paragraph(model_.syntax().doc);
        break;
      case SymbolKind::kTable:
      case SymbolKind::kIndex:
        table();
        break;
      case SymbolKind::kEntity:
        entity();
        break;
      case SymbolKind::kField:
        field();
        break;
      case SymbolKind::kEnd:
        end();
        break;
      case SymbolKind::kLayout:
        layout();
        break;
      case SymbolKind::kPattern:
        pattern();
        break;
      case SymbolKind::kOperation:
        operation();
        break;
      case SymbolKind::kParameter: {
        const std::string text = text_of({*symbol_.parameter});  // in parentheses
        paragraph(code("$" + text.substr(1, text.size() - 2)));
        break;
      }
      case SymbolKind::kAggregate:
        paragraph("What `" + symbol_.name + "` is in the documents of this pattern.");
        break;
    }
    return std::move(out_);
  }

 private:
  void paragraph(std::string_view text) {
    if (text.empty()) return;
    if (!out_.empty()) out_ += "\n\n";
    out_ += text;
  }

  void table() {
    const auto tell = [&](const language::Table& table) {
      for (const language::Gsi& gsi : table.indexes) {
        if (gsi.name.span == occurrence_.declaration)
          paragraph(code("gsi " + written_at(document_, gsi.span)) + "\n\nof the table `" + table.name.text +
                    "`");
      }
      if (table.name.span == occurrence_.declaration) {
        paragraph(code(written_at(document_, table.span)));
        paragraph(table.doc);
      }
    };
    for (const language::Table& each : model_.syntax().tables) tell(each);
    for (const language::Layout& each : model_.syntax().layouts) {
      for (const language::Table& table : each.tables) tell(table);
    }
    if (symbol_.kind == SymbolKind::kIndex) entries();
  }

  // Which items an index holds.
  void entries() {
    std::string lines;
    for (const model::Layout& layout : layouts_) {
      for (const model::ItemKind& kind : layout.item_kinds) {
        for (const model::IndexEntry& entry : kind.entries) {
          if (layout.tables[kind.table].indexes[entry.index].name != symbol_.name) continue;
          const std::string line = "- " + kind.name + " `" + keys_text(entry.pk, entry.sk) + "`\n";
          if (lines.find(line) == std::string::npos) lines += line;
        }
      }
    }
    paragraph(lines);
  }

  static std::string keys_text(const model::KeyTemplate& pk, const std::optional<model::KeyTemplate>& sk) {
    return "\"" + pk.text() + "\"" + (sk ? " / \"" + sk->text() + "\"" : "");
  }

  void entity() {
    const model::Entity& entity = model_.entities[*symbol_.entity];
    paragraph(code("entity " + entity.name +
                   (entity.syntax->within ? " within " + entity.syntax->within->text : "")));
    paragraph(entity.syntax->doc);
    std::string fields;
    for (const model::Field& field : entity.fields)
      fields += "- `" + field.name + "` " + model::text_of(field.type) + (field.is_id ? ", id" : "") +
                (field.is_optional ? ", optional" : "") + "\n";
    paragraph(fields);
    std::string ends;
    for (const model::EndId id : entity.ends) {
      const model::End& each = model_.end(id);
      ends += "- `" + each.name + "` leads to " + (each.leads_to_many ? "many " : "one ") +
              model_.entities[each.target].name + "\n";
    }
    paragraph(ends);
    std::string keys;
    for (const model::Layout& layout : layouts_) {
      const model::ItemKind* const kind = layout.kind(*symbol_.entity);
      keys += "- " + layout.name + ": ";
      if (kind == nullptr || kind->pk.pieces().empty()) {
        keys += "no items of its own\n";
        continue;
      }
      const model::Table& table = layout.tables[kind->table];
      keys +=
          "`" + keys_text(kind->pk, kind->sk) + "` in " + table.name + (kind->is_allocated ? ", chosen" : "");
      for (const model::IndexEntry& entry : kind->entries)
        keys += "; " + table.indexes[entry.index].name + " `" + keys_text(entry.pk, entry.sk) + "`";
      keys += "\n";
    }
    if (!keys.empty()) paragraph("Keys\n" + keys);
  }

  void field() {
    if (symbol_.field_syntax == nullptr) return;
    paragraph(code(written_at(document_, symbol_.field_syntax->span)));
    paragraph("A field of " + symbol_.owner + ".");
    paragraph(symbol_.field_syntax->doc);
    if (!symbol_.field || !symbol_.entity) return;
    std::string lines;
    for (const model::Layout& layout : layouts_) {
      if (layout.is_copied(model_, *symbol_.entity, *symbol_.field))
        lines += "- " + layout.name + ": copied, and kept in step by a job\n";
    }
    paragraph(lines);
  }

  void end() {
    const model::EndId id = *symbol_.end;
    const model::End& end = model_.end(id);
    const model::Relation& relation = model_.relations[id.relation];
    paragraph(code("rel " + heading(*relation.syntax)));
    paragraph("`" + end.name + "` of " + with_article(model_.entities[end.holder].name) + " leads to " +
              (end.leads_to_many ? "many " : "one ") + model_.entities[end.target].name + size_text(end) +
              ".");
    paragraph(relation.syntax->doc);
    std::string lines;
    for (const model::Layout& layout : layouts_) {
      if (id.relation >= layout.relations.size()) continue;
      const model::StoredRelation& stored = layout.relations[id.relation];
      const std::string detail = layout.is_sound ? stored.strategy->detail(model_, layout, stored) : "";
      lines += "- " + layout.name + ": via " +
               std::string(word_for(language::kViaWords, stored.strategy->kind())) +
               (detail.empty() ? "" : " " + detail);
      if (stored.is_chosen) lines += ", chosen because " + stored.reason;
      if (layout.is_sound) lines += "; " + promise_text(plan::promise_of(model_, layout, id), end);
      lines += "\n";
    }
    paragraph(lines);
  }

  static std::string size_text(const model::End& end) {
    if (!end.leads_to_many) return end.is_required ? ", always" : "";
    std::string out;
    if (end.average) out += ", " + std::to_string(*end.average) + " on average";
    if (end.max) out += ", at most " + std::to_string(*end.max);
    return out;
  }

  static std::string promise_text(const plan::EndPromise& promise, const model::End& end) {
    if (!promise.is_served) return "not found in this layout";
    std::string out =
        promise.place + (promise.is_strong ? ", strongly consistent" : ", eventually consistent");
    if (promise.order && end.leads_to_many) out += ", in the order of `" + *promise.order + "`";
    return out;
  }

  void layout() {
    for (const language::Layout& each : model_.syntax().layouts) {
      if (each.name.span != occurrence_.declaration) continue;
      paragraph(code("layout " + each.name.text + (each.extends ? " extends " + each.extends->text : "")));
      paragraph(each.doc);
    }
    const model::Layout* const stored = document_.planned().compiled.find_layout(symbol_.name);
    if (stored != nullptr && stored->is_sound)
      paragraph("```text\n" + plan::explain_storage(model_, *stored) + "```");
  }

  void pattern() {
    for (const language::Pattern& each : model_.syntax().patterns) {
      if (each.name.span != occurrence_.declaration) continue;
      paragraph(code("pattern " + each.name.text + text_of(each.parameters)));
      paragraph(each.doc);
    }
    paragraph(pattern_plans(document_, symbol_.name));
  }

  void operation() {
    for (const language::Operation& each : model_.syntax().operations) {
      if (each.name.span != occurrence_.declaration) continue;
      paragraph(code("op " + each.name.text + text_of(each.parameters)));
      paragraph(each.doc);
    }
    paragraph(operation_plans(document_, symbol_.name));
  }

  const Document& document_;
  const model::Model& model_;
  const std::vector<model::Layout>& layouts_;
  const Occurrence& occurrence_;
  const Symbol& symbol_;
  std::string out_;
};

// A value of the field's type, as text.
std::string sample(const model::Hole& hole) {
  using Kind = language::Type::Kind;
  switch (hole.field.type.kind) {
    case Kind::kInt:
    case Kind::kNumber:
      return "42";
    case Kind::kBool:
      return "true";
    case Kind::kTime:
      return "2026-01-31T12:00:00.000Z";
    case Kind::kDate:
      return "2026-01-31";
    case Kind::kUlid:
      return "01J9Z3V8Q2M4T6X8Y0A1B2C3D4";
    case Kind::kUuid:
      return "6fa459ea-ee8a-4ca4-894e-db77e160355e";
    case Kind::kEnum:
      return hole.field.type.values.empty() ? "A" : hole.field.type.values.front().text;
    default:
      break;
  }
  const auto& matches = hole.field.syntax->matches;
  if (matches) {
    const auto language = model::RegularLanguage::expression(matches->text);
    const auto shortest =
        language.ok() ? model::RegularLanguage::common_text(*language, *language) : std::nullopt;
    if (shortest) return *shortest;
  }
  return hole.field.name + "1";
}

}  // namespace

std::string symbol_text(const Document& document, const Occurrence& occurrence) {
  return SymbolText(document, occurrence).run();
}

std::string template_text(const Document& document, Span span) {
  std::string lines;
  const auto add = [&](const model::Layout& layout, const model::ItemKind& kind,
                       const model::KeyTemplate& key, const std::string& attribute) {
    if (key.span() != span || !lines.empty()) return;
    std::vector<std::string> values;
    for (const model::Hole* hole : key.holes()) values.push_back(sample(*hole));
    const Result<std::string> example = key.encode(values);
    lines = "`" + attribute + "` of " + kind.name + " in " + layout.tables[kind.table].name;
    if (example.ok()) lines += ", for example `" + *example + "`";
    if (const auto bytes = key.bytes_max()) lines += "; at most " + std::to_string(*bytes) + " bytes";
  };
  for (const model::Layout& layout : document.planned().compiled.layouts) {
    for (const model::ItemKind& kind : layout.item_kinds) {
      const model::Table& table = layout.tables[kind.table];
      add(layout, kind, kind.pk, table.pk.name);
      if (kind.sk) add(layout, kind, *kind.sk, table.sk ? table.sk->name : "");
      for (const model::IndexEntry& entry : kind.entries) {
        const model::Index& index = table.indexes[entry.index];
        add(layout, kind, entry.pk, index.name + "." + index.pk.name);
        if (entry.sk) add(layout, kind, *entry.sk, index.name + "." + (index.sk ? index.sk->name : ""));
      }
    }
  }
  return lines;
}

}  // namespace sheaf::assist
