// SPDX-License-Identifier: MIT
#include "widgets/blank_area.h"

#define LEAST_DRAG 3 // logical pixels; less is a click
#define LEAST_HEIGHT 320

struct _OdlBlankArea {
  GtkWidget parent;
  GdkPaintable *picture; // NULL: it is not read yet
  int width, height; // of the picture, in its pixels
  double aspect;
  GArray *drawn, *others; // OdlBlank
  graphene_rect_t draft; // in the widget; of no width: nothing is being drawn
};

G_DEFINE_FINAL_TYPE (OdlBlankArea, odl_blank_area, GTK_TYPE_WIDGET)

enum { CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

// Where the picture lies in the widget; of no width without one.
static graphene_rect_t
place_of_picture (OdlBlankArea *area)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (area));
  const double height = gtk_widget_get_height (GTK_WIDGET (area));
  const double wide = area->width * area->aspect;

  if (!area->picture || width < 1 || height < 1)
    return GRAPHENE_RECT_INIT (0, 0, 0, 0);
  const double scale = MIN (width / wide, height / area->height);
  return GRAPHENE_RECT_INIT ((float) (width - wide * scale) / 2,
                             (float) (height - area->height * scale) / 2,
                             (float) (wide * scale), (float) (area->height * scale));
}

// Where a point of the widget lies in the picture, in pixels; false: beside it.
static bool
place_at (OdlBlankArea *area, double x, double y, int *column, int *row)
{
  const graphene_rect_t place = place_of_picture (area);
  const double u = (x - place.origin.x) / place.size.width;
  const double v = (y - place.origin.y) / place.size.height;

  if (place.size.width <= 0)
    return false;
  *column = (int) CLAMP (u * area->width, 0, area->width);
  *row = (int) CLAMP (v * area->height, 0, area->height);
  return u >= 0 && u < 1 && v >= 0 && v < 1;
}

// ---- Drawing -------------------------------------------------------------------------

// All of them, larger by `edge` logical pixels on each side.
static void
snapshot_blanks (OdlBlankArea *area,
                 GtkSnapshot *snapshot,
                 const GArray *blanks,
                 float edge,
                 const GdkRGBA *colour)
{
  const graphene_rect_t place = place_of_picture (area);
  const float x = place.size.width / (float) area->width;
  const float y = place.size.height / (float) area->height;

  for (guint i = 0; i < blanks->len; i++) {
    const OdlBlank *blank = &g_array_index (blanks, OdlBlank, i);
    graphene_rect_t rect = GRAPHENE_RECT_INIT (
        place.origin.x + (float) blank->x * x, place.origin.y + (float) blank->y * y,
        (float) blank->width * x, (float) blank->height * y);
    graphene_rect_inset (&rect, -edge, -edge);
    if (graphene_rect_intersection (&rect, &place, &rect))
      gtk_snapshot_append_color (snapshot, colour, &rect);
  }
}

// One line about all that belong together, where black would not be seen on black. What
// is black overlaps, so that no seam shows where two of them meet amid a pixel.
static void
snapshot_outlined (OdlBlankArea *area,
                   GtkSnapshot *snapshot,
                   const GArray *blanks,
                   const GdkRGBA *edge)
{
  snapshot_blanks (area, snapshot, blanks, 1.5f, edge);
  snapshot_blanks (area, snapshot, blanks, 0.5f, &(GdkRGBA){ 0, 0, 0, 1 });
}

static void
snapshot_cb (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OdlBlankArea *area = ODL_BLANK_AREA (widget);
  const graphene_rect_t place = place_of_picture (area);
  const GdkRGBA drawn = { 1, 0.8f, 0.2f, 1 }, other = { 0.5f, 0.5f, 0.5f, 1 };
  const GdkRGBA draft = { 1, 0.8f, 0.2f, 0.5f };

  gtk_snapshot_append_color (
      snapshot, &(GdkRGBA){ 0.08f, 0.08f, 0.08f, 1 },
      &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                           (float) gtk_widget_get_height (widget)));
  if (place.size.width <= 0)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &place.origin);
  gdk_paintable_snapshot (area->picture, snapshot, place.size.width, place.size.height);
  gtk_snapshot_restore (snapshot);
  snapshot_outlined (area, snapshot, area->others, &other);
  snapshot_outlined (area, snapshot, area->drawn, &drawn);
  if (area->draft.size.width > 0)
    gtk_snapshot_append_color (snapshot, &draft, &area->draft);
}

// ---- The pointer ---------------------------------------------------------------------

static void
changed (OdlBlankArea *area)
{
  gtk_widget_queue_draw (GTK_WIDGET (area));
  g_signal_emit (area, signals[CHANGED], 0);
}

static graphene_rect_t
dragged (GtkGestureDrag *drag, double x, double y)
{
  double left = 0, top = 0;

  gtk_gesture_drag_get_start_point (drag, &left, &top);
  graphene_rect_t rect
      = GRAPHENE_RECT_INIT ((float) left, (float) top, (float) x, (float) y);
  graphene_rect_normalize (&rect);
  return rect;
}

static void
update_cb (GtkGestureDrag *drag, double x, double y, OdlBlankArea *area)
{
  area->draft = dragged (drag, x, y);
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

// All pixels that the rectangle touches.
static void
add (OdlBlankArea *area, const graphene_rect_t *rect)
{
  int left, top, right, bottom;

  place_at (area, rect->origin.x, rect->origin.y, &left, &top);
  place_at (area, rect->origin.x + rect->size.width, rect->origin.y + rect->size.height,
            &right, &bottom);
  right = MIN (right + 1, area->width);
  bottom = MIN (bottom + 1, area->height);
  if (left >= right || top >= bottom)
    return;
  const OdlBlank blank = { left, top, right - left, bottom - top };
  g_array_append_val (area->drawn, blank);
  changed (area);
}

static void
remove_at (OdlBlankArea *area, double x, double y)
{
  int column, row;

  if (!place_at (area, x, y, &column, &row))
    return;
  for (guint i = area->drawn->len; i > 0; i--) {
    const OdlBlank *blank = &g_array_index (area->drawn, OdlBlank, i - 1);
    if (column < blank->x || column >= blank->x + blank->width || row < blank->y
        || row >= blank->y + blank->height)
      continue;
    g_array_remove_index (area->drawn, i - 1);
    changed (area);
    return;
  }
}

static void
end_cb (GtkGestureDrag *drag, double x, double y, OdlBlankArea *area)
{
  const graphene_rect_t rect = dragged (drag, x, y);
  double left = 0, top = 0;

  area->draft = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  gtk_widget_queue_draw (GTK_WIDGET (area));
  if (!area->picture)
    return;
  gtk_gesture_drag_get_start_point (drag, &left, &top);
  if (rect.size.width >= LEAST_DRAG && rect.size.height >= LEAST_DRAG)
    add (area, &rect);
  else
    remove_at (area, left, top);
}

// ---- From outside --------------------------------------------------------------------

void
odl_blank_area_set_picture (OdlBlankArea *area, GdkPaintable *picture, double aspect)
{
  g_set_object (&area->picture, picture);
  area->width = gdk_paintable_get_intrinsic_width (picture);
  area->height = gdk_paintable_get_intrinsic_height (picture);
  area->aspect = aspect > 0 ? aspect : 1;
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

const GArray *
odl_blank_area_drawn (OdlBlankArea *area)
{
  return area->drawn;
}

static void
replace (OdlBlankArea *area, GArray *old, const GArray *blanks)
{
  g_array_set_size (old, 0);
  g_array_append_vals (old, blanks->data, blanks->len);
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

void
odl_blank_area_set_drawn (OdlBlankArea *area, const GArray *blanks)
{
  replace (area, area->drawn, blanks);
}

void
odl_blank_area_set_others (OdlBlankArea *area, const GArray *blanks)
{
  replace (area, area->others, blanks);
}

// ---- The object ----------------------------------------------------------------------

static void
finalize (GObject *object)
{
  OdlBlankArea *area = ODL_BLANK_AREA (object);

  g_clear_object (&area->picture);
  g_array_unref (area->drawn);
  g_array_unref (area->others);
  G_OBJECT_CLASS (odl_blank_area_parent_class)->finalize (object);
}

static void
odl_blank_area_class_init (OdlBlankAreaClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = finalize;
  widget->snapshot = snapshot_cb;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  signals[CHANGED]
      = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 0);
}

static void
odl_blank_area_init (OdlBlankArea *area)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  area->drawn = g_array_new (FALSE, FALSE, sizeof (OdlBlank));
  area->others = g_array_new (FALSE, FALSE, sizeof (OdlBlank));
  area->aspect = 1;
  gtk_widget_set_size_request (GTK_WIDGET (area), -1, LEAST_HEIGHT);
  g_signal_connect (drag, "drag-update", G_CALLBACK (update_cb), area);
  g_signal_connect (drag, "drag-end", G_CALLBACK (end_cb), area);
  gtk_widget_add_controller (GTK_WIDGET (area), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_set_overflow (GTK_WIDGET (area), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
odl_blank_area_new (void)
{
  return g_object_new (ODL_TYPE_BLANK_AREA, NULL);
}
