// SPDX-License-Identifier: MIT
// What segmentations and structure sets outline in the picture of each pane: looked for
// beside a DICOM picture when it has been shown for a moment, drawn on its slices and on
// the planes of its volume, each segment switched on and off in the menu of grey levels.
// Beside them reference lines: where the slices of the other panes lie in it.
#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/browse/segments.h"
#include "widgets/viewport/outlines.h"
#include "widgets/window/fusion.h"
#include "widgets/window/parts.h"

#define REST_MS 400
#define MOST_IN_MENU 12

typedef struct {
  OdlFusion *fusion; // NULL: none
  char *location; // of it, or of the one that is being read; NULL: none
  GCancellable *reading; // NULL: none is being read
  OdlFusionLook look;
  guint64 serial; // of the source that it was found to fit
  char *below; // that source's series, else its location; NULL: none yet
} Fusion;

// A slice of another pane in this one's picture, or in one of its planes.
typedef struct {
  OdlPoint line[2];
  guint pane; // of all of them
} Crossing;

struct _OdlPaneSegments {
  OdlPane *pane;
  guint64 serial; // of the source that they are of
  GPtrArray *list; // OdlSegments; NULL: none
  GArray *hidden; // uint8_t: 1 for each segment of all of them that is not drawn
  GCancellable *search; // NULL: none is under way
  char *wanted; // file that was chosen to be drawn alone; NULL: none
  guint rest;
  Fusion fused; // the volume that lies over the picture
  GArray *crossing; // Crossing: the slices of the other panes
};

typedef OdlPaneSegments Segments;

static void update (Segments *self);

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

// Of the active pane.
static Segments *
segments_of (const OdlWindowParts *parts)
{
  const OdlPane *pane = parts->state->active;
  return pane ? pane->segments : NULL;
}

// The one that asked; NULL: its pane or its window has gone, or it wants something else
// now.
static Segments *
find_asking (const OdlWindowParts *parts, GAsyncResult *result)
{
  GCancellable *asked = g_task_get_cancellable (G_TASK (result));
  Segments *found = NULL;
  const GPtrArray *panes = parts->state->panes;
  for (guint i = 0; !odl_window_is_closed (parts) && i < panes->len; i++) {
    Segments *self = ((const OdlPane *) panes->pdata[i])->segments;
    if (self->search == asked || self->fused.reading == asked)
      found = self;
  }
  return found;
}

// ---- another volume in colours --------------------------------------------------------

#define DEFAULT_SHARE 0.5
#define DEFAULT_MAP "hot-iron"

static void
forget_fusion (Fusion *self)
{
  if (self->reading)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_pointer (&self->fusion, odl_fusion_unref);
  g_clear_pointer (&self->location, g_free);
  g_clear_pointer (&self->below, g_free);
  self->look.levels = (OdlFusionLevels){ 0 };
  self->serial = 0;
}

// Whoever laid it over one series has not laid it over the next. Of a series its slices
// and its stack are the same.
static bool
is_over_another (Fusion *self, OdlSession *session)
{
  const char *series = odl_session_detail (session, "series-instance");
  const char *shown = series && *series ? series : odl_session_info (session)->location;
  if (self->below)
    return g_strcmp0 (self->below, shown) != 0;
  self->below = g_strdup (shown);
  return false;
}

// Whether it fits what is shown; what does not is dropped, and why is said. A volume is
// not laid over itself.
static bool
check_fusion (Segments *self)
{
  OdlSession *session = self->pane->session;
  const OdlFrame *frame = odl_session_frame (session);
  Fusion *fused = &self->fused;
  OdlSegmentsPlane plane = { 0 };
  g_autofree char *why = NULL;
  if (!fused->fusion || !frame || frame->source_serial == fused->serial)
    return fused->fusion && frame;
  if (g_strcmp0 (odl_session_info (session)->location, fused->location) == 0) {
    forget_fusion (fused);
    return false;
  }
  odl_session_segments_plane (session, frame, ODL_N_PLANES, &plane);
  if (odl_fusion_fits (fused->fusion, &plane, &why)) {
    if (!is_over_another (fused, session)) {
      fused->serial = frame->source_serial;
      return true;
    }
    why = g_strdup (_ ("Another series is shown, which nothing is laid over."));
  }
  forget_fusion (fused);
  odl_messages_say (self->pane->parts->messages, why);
  return false;
}

static void
read_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlMainWindow) window = data; // which has no other holder, maybe
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlFusion) fusion = odl_fusion_load_finish (result, &error);
  Segments *self = find_asking (odl_main_window_parts (window), result);
  if (!self)
    return;
  g_clear_object (&self->fused.reading);
  if (!fusion) {
    forget_fusion (&self->fused);
    g_autofree char *text
        = odl_names_in_text (odl_names_of (self->pane->session), error->message);
    odl_messages_say (self->pane->parts->messages, text);
    return;
  }
  self->fused.fusion = g_steal_pointer (&fusion);
  update (self);
}

void
odl_pane_set_fusion (OdlPane *pane, const char *location)
{
  Fusion *fused = &pane->segments->fused;
  if (g_strcmp0 (location, fused->location) == 0)
    return;
  forget_fusion (fused);
  update (pane->segments);
  if (!location)
    return;
  fused->location = g_strdup (location);
  fused->reading = g_cancellable_new ();
  odl_fusion_load (location, fused->reading, read_cb, g_object_ref (pane->parts->window));
}

const OdlFusion *
odl_pane_fusion (const OdlPane *pane)
{
  return pane->segments->fused.fusion;
}

const char *
odl_pane_fusion_location (const OdlPane *pane)
{
  return pane->segments->fused.location;
}

OdlFusionLook
odl_pane_fusion_look (const OdlPane *pane)
{
  return pane->segments->fused.look;
}

void
odl_pane_set_fusion_look (OdlPane *pane, OdlFusionLook look)
{
  const OdlFusionLook *old = &pane->segments->fused.look;
  if (look.share == old->share && look.map == old->map
      && look.levels.centre == old->levels.centre
      && look.levels.width == old->levels.width)
    return;
  pane->segments->fused.look = look;
  update (pane->segments);
}

// Adds it to what is drawn over a plane.
static void
fuse (Segments *self,
      const OdlSegmentsPlane *plane,
      OdlPoint shift,
      OdlOutlines *outlines)
{
  const Fusion *fused = &self->fused;
  if (check_fusion (self) && odl_fusion_fits (fused->fusion, plane, NULL))
    odl_fusion_draw (fused->fusion, plane, &fused->look, shift, outlines);
}

// ---- slices of the other panes -------------------------------------------------------

#define LINES_ACTION "reference-lines"

static bool
shows_lines (const OdlWindowParts *parts)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (parts->window), LINES_ACTION);
  return state && g_variant_get_boolean (state);
}

// Of ODL_N_PLANES on the picture, else on one of the planes beside each other.
static void
add_crossings (const Segments *self,
               const OdlFrame *frame,
               OdlPlaneKind kind,
               GArray *crossings)
{
  const GPtrArray *panes = self->pane->parts->state->panes;
  OdlSegmentsPlane plane, other;
  OdlPoint shift = { 0, 0 };
  if (!odl_session_segments_plane (self->pane->session, frame, kind, &plane))
    return;
  if (kind < ODL_N_PLANES) {
    const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
    shift = (OdlPoint){ planes.planes[kind].x, planes.planes[kind].y };
  }
  for (guint i = 0; i < panes->len; i++) {
    const OdlPane *pane = panes->pdata[i];
    const OdlFrame *theirs = odl_session_frame (pane->session);
    Crossing crossing = { .pane = i };
    if (pane == self->pane || !theirs || theirs->planes || theirs->renders
        || !gtk_widget_get_visible (pane->widget)
        || odl_session_are_strangers (self->pane->session, pane->session)
        || !odl_session_segments_plane (pane->session, theirs, ODL_N_PLANES, &other)
        || !odl_crossing (&plane, &other, crossing.line))
      continue;
    for (int end = 0; end < 2; end++) {
      crossing.line[end].x += shift.x;
      crossing.line[end].y += shift.y;
    }
    g_array_append_val (crossings, crossing);
  }
}

// Transfer full.
static GArray *
find_crossings (const Segments *self)
{
  GArray *crossings = g_array_new (FALSE, TRUE, sizeof (Crossing));
  const OdlFrame *frame = odl_session_frame (self->pane->session);
  if (!frame || frame->renders || !shows_lines (self->pane->parts)
      || self->pane->parts->state->panes->len < 2)
    return crossings;
  if (frame->planes)
    for (int kind = 0; kind < ODL_N_PLANES; kind++)
      add_crossings (self, frame, (OdlPlaneKind) kind, crossings);
  else
    add_crossings (self, frame, ODL_N_PLANES, crossings);
  return crossings;
}

static bool
are_equal (const GArray *a, const GArray *b)
{
  bool equal = a->len == b->len;
  for (guint i = 0; equal && i < a->len; i++) {
    const Crossing *one = &g_array_index (a, Crossing, i);
    const Crossing *other = &g_array_index (b, Crossing, i);
    equal = one->pane == other->pane
            && memcmp (one->line, other->line, sizeof one->line) == 0;
  }
  return equal;
}

// Each pane's lines have a colour of their own.
static void
draw_crossings (const Segments *self, OdlOutlines *outlines)
{
  static const double colours[][3]
      = { { 1, 0.85, 0.2 }, { 0.3, 0.85, 1 }, { 0.45, 0.95, 0.45 }, { 1, 0.5, 0.85 } };
  for (guint i = 0; i < self->crossing->len; i++) {
    const Crossing *crossing = &g_array_index (self->crossing, Crossing, i);
    odl_outlines_begin (outlines, "", colours[crossing->pane % G_N_ELEMENTS (colours)]);
    odl_outlines_add_line (outlines, crossing->line, 2, false);
  }
}

// ---- drawing -------------------------------------------------------------------------

// On the picture, or, of ODL_N_PLANES, on one of the planes beside each other.
static void
draw_on (Segments *self, const OdlFrame *frame, OdlPlaneKind kind, OdlOutlines *outlines)
{
  OdlSession *session = self->pane->session;
  OdlSegmentsPlane plane;
  OdlPoint shift = { 0, 0 };
  if (!odl_session_segments_plane (session, frame, kind, &plane))
    return;
  if (kind < ODL_N_PLANES) {
    const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
    shift = (OdlPoint){ planes.planes[kind].x, planes.planes[kind].y };
  }
  guint first = 0;
  fuse (self, &plane, shift, outlines);
  for (guint i = 0; self->list && i < self->list->len; i++) {
    const OdlSegments *segments = self->list->pdata[i];
    odl_segments_draw (segments, &plane, &g_array_index (self->hidden, uint8_t, first),
                       shift, outlines);
    first += (guint) odl_segments_count (segments);
  }
}

static void
update (Segments *self)
{
  const OdlFrame *frame = odl_session_frame (self->pane->session);
  g_autoptr (OdlOutlines) outlines = odl_outlines_new ();
  g_array_unref (self->crossing);
  self->crossing = find_crossings (self);
  const bool any = (self->list && self->hidden->len > 0) || self->fused.fusion;
  if (frame && any && !frame->renders) {
    if (frame->planes)
      for (int kind = 0; kind < ODL_N_PLANES; kind++)
        draw_on (self, frame, (OdlPlaneKind) kind, outlines);
    else
      draw_on (self, frame, ODL_N_PLANES, outlines);
  }
  draw_crossings (self, outlines);
  odl_viewport_set_outlines (self->pane->viewport, frame,
                             odl_outlines_is_empty (outlines) ? NULL : outlines);
}

// Draws anew what lines of other panes have changed in.
static void
update_lines (const OdlWindowParts *parts)
{
  const GPtrArray *panes = parts->state->panes;
  for (guint i = 0; i < panes->len; i++) {
    Segments *self = ((const OdlPane *) panes->pdata[i])->segments;
    if (!self || !self->pane->session)
      continue;
    g_autoptr (GArray) crossings = find_crossings (self);
    if (!are_equal (crossings, self->crossing))
      update (self);
  }
}

// ---- one that was chosen -------------------------------------------------------------

static int
first_of (const Segments *self, const OdlSegments *segments)
{
  int first = 0;
  for (guint i = 0; self->list->pdata[i] != segments; i++)
    first += odl_segments_count (self->list->pdata[i]);
  return first;
}

static const OdlSegments *
find_file (const Segments *self, const char *path)
{
  for (guint i = 0; self->list && i < self->list->len; i++)
    if (g_strcmp0 (odl_segments_path (self->list->pdata[i]), path) == 0)
      return self->list->pdata[i];
  return NULL;
}

static void
changed (Segments *self)
{
  update (self);
  odl_window_update_presets (self->pane->parts);
  odl_window_tell (self->pane->parts, "segments", NULL);
}

// They are hidden with the graphics of the file.
static void
show_overlays (const OdlWindowParts *parts)
{
  GActionGroup *actions = G_ACTION_GROUP (parts->window);
  g_autoptr (GVariant) state = g_action_group_get_action_state (actions, "show-overlays");
  if (state && !g_variant_get_boolean (state))
    g_action_group_activate_action (actions, "show-overlays", NULL);
}

// The chosen file's are drawn, and no others.
static void
show_alone (Segments *self, const OdlSegments *chosen)
{
  const int first = first_of (self, chosen), n = odl_segments_count (chosen);
  for (guint i = 0; i < self->hidden->len; i++)
    g_array_index (self->hidden, uint8_t, i) = (int) i < first || (int) i >= first + n;
  g_clear_pointer (&self->wanted, g_free);
  changed (self);
  show_overlays (self->pane->parts);
  g_autofree char *text = g_strdup_printf (
      ngettext ("%d outline is drawn over the picture, of this file alone. “Structures…” "
                "in the menu of grey levels hides and shows each.",
                "%d outlines are drawn over the picture, of this file alone. "
                "“Structures…” in the menu of grey levels hides and shows each.",
                (gulong) n),
      n);
  odl_messages_say_of_state (self->pane->parts->messages, text);
}

// ---- looking for them ----------------------------------------------------------------

static void
found_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlMainWindow) window = data; // which has no other holder, maybe
  g_autofree char *refused = NULL;
  g_autoptr (GPtrArray) list = odl_segments_list_finish (result, &refused);
  Segments *self = find_asking (odl_main_window_parts (window), result);
  if (!self)
    return;
  g_clear_object (&self->search);
  if (refused)
    odl_messages_say (self->pane->parts->messages, refused);
  g_autofree char *wanted = g_steal_pointer (&self->wanted);
  if (!list || list->len == 0)
    return;
  guint n = 0;
  for (guint i = 0; i < list->len; i++)
    n += (guint) odl_segments_count (list->pdata[i]);
  self->list = g_steal_pointer (&list);
  g_array_set_size (self->hidden, n);
  changed (self);
  if (find_file (self, wanted))
    show_alone (self, find_file (self, wanted));
}

static void
look (Segments *self)
{
  OdlSession *session = self->pane->session;
  const OdlFrame *frame = odl_session_frame (session);
  OdlSegmentsPlane plane;
  if (!frame || !odl_session_file (session)
      || !odl_session_segments_plane (session, frame, ODL_N_PLANES, &plane))
    return;
  self->search = g_cancellable_new ();
  odl_segments_list (odl_session_file (session), self->wanted, &plane, self->search,
                     found_cb, g_object_ref (self->pane->parts->window));
}

static gboolean
rest_cb (void *data)
{
  Segments *self = data;
  self->rest = 0;
  if (self->pane->session) // the window is there
    look (self);
  return G_SOURCE_REMOVE;
}

static void
frame_cb (OdlPane *pane)
{
  Segments *self = pane->segments;
  const OdlFrame *frame = odl_session_frame (pane->session);
  if (!frame)
    return;
  if (frame->source_serial == self->serial) {
    if (self->list || self->fused.fusion || self->crossing->len > 0)
      update (self);
    update_lines (pane->parts);
    return;
  }
  const bool had = self->list != NULL;
  forget (self);
  self->serial = frame->source_serial;
  check_fusion (self);
  update (self);
  update_lines (pane->parts);
  if (had)
    changed (self);
  if (odl_session_detail (pane->session, "sop-instance"))
    self->rest = g_timeout_add (REST_MS, rest_cb, self);
}

// ---- the menu ------------------------------------------------------------------------

// Names are typed by people. Transfer full.
static char *
name_of (const Segments *self, const OdlSegments *segments, int k, guint index)
{
  const char *own = odl_segments_name (segments, k);
  return *own && !odl_viewport_masks_names (self->pane->viewport)
             ? g_strdup (own)
             : g_strdup_printf ("%u", index + 1);
}

// What the entry of a menu does with a part of the body that somebody outlined. Transfer
// full.
static char *
label_of (const OdlSegments *segments, bool hidden, const char *name)
{
  if (odl_segments_are_structures (segments))
    return g_strdup_printf (hidden ? _ ("Show Structure: %s") : _ ("Hide Structure: %s"),
                            name);
  return g_strdup_printf (hidden ? _ ("Show Segment: %s") : _ ("Hide Segment: %s"), name);
}

void
odl_window_append_segments (const OdlWindowParts *parts, GMenu *menu)
{
  const Segments *self = segments_of (parts);
  guint index = 0;
  if (self && self->list && self->hidden->len > 0)
    g_menu_append (menu, _ ("_Structures…"), "win.segments");
  // More of them would fill the screen.
  for (guint i = 0;
       self && self->list && self->hidden->len <= MOST_IN_MENU && i < self->list->len;
       i++) {
    const OdlSegments *segments = self->list->pdata[i];
    for (int k = 0; k < odl_segments_count (segments); k++, index++) {
      const bool hidden = g_array_index (self->hidden, uint8_t, index);
      g_autofree char *name = name_of (self, segments, k, index);
      g_auto (GStrv) words = g_strsplit (name, "_", -1);
      g_autofree char *plain = g_strjoinv ("__", words);
      g_autofree char *action = g_strdup_printf ("win.segment(%u)", index);
      g_autofree char *label = label_of (segments, hidden, plain);
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
  changed (self);
}

// ---- for the window of them ----------------------------------------------------------

int
odl_window_count_segments (const OdlWindowParts *parts)
{
  const Segments *self = segments_of (parts);
  return self && self->list ? (int) self->hidden->len : 0;
}

OdlWindowSegment
odl_window_segment (const OdlWindowParts *parts, int index)
{
  const Segments *self = segments_of (parts);
  guint file = 0;
  int k = index;
  while (k >= odl_segments_count (self->list->pdata[file]))
    k -= odl_segments_count (self->list->pdata[file++]);
  const OdlSegments *segments = self->list->pdata[file];
  OdlWindowSegment found = {
    .name = name_of (self, segments, k, (guint) index),
    .path = odl_segments_path (segments),
    .hidden = g_array_index (self->hidden, uint8_t, index),
  };
  odl_segments_colour (segments, k, found.colour);
  return found;
}

void
odl_window_show_segments (const OdlWindowParts *parts, bool shown)
{
  Segments *self = segments_of (parts);
  for (guint i = 0; i < self->hidden->len; i++)
    g_array_index (self->hidden, uint8_t, i) = !shown;
  changed (self);
}

// ---- chosen in the list of studies ---------------------------------------------------

// A file and the series that it is about, "" where that is not in the list.
static void
show_outlines_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  Segments *self = segments_of (parts);
  const char *path, *location;
  g_variant_get (parameter, "(&s&s)", &path, &location);
  const OdlSegments *known = find_file (self, path);
  const bool is_shown
      = g_strcmp0 (odl_session_info (parts->session)->location, location) == 0
        && odl_window_is_uncovered (parts);
  if (known && odl_window_is_uncovered (parts)) {
    show_alone (self, known);
    return;
  }
  if (!*location) {
    odl_messages_say (parts->messages,
                      _ ("The pictures that this outlines are not in the list: none of "
                         "this person is in its frame of reference, or is named by it."));
    return;
  }
  g_free (self->wanted);
  self->wanted = g_strdup (path);
  if (!is_shown) {
    odl_main_window_open (parts->window, location, NULL);
    return;
  }
  // It was not among those that are shown, or is being looked for.
  forget (self);
  look (self);
}

// ---- life ----------------------------------------------------------------------------

OdlPaneSegments *
odl_pane_segments_new (OdlPane *pane)
{
  Segments *self = g_new0 (Segments, 1);
  self->pane = pane;
  self->hidden = g_array_new (FALSE, TRUE, sizeof (uint8_t));
  self->crossing = g_array_new (FALSE, TRUE, sizeof (Crossing));
  self->fused.look = (OdlFusionLook){ .share = DEFAULT_SHARE,
                                      .map = odl_colour_map_find (DEFAULT_MAP) };
  g_signal_connect_swapped (pane->session, "frame-ready", G_CALLBACK (frame_cb), pane);
  return self;
}

void
odl_pane_segments_free (OdlPaneSegments *self)
{
  forget (self);
  forget_fusion (&self->fused);
  g_free (self->wanted);
  g_array_unref (self->hidden);
  g_array_unref (self->crossing);
  g_free (self);
}

static void
pane_cb (const OdlWindowParts *parts)
{
  odl_window_tell (parts, "segments", NULL);
}

static void
lines_cb (const OdlWindowParts *parts)
{
  odl_window_set_switch (parts, LINES_ACTION, !shows_lines (parts));
  update_lines (parts);
}

void
odl_window_add_segments (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "segment", G_CALLBACK (segment_cb), "i" },
    { "show-outlines", G_CALLBACK (show_outlines_cb), "(ss)" },
    { LINES_ACTION, G_CALLBACK (lines_cb), NULL, "true" },
  };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
  odl_window_connect (parts, parts->window, "pane-changed", G_CALLBACK (pane_cb),
                      (void *) parts);
  odl_window_connect (parts, parts->window, "told::layout", G_CALLBACK (update_lines),
                      (void *) parts);
}
