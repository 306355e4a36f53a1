// SPDX-License-Identifier: MIT
#include "engine/gl/platform/caps.h"

#include <epoxy/gl.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/machine.h"

// A lost context reports errors for ever.
#define MOST_PENDING_ERRORS 32

static const char *const software_names[]
    = { "llvmpipe", "softpipe", "swrast", "SWR", "Software Rasterizer", "SwiftShader" };

typedef struct {
  GLenum code;
  const char *text; // translatable
} GlErrorText;

static const GlErrorText error_texts[] = {
  { GL_OUT_OF_MEMORY,
    N_ ("the graphics memory is full; close other programs or choose the CPU engine") },
  { GL_INVALID_ENUM, N_ ("the driver rejected a value (invalid enum)") },
  { GL_INVALID_VALUE, N_ ("the driver rejected a value (invalid value)") },
  { GL_INVALID_OPERATION, N_ ("the driver rejected a call (invalid operation)") },
  { GL_INVALID_FRAMEBUFFER_OPERATION, N_ ("the driver cannot draw into this buffer") },
};

void
odl_gl_forget_errors (void)
{
  for (int i = 0; i < MOST_PENDING_ERRORS && glGetError () != GL_NO_ERROR; i++)
    ;
}

bool
odl_gl_check (const char *what, GError **error)
{
  GLenum code = glGetError ();
  const char *text = N_ ("the driver reported an unknown error");

  if (code == GL_NO_ERROR)
    return true;
  odl_gl_forget_errors ();
  for (size_t i = 0; i < G_N_ELEMENTS (error_texts); i++)
    if (error_texts[i].code == code)
      text = error_texts[i].text;
  // Translators: the first part names what failed, such as “preparing the filter”.
  g_set_error (error, ODL_ERROR,
               code == GL_OUT_OF_MEMORY ? ODL_ERROR_TOO_LARGE : ODL_ERROR_GPU,
               _ ("OpenGL: %s failed: %s"), what, _ (text));
  return false;
}

bool
odl_gl_is_software (void)
{
  const char *name = (const char *) glGetString (GL_RENDERER);

  for (size_t i = 0; name != NULL && i < G_N_ELEMENTS (software_names); i++)
    if (strstr (name, software_names[i]) != NULL)
      return true;
  return false;
}

// Device names carry their bus and API after a slash: only the name is for people.
static void
describe (OdlGlCaps *caps)
{
  const char *name = (const char *) glGetString (GL_RENDERER);
  const char *version = (const char *) glGetString (GL_VERSION);
  g_auto (GStrv) parts = g_strsplit (name != NULL ? name : "?", "/", 2);

  g_snprintf (caps->renderer, sizeof caps->renderer, "%s, %s %d.%d",
              parts[0] != NULL ? parts[0] : "?", caps->is_es ? "OpenGL ES" : "OpenGL",
              caps->version / 10, caps->version % 10);
  g_snprintf (caps->gpu, sizeof caps->gpu, "%s; %s", name != NULL ? name : "?",
              version != NULL ? version : "?");
  caps->is_software = odl_gl_is_software ();
}

#ifndef GL_SUBGROUP_SIZE_KHR
#define GL_SUBGROUP_SIZE_KHR 0x9532
#define GL_SUBGROUP_SUPPORTED_STAGES_KHR 0x9533
#define GL_SUBGROUP_SUPPORTED_FEATURES_KHR 0x9534
#define GL_SUBGROUP_FEATURE_BALLOT_BIT_KHR 0x08
#define GL_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT_KHR 0x20
#endif

// Whether compute shaders have subgroups of 32 invocations with all `wanted` operations.
static bool
has_subgroups (GLint wanted)
{
  GLint size = 0, stages = 0, features = 0;

  if (!epoxy_has_gl_extension ("GL_KHR_shader_subgroup"))
    return false;
  glGetIntegerv (GL_SUBGROUP_SIZE_KHR, &size);
  glGetIntegerv (GL_SUBGROUP_SUPPORTED_STAGES_KHR, &stages);
  glGetIntegerv (GL_SUBGROUP_SUPPORTED_FEATURES_KHR, &features);
  return size == 32 && (stages & GL_COMPUTE_SHADER_BIT) != 0
         && (features & wanted) == wanted;
}

static int
sparse_page (const OdlGlCaps *caps)
{
  GLint bytes = 0;

  if (strstr (caps->renderer, "NVIDIA") != NULL
      && epoxy_has_gl_extension ("GL_ARB_sparse_buffer"))
    glGetIntegerv (GL_SPARSE_BUFFER_PAGE_SIZE_ARB, &bytes);
  return bytes;
}

// Half of the card, and on none more than 16 GB: beyond some 25 GB in sparse buffers an
// H200 leaves buffers empty without an error, and takes seconds to make them before that.
#define MOST_MEMORY 16e9

// A card that is the processor takes of its memory what the CPU engine does.
#define MOST_OF_MEMORY 0.4

static double
memory_of (const OdlGlCaps *caps)
{
  GLint kilobytes = 0;

  if (caps->is_software)
    return MOST_OF_MEMORY * odl_machine_free_memory ("");
  if (!epoxy_has_gl_extension ("GL_NVX_gpu_memory_info"))
    return 0;
  glGetIntegerv (GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX, &kilobytes);
  return MIN (kilobytes * 1024.0 / 2, MOST_MEMORY);
}

static void
look_at_compute (OdlGlCaps *caps)
{
  caps->compute = caps->version >= (caps->is_es ? 31 : 43);
  if (!caps->compute)
    return;
  glGetIntegerv (GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &caps->max_storage);
  glGetIntegerv (GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &caps->max_shared);
  glGetIntegerv (GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &caps->max_group);
  glGetIntegerv (GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &caps->max_buffers);
  caps->subgroups = has_subgroups (GL_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT_KHR);
  caps->subgroup_ballots = has_subgroups (GL_SUBGROUP_FEATURE_BALLOT_BIT_KHR);
  caps->pack_rounds = strstr (caps->renderer, "NVIDIA") != NULL;
  caps->sparse_page = sparse_page (caps);
  caps->memory = memory_of (caps);
}

// The driver compiles programs that are begun together in as many threads as it wants.
static bool
compiles_apart (void)
{
  if (epoxy_has_gl_extension ("GL_KHR_parallel_shader_compile"))
    glMaxShaderCompilerThreadsKHR (G_MAXUINT32);
  else if (epoxy_has_gl_extension ("GL_ARB_parallel_shader_compile"))
    glMaxShaderCompilerThreadsARB (G_MAXUINT32);
  else
    return false;
  return true;
}

bool
odl_gl_caps_init (OdlGlCaps *caps, GError **error)
{
  GLint texture = 0;
  GLint viewport[2] = { 0, 0 };

  *caps = (OdlGlCaps){ .is_es = !epoxy_is_desktop_gl (), .version = epoxy_gl_version () };
  describe (caps);
  if (caps->version < (caps->is_es ? 30 : 33))
    return odl_error_set (error, ODL_ERROR_GPU,
                          _ ("%s is too old: OpenGL 3.3 or OpenGL ES 3.0 is needed"),
                          caps->renderer);

  caps->float_targets
      = !caps->is_es || epoxy_has_gl_extension ("GL_EXT_color_buffer_float");
  if (!caps->float_targets && !epoxy_has_gl_extension ("GL_EXT_color_buffer_half_float"))
    return odl_error_set (error, ODL_ERROR_GPU,
                          _ ("%s cannot draw into textures of floating-point numbers"),
                          caps->renderer);
  caps->timer_queries
      = !caps->is_es || epoxy_has_gl_extension ("GL_EXT_disjoint_timer_query");
  caps->buffer_storage
      = caps->is_es
            ? epoxy_has_gl_extension ("GL_EXT_buffer_storage")
            : caps->version >= 44 || epoxy_has_gl_extension ("GL_ARB_buffer_storage");
  caps->compiles_apart = compiles_apart ();
  caps->gather = caps->version >= (caps->is_es ? 31 : 40);
  look_at_compute (caps);
  glGetIntegerv (GL_MAX_TEXTURE_SIZE, &texture);
  glGetIntegerv (GL_MAX_VIEWPORT_DIMS, viewport);
  caps->max_side = MIN (texture, MIN (viewport[0], viewport[1]));
  return true;
}
