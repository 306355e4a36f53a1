// SPDX-License-Identifier: MIT
// What a recorder or an exporter tells at its end, and waiting for that.
#pragma once

#include <glib.h>
#include <stdint.h>

#define TOLD_TIMEOUT_US (120 * G_USEC_PER_SEC)

typedef struct {
  int n_told;
  int code; // of the error; −1: none
  char message[512]; // likewise, ""
} Told;

static inline void
told_cb (const char *path, const GError *error, void *data)
{
  Told *told = data;

  if (error != NULL)
    g_test_message ("%s: %s", path, error->message);
  told->n_told++;
  told->code = error != NULL ? error->code : -1;
  g_strlcpy (told->message, error != NULL ? error->message : "", sizeof told->message);
}

static inline void
wait_until_told (const Told *told)
{
  const int64_t end = g_get_monotonic_time () + TOLD_TIMEOUT_US;

  while (told->n_told == 0 && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_cmpint (told->n_told, ==, 1);
}
