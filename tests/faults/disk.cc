#include "disk.h"

#include <algorithm>
#include <set>

namespace sheaf::faults {
namespace {

constexpr size_t kPageBytes = 4096;

}  // namespace

Disk::Disk(uint64_t seed) : random_(seed), root_(std::make_shared<Folder>()) { folders_.push_back(root_); }

std::optional<Disk::Place> Disk::place_of(const std::string& path) const {
  Folder* folder = root_.get();
  size_t start = 0;
  std::string name;
  while (start < path.size()) {
    const size_t end = std::min(path.find('/', start), path.size());
    if (end > start) {
      if (!name.empty()) {
        const auto found = folder->now.find(name);
        if (found == folder->now.end() || !found->second.folder) return std::nullopt;
        folder = found->second.folder.get();
      }
      name = path.substr(start, end - start);
    }
    start = end + 1;
  }
  if (name.empty()) return std::nullopt;
  return Place{folder, name};
}

Disk::Node Disk::node_at(const std::string& path) const {
  if (path.find_first_not_of('/') == std::string::npos) return {.file = nullptr, .folder = root_};
  const std::optional<Place> place = place_of(path);
  if (!place) return {};
  const auto found = place->folder->now.find(place->name);
  return found == place->folder->now.end() ? Node{} : found->second;
}

Disk::Folder* Disk::folder_at(const std::string& path) const { return node_at(path).folder.get(); }

std::shared_ptr<DiskFile> Disk::file(const std::string& path) const { return node_at(path).file; }

bool Disk::is_folder(const std::string& path) const { return folder_at(path) != nullptr; }

std::optional<std::vector<std::string>> Disk::names_in(const std::string& path) const {
  const Folder* folder = folder_at(path);
  if (folder == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, node] : folder->now) names.push_back(name);
  return names;
}

void Disk::unlink(const Node& node) {
  if (node.file && --node.file->links == 0) used_bytes_ -= node.file->bytes.size();
}

void Disk::change(std::vector<Edit> edits) {
  const auto changed = std::make_shared<Change>();
  std::set<Folder*> touched;
  for (const Edit& edit : edits) {
    if (edit.node.file && edit.node.file->links++ == 0) used_bytes_ += edit.node.file->bytes.size();
  }
  for (const Edit& edit : edits) {
    if (const auto found = edit.folder->now.find(edit.name); found != edit.folder->now.end()) {
      unlink(found->second);
      edit.folder->now.erase(found);
    }
    if (edit.node) edit.folder->now[edit.name] = edit.node;
    if (touched.insert(edit.folder).second) edit.folder->unsynced.push_back(changed);
  }
  changed->edits = std::move(edits);
}

std::shared_ptr<DiskFile> Disk::create_file(const std::string& path) {
  const std::optional<Place> place = place_of(path);
  if (!place || is_folder(path)) return nullptr;
  const auto created = std::make_shared<DiskFile>();
  change({{place->folder, place->name, {.file = created, .folder = nullptr}}});
  return created;
}

bool Disk::create_folder(const std::string& path) {
  const std::optional<Place> place = place_of(path);
  if (!place || node_at(path)) return false;
  folders_.push_back(std::make_shared<Folder>());
  change({{place->folder, place->name, {.file = nullptr, .folder = folders_.back()}}});
  return true;
}

bool Disk::remove_file(const std::string& path) {
  const std::optional<Place> place = place_of(path);
  if (!place || !file(path)) return false;
  change({{place->folder, place->name, {}}});
  return true;
}

bool Disk::remove_folder(const std::string& path) {
  const std::optional<Place> place = place_of(path);
  const Folder* folder = folder_at(path);
  if (!place || folder == nullptr || !folder->now.empty()) return false;
  change({{place->folder, place->name, {}}});
  return true;
}

bool Disk::rename(const std::string& from, const std::string& to) {
  const std::optional<Place> source = place_of(from), target = place_of(to);
  const Node node = node_at(from), replaced = node_at(to);
  if (!source || !target || !node || replaced.folder) return false;
  change({{target->folder, target->name, node}, {source->folder, source->name, {}}});
  return true;
}

bool Disk::link(const std::string& from, const std::string& to) {
  const std::optional<Place> target = place_of(to);
  const Node node = node_at(from);
  if (!target || !node.file || node_at(to)) return false;
  change({{target->folder, target->name, node}});
  return true;
}

// In the order in which they were made, up to `last` (or all). A change of two folders takes what came before
// it in the other along.
void Disk::make_durable(Folder& folder, const Change* last) {
  while (!folder.unsynced.empty()) {
    const std::shared_ptr<Change> next = folder.unsynced.front();
    folder.unsynced.pop_front();
    if (!next->durable) {
      next->durable = true;
      for (const Edit& edit : next->edits) {
        if (edit.folder != &folder) make_durable(*edit.folder, next.get());
      }
      for (const Edit& edit : next->edits) {
        if (edit.node) {
          edit.folder->durable[edit.name] = edit.node;
        } else {
          edit.folder->durable.erase(edit.name);
        }
      }
    }
    if (next.get() == last) return;
  }
}

bool Disk::sync_folder(const std::string& path) {
  Folder* folder = folder_at(path);
  if (folder == nullptr) return false;
  make_durable(*folder, nullptr);
  return true;
}

void Disk::append(DiskFile& file, std::string_view bytes) {
  file.bytes.append(bytes);
  if (file.links > 0) used_bytes_ += bytes.size();
}

void Disk::sync(DiskFile& file) { file.synced_bytes = file.bytes.size(); }

void Disk::fail_sync(DiskFile& file) {
  if (file.synced_bytes < file.bytes.size()) file.lost.emplace_back(file.synced_bytes, file.bytes.size());
}

void Disk::lose_power() {
  for (const std::shared_ptr<Folder>& folder : folders_) {
    const size_t count = folder->unsynced.size();
    const size_t survive = below(3) == 0 ? 0 : below(2) == 0 ? count : below(count + 1);
    if (survive > 0) make_durable(*folder, folder->unsynced[survive - 1].get());
  }
  for (const std::shared_ptr<Folder>& folder : folders_) {
    folder->unsynced.clear();
    folder->now.clear();
  }
  used_bytes_ = 0;
  std::set<DiskFile*> files;
  bring_back(*root_, files);
}

void Disk::bring_back(Folder& folder, std::set<DiskFile*>& files) {
  folder.now = folder.durable;
  for (auto& [name, node] : folder.now) {
    if (node.folder) {
      bring_back(*node.folder, files);
      continue;
    }
    // Once, whatever the number of its names.
    if (files.insert(node.file.get()).second) {
      node.file->links = 0;
      bring_back(*node.file);
      used_bytes_ += node.file->bytes.size();
    }
    ++node.file->links;
  }
}

void Disk::bring_back(DiskFile& file) {
  const size_t tail = file.bytes.size() - file.synced_bytes;
  const size_t survive = below(3) == 0 ? 0 : below(2) == 0 ? tail : below(tail + 1);
  file.bytes.resize(file.synced_bytes + survive);
  // The size may have reached the disk before the bytes: some pages hold nothing, or something else.
  const auto damage = [&](size_t begin, size_t end, bool noise) {
    for (size_t at = begin; at < end; ++at) file.bytes[at] = noise ? static_cast<char>(random_()) : '\0';
  };
  if (survive > 0 && below(2) == 0) {
    for (size_t page = file.synced_bytes / kPageBytes; page * kPageBytes < file.bytes.size(); ++page) {
      if (below(3) != 0) continue;
      damage(std::max(page * kPageBytes, file.synced_bytes),
             std::min((page + 1) * kPageBytes, file.bytes.size()), below(2) == 0);
    }
  }
  for (const auto& [begin, end] : file.lost)
    damage(std::min(begin, file.bytes.size()), std::min(end, file.bytes.size()), false);
  file.lost.clear();
  file.synced_bytes = file.bytes.size();
}

}  // namespace sheaf::faults
