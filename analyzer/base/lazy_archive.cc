// libarchive, loaded when its first function is called.
//
// Only compressed logs and recorded caches need it, and it brings a dozen libraries along (libxml2 and ICU among them)
// whose loading takes longer than a small log. So the program is not linked with it; these are its functions as
// <archive.h> declares them, each of which passes the call on. A function that is missing here is an undefined symbol
// at link time: add it below. Where the library is not installed, opening fails with a message that says so.
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>

#include <type_traits>

namespace {

void* Library() {
  static void* const library = dlopen(AUTOTUNE_LIBARCHIVE, RTLD_NOW | RTLD_LOCAL);
  return library;
}

template <class Function>
Function* Find(const char* name) {
  return Library() == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(Library(), name));
}

template <class Result>
Result Failed() {
  if constexpr (std::is_same_v<Result, const char*>) {
    return AUTOTUNE_LIBARCHIVE " is not installed; apt-get install libarchive13";
  } else if constexpr (std::is_pointer_v<Result>) {
    return nullptr;
  } else {
    return static_cast<Result>(ARCHIVE_FATAL);
  }
}

}  // namespace

#define PASS_ON(result, name, parameters, arguments)                    \
  extern "C" result name parameters {                                   \
    static auto* const function = Find<result parameters>(#name);       \
    return function == nullptr ? Failed<result>() : function arguments; \
  }
#define PASS_ON_ARCHIVE(name) PASS_ON(int, name, (archive * a), (a))

PASS_ON(archive*, archive_read_new, (), ())
PASS_ON_ARCHIVE(archive_read_free)
PASS_ON_ARCHIVE(archive_read_support_filter_bzip2)
PASS_ON_ARCHIVE(archive_read_support_filter_compress)
PASS_ON_ARCHIVE(archive_read_support_filter_gzip)
PASS_ON_ARCHIVE(archive_read_support_filter_lz4)
PASS_ON_ARCHIVE(archive_read_support_filter_lzip)
PASS_ON_ARCHIVE(archive_read_support_filter_lzma)
PASS_ON_ARCHIVE(archive_read_support_filter_none)
PASS_ON_ARCHIVE(archive_read_support_filter_xz)
PASS_ON_ARCHIVE(archive_read_support_filter_zstd)
PASS_ON_ARCHIVE(archive_read_support_format_empty)
PASS_ON_ARCHIVE(archive_read_support_format_raw)
PASS_ON_ARCHIVE(archive_read_support_format_tar)
PASS_ON_ARCHIVE(archive_read_support_format_zip)
PASS_ON(int, archive_read_open,
        (archive * a, void* data, archive_open_callback* open, archive_read_callback* read,
         archive_close_callback* close),
        (a, data, open, read, close))
PASS_ON(int, archive_read_open_filename, (archive * a, const char* name, size_t block), (a, name, block))
PASS_ON(int, archive_read_next_header, (archive * a, archive_entry** entry), (a, entry))
PASS_ON(int, archive_read_data_block, (archive * a, const void** bytes, size_t* size, la_int64_t* offset),
        (a, bytes, size, offset))
PASS_ON(const char*, archive_error_string, (archive * a), (a))
PASS_ON(__LA_MODE_T, archive_entry_filetype, (archive_entry * entry), (entry))
PASS_ON(const char*, archive_entry_hardlink, (archive_entry * entry), (entry))
PASS_ON(const char*, archive_entry_pathname, (archive_entry * entry), (entry))
PASS_ON(const char*, archive_entry_pathname_utf8, (archive_entry * entry), (entry))
PASS_ON(la_int64_t, archive_entry_size, (archive_entry * entry), (entry))
PASS_ON(int, archive_entry_size_is_set, (archive_entry * entry), (entry))
