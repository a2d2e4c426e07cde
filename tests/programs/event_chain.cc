#include "programs/event_chain.h"

namespace sheaf::programs {

std::optional<std::string> find_break(const std::vector<ChangeEvent>& events,
                                      const std::map<std::string, Item>& now) {
  const auto text = [](const std::optional<Item>& item) { return item ? item->to_json() : "nothing"; };
  std::map<std::string, std::optional<Item>> images;
  std::map<std::string, StreamPosition> sequences;
  for (const ChangeEvent& event : events) {
    const std::string key(event.key.encoded());
    std::optional<Item>& before = images[key];
    if (event.old_image != before) {
      return "an event of " + event.key.to_json() + " begins with " + text(event.old_image) +
             " although the one before it ended with " + text(before);
    }
    const auto sequence = sequences.find(key);
    if (sequence != sequences.end() && event.sequence <= sequence->second)
      return "the sequence does not grow at " + event.key.to_json();
    sequences[key] = event.sequence;
    before = event.new_image;
  }
  for (const auto& [key, item] : now) {
    if (images[key] != item)
      return "an item is " + item.to_json() + " although its last event ended with " + text(images[key]);
  }
  for (const auto& [key, image] : images) {
    if (image && !now.contains(key)) return "an item is gone without an event: " + text(image);
  }
  return std::nullopt;
}

}  // namespace sheaf::programs
