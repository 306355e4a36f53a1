// SPDX-License-Identifier: MIT
// Sizes checked before allocation, and buffers aligned for SIMD.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

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

// The same, from 256 KiB on in huge pages where the system has them to give: a buffer
// that is walked in many places at once then needs few entries of the address cache.
// Takes up to 2 MiB more.
void *odl_aligned_alloc_huge (size_t size) G_GNUC_WARN_UNUSED_RESULT;

// The same with contents that are not defined: what is never written takes no memory. In
// huge pages with `huge`.
void *odl_aligned_alloc_unset (size_t size, bool huge) G_GNUC_WARN_UNUSED_RESULT;

// Lets all threads of this process allocate from two heaps instead of one or more each
// (glibc; nothing elsewhere). Frames are made in one thread and freed in another, and a
// heap gives back only what lies free at its end: with one for each of some 30 threads,
// resident memory grows for minutes by what none of them uses. To be called once, early.
void odl_memory_share_heaps (void);

// Gives pages of freed memory back to the system (glibc; nothing elsewhere). Takes some
// milliseconds in which other threads wait for memory: for moments when much was freed.
void odl_memory_give_back (void);

// Bytes of the data cache of a level, 1 … 3, that a core has or shares; a usual size
// where the system does not say. Any thread.
size_t odl_cache_size (int level);

G_END_DECLS
