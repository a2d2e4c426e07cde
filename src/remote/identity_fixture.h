// For tests: a server's certificate, which is its own authority.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>

#include "base/temp_directory.h"
#include "http/tls.h"

namespace sheaf::remote {

class TestIdentity {
 public:
  // For those `names`: "DNS:localhost,IP:127.0.0.1".
  TestIdentity(const TempDirectory& directory, const std::string& file, const std::string& names)
      : files{.certificate_path = directory.path(file + ".crt"), .key_path = directory.path(file + ".key")} {
    const std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>> key(EVP_EC_gen("P-256"));
    const std::unique_ptr<X509, Freed<X509_free>> certificate(X509_new());
    X509_set_version(certificate.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* const subject = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"),
                               -1, -1, 0);
    X509_set_issuer_name(certificate.get(), subject);
    const std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>> extension(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str()));
    X509_add_ext(certificate.get(), extension.get(), -1);
    X509_sign(certificate.get(), key.get(), EVP_sha256());
    write(files.certificate_path, [&](FILE* to) { return PEM_write_X509(to, certificate.get()); });
    write(files.key_path, [&](FILE* to) {
      return PEM_write_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }

  http::TlsFiles files;

 private:
  template <auto Free>
  struct Freed {
    template <typename T>
    void operator()(T* object) const {
      Free(object);
    }
  };
  template <typename Write>
  static void write(const std::string& path, Write write_to) {
    FILE* const file = std::fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(write_to(file), 1);
    std::fclose(file);
  }
};

}  // namespace sheaf::remote
