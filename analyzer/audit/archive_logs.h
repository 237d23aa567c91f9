// The logs inside an archive (zip, as CI servers hand them out; tar, plain or compressed), read in place one after the
// other. Nothing is unpacked, nothing is written: names of members are data. Constant memory.
#pragma once

#include <absl/status/status.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "analyzer/input/source.h"

namespace autotune {

// Whether an input that begins with `head` (decompressed; 512 bytes tell) is an archive.
bool IsArchive(std::string_view head);

// `visit` gets each regular member as a source named "PATH!MEMBER", decompressed where it is compressed itself; it is
// good until `visit` returns, which returns false to end the walk. An archive that is cut or damaged ends it with an
// error after what stands before was visited.
absl::Status ForEachMember(const std::string& path, const std::function<bool(std::unique_ptr<Source>)>& visit);

}  // namespace autotune
