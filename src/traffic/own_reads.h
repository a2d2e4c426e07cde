// What a server reads for itself.
#pragma once

namespace sheaf::traffic {

// While one lives, what its thread reads is nobody's traffic: it warms no key and takes nothing from what
// tables may give.
class OwnReads {
 public:
  OwnReads() { ++depth(); }
  ~OwnReads() { --depth(); }
  OwnReads(const OwnReads&) = delete;
  OwnReads& operator=(const OwnReads&) = delete;

  static bool are_on() { return depth() > 0; }

 private:
  static int& depth() {
    thread_local int value = 0;
    return value;
  }
};

}  // namespace sheaf::traffic
