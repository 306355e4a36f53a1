// SPDX-License-Identifier: MIT
// Records every frame that a session displays, with its time.
#pragma once

#include <glib/gstdio.h>

#include "session/computing.h"
#include "settle.h"

#define TIMEOUT_US PATIENCE_US

typedef struct Watcher Watcher;

struct Watcher {
  OdlSession *session;
  guint n_seen;
  void (*see) (Watcher *watcher, OdlFrame *frame); // called for each frame; may be NULL
  void *data; // for `see`
};

static inline void
watcher_frame_cb (OdlSession *session, Watcher *watcher)
{
  // On a busy machine the picture as it came may be shown until the result is there.
  if (odl_session_is_computing (session))
    return;
  watcher->n_seen++;
  if (watcher->see != NULL)
    watcher->see (watcher, odl_session_frame (session));
}

static inline void
watcher_failed_cb (OdlSession *session,
                   const char *location,
                   const GError *error,
                   void *data)
{
  g_error ("%s: %s", location, error->message);
}

// Runs the main loop until that many frames were seen or the time is over.
static inline void
run_until (Watcher *watcher, guint frames, int64_t time_us)
{
  const int64_t end = g_get_monotonic_time () + time_us;

  while (watcher->n_seen < frames && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

// Opens `path` and waits for its first frame. `level` is what the simulated canvas
// supports.
static inline void
watch (Watcher *watcher,
       const char *path,
       const char *recipe_text,
       const char *engine,
       OdlGlLevel level)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  if (recipe_text != NULL)
    g_assert_true (odl_recipe_parse (&recipe, recipe_text, NULL));
  watcher->session = odl_session_new ();
  odl_session_set_canvas (watcher->session, level, level > ODL_GL_NONE ? 4096 : 0, false);
  odl_session_set_engine (watcher->session, engine);
  g_signal_connect (watcher->session, "frame-ready", G_CALLBACK (watcher_frame_cb),
                    watcher);
  g_signal_connect (watcher->session, "open-failed", G_CALLBACK (watcher_failed_cb),
                    NULL);
  odl_session_open (watcher->session, path, &recipe);
  run_until (watcher, 1, TIMEOUT_US);
  g_assert_cmpuint (watcher->n_seen, >=, 1);
}

static inline void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *file = g_build_filename (path, name, NULL);
    g_unlink (file);
  }
  g_rmdir (path);
}
