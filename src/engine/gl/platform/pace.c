// SPDX-License-Identifier: MIT
#include "engine/gl/platform/pace.h"

#include <glib/gi18n-lib.h>

#define PATIENCE_NS 20000000

bool
odl_gl_pace_keep (OdlGlPace *pace, guint k, guint n, GError **error)
{
  GLsync *fence = &pace->fences[k % ODL_GL_COMMANDS_AHEAD];

  if (pace->progress == NULL)
    return true;
  while (*fence != NULL && !odl_progress_stopped (pace->progress)
         && glClientWaitSync (*fence, GL_SYNC_FLUSH_COMMANDS_BIT, PATIENCE_NS)
                == GL_TIMEOUT_EXPIRED)
    continue;
  glDeleteSync (*fence); // may be NULL
  *fence = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (odl_progress_tell (pace->progress, (double) k / n))
    return true;
  return odl_error_set (error, ODL_ERROR_CANCELLED,
                        _ ("filtering was given up before it was done"));
}

void
odl_gl_pace_end (OdlGlPace *pace)
{
  for (int i = 0; i < ODL_GL_COMMANDS_AHEAD; i++)
    glDeleteSync (pace->fences[i]);
}
