// SPDX-License-Identifier: MIT
#include "engine/gl/compute_relay.h"

#include "config.h"
#include <glib/gi18n-lib.h>

static bool
can_join (const OdlGlDispatch *dispatch)
{
  static const OdlGlPassId passes[]
      = { ODL_GL_PASS_COMPUTE_FORWARD, ODL_GL_PASS_COMPUTE_INVERSE,
          ODL_GL_PASS_COMPUTE_FORWARD_TWO, ODL_GL_PASS_COMPUTE_INVERSE_TWO,
          ODL_GL_PASS_COMPUTE_COARSE };

  for (size_t i = 0; dispatch->program != NULL && i < G_N_ELEMENTS (passes); i++)
    if (dispatch->program->pass == &odl_gl_passes[passes[i]])
      return true;
  return false;
}

bool
odl_gl_relay_suits (const GArray *dispatches)
{
  for (guint i = 1; i < dispatches->len; i++)
    if (!can_join (&g_array_index (dispatches, OdlGlDispatch, i)))
      return false;
  return true;
}

bool
odl_gl_relay_ensure (OdlGlRelay *relay, guint n, size_t *created, GError **error)
{
  const GLsizeiptr bytes = (GLsizeiptr) (n * sizeof *relay->counted);

  relay->open = -1;
  if (relay->progress != 0)
    return true;
  relay->counted = g_new0 (guint32, n);
  odl_gl_forget_errors ();
  glGenBuffers (1, &relay->progress);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, relay->progress);
  glBufferData (GL_SHADER_STORAGE_BUFFER, bytes, relay->counted, GL_DYNAMIC_COPY);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, 0);
  *created += 1;
  if (odl_gl_check (_ ("preparing the filter"), error))
    return true;
  odl_gl_relay_clear (relay);
  return false;
}

void
odl_gl_relay_clear (OdlGlRelay *relay)
{
  glDeleteBuffers (1, &relay->progress);
  g_free (relay->counted);
  *relay = (OdlGlRelay){ 0 };
}

bool
odl_gl_relay_join (OdlGlRelay *relay,
                   OdlGlPrograms *programs,
                   const GArray *dispatches,
                   guint index,
                   OdlGlDispatch *dispatch,
                   GError **error)
{
  const OdlGlProgram *plain = dispatch->program;
  g_autofree char *defines = g_strconcat (plain->defines, "#define RELAY\n", NULL);
  const bool waits = relay->open >= 0;

  dispatch->program = odl_gl_programs_get (
      programs, (OdlGlPassId) (plain->pass - odl_gl_passes), false, defines, error);
  if (dispatch->program == NULL)
    return false;
  dispatch->progress = relay->progress;
  dispatch->uniforms.relay[0] = relay->open;
  dispatch->uniforms.relay_wanted = waits ? (int) relay->counted[relay->open] : 0;
  dispatch->uniforms.relay[1] = (int) index;
  relay->counted[index]
      += dispatch->groups[0] * dispatch->groups[1] * dispatch->groups[2];
  dispatch->goes_on = index + 1 < dispatches->len;
  relay->open = dispatch->goes_on ? (int) index : -1;
  return true;
}

void
odl_gl_relay_end (OdlGlRelay *relay, bool ok)
{
  // What was issued of a frame that failed has nothing else behind it.
  if (!ok)
    glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT);
  if (relay->progress == 0)
    return;
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, ODL_GL_RELAY_BINDING, 0);
  if (!ok)
    odl_gl_relay_clear (relay);
}
