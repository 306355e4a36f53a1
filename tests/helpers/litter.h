// SPDX-License-Identifier: MIT
// Fragments the heap, to measure the cost of returning memory.
#pragma once

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#define ODL_LITTER_PIECES 400
#define ODL_LITTER_STAYS 10 // one block in this many stays allocated
// glibc maps larger blocks individually.
#define ODL_LITTER_PIECE_BYTES ((size_t) 100 << 10)

// Sanitizers' allocators handle freed memory differently.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ODL_LITTER_COUNTS 1
#else
#define ODL_LITTER_COUNTS 0
#endif

// A fragmented heap: 36 MB free between 4 MB in use.
typedef struct {
  void *pieces[ODL_LITTER_PIECES];
} OdlTestLitter;

static inline void
odl_test_litter_drop (OdlTestLitter *litter)
{
  for (int i = 0; i < ODL_LITTER_PIECES; i++) {
    litter->pieces[i] = malloc (ODL_LITTER_PIECE_BYTES);
    g_assert_nonnull (litter->pieces[i]);
    memset (litter->pieces[i], 1, ODL_LITTER_PIECE_BYTES);
  }
  for (int i = 0; i < ODL_LITTER_PIECES; i++)
    if ((i + 1) % ODL_LITTER_STAYS != 0)
      g_clear_pointer (&litter->pieces[i], free);
}

static inline void
odl_test_litter_clear (OdlTestLitter *litter)
{
  for (int i = 0; i < ODL_LITTER_PIECES; i++)
    g_clear_pointer (&litter->pieces[i], free);
}

static inline long
odl_test_resident_kb (void)
{
  g_autofree char *status = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  const char *line = g_strstr_len (status, -1, "VmRSS:");
  return line != NULL ? atol (line + strlen ("VmRSS:")) : 0;
}
