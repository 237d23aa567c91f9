// The heap in few large pages instead of many small ones.
//
// Rules, patterns and what a small log leaves behind take a few MiB. Touched page by page, the kernel maps a thousand
// pages for that, which in a virtual machine takes longer than all the work done on them.
#pragma once

namespace autotune {

// To be called first in main(). Costs two system calls where it has no effect.
void UseLargePages();

}  // namespace autotune
