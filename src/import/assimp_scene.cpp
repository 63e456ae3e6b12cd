#include "failure.h"
#include "readers.h"
namespace sinew {
Scene read_with_assimp(const std::string&, ImportReport&) { fail("unsupported for now", ErrorCode::kUnsupported); }
}  // namespace sinew
