// SPDX-License-Identifier: MIT
#include "engine/gl/platform/headless.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "engine/gl/platform/caps.h"
#include "engine/gl/platform/library.h"

#define MOST_DEVICES 16

struct _OdlGlHeadless {
  EGLDisplay display; // shared by the process, never terminated
  EGLContext context;
  const char *wanted; // the GPU to look for; NULL: any
  OdlGlCaps caps;
};

// One way to ask for a context.
typedef struct {
  OdlGlApi api;
  EGLenum egl_api;
  EGLint renderable;
  EGLint attributes[7];
} ContextKind;

// Some drivers return exactly the requested version, so the version with compute shaders
// comes first.
static const ContextKind kinds[] = {
  { ODL_GL_API_DESKTOP,
    EGL_OPENGL_API,
    EGL_OPENGL_BIT,
    { EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3,
      EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE } },
  { ODL_GL_API_DESKTOP,
    EGL_OPENGL_API,
    EGL_OPENGL_BIT,
    { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
      EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE } },
  { ODL_GL_API_ES,
    EGL_OPENGL_ES_API,
    EGL_OPENGL_ES3_BIT,
    { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE } },
  { ODL_GL_API_ES,
    EGL_OPENGL_ES_API,
    EGL_OPENGL_ES3_BIT,
    { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE } },
};

// Sets the error of a refusal, with EGL's reason.
static bool
refuse (const char *step)
{
  odl_debug (ODL_DEBUG_SHADERS, "headless: %s: EGL error 0x%x", step,
             (unsigned) eglGetError ());
  return false;
}

// A context of one kind on a display, made current; false if there is none.
static bool
try_kind (OdlGlHeadless *headless, EGLDisplay display, const ContextKind *kind)
{
  const EGLint wanted[]
      = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, kind->renderable, EGL_NONE };
  EGLConfig config = EGL_NO_CONFIG_KHR;
  EGLint n = 0;

  if (!eglBindAPI (kind->egl_api))
    return refuse ("eglBindAPI");
  if (!eglChooseConfig (display, wanted, &config, 1, &n) || n < 1)
    config = EGL_NO_CONFIG_KHR;
  if (config == EGL_NO_CONFIG_KHR
      && !epoxy_has_egl_extension (display, "EGL_KHR_no_config_context"))
    return refuse ("eglChooseConfig");

  EGLContext context
      = eglCreateContext (display, config, EGL_NO_CONTEXT, kind->attributes);
  if (context == EGL_NO_CONTEXT)
    return refuse ("eglCreateContext");
  if (!eglMakeCurrent (display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    refuse ("eglMakeCurrent");
    eglDestroyContext (display, context);
    return false;
  }
  headless->display = display;
  headless->context = context;
  return true;
}

static void
drop_context (OdlGlHeadless *headless)
{
  if (headless->context == EGL_NO_CONTEXT)
    return;
  eglMakeCurrent (headless->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext (headless->display, headless->context);
  headless->context = EGL_NO_CONTEXT;
}

void
odl_gl_headless_make_current (OdlGlHeadless *headless)
{
  eglMakeCurrent (headless->display, EGL_NO_SURFACE, EGL_NO_SURFACE, headless->context);
}

static bool
is_wanted (const OdlGlHeadless *headless)
{
  if (headless->wanted == NULL || *headless->wanted == '\0')
    return true;
  const size_t length = strcspn (headless->wanted, ";");
  return strncmp (headless->wanted, headless->caps.gpu, length) == 0
         && headless->caps.gpu[length] == ';';
}

// The best context of a display that meets the minimum version, made current.
static bool
try_display (OdlGlHeadless *headless, EGLDisplay display, OdlGlApi api, GError **error)
{
  if (display == EGL_NO_DISPLAY || !eglInitialize (display, NULL, NULL))
    return refuse ("eglInitialize");
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if ((api != ODL_GL_API_ANY && api != kinds[i].api)
        || !odl_gl_library_exists (kinds[i].api))
      continue;
    if (!try_kind (headless, display, &kinds[i]))
      continue;
    g_clear_error (error);
    if (odl_gl_caps_init (&headless->caps, error)) {
      if (is_wanted (headless))
        return true;
      g_set_error_literal (
          error, ODL_ERROR, ODL_ERROR_GPU,
          _ ("the graphics card that draws the window cannot be used apart from it"));
    }
    drop_context (headless);
  }
  return false;
}

static bool
try_devices (OdlGlHeadless *headless, OdlGlApi api, GError **error)
{
  EGLDeviceEXT devices[MOST_DEVICES];
  EGLint n = 0;

  if (!epoxy_has_egl_extension (EGL_NO_DISPLAY, "EGL_EXT_platform_device")
      || !epoxy_has_egl_extension (EGL_NO_DISPLAY, "EGL_EXT_device_enumeration")
      || !eglQueryDevicesEXT (MOST_DEVICES, devices, &n))
    return refuse ("eglQueryDevicesEXT");
  for (EGLint i = 0; i < n; i++)
    if (try_display (headless,
                     eglGetPlatformDisplayEXT (EGL_PLATFORM_DEVICE_EXT, devices[i], NULL),
                     api, error))
      return true;
  return false;
}

// eglGetPlatformDisplay would abort inside libepoxy before a display exists; the EXT form
// belongs to client extensions, which can be asked for.
static bool
try_surfaceless (OdlGlHeadless *headless, OdlGlApi api, GError **error)
{
  if (!epoxy_has_egl_extension (EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    return false;
  return try_display (
      headless,
      eglGetPlatformDisplayEXT (EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL),
      api, error);
}

static OdlGlHeadless *
look_for (OdlGlApi api, const char *gpu, GError **error)
{
  g_autofree OdlGlHeadless *headless = g_new0 (OdlGlHeadless, 1);
  g_autoptr (GError) reason = NULL;

  headless->wanted = gpu;
  if (epoxy_has_egl ()
      && epoxy_has_egl_extension (EGL_NO_DISPLAY, "EGL_EXT_platform_base")
      && (try_devices (headless, api, &reason)
          || try_surfaceless (headless, api, &reason))) {
    headless->wanted = NULL;
    odl_debug (ODL_DEBUG_SHADERS, "headless: %s", headless->caps.renderer);
    return g_steal_pointer (&headless);
  }
  if (reason != NULL)
    g_propagate_error (error, g_steal_pointer (&reason));
  else if (!odl_gl_library_exists (ODL_GL_API_DESKTOP)
           && !odl_gl_library_exists (ODL_GL_API_ES))
    g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
                 _ ("the OpenGL library is missing (libGL.so.1, libOpenGL.so.0 or "
                    "libGLESv2.so.2); install it or choose the CPU engine"));
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
                 _ ("no OpenGL without a display: EGL offers neither a device nor a "
                    "surfaceless context; install a graphics driver or choose the CPU "
                    "engine"));
  return NULL;
}

OdlGlHeadless *
odl_gl_headless_new_for (OdlGlApi api, GError **error)
{
  return look_for (api, NULL, error);
}

OdlGlHeadless *
odl_gl_headless_new_on (const char *gpu, GError **error)
{
  return look_for (ODL_GL_API_ANY, gpu, error);
}

OdlGlHeadless *
odl_gl_headless_new (GError **error)
{
  return odl_gl_headless_new_for (ODL_GL_API_ANY, error);
}

void
odl_gl_headless_free (OdlGlHeadless *headless)
{
  if (headless == NULL)
    return;
  drop_context (headless);
  g_free (headless);
}

const char *
odl_gl_headless_renderer (const OdlGlHeadless *headless)
{
  return headless->caps.renderer;
}

const char *
odl_gl_headless_gpu (const OdlGlHeadless *headless)
{
  return headless->caps.gpu;
}

gboolean
odl_gl_headless_is_software (const OdlGlHeadless *headless)
{
  return headless->caps.is_software;
}

void
odl_gl_headless_finish (OdlGlHeadless *headless)
{
  g_return_if_fail (headless != NULL);
  glFinish ();
}
