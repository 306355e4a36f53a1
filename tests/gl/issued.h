// SPDX-License-Identifier: MIT
// What is issued to GL, written down; and a model of a GPU that runs it.
#pragma once

#include <epoxy/gl.h>
#include <glib.h>
#include <stdbool.h>

#define ODL_GL_TEST_MOST_CALLS 256
#define ODL_GL_TEST_BUFFERS 4
#define ODL_GL_TEST_PLACES 32

// A barrier, or a dispatch with what it waits for (engine/gl/compute_relay.h).
typedef struct {
  bool is_barrier, is_copy;
  int waits_at, wanted; // a place and what has to stand there; place −1: none
  int place; // that it counts at; −1: none
  guint32 groups;
  GLint buffers[ODL_GL_TEST_BUFFERS];
} OdlGlTestCall;

typedef struct {
  OdlGlTestCall calls[ODL_GL_TEST_MOST_CALLS];
  int n;
} OdlGlTestLog;

// Everything that is issued from now on is written down in `log`, until it is stopped;
// `with_details`: programs are asked for what dispatches wait for, too. GL current; some
// dispatch was made before.
void odl_gl_test_log_start (OdlGlTestLog *log, bool with_details);
void odl_gl_test_log_stop (void);
int odl_gl_test_log_barriers (const OdlGlTestLog *log);

// Runs the dispatches of `log` on a GPU that starts work groups in their order and
// otherwise does what it likes, which `seed` says. Fails the test when one works beside
// another that it could disturb, or when nothing gets on. `progress`: what stands at each
// of ODL_GL_TEST_PLACES before.
void
odl_gl_test_simulate (const OdlGlTestLog *log, const guint32 *progress, guint32 seed);
