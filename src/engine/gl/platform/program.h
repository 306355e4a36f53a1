// SPDX-License-Identifier: MIT
// Programs: shader text from the resources, compiled when first asked for, then kept.
#pragma once

#include "engine/gl/platform/caps.h"
#include "engine/gl/platform/pass.h"

typedef struct {
  const OdlGlUniform *uniform;
  int location;
  int count; // elements that the linked program uses
} OdlGlBoundUniform;

struct _OdlGlProgram {
  GLuint id;
  const OdlGlPass *pass;
  bool lines; // lines.vert instead of quad.vert
  bool is_coming; // begun: neither checked nor bound
  bool is_linking; // its shaders are compiled
  guint asked; // the last beginning that it belongs to
  char *defines;
  int n_uniforms;
  OdlGlBoundUniform uniforms[ODL_GL_PASS_UNIFORMS + 1];
  OdlGlUniforms *present; // the values that GL has; zeros at first
};

typedef struct _OdlGlPrograms OdlGlPrograms;

// Whether shaders/ has such a file. Any thread.
bool odl_gl_has_shader (const char *file);

// `linked` counts programs that were linked; `caps` and `linked` must outlive the result.
OdlGlPrograms *odl_gl_programs_new (const OdlGlCaps *caps, size_t *linked);
void odl_gl_programs_free (OdlGlPrograms *programs); // GL current

// In defines, before the hash of code of the user's own (filter/own/own.h), which
// “#include "CODE"” then means.
#define ODL_GL_OWN_CODE "#define CODE own_"

// The program of a pass with some more lines of #define (may be NULL). The line
// “#define STEP name” also says which file “#include "spatial/STEP.glsl"” means. Owned by
// `programs`. ODL_ERROR_GPU with the compiler's first words when a shader does not
// compile; all of them, with numbered lines, under ODL_DEBUG=shaders. GL current; cheap
// when it exists already.
const OdlGlProgram *odl_gl_programs_get (OdlGlPrograms *programs,
                                         OdlGlPassId pass,
                                         bool lines,
                                         const char *defines,
                                         GError **error);

// Between both calls odl_gl_programs_get begins programs, which the driver compiles at
// the same time, and returns them before they can be used: whether they compile is seen
// at the end. Without `wait` that is ODL_ERROR_PENDING while there is work to do, and is
// then to be called again: it does not wait for shaders, and takes over one program after
// the other, which a driver may keep the thread for. GL current.
void odl_gl_programs_begin (OdlGlPrograms *programs);
bool odl_gl_programs_end (OdlGlPrograms *programs, bool wait, GError **error);

// For tests: programs linked from now on use `text` for `file`; `file` NULL ends it. Both
// must stay valid.
void odl_gl_programs_inject (OdlGlPrograms *programs, const char *file, const char *text);

// For tests: the programs linked so far.
size_t odl_gl_programs_count (const OdlGlPrograms *programs);
const OdlGlProgram *odl_gl_programs_at (const OdlGlPrograms *programs, size_t index);
