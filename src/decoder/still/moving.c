// SPDX-License-Identifier: MIT
#include "decoder/still/moving.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/orientation.h"

// What browsers take where a file says none.
#define UNSAID_MS 100u
#define NS_PER_MS INT64_C (1000000)

struct _OdlMoving {
  OdlMovingParams params;
  int64_t *times_ns; // n_frames + 1 of them
  uint32_t n_unsaid; // frames without a time
  uint32_t next; // frame that the decoder composes next
};

OdlMoving *
odl_moving_new (const OdlMovingParams *params)
{
  OdlMoving *moving = g_new0 (OdlMoving, 1);
  const GArray *delays = params->delays_ms;

  moving->params = *params;
  moving->next = G_MAXUINT32;
  moving->times_ns = g_new0 (int64_t, delays->len + 1);
  for (guint i = 0; i < delays->len; i++) {
    const uint32_t said = g_array_index (delays, uint32_t, i);
    moving->n_unsaid += said == 0;
    moving->times_ns[i + 1]
        = moving->times_ns[i] + (said > 0 ? said : UNSAID_MS) * NS_PER_MS;
  }
  return moving;
}

void
odl_moving_free (void *data)
{
  OdlMoving *moving = data;

  moving->params.free_state (moving->params.state);
  g_array_unref (moving->params.delays_ms);
  g_free (moving->times_ns);
  g_free (moving);
}

static bool
put (const OdlMovingParams *params,
     const uint8_t *rgba,
     size_t stride,
     OdlPicture *picture,
     GError **error)
{
  const OdlOrientation orientation
      = odl_orientation (params->turn, params->width, params->height);
  const int channels = params->opaque ? 3 : 4;
  const OdlPictureShape shape
      = { orientation.width, orientation.height, channels, ODL_SAMPLE_U8 };
  // A decoder keeps two of them.
  const size_t kept = (size_t) params->width * params->height * 8;
  uint8_t *to = odl_picture_allocate (picture, &shape, kept, error);
  g_autofree uint8_t *row = g_malloc ((size_t) params->width * 4);

  for (uint32_t y = 0; y < params->height && to != NULL; y++) {
    const uint8_t *from = rgba + y * stride;
    for (uint32_t x = 0; x < params->width; x++)
      memcpy (row + x * (size_t) channels, from + x * (size_t) 4, (size_t) channels);
    odl_orientation_put_row (&orientation, row, y, params->width, (size_t) channels, to);
  }
  return to != NULL;
}

static void
describe (const OdlMoving *moving, OdlPicture *picture)
{
  const OdlMovingParams *params = &moving->params;
  const uint32_t n = params->delays_ms->len;
  OdlDecoderReply *reply = &picture->reply;

  reply->n_frames = reply->declared_frames = n;
  reply->frame_rate = n * 1e9 / (double) moving->times_ns[n];
  odl_picture_set_times (picture, moving->times_ns, n + 1);
  picture->timing = g_strdup (_ ("delays of its frames"));
  odl_picture_set_format (picture, _ ("%s, animated"), params->format);
  if (params->turn != 1)
    odl_picture_detail (picture, "orientation", "%d", params->turn);
  if (moving->n_unsaid > 0)
    odl_picture_warn (picture,
                      ngettext ("%u frame says no time and is shown for 0.1 s",
                                "%u frames say no time and are shown for 0.1 s each",
                                moving->n_unsaid),
                      moving->n_unsaid);
  if (params->ends_early)
    odl_picture_warn_first (picture, _ ("it ends too early: %u frames are there"), n);
}

bool
odl_moving_decode (OdlMoving *moving, uint32_t frame, OdlPicture *picture, GError **error)
{
  const OdlMovingParams *params = &moving->params;
  const uint8_t *rgba = NULL;
  size_t stride = 0;

  if (frame >= params->delays_ms->len)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("there is no frame %u; the file holds %u"), frame + 1,
                          params->delays_ms->len);
  describe (moving, picture);
  if (frame < moving->next)
    moving->next = params->restart (params->state) ? 0 : G_MAXUINT32;
  for (; moving->next <= frame; moving->next++) {
    rgba = params->next (params->state, &stride);
    if (rgba == NULL)
      break;
  }
  if (rgba != NULL)
    return put (params, rgba, stride, picture, error);
  moving->next = G_MAXUINT32;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its frame %u, or one that it is made from, is damaged"),
                        frame + 1);
}
