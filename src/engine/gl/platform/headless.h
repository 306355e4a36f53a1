// SPDX-License-Identifier: MIT
// An OpenGL context without a display, through EGL: for the command line, tests and
// benchmarks.
#pragma once

#include <glib.h>

#include "base/error.h"
#include "image/pool.h"

typedef struct _OdlGlHeadless OdlGlHeadless;

// Makes a context (desktop GL 3.3 core or later, else GLES 3.0 or later with float render
// targets) current on this thread: device platform, then surfaceless. ODL_ERROR_GPU with
// a sentence otherwise.
OdlGlHeadless *odl_gl_headless_new (GError **error);

// The same for one API only: tests run in both.
typedef enum {
  ODL_GL_API_ANY,
  ODL_GL_API_DESKTOP,
  ODL_GL_API_ES,
} OdlGlApi;
OdlGlHeadless *odl_gl_headless_new_for (OdlGlApi api, GError **error);

// The same for one GPU only, told by odl_gl_canvas_gpu or odl_gl_headless_gpu (the
// version of GL may differ); NULL and "": any.
OdlGlHeadless *odl_gl_headless_new_on (const char *gpu, GError **error);

void odl_gl_headless_free (OdlGlHeadless *headless);

// Where a thread has several contexts.
void odl_gl_headless_make_current (OdlGlHeadless *headless);

// "NVIDIA H200, OpenGL 4.6" and whether it renders in software.
const char *odl_gl_headless_renderer (const OdlGlHeadless *headless);
const char *odl_gl_headless_gpu (const OdlGlHeadless *headless);
gboolean odl_gl_headless_is_software (const OdlGlHeadless *headless);

// Waits until all work of the context is done: for measurements.
void odl_gl_headless_finish (OdlGlHeadless *headless);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlGlHeadless, odl_gl_headless_free)
