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

// For tests: programs linked from now on use `text` for `file`; `file` NULL ends it. Both
// must stay valid.
void odl_gl_programs_inject (OdlGlPrograms *programs, const char *file, const char *text);

// For tests: the programs linked so far.
size_t odl_gl_programs_count (const OdlGlPrograms *programs);
const OdlGlProgram *odl_gl_programs_at (const OdlGlPrograms *programs, size_t index);
