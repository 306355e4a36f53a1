// SPDX-License-Identifier: MIT
// The one place for functions that are compiled for several instruction sets.
#pragma once

// Put before a function whose loops walk along rows: it is compiled for AVX2 as well, and
// the loader takes the version that the processor can run. Both give the same bits, since
// -ffp-contract=off holds for both. Sanitizers are not ready yet when the loader asks.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) \
    && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) \
    && !defined(__SANITIZE_THREAD__)
#define ODL_ROW_LOOP __attribute__ ((target_clones ("avx2", "default")))
#else
#define ODL_ROW_LOOP
#endif
