// A disk as it is seen through a page cache: what was written, and what would still be there after a power
// loss. Nothing is durable before it is synced; what is not synced may survive all the same, in part and
// damaged. A name in a folder (created, renamed or removed) is durable when the folder is synced.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::faults {

struct DiskFile {
  std::string bytes;
  size_t synced_bytes = 0;
  // Pieces that a failed sync gave up: readable until the power goes, and never durable.
  std::vector<std::pair<size_t, size_t>> lost;
  int links = 0;
};

// Not thread-safe. Paths are absolute; their parents must exist.
class Disk {
 public:
  explicit Disk(uint64_t seed);

  std::shared_ptr<DiskFile> file(const std::string& path) const;  // null if there is none
  bool is_folder(const std::string& path) const;
  std::optional<std::vector<std::string>> names_in(const std::string& folder) const;

  // These return false (or null) if the path does not allow it, and then change nothing.
  std::shared_ptr<DiskFile> create_file(const std::string& path);  // in place of what has the name
  bool create_folder(const std::string& path);
  bool remove_file(const std::string& path);
  bool remove_folder(const std::string& path);  // an empty one
  bool rename(const std::string& from, const std::string& to);
  bool link(const std::string& from, const std::string& to);
  bool sync_folder(const std::string& path);

  void append(DiskFile& file, std::string_view bytes);
  static void sync(DiskFile& file);
  // What was to be synced is given up, as Linux does: a later sync says nothing about it.
  static void fail_sync(DiskFile& file);

  // Only what was synced is left for sure.
  void lose_power();

  uint64_t used_bytes() const { return used_bytes_; }

 private:
  struct Folder;
  struct Node {
    std::shared_ptr<DiskFile> file;  // or:
    std::shared_ptr<Folder> folder;
    explicit operator bool() const { return file || folder; }
  };
  // What one call did to names: all of it becomes durable, or nothing. An empty node removes the name.
  struct Edit {
    Folder* folder;
    std::string name;
    Node node;
  };
  struct Change {
    std::vector<Edit> edits;
    bool durable = false;
  };
  struct Folder {
    std::map<std::string, Node> now;
    std::map<std::string, Node> durable;
    std::deque<std::shared_ptr<Change>> unsynced;
  };
  struct Place {
    Folder* folder;
    std::string name;
  };

  std::optional<Place> place_of(const std::string& path) const;
  Node node_at(const std::string& path) const;
  Folder* folder_at(const std::string& path) const;
  void change(std::vector<Edit> edits);
  void unlink(const Node& node);
  static void make_durable(Folder& folder, const Change* last);
  void bring_back(Folder& folder, std::set<DiskFile*>& files);
  void bring_back(DiskFile& file);
  size_t below(size_t bound) { return random_() % bound; }

  std::mt19937_64 random_;
  // Folders live as long as the disk: changes that never become durable may still name them.
  std::vector<std::shared_ptr<Folder>> folders_;
  std::shared_ptr<Folder> root_;
  uint64_t used_bytes_ = 0;
};

}  // namespace sheaf::faults
