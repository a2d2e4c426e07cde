#include "generate/data_text.h"

#include "base/try.h"
#include "run/item_codec.h"
#include "run/plain_json.h"

namespace sheaf::generate {
namespace {

using model::EndId;
using model::EntityId;
using model::RelationId;

constexpr size_t kPieceBytes = 64 * 1024;

std::string quoted(const std::string& text) { return run::to_plain_json(Value(text)); }

// Entity.end, as data files name it.
std::string end_name(const model::Model& model, RelationId relation) {
  const model::End& end = model.relations[relation].ends[0];
  return model.entities[end.holder].name + "." + end.name;
}

// Whether documents leave it to links.
bool is_told_by_links(const Generator& generator, RelationId relation) {
  return !generator.is_in_document({.relation = relation, .side = 0}) &&
         !generator.is_in_document({.relation = relation, .side = 1});
}

std::string link_text(const Generator& generator, RelationId relation, const EdgePlace& place,
                      const Link& link) {
  const model::Relation& declared = generator.model().relations[relation];
  std::vector<Value> parts = {generator.id(declared.ends[0].holder, link.ordinals[0]),
                              generator.id(declared.ends[0].target, link.ordinals[1])};
  if (!declared.edge_fields.empty())
    parts.emplace_back(Value(run::item_of(generator.edge_fields(relation, place))));
  return run::to_plain_json(Value::list(parts));
}

// Documents and links in a row, with what stands between them.
class Walk {
 public:
  using Text = std::function<std::string(const std::string& name, std::string text, bool is_first)>;

  Walk(const Generator& generator, const Sink& sink, const std::function<void(uint64_t, uint64_t)>& progress)
      : generator_(generator), sink_(sink), progress_(progress) {
    for (const EntityId entity : generator.order()) all_ += generator.count(entity);
    for (RelationId relation = 0; relation < generator.model().relations.size(); ++relation) {
      if (is_told_by_links(generator, relation)) all_ += generator.links(relation).total();
    }
  }

  Result<void> documents(EntityId entity, const Text& text) {
    const std::string& name = generator_.model().entities[entity].name;
    for (uint64_t i = 0; i < generator_.count(entity); ++i) {
      TRY(add(text(name, run::to_plain_json(generator_.document(entity, i)), i == 0)));
      ++written_.documents;
      tell(1);
    }
    return {};
  }

  Result<void> links(RelationId relation, const Text& text) {
    const std::string name = end_name(generator_.model(), relation);
    const Links& links = generator_.links(relation);
    bool is_first = true;
    for (uint64_t position = 0; position < links.total(); ++position) {
      tell(1);
      const auto link = links.at(position);
      if (!link) continue;
      for (uint64_t number = 0; number < generator_.parallel(relation, position); ++number) {
        TRY(add(text(name, link_text(generator_, relation, {.position = position, .number = number}, *link),
                     is_first)));
        is_first = false;
        ++written_.links;
      }
    }
    return {};
  }

  Result<void> add(std::string_view text) {
    piece_ += text;
    if (piece_.size() < kPieceBytes) return {};
    TRY(sink_(piece_));
    piece_.clear();
    return {};
  }

  Result<Written> finish() {
    TRY(sink_(piece_));
    return written_;
  }

 private:
  void tell(uint64_t more) {
    done_ += more;
    if (progress_ && (done_ % 10'000 == 0 || done_ == all_)) progress_(done_, all_);
  }

  const Generator& generator_;
  const Sink& sink_;
  const std::function<void(uint64_t, uint64_t)>& progress_;
  uint64_t done_ = 0, all_ = 0;
  Written written_;
  std::string piece_;
};

}  // namespace

std::string document_line(const Generator& generator, EntityId entity, uint64_t ordinal) {
  return "{" + quoted(generator.model().entities[entity].name) + ":[" +
         run::to_plain_json(generator.document(entity, ordinal)) + "]}\n";
}

std::string link_line(const Generator& generator, RelationId relation, const EdgePlace& place,
                      const Link& link) {
  return "{\"links\":{" + quoted(end_name(generator.model(), relation)) + ":[" +
         link_text(generator, relation, place, link) + "]}}\n";
}

Result<Written> write_lines(const Generator& generator, const Sink& sink,
                            const std::function<void(uint64_t, uint64_t)>& progress) {
  Walk walk(generator, sink, progress);
  for (const EntityId entity : generator.order()) {
    TRY(walk.documents(entity, [](const std::string& name, std::string text, bool) {
      return "{" + quoted(name) + ":[" + text + "]}\n";
    }));
  }
  for (RelationId relation = 0; relation < generator.model().relations.size(); ++relation) {
    if (!is_told_by_links(generator, relation)) continue;
    TRY(walk.links(relation, [](const std::string& name, std::string text, bool) {
      return "{\"links\":{" + quoted(name) + ":[" + text + "]}}\n";
    }));
  }
  return walk.finish();
}

Result<Written> write_file(const Generator& generator, const Sink& sink,
                           const std::function<void(uint64_t, uint64_t)>& progress) {
  Walk walk(generator, sink, progress);
  const auto listed = [](const std::string&, std::string text, bool is_first) {
    return (is_first ? "\n    " : ",\n    ") + text;
  };
  TRY(walk.add("{"));
  std::string before;
  for (const EntityId entity : generator.order()) {
    TRY(walk.add(before + "\n  " + quoted(generator.model().entities[entity].name) + ": ["));
    TRY(walk.documents(entity, listed));
    TRY(walk.add("\n  ]"));
    before = ",";
  }
  TRY(walk.add(before + "\n  \"links\": {"));
  before.clear();
  for (RelationId relation = 0; relation < generator.model().relations.size(); ++relation) {
    if (!is_told_by_links(generator, relation)) continue;
    TRY(walk.add(before + "\n  " + quoted(end_name(generator.model(), relation)) + ": ["));
    TRY(walk.links(relation, listed));
    TRY(walk.add("\n  ]"));
    before = ",";
  }
  TRY(walk.add("}\n}\n"));
  return walk.finish();
}

}  // namespace sheaf::generate
