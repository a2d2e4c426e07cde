#include "run/straight_read.h"

#include <algorithm>

#include "base/try.h"
#include "run/requests.h"
#include "run/spread.h"
#include "run/stored_items.h"

namespace sheaf::run {

using plan::Request;
using plan::Want;

namespace {

// Whether what is asked for is what one request finds.
bool is_straight(const model::Layout& layout, const plan::Plan& plan) {
  if (plan.requests.size() != 1 || plan.is_snapshot || plan.pattern->syntax->clauses.reads_max) return false;
  const Request& request = plan.requests.front();
  if (request.wants.size() != 1 || request.wants.front().kind != Want::Kind::kItems ||
      request.wants.front().node != plan.result || request.anchor != 0 || request.is_partial ||
      request.is_merged)
    return false;
  const plan::DocumentNode& result = plan.nodes[plan.result];
  if (layout.is_by_field(result.entity)) return false;
  const bool is_from_start = plan.result == 0;
  const bool is_child = plan.result == 1 && result.depth == 1 && result.link == plan::Link::kItems;
  if (!is_from_start && !is_child) return false;
  if (request.kind == Request::Kind::kPoints && !is_from_start) return false;
  const model::Node& selected = *result.selected;
  if (!selected.nested.empty() || !selected.aggregates.empty() || !selected.filter.empty()) return false;
  // The ends of ranges are tested again on what was read.
  const bool has_ranges =
      std::any_of(selected.where.begin(), selected.where.end(), [](const model::Condition& condition) {
        return condition.syntax->test != language::Condition::Test::kEqual;
      });
  if (has_ranges || (selected.order && !request.is_paged)) return false;
  const model::Table& table = layout.tables[request.view.table];
  const bool is_whole =
      !request.view.index || table.indexes[*request.view.index].projection == language::Gsi::Projection::kAll;
  return is_whole && table.tag.has_value();
}

}  // namespace

std::optional<StraightRead> StraightRead::of(const model::Model& model, const model::Layout& layout,
                                             const plan::Plan& plan) {
  if (!is_straight(layout, plan)) return std::nullopt;
  StraightRead made(model, layout, plan);
  if (!made.add_members()) return std::nullopt;
  made.add_parent();
  made.sort_attributes();
  return made;
}

void StraightRead::sort_attributes() {
  std::sort(members_.begin(), members_.end(),
            [](const Member& a, const Member& b) { return a.name < b.name; });
  const model::Table& table = layout_->tables[request().view.table];
  attributes_ = {
      {std::string(kDeletingAttribute), kDeleting}, {*table.tag, kTag}, {table.pk.name, kPartitionKey}};
  if (table.sk) attributes_.emplace_back(table.sk->name, kSortKey);
  for (size_t i = 0; i < members_.size(); ++i) {
    if (!members_[i].attribute.empty()) attributes_.emplace_back(members_[i].attribute, kFirstMember + i);
  }
  std::sort(attributes_.begin(), attributes_.end());
}

std::optional<StraightRead::KeyPart> StraightRead::key_part(const model::HoleSource& source) const {
  for (const bool is_sort : {false, true}) {
    if (is_sort && !kind().sk) continue;
    const std::vector<const model::Hole*> holes = (is_sort ? *kind().sk : kind().pk).holes();
    for (size_t i = 0; i < holes.size(); ++i) {
      if (holes[i]->source == source && holes[i]->holds_value())
        return KeyPart{.is_sort = is_sort, .hole = i, .type = &holes[i]->field.type};
    }
  }
  return std::nullopt;
}

bool StraightRead::add_members() {
  const model::Node& selected = *plan_->nodes[plan_->result].selected;
  const model::Entity& entity = model_->entities[*kind().entity];
  for (const model::FieldPath& part : entity.identity) {
    // An item without all of its identity is nobody's; with it in the key there is none.
    if (!key_part({.path = part})) return false;
  }
  for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
    const model::Field& field = entity.fields[id];
    if (!selected.shows(entity, id)) continue;
    Member member{.name = field.name, .attribute = field.attribute};
    if (auto part = key_part({.path = {.field = id}})) member.parts.push_back(std::move(*part));
    members_.push_back(std::move(member));
  }
  return true;
}

// The parent in its identity, unless that is where it was found.
void StraightRead::add_parent() {
  const plan::DocumentNode& result = plan_->nodes[plan_->result];
  const model::Entity& entity = model_->entities[result.entity];
  if (!entity.within || (result.end && result.end->other() == *entity.within)) return;
  Member member{.name = model_->end(*entity.within).name};
  for (const model::FieldPath& path : entity.identity) {
    if (path.ends.empty()) continue;
    member.parts.push_back(*key_part({.path = path}));
  }
  members_.push_back(std::move(member));
}

// One run.
class StraightRead::Pass {
 public:
  Pass(const StraightRead& read, Answer& answer)
      : read_(read), answer_(answer), values_(kFirstMember + read.members_.size()) {}

  // Whether it is one of the documents.
  Result<bool> take(ItemView item) {
    ++answer_.figures.items_read;
    find_values(item);
    if (values_[kDeleting]) return false;
    if (!is_wanted()) {
      if (!read_.codec_.decode(read_.request().view.table, item)) ++answer_.figures.foreign;
      return false;
    }
    writer_.reset();
    writer_.begin_map();
    for (size_t i = 0; i < read_.members_.size(); ++i) {
      const Member& member = read_.members_[i];
      if (const auto& value = values_[kFirstMember + i]) {
        writer_.key(member.name);
        writer_.copy(*value);
      } else if (!member.parts.empty()) {
        writer_.key(member.name);
        write(member.parts);
      }
    }
    writer_.end_map();
    std::string document = TRY(writer_.finish());
    answer_.documents.push_back(Value::from_encoded(std::move(document)));
    return true;
  }

  // All that one partition has, until there are `wanted`. Returns where it goes on, if it has not ended.
  Result<std::optional<Item>> take_all(Database& database, Query query, size_t wanted) {
    std::vector<Value>& documents = answer_.documents;
    // Whoever wants the first few wants what is left of them.
    if (query.limit && *query.limit > documents.size())
      *query.limit -= static_cast<uint32_t>(documents.size());
    while (true) {
      const Page page = TRY(database.query(query));
      ++answer_.figures.requests;
      ++answer_.figures.rounds;
      answer_.figures.units += page.capacity.total();
      documents.reserve(documents.size() + page.items.size());
      for (size_t i = 0; i < page.items.size(); ++i) {
        const bool is_one = TRY(take(page.items[i]));
        if (is_one && documents.size() == wanted)
          last_key_ = position_key(read_.layout_->tables[read_.request().view.table],
                                   read_.request().view.index, page.items[i]);
      }
      query.start_key = page.last_key;
      if (documents.size() > wanted) {
        documents.resize(wanted);
        query.start_key = last_key_;
      }
      if (!query.start_key || documents.size() >= wanted) return query.start_key;
    }
  }
  // Of the last document that is given out.
  const std::optional<Item>& last_key() const { return last_key_; }

 private:
  // Both are sorted by name.
  void find_values(ItemView item) {
    std::fill(values_.begin(), values_.end(), std::nullopt);
    auto wanted = read_.attributes_.begin();
    for (const Attribute attribute : item) {
      while (wanted != read_.attributes_.end() && wanted->first < attribute.name) ++wanted;
      for (; wanted != read_.attributes_.end() && wanted->first == attribute.name; ++wanted)
        values_[wanted->second] = attribute.value;
      if (wanted == read_.attributes_.end()) return;
    }
  }

  bool is_wanted() {
    const model::ItemKind& kind = read_.kind();
    const auto& tag = values_[kTag];
    if (!tag || tag->type() != Type::kString || tag->bytes() != kind.tag) return false;
    return decode(kind.pk, values_[kPartitionKey], pk_) &&
           (!kind.sk || decode(*kind.sk, values_[kSortKey], sk_));
  }

  // The values of a key, which are often those of the last item.
  struct DecodedKey {
    std::string encoded;
    std::vector<std::string> values;
  };
  static bool decode(const model::KeyTemplate& key, std::optional<ValueView> value, DecodedKey& decoded) {
    if (!value) return false;
    if (value->encoded() == decoded.encoded) return true;
    decoded.encoded.clear();
    if (value->type() == Type::kString) {
      if (!key.decode(value->bytes(), decoded.values)) return false;
    } else {
      const auto text = key_text(*value);
      if (!text || !key.decode(*text, decoded.values)) return false;
    }
    decoded.encoded = value->encoded();
    return true;
  }

  void write(const std::vector<KeyPart>& parts) {
    if (parts.size() > 1) writer_.begin_list();
    for (const KeyPart& part : parts) {
      const std::string& text = (part.is_sort ? sk_ : pk_).values[part.hole];
      if (part.type->kind == language::Type::Kind::kString) {
        writer_.string(text);
      } else {
        writer_.copy(value_of(text, *part.type));
      }
    }
    if (parts.size() > 1) writer_.end_list();
  }

  const StraightRead& read_;
  Answer& answer_;
  std::vector<std::optional<ValueView>> values_;  // by slot
  ValueWriter writer_{kDocumentNestingMax};
  DecodedKey pk_, sk_;
  std::optional<Item> last_key_;
};

Result<Answer> StraightRead::run(Database& database, const std::vector<Argument>& arguments,
                                 const Position* start, std::chrono::system_clock::time_point now) const {
  Answer answer;
  Pass pass(*this, answer);
  KnownNodes known;
  if (plan_->pattern->start) known[0] = arguments[*plan_->pattern->start].identity;
  if (request().kind == Request::Kind::kPoints) {
    const Item key = TRY(codec_.key(*kind().entity, known[0]));
    const Got got = TRY(database.get_item(
        {.table = layout_->tables[request().view.table].name, .key = key, .consistent = plan_->is_strong}));
    answer.figures.requests = answer.figures.rounds = 1;
    answer.figures.units = got.capacity.total();
    if (got.item) TRY(pass.take(*got.item));
    return answer;
  }
  const RequestBuilder builder(*model_, *layout_, *plan_, arguments, now);
  Spread spread(*model_, *plan_, request(), arguments, now);
  const Item* from = start != nullptr && start->key ? &*start->key : nullptr;
  const size_t wanted = documents_wanted(*plan_);
  std::optional<Item> next;
  while (const auto choices = spread.next()) {
    // What ended where a partition did goes on in the one that follows.
    if (answer.documents.size() >= wanted) {
      next = pass.last_key();
      break;
    }
    Query query = TRY(builder.query(request(), known, choices->front()));
    if (from != nullptr) {
      if (!is_in_partition(*layout_, request().view, query, *from)) continue;
      query.start_key = *from;
      from = nullptr;
    }
    next = TRY(pass.take_all(database, std::move(query), wanted));
    if (next) break;
  }
  const model::Node& node = *plan_->nodes[plan_->result].selected;
  if (request().is_paged && next && !node.limit)
    answer.next = Position{.key = std::move(next), .anchor = known[0]};
  TRY(check_one(*plan_, answer));
  return answer;
}

}  // namespace sheaf::run
