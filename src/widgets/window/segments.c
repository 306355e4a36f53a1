// SPDX-License-Identifier: MIT
// What segmentations and structure sets outline in the picture: looked for beside a DICOM
// picture when it has been shown for a moment, drawn on its slices and on the planes of
// its volume, each segment switched on and off in the menu of grey levels.
#include <glib/gi18n-lib.h>

#include "session/browse/segments.h"
#include "widgets/viewport/outlines.h"
#include "widgets/window/parts.h"

#define REST_MS 400

typedef struct {
  const OdlWindowParts *parts;
  guint64 serial; // of the source that they are of
  GPtrArray *list; // OdlSegments; NULL: none
  GArray *hidden; // uint8_t: 1 for each segment of all of them that is not drawn
  GCancellable *search; // NULL: none is under way
  guint rest;
} Segments;

#define NAME "segments-beside"

static void
forget (Segments *self)
{
  g_clear_handle_id (&self->rest, g_source_remove);
  if (self->search)
    g_cancellable_cancel (self->search);
  g_clear_object (&self->search);
  g_clear_pointer (&self->list, g_ptr_array_unref);
  g_array_set_size (self->hidden, 0);
}

static void
segments_free (void *data)
{
  Segments *self = data;
  forget (self);
  g_array_unref (self->hidden);
  g_free (self);
}

static Segments *
segments_of (const OdlWindowParts *parts)
{
  return g_object_get_data (G_OBJECT (parts->window), NAME);
}

// ---- drawing -------------------------------------------------------------------------

// On the picture, or, of ODL_N_PLANES, on one of the planes beside each other.
static void
draw_on (Segments *self, const OdlFrame *frame, OdlPlaneKind kind, OdlOutlines *outlines)
{
  OdlSession *session = self->parts->session;
  OdlSegmentsPlane plane;
  OdlPoint shift = { 0, 0 };
  if (!odl_session_segments_plane (session, frame, kind, &plane))
    return;
  if (kind < ODL_N_PLANES) {
    const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
    shift = (OdlPoint){ planes.planes[kind].x, planes.planes[kind].y };
  }
  guint first = 0;
  for (guint i = 0; i < self->list->len; i++) {
    const OdlSegments *segments = self->list->pdata[i];
    odl_segments_draw (segments, &plane, &g_array_index (self->hidden, uint8_t, first),
                       shift, outlines);
    first += (guint) odl_segments_count (segments);
  }
}

static void
update (Segments *self)
{
  const OdlFrame *frame = odl_session_frame (self->parts->session);
  g_autoptr (OdlOutlines) outlines = odl_outlines_new ();
  if (frame && self->list && self->hidden->len > 0 && !frame->renders) {
    if (frame->planes)
      for (int kind = 0; kind < ODL_N_PLANES; kind++)
        draw_on (self, frame, (OdlPlaneKind) kind, outlines);
    else
      draw_on (self, frame, ODL_N_PLANES, outlines);
  }
  odl_viewport_set_outlines (self->parts->viewport, frame,
                             odl_outlines_is_empty (outlines) ? NULL : outlines);
}

// ---- looking for them ----------------------------------------------------------------

// The window may have gone meanwhile, and another picture may have come.
static void
found_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlMainWindow) window = data;
  g_autofree char *refused = NULL;
  g_autoptr (GPtrArray) list = odl_segments_list_finish (result, &refused);
  Segments *self = g_object_get_data (G_OBJECT (window), NAME);
  if (!self || g_task_get_cancellable (G_TASK (result)) != self->search
      || odl_window_is_closed (self->parts))
    return;
  g_clear_object (&self->search);
  if (refused)
    odl_messages_say (self->parts->messages, refused);
  if (!list || list->len == 0)
    return;
  guint n = 0;
  for (guint i = 0; i < list->len; i++)
    n += (guint) odl_segments_count (list->pdata[i]);
  self->list = g_steal_pointer (&list);
  g_array_set_size (self->hidden, n);
  update (self);
  odl_window_update_presets (self->parts);
}

static gboolean
rest_cb (void *data)
{
  Segments *self = data;
  OdlSession *session = self->parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  OdlSegmentsPlane plane;
  self->rest = 0;
  if (!frame || !odl_session_file (session)
      || !odl_session_segments_plane (session, frame, ODL_N_PLANES, &plane))
    return G_SOURCE_REMOVE;
  self->search = g_cancellable_new ();
  odl_segments_list (odl_session_file (session), &plane, self->search, found_cb,
                     g_object_ref (self->parts->window));
  return G_SOURCE_REMOVE;
}

static void
frame_cb (Segments *self)
{
  OdlSession *session = self->parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  if (!frame)
    return;
  if (frame->source_serial == self->serial) {
    if (self->list)
      update (self);
    return;
  }
  const bool had = self->list != NULL;
  forget (self);
  self->serial = frame->source_serial;
  update (self);
  if (had)
    odl_window_update_presets (self->parts);
  if (odl_session_detail (session, "sop-instance"))
    self->rest = g_timeout_add (REST_MS, rest_cb, self);
}

// ---- the menu ------------------------------------------------------------------------

void
odl_window_append_segments (const OdlWindowParts *parts, GMenu *menu)
{
  const Segments *self = segments_of (parts);
  guint index = 0;
  for (guint i = 0; self && self->list && i < self->list->len; i++) {
    const OdlSegments *segments = self->list->pdata[i];
    for (int k = 0; k < odl_segments_count (segments); k++, index++) {
      const bool hidden = g_array_index (self->hidden, uint8_t, index);
      const char *own = odl_segments_name (segments, k);
      g_autofree char *name = *own && !odl_viewport_masks_names (parts->viewport)
                                  ? g_strdup (own)
                                  : g_strdup_printf ("%u", index + 1);
      g_auto (GStrv) words = g_strsplit (name, "_", -1);
      g_autofree char *plain = g_strjoinv ("__", words);
      g_autofree char *action = g_strdup_printf ("win.segment(%u)", index);
      g_autofree char *label = hidden ? g_strdup_printf (_ ("Show Segment: %s"), plain)
                                      // Translators: an entry of a menu: a part of the
                                      // body that somebody outlined.
                                      : g_strdup_printf (_ ("Hide Segment: %s"), plain);
      g_menu_append (menu, label, action);
    }
  }
}

static void
segment_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  Segments *self = segments_of (parts);
  const int index = g_variant_get_int32 (parameter);
  if (!self->list || index < 0 || index >= (int) self->hidden->len)
    return;
  uint8_t *hidden = &g_array_index (self->hidden, uint8_t, index);
  *hidden = !*hidden;
  update (self);
  odl_window_update_presets (parts);
}

// ---- life ----------------------------------------------------------------------------

void
odl_window_add_segments (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[]
      = { { "segment", G_CALLBACK (segment_cb), "i", NULL } };
  Segments *self = g_new0 (Segments, 1);
  self->parts = parts;
  self->hidden = g_array_new (FALSE, TRUE, sizeof (uint8_t));
  odl_window_own (parts, NAME, self, segments_free);
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
  odl_window_connect (parts, parts->session, "frame-ready", G_CALLBACK (frame_cb), self);
}
