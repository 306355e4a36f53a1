// SPDX-License-Identifier: MIT
#include "engine/gl/platform/program.h"

#include <gio/gio.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"

#define RESOURCES "/org/ondelette/shaders/"
#define INCLUDE "#include \""
#define STEP "#define STEP "

struct _OdlGlPrograms {
  const OdlGlCaps *caps;
  size_t *linked;
  GPtrArray *all; // OdlGlProgram, owned
  const char *injected_file;
  const char *injected_text;
};

static const char desktop_preamble[] = "#version 330 core\n";
static const char es_preamble[] = "precision highp float;\n"
                                  "precision highp int;\n"
                                  "precision highp sampler2D;\n";
static const char desktop_gather_preamble[] = "#version 400 core\n";
static const char es_gather_version[] = "#version 310 es\n";
static const char es_version[] = "#version 300 es\n";
static const char desktop_compute_preamble[] = "#version 430 core\n";
static const char es_compute_preamble[] = "#version 310 es\n";
static const char subgroup_preamble[]
    = "#extension GL_KHR_shader_subgroup_basic : require\n"
      "#extension GL_KHR_shader_subgroup_shuffle_relative : require\n"
      "#define SUBGROUPS\n";
static const char ballots_preamble[]
    = "#extension GL_KHR_shader_subgroup_basic : require\n"
      "#extension GL_KHR_shader_subgroup_ballot : require\n"
      "#define SUBGROUP_BALLOTS\n";
static const char es_precisions[] = "precision highp float;\n"
                                    "precision highp int;\n";

static void
program_free (void *data)
{
  OdlGlProgram *program = data;

  glDeleteProgram (program->id);
  g_free (program->defines);
  g_free (program->present);
  g_free (program);
}

OdlGlPrograms *
odl_gl_programs_new (const OdlGlCaps *caps, size_t *linked)
{
  OdlGlPrograms *programs = g_new0 (OdlGlPrograms, 1);

  programs->caps = caps;
  programs->linked = linked;
  programs->all = g_ptr_array_new_with_free_func (program_free);
  return programs;
}

void
odl_gl_programs_free (OdlGlPrograms *programs)
{
  if (programs == NULL)
    return;
  g_ptr_array_unref (programs->all);
  g_free (programs);
}

void
odl_gl_programs_inject (OdlGlPrograms *programs, const char *file, const char *text)
{
  programs->injected_file = file;
  programs->injected_text = text;
}

size_t
odl_gl_programs_count (const OdlGlPrograms *programs)
{
  return programs->all->len;
}

const OdlGlProgram *
odl_gl_programs_at (const OdlGlPrograms *programs, size_t index)
{
  return g_ptr_array_index (programs->all, index);
}

bool
odl_gl_has_shader (const char *file)
{
  g_autofree char *path = g_strconcat (RESOURCES, file, NULL);

  return g_resources_get_info (path, 0, NULL, NULL, NULL);
}

// The file that an #include line names, with STEP replaced by its value in `defines`.
static char *
included_file (const char *line, const char *defines)
{
  g_autofree char *name = g_strdup (line + strlen (INCLUDE));
  const char *step = strstr (defines, STEP);

  *strchrnul (name, '"') = '\0';
  if (step == NULL || strstr (name, "STEP") == NULL)
    return g_steal_pointer (&name);

  g_autofree char *step_name = g_strdup (step + strlen (STEP));
  *strchrnul (step_name, '\n') = '\0';
  g_auto (GStrv) pieces = g_strsplit (name, "STEP", 2);
  return g_strjoinv (step_name, pieces);
}

// Appends a resource file with its #include lines expanded. Resources are part of the
// program, so a missing one is a programming error.
static void
append_file (const OdlGlPrograms *programs,
             GString *text,
             const char *defines,
             const char *file)
{
  if (programs->injected_file != NULL && strcmp (file, programs->injected_file) == 0) {
    g_string_append (text, programs->injected_text);
    return;
  }

  g_autofree char *path = g_strconcat (RESOURCES, file, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  if (bytes == NULL)
    g_error ("shader %s is not in the resources", path);

  // Resources end with a zero byte that does not count.
  g_auto (GStrv) lines = g_strsplit (g_bytes_get_data (bytes, NULL), "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    if (g_str_has_prefix (*line, INCLUDE)) {
      g_autofree char *name = included_file (*line, defines);
      append_file (programs, text, defines, name);
    } else {
      g_string_append (text, *line);
      g_string_append_c (text, '\n');
    }
  }
}

static void
append_preamble (GString *text,
                 const OdlGlCaps *caps,
                 const OdlGlPass *pass,
                 const char *defines)
{
  if (pass->compute == NULL) {
    const bool gather = strstr (defines, "#define GATHER\n") != NULL;
    if (caps->is_es)
      g_string_append (text, gather ? es_gather_version : es_version);
    g_string_append (text, caps->is_es ? es_preamble
                           : gather    ? desktop_gather_preamble
                                       : desktop_preamble);
    return;
  }
  g_string_append (text, caps->is_es ? es_compute_preamble : desktop_compute_preamble);
  if (caps->subgroups)
    g_string_append (text, subgroup_preamble);
  if (caps->subgroup_ballots)
    g_string_append (text, ballots_preamble);
  if (caps->is_es)
    g_string_append (text, es_precisions);
}

static char *
shader_text (const OdlGlPrograms *programs,
             const OdlGlPass *pass,
             const char *defines,
             const char *file)
{
  GString *text = g_string_new (NULL);

  append_preamble (text, programs->caps, pass, defines);
  if (pass->defines != NULL)
    g_string_append (text, pass->defines);
  g_string_append (text, defines);
  append_file (programs, text, defines, file);
  return g_string_free (text, FALSE);
}

static void
print_numbered (const char *file, const char *text, const char *log)
{
  if (!odl_debug_wants (ODL_DEBUG_SHADERS))
    return;

  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    odl_debug (ODL_DEBUG_SHADERS, "%s:%d: %s", file, i + 1, lines[i]);
  odl_debug (ODL_DEBUG_SHADERS, "%s", log);
}

// The first line of the compiler's log, for a message.
static void
set_shader_error (GError **error, const char *file, const char *log)
{
  g_auto (GStrv) lines = g_strsplit (log, "\n", 2);

  g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
               _ ("the graphics driver did not accept the shader “%s”: %s"), file,
               lines[0] != NULL && *lines[0] != '\0' ? lines[0] : _ ("no reason given"));
}

static bool
attach_shader (const OdlGlPrograms *programs,
               const OdlGlPass *pass,
               const char *defines,
               const char *file,
               GLuint program,
               GError **error)
{
  g_autofree char *text = shader_text (programs, pass, defines, file);
  const GLenum type = pass->compute != NULL              ? GL_COMPUTE_SHADER
                      : g_str_has_suffix (file, ".vert") ? GL_VERTEX_SHADER
                                                         : GL_FRAGMENT_SHADER;
  GLuint shader = glCreateShader (type);
  GLint compiled = GL_FALSE;

  glShaderSource (shader, 1, (const char *const[]){ text }, NULL);
  glCompileShader (shader);
  glGetShaderiv (shader, GL_COMPILE_STATUS, &compiled);
  if (compiled) {
    glAttachShader (program, shader);
  } else {
    char log[2048] = "";
    glGetShaderInfoLog (shader, sizeof log, NULL, log);
    print_numbered (file, text, log);
    set_shader_error (error, file, log);
  }
  glDeleteShader (shader); // lives on as long as it is attached
  return compiled;
}

static bool
link_program (GLuint program, const OdlGlPass *pass, GError **error)
{
  GLint linked = GL_FALSE;

  glLinkProgram (program);
  glGetProgramiv (program, GL_LINK_STATUS, &linked);
  if (!linked) {
    char log[2048] = "";
    glGetProgramInfoLog (program, sizeof log, NULL, log);
    odl_debug (ODL_DEBUG_SHADERS, "%s: %s", pass->name, log);
    set_shader_error (error, pass->compute != NULL ? pass->compute : pass->fragment, log);
  }
  return linked;
}

// The number of elements in use of a uniform (1 for no array), 0 when it was optimised
// away.
static int
active_count (GLuint program, const char *name)
{
  g_autofree char *element = g_strconcat (name, "[0]", NULL);
  const char *names[] = { name, element };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    GLuint index = GL_INVALID_INDEX;
    GLint count = 0;
    glGetUniformIndices (program, 1, &names[i], &index);
    if (index == GL_INVALID_INDEX)
      continue;
    glGetActiveUniformsiv (program, 1, &index, GL_UNIFORM_SIZE, &count);
    return count;
  }
  return 0;
}

static void
bind_uniforms (OdlGlProgram *program, const OdlGlUniform *uniforms, int n)
{
  for (int i = 0; i < n && uniforms[i].name != NULL; i++) {
    const int location = glGetUniformLocation (program->id, uniforms[i].name);
    const int count = active_count (program->id, uniforms[i].name);
    if (location >= 0 && count > 0)
      program->uniforms[program->n_uniforms++] = (OdlGlBoundUniform){
        .uniform = &uniforms[i],
        .location = location,
        .count = MIN (count, uniforms[i].count),
      };
  }
}

static void
bind_samplers (const OdlGlProgram *program)
{
  GLint current = 0;

  glGetIntegerv (GL_CURRENT_PROGRAM, &current);
  glUseProgram (program->id);
  for (int i = 0; i < ODL_GL_PASS_SAMPLERS && program->pass->samplers[i] != NULL; i++)
    glUniform1i (glGetUniformLocation (program->id, program->pass->samplers[i]), i);
  glUseProgram ((GLuint) current);
}

static bool
attach_shaders (const OdlGlPrograms *programs,
                const OdlGlPass *pass,
                bool lines,
                const char *defines,
                GLuint program,
                GError **error)
{
  if (pass->compute != NULL)
    return attach_shader (programs, pass, defines, pass->compute, program, error);
  const char *vertex = lines ? "wavelet/lines.vert" : "quad.vert";
  if (pass->vertex != NULL)
    vertex = pass->vertex;
  return attach_shader (programs, pass, defines, vertex, program, error)
         && attach_shader (programs, pass, defines, pass->fragment, program, error);
}

static OdlGlProgram *
build (OdlGlPrograms *programs,
       const OdlGlPass *pass,
       bool lines,
       const char *defines,
       GError **error)
{
  GLuint id = glCreateProgram ();

  if (!attach_shaders (programs, pass, lines, defines, id, error)
      || !link_program (id, pass, error)) {
    glDeleteProgram (id);
    return NULL;
  }

  OdlGlProgram *program = g_new0 (OdlGlProgram, 1);
  program->id = id;
  program->pass = pass;
  program->lines = lines;
  program->defines = g_strdup (defines);
  program->present = g_new0 (OdlGlUniforms, 1);
  bind_uniforms (program, pass->uniforms, ODL_GL_PASS_UNIFORMS);
  if (lines)
    bind_uniforms (program, odl_gl_lines_uniforms, 1);
  bind_samplers (program);
  return program;
}

const OdlGlProgram *
odl_gl_programs_get (OdlGlPrograms *programs,
                     OdlGlPassId id,
                     bool lines,
                     const char *defines,
                     GError **error)
{
  const OdlGlPass *pass = &odl_gl_passes[id];

  if (defines == NULL)
    defines = "";
  for (guint i = 0; i < programs->all->len; i++) {
    OdlGlProgram *program = g_ptr_array_index (programs->all, i);
    if (program->pass == pass && program->lines == lines
        && strcmp (program->defines, defines) == 0)
      return program;
  }

  OdlGlProgram *program = build (programs, pass, lines, defines, error);
  if (program == NULL)
    return NULL;
  g_ptr_array_add (programs->all, program);
  *programs->linked += 1;
  return program;
}
