#include "transfer/md5.h"

#include <openssl/evp.h>

#include <memory>

#include "base/try.h"
#include "transfer/byte_source.h"
#include "value/base64.h"

namespace sheaf::transfer {
namespace {

class Md5 {
 public:
  Md5() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), EVP_md5(), nullptr);
  }
  void add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }
  std::string finish() {
    std::string digest(EVP_MAX_MD_SIZE, '\0');
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(digest.data()), &size);
    digest.resize(size);
    return digest;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string md5_of(std::string_view bytes) {
  Md5 md5;
  md5.add(bytes);
  return md5.finish();
}

Result<std::string> md5_of_file(const std::string& path) {
  const std::unique_ptr<ByteSource> file = TRY(open_file(path));
  Md5 md5;
  while (true) {
    const std::string_view bytes = TRY(file->next());
    if (bytes.empty()) return md5.finish();
    md5.add(bytes);
  }
}

std::string etag_of(std::string_view md5) {
  std::string etag;
  for (const char c : md5_of(md5)) {
    const auto byte = static_cast<unsigned char>(c);
    etag += "0123456789abcdef"[byte >> 4];
    etag += "0123456789abcdef"[byte & 15];
  }
  return etag + "-1";
}

std::string base64_of(std::string_view bytes) {
  std::string text;
  append_base64(text, bytes);
  return text;
}

}  // namespace sheaf::transfer
