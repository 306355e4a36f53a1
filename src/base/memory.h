// SPDX-License-Identifier: MIT
// Overflow-checked sizes, and buffers aligned for SIMD.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Alignment in bytes of every buffer from odl_aligned_alloc: one cache line, one AVX-512
// vector.
#define ODL_ALIGNMENT 64

// Multiplies the `n` factors. Returns false, and leaves *product alone, on overflow. Any
// thread.
bool odl_size_product (const size_t *factors, size_t n, size_t *product)
    G_GNUC_WARN_UNUSED_RESULT;

// Allocates `size` bytes, zeroed, aligned to ODL_ALIGNMENT. Returns NULL when memory is
// short (never aborts: sizes come from files). Free with odl_aligned_free. Any thread.
void *odl_aligned_alloc (size_t size) G_GNUC_WARN_UNUSED_RESULT;
void odl_aligned_free (void *data);

// Like odl_aligned_alloc, but buffers of 256 KiB and more use huge pages where
// available, which need fewer TLB entries when several regions are read at once. May
// take up to 2 MiB more.
void *odl_aligned_alloc_huge (size_t size) G_GNUC_WARN_UNUSED_RESULT;

// Like odl_aligned_alloc, but uninitialised: pages never written take no memory. `huge`:
// use huge pages.
void *odl_aligned_alloc_unset (size_t size, bool huge) G_GNUC_WARN_UNUSED_RESULT;

// Limits malloc to two heaps for all threads (glibc; no effect elsewhere). Frames are
// allocated in one thread and freed in another, and a heap returns memory only from its
// end: with one heap for each of some 30 threads, resident memory keeps growing with
// fragments. Call once, at program start.
void odl_memory_share_heaps (void);

// Returns freed memory to the system (glibc; no effect elsewhere). Blocks allocations in
// other threads for some milliseconds: call it after much was freed.
void odl_memory_give_back (void);

// Bytes of the data cache of `level` (1 … 3) as seen by one core; a typical size if the
// system does not report it. Any thread.
size_t odl_cache_size (int level);
