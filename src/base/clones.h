// SPDX-License-Identifier: MIT
// The macro for functions compiled for several instruction sets.
#pragma once

// Marks a function with row loops: it is also compiled for AVX2, and the loader selects
// the version at program start. Both versions give the same bits because
// -ffp-contract=off applies to both. Not used with sanitizers, which are not initialised
// yet when the loader selects.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) \
    && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) \
    && !defined(__SANITIZE_THREAD__)
#define ODL_ROW_LOOP __attribute__ ((target_clones ("avx2", "default")))
#else
#define ODL_ROW_LOOP
#endif

// Likewise for functions that shift by variables and count zeros, for x86-64-v3.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && __GNUC__ >= 12 \
    && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) \
    && !defined(__SANITIZE_THREAD__)
#define ODL_BIT_LOOP __attribute__ ((target_clones ("arch=x86-64-v3", "default")))
#else
#define ODL_BIT_LOOP
#endif
