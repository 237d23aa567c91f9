#pragma once

namespace autotune {

// Cores that this process may run on: a container or taskset gives it fewer than the machine has, and threads beyond
// them would only take turns.
int UsableCores();

}  // namespace autotune
