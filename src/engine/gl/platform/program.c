// SPDX-License-Identifier: MIT
#include "engine/gl/platform/program.h"

#include <gio/gio.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/error.h"
#include "filter/own/own.h"

#define RESOURCES "/org/ondelette/shaders/"
#define INCLUDE "#include \""
#define STEP "#define STEP "
#define CODE "CODE" // of the user's own, as a file

// Once so much time is over, what is still to be taken over waits for the next call.
#define GO_ON_NS 4000000

struct _OdlGlPrograms {
  const OdlGlCaps *caps;
  size_t *linked;
  GPtrArray *all; // OdlGlProgram, owned
  bool begins; // see odl_gl_programs_begin
  guint n_begun; // how often
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
// OPAQUE (n) is n, which Mesa does not know on software rasterisers: it neither unrolls a
// loop of so many rounds nor guesses their number by an array that the loop indexes. What
// cards like best, the same text for one sample after the other, such rasterisers compile
// for a minute.
static const char loops[] = "#define IN_LOOPS\n"
                            "#define OPAQUE(n) ((n) + (size.x >> 30))\n";
static const char no_loops[] = "#define OPAQUE(n) (n)\n";
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

// The code of the user's own that `defines` name; NULL: none.
static const OdlOwnCode *
own_code (const char *defines)
{
  const char *named = strstr (defines, ODL_GL_OWN_CODE);

  if (named == NULL)
    return NULL;
  g_autofree char *hash
      = g_strndup (named + strlen (ODL_GL_OWN_CODE), ODL_OWN_HASH_LENGTH);
  return odl_own_code_find (NULL, hash);
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
  if (strcmp (file, CODE) == 0) {
    g_string_append (text, own_code (defines)->text);
    g_string_append_c (text, '\n');
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
  g_string_append (text, programs->caps->is_software ? loops : no_loops);
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

// The first line of the compiler's log that tells of an error: NVIDIA's begins with a
// heading.
static const char *
line_of_error (char **lines)
{
  for (int i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], "error") != NULL)
      return lines[i];
  return lines[0] != NULL && *lines[0] != '\0' ? lines[0] : _ ("no reason given");
}

// For a message; of code of the user's own the first line that is about it.
static void
set_shader_error (GError **error,
                  const OdlGlProgram *program,
                  const char *file,
                  const char *log)
{
  const OdlOwnCode *code = own_code (program->defines);
  g_autofree char *explained = code != NULL ? odl_own_explain (code, log) : NULL;
  g_auto (GStrv) lines = g_strsplit (log, "\n", -1);

  if (explained != NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_GPU, explained);
    return;
  }
  g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
               _ ("the graphics driver did not accept the shader “%s”: %s"), file,
               line_of_error (lines));
}

#define STAGES 2 // shaders of a program, at most

// The files of a program's shaders; NULL: there is but one.
static void
files_of (const OdlGlProgram *program, const char *files[STAGES])
{
  const OdlGlPass *pass = program->pass;

  files[0] = pass->compute != NULL  ? pass->compute
             : pass->vertex != NULL ? pass->vertex
             : program->lines       ? "wavelet/lines.vert"
                                    : "quad.vert";
  files[1] = pass->compute != NULL ? NULL : pass->fragment;
}

// Whether a shader of the program did not compile, which is then said.
static bool
is_refused (const OdlGlPrograms *programs,
            const OdlGlProgram *program,
            GLuint shader,
            const char *file,
            GError **error)
{
  GLint compiled = GL_FALSE;
  char log[2048] = "";

  glGetShaderiv (shader, GL_COMPILE_STATUS, &compiled);
  if (compiled)
    return false;
  g_autofree char *text = shader_text (programs, program->pass, program->defines, file);
  glGetShaderInfoLog (shader, sizeof log, NULL, log);
  print_numbered (file, text, log);
  set_shader_error (error, program, file, log);
  return true;
}

// Says why a program was not linked.
static void
set_link_error (const OdlGlPrograms *programs,
                const OdlGlProgram *program,
                GError **error)
{
  const char *files[STAGES];
  GLuint shaders[STAGES];
  GLsizei n = 0;
  char log[2048] = "";

  files_of (program, files);
  glGetAttachedShaders (program->id, STAGES, &n, shaders);
  for (int i = 0; i < n; i++) {
    GLint type = 0;
    glGetShaderiv (shaders[i], GL_SHADER_TYPE, &type);
    if (is_refused (programs, program, shaders[i], files[type == GL_FRAGMENT_SHADER],
                    error))
      return;
  }
  glGetProgramInfoLog (program->id, sizeof log, NULL, log);
  odl_debug (ODL_DEBUG_SHADERS, "%s: %s", program->pass->name, log);
  set_shader_error (error, program, files[program->pass->compute == NULL], log);
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

static void
begin_shader (const OdlGlPrograms *programs,
              const OdlGlProgram *program,
              const char *file)
{
  g_autofree char *text = shader_text (programs, program->pass, program->defines, file);
  const GLenum type = program->pass->compute != NULL     ? GL_COMPUTE_SHADER
                      : g_str_has_suffix (file, ".vert") ? GL_VERTEX_SHADER
                                                         : GL_FRAGMENT_SHADER;
  const GLuint shader = glCreateShader (type);

  glShaderSource (shader, 1, (const char *const[]){ text }, NULL);
  glCompileShader (shader);
  glAttachShader (program->id, shader);
  glDeleteShader (shader); // lives on as long as it is attached
}

static OdlGlProgram *
begin (OdlGlPrograms *programs, const OdlGlPass *pass, bool lines, const char *defines)
{
  OdlGlProgram *program = g_new0 (OdlGlProgram, 1);
  const char *files[STAGES];

  program->id = glCreateProgram ();
  program->pass = pass;
  program->lines = lines;
  program->is_coming = true;
  program->defines = g_strdup (defines);
  program->present = g_new0 (OdlGlUniforms, 1);
  files_of (program, files);
  for (int i = 0; i < STAGES && files[i] != NULL; i++)
    begin_shader (programs, program, files[i]);
  g_ptr_array_add (programs->all, program);
  return program;
}

// Drivers wait for the shaders here.
static void
link_program (OdlGlProgram *program)
{
  if (!program->is_linking)
    glLinkProgram (program->id);
  program->is_linking = true;
}

// Waits for a program, which is gone if it was refused.
static bool
end (OdlGlPrograms *programs, OdlGlProgram *program, GError **error)
{
  GLint linked = GL_FALSE;

  link_program (program);
  glGetProgramiv (program->id, GL_LINK_STATUS, &linked);
  if (!linked) {
    set_link_error (programs, program, error);
    g_ptr_array_remove (programs->all, program);
    return false;
  }
  program->is_coming = false;
  bind_uniforms (program, program->pass->uniforms, ODL_GL_PASS_UNIFORMS);
  if (program->lines)
    bind_uniforms (program, odl_gl_lines_uniforms, 1);
  bind_samplers (program);
  *programs->linked += 1;
  return true;
}

void
odl_gl_programs_begin (OdlGlPrograms *programs)
{
  programs->begins = true;
  programs->n_begun++;
}

// GL_COMPLETION_STATUS_KHR, which is no wait.
#define COMPLETION_STATUS 0x91B1

static bool
is_compiled (const OdlGlProgram *program)
{
  GLuint shaders[STAGES];
  GLsizei n = 0;
  GLint complete = GL_TRUE;

  glGetAttachedShaders (program->id, STAGES, &n, shaders);
  for (int i = 0; i < n && complete; i++)
    glGetShaderiv (shaders[i], COMPLETION_STATUS, &complete);
  return complete;
}

static bool
is_linked (const OdlGlProgram *program)
{
  GLint complete = GL_TRUE;

  if (program->is_linking)
    glGetProgramiv (program->id, COMPLETION_STATUS, &complete);
  return program->is_linking && complete;
}

// Whether the structure that was begun last waits for it. Those of others, which were
// given up, are linked when they are asked for again.
static bool
is_awaited (const OdlGlPrograms *programs, const OdlGlProgram *program)
{
  return program->is_coming && program->asked == programs->n_begun;
}

static void
link_all (OdlGlPrograms *programs, bool wait)
{
  for (guint i = 0; i < programs->all->len; i++) {
    OdlGlProgram *program = g_ptr_array_index (programs->all, i);
    if (is_awaited (programs, program) && (wait || is_compiled (program)))
      link_program (program);
  }
}

// Of a structure that there will not be.
static void
drop_awaited (OdlGlPrograms *programs)
{
  for (guint i = programs->all->len; i-- > 0;)
    if (is_awaited (programs, g_ptr_array_index (programs->all, i)))
      g_ptr_array_remove_index (programs->all, i);
}

bool
odl_gl_programs_end (OdlGlPrograms *programs, bool wait, GError **error)
{
  const bool all = wait || !programs->caps->compiles_apart;
  const int64_t end_ns = odl_clock_now_ns () + GO_ON_NS;

  programs->begins = false;
  link_all (programs, all);
  for (guint i = 0; i < programs->all->len; i++) {
    OdlGlProgram *program = g_ptr_array_index (programs->all, i);
    if (!is_awaited (programs, program))
      continue;
    if (!all && (odl_clock_now_ns () > end_ns || !is_linked (program)))
      return odl_error_set (error, ODL_ERROR_PENDING,
                            _ ("the graphics driver is still compiling the filters"));
    if (!end (programs, program, error)) {
      drop_awaited (programs);
      return false;
    }
  }
  return true;
}

const OdlGlProgram *
odl_gl_programs_get (OdlGlPrograms *programs,
                     OdlGlPassId id,
                     bool lines,
                     const char *defines,
                     GError **error)
{
  const OdlGlPass *pass = &odl_gl_passes[id];
  OdlGlProgram *program = NULL;

  if (defines == NULL)
    defines = "";
  for (guint i = 0; i < programs->all->len && program == NULL; i++) {
    OdlGlProgram *one = g_ptr_array_index (programs->all, i);
    if (one->pass == pass && one->lines == lines && strcmp (one->defines, defines) == 0)
      program = one;
  }
  if (program == NULL)
    program = begin (programs, pass, lines, defines);
  program->asked = programs->n_begun;
  return !program->is_coming || programs->begins || end (programs, program, error)
             ? program
             : NULL;
}
