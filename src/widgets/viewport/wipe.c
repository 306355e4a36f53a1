// SPDX-License-Identifier: MIT
#include "widgets/viewport/wipe.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define DIVIDER_WIDTH 24
#define LABEL_MARGIN 10
#define KEY_STEP 0.02
#define MOST_COLUMNS 2
#define NARROW 600 // logical pixels

struct _OdlWipe {
  GtkWidget parent_instance;
  OdlWipeCb moved;
  void *data;
  GtkWidget *dividers[MOST_COLUMNS];
  GtkWidget *original;
  GtkWidget *processed;
  double columns[MOST_COLUMNS][2]; // from … to; n_columns of them
  int starts[MOST_COLUMNS], ends[MOST_COLUMNS]; // of their dividers
  int n_columns;
  double position; // negative: no divider
  double drag_start;
  int top; // of the words
};

G_DEFINE_FINAL_TYPE (OdlWipe, odl_wipe, GTK_TYPE_WIDGET)

static int
column_at (const OdlWipe *self, int i)
{
  const double *column = self->columns[i];
  return (int) round (column[0] + self->position * (column[1] - column[0]));
}

static void
move_to (OdlWipe *self, double position)
{
  self->position = CLAMP (position, 0, 1);
  self->moved (self->position, self->data);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->dividers[0]),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, 100 * self->position,
                                  -1);
}

static void
drag_begin_cb (GtkGestureDrag *drag, double x, double y, OdlWipe *self)
{
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  self->drag_start = x;
}

// The divider moves under the pointer, so offsets are taken in the wipe's coordinates.
static void
drag_update_cb (GtkGestureDrag *drag, double dx, double dy, OdlWipe *self)
{
  GtkWidget *divider = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (drag));
  const double *column = self->columns[divider == self->dividers[0] ? 0 : 1];
  double x, y;
  gtk_widget_translate_coordinates (divider, GTK_WIDGET (self), self->drag_start + dx, 0,
                                    &x, &y);
  move_to (self, (x - column[0]) / MAX (column[1] - column[0], 1));
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint code,
        GdkModifierType state,
        OdlWipe *self)
{
  double step = key == GDK_KEY_Left ? -KEY_STEP : key == GDK_KEY_Right ? KEY_STEP : 0;
  if (step == 0)
    return FALSE;
  move_to (self, self->position + step);
  return TRUE;
}

static void
allocate (GtkWidget *child, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (child, &(GtkAllocation){ x, y, width, height }, -1);
}

static void
odl_wipe_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  OdlWipe *self = ODL_WIPE (widget);
  bool split = self->position >= 0;
  gtk_widget_set_child_visible (self->processed, split);
  int x = split ? column_at (self, 0) : width;
  int least, original, processed, label_height, original_height;
  gtk_widget_measure (self->original, GTK_ORIENTATION_HORIZONTAL, -1, &least, &original,
                      NULL, NULL);
  gtk_widget_measure (self->processed, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &processed,
                      NULL, NULL);
  gtk_widget_measure (self->processed, GTK_ORIENTATION_VERTICAL, processed, NULL,
                      &label_height, NULL, NULL);
  // Long words take two lines where their half is narrow.
  original = MAX (least, MIN (original, x - 2 * LABEL_MARGIN));
  gtk_widget_measure (self->original, GTK_ORIENTATION_VERTICAL, original, NULL,
                      &original_height, NULL, NULL);
  // In narrow planes of a volume there are two lines about what is under the pointer.
  const int second
      = self->n_columns > 1 && width < NARROW ? label_height + LABEL_MARGIN / 2 : 0;
  const int top = split ? self->top + second : LABEL_MARGIN;
  // The labels stay in their halves and are clipped with them. A second column needs
  // none, and the value under the pointer is there.
  int left = split ? x - LABEL_MARGIN - original : LABEL_MARGIN;
  allocate (self->original, left, top, original, original_height);
  if (split)
    allocate (self->processed, x + LABEL_MARGIN, top, processed, label_height);
  for (int i = 0; i < MOST_COLUMNS; i++) {
    gtk_widget_set_child_visible (self->dividers[i], split && i < self->n_columns);
    if (split && i < self->n_columns)
      allocate (self->dividers[i], column_at (self, i) - DIVIDER_WIDTH / 2,
                self->starts[i], DIVIDER_WIDTH,
                MAX (MIN (self->ends[i], height) - self->starts[i], 1));
  }
}

void
odl_wipe_set_columns (GtkWidget *widget, const double columns[][2], int n)
{
  OdlWipe *self = ODL_WIPE (widget);
  self->n_columns = n;
  for (int i = 0; i < n; i++)
    for (int end = 0; end < 2; end++)
      self->columns[i][end] = columns[i][end];
}

void
odl_wipe_set_ends (GtkWidget *widget, const int starts[2], const int ends[2])
{
  OdlWipe *self = ODL_WIPE (widget);
  for (int i = 0; i < MOST_COLUMNS; i++) {
    self->starts[i] = starts[i];
    self->ends[i] = ends[i];
  }
}

void
odl_wipe_set_fixed (GtkWidget *widget, bool fixed)
{
  OdlWipe *self = ODL_WIPE (widget);
  for (int i = 0; i < MOST_COLUMNS; i++)
    gtk_widget_set_can_target (self->dividers[i], !fixed);
  // Both move together: the keyboard needs one of them.
  gtk_widget_set_focusable (self->dividers[0], !fixed);
}

void
odl_wipe_allocate (GtkWidget *widget, int width, int height, double position, int top)
{
  ODL_WIPE (widget)->position = position;
  ODL_WIPE (widget)->top = top;
  gtk_widget_queue_allocate (widget);
  allocate (widget, 0, 0, width, height);
}

void
odl_wipe_set_words (GtkWidget *widget, const char *left, const char *right)
{
  OdlWipe *self = ODL_WIPE (widget);
  // Setting the same text again would lay everything out with every frame.
  if (!g_str_equal (gtk_label_get_text (GTK_LABEL (self->original)), left))
    gtk_label_set_text (GTK_LABEL (self->original), left);
  if (!g_str_equal (gtk_label_get_text (GTK_LABEL (self->processed)), right))
    gtk_label_set_text (GTK_LABEL (self->processed), right);
}

static void
odl_wipe_dispose (GObject *object)
{
  OdlWipe *self = ODL_WIPE (object);
  for (int i = 0; i < MOST_COLUMNS; i++)
    g_clear_pointer (&self->dividers[i], gtk_widget_unparent);
  g_clear_pointer (&self->original, gtk_widget_unparent);
  g_clear_pointer (&self->processed, gtk_widget_unparent);
  G_OBJECT_CLASS (odl_wipe_parent_class)->dispose (object);
}

static void
odl_wipe_class_init (OdlWipeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = odl_wipe_dispose;
  GTK_WIDGET_CLASS (klass)->size_allocate = odl_wipe_size_allocate;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass),
                                        GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
add_label (OdlWipe *self, const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "half");
  gtk_widget_set_can_target (label, FALSE);
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  return label;
}

static GtkWidget *
add_divider (OdlWipe *self)
{
  GtkWidget *divider
      = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_SLIDER,
                      "tooltip-text", _ ("Drag to compare"), NULL);
  gtk_widget_add_css_class (divider, "divider");
  GtkWidget *line = gtk_separator_new (GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_hexpand (line, TRUE);
  gtk_widget_set_halign (line, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (divider), line);
  gtk_widget_set_cursor_from_name (divider, "col-resize");
  gtk_accessible_update_property (GTK_ACCESSIBLE (divider), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Border between original and processed"),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 100.0,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, 50.0, -1);
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (divider, GTK_EVENT_CONTROLLER (drag));
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (divider, keys);
  gtk_widget_set_parent (divider, GTK_WIDGET (self));
  return divider;
}

static void
odl_wipe_init (OdlWipe *self)
{
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  self->original = add_label (self, _ ("Original"));
  self->processed = add_label (self, _ ("Processed"));
  for (int i = 0; i < MOST_COLUMNS; i++)
    self->dividers[i] = add_divider (self);
  gtk_widget_set_focusable (self->dividers[0], TRUE);
  self->n_columns = 1;
}

GtkWidget *
odl_wipe_new (OdlWipeCb moved, void *data)
{
  OdlWipe *self = g_object_new (ODL_TYPE_WIPE, NULL);
  self->moved = moved;
  self->data = data;
  return GTK_WIDGET (self);
}
