// SPDX-License-Identifier: MIT
// A heap in which much is free and none of it at its end, and what that costs.
#pragma once

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#define ODL_LITTER_PIECES 400
#define ODL_LITTER_PIECE_BYTES \
  ((size_t) 100 << 10) // glibc maps larger ones each by itself

// What an allocator of a sanitizer does with freed memory is its own business.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ODL_LITTER_COUNTS 1
#else
#define ODL_LITTER_COUNTS 0
#endif

// Small pieces that stay, with freed ones of 100 KiB, 40 MB in all, between them.
typedef struct {
  void *pins[ODL_LITTER_PIECES];
} OdlTestLitter;

static inline void
odl_test_litter_drop (OdlTestLitter *litter)
{
  void *pieces[ODL_LITTER_PIECES];

  for (int i = 0; i < ODL_LITTER_PIECES; i++) {
    pieces[i] = malloc (ODL_LITTER_PIECE_BYTES);
    litter->pins[i] = malloc (64);
    g_assert_true (pieces[i] != NULL && litter->pins[i] != NULL);
    memset (pieces[i], 1, ODL_LITTER_PIECE_BYTES);
  }
  for (int i = 0; i < ODL_LITTER_PIECES; i++)
    free (pieces[i]);
}

static inline void
odl_test_litter_clear (OdlTestLitter *litter)
{
  for (int i = 0; i < ODL_LITTER_PIECES; i++)
    g_clear_pointer (&litter->pins[i], free);
}

static inline long
odl_test_resident_kb (void)
{
  g_autofree char *status = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  const char *line = g_strstr_len (status, -1, "VmRSS:");
  return line != NULL ? atol (line + strlen ("VmRSS:")) : 0;
}
