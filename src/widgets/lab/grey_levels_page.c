// SPDX-License-Identifier: MIT
#include "widgets/lab/grey_levels_page.h"

#include <glib/gi18n-lib.h>

#include "widgets/panels/measures/measure.h"
#include "widgets/window/parts.h"

// While pictures move, some of them are counted; and results that come later are looked
// for.
#define COUNT_MS 200

typedef struct {
  OdlLabSide side;
  OdlHistogram *histogram;
  GtkLabel *words;
  GtkWidget *widget; // all of it
  OdlImage *counted; // NULL: none
  guint count_id;
} Page;

// The result, where it is at hand; without filters the picture as it came. Borrowed.
static OdlImage *
find_picture (const Page *self)
{
  const OdlWindowParts *parts = self->side.parts;
  const OdlFrame *frame = odl_session_frame (parts->session);
  OdlSubject subject;
  if (!frame || frame->planes)
    return NULL;
  if (self->side.other)
    return odl_frame_other_result (frame);
  if (!odl_viewport_subject (parts->viewport, &subject))
    return NULL;
  return (OdlImage *) (subject.filtered ? subject.after : subject.before);
}

static gboolean
count_cb (void *data)
{
  Page *self = data;
  OdlViewport *viewport = self->side.parts->viewport;
  if (!self->side.parts->session || !gtk_widget_get_mapped (self->widget))
    return G_SOURCE_CONTINUE;
  double centre, width;
  odl_viewport_get_window (viewport, &centre, &width);
  odl_histogram_set_window (self->histogram, centre, width);
  OdlImage *picture = find_picture (self);
  if (picture == self->counted)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->counted, odl_image_unref);
  self->counted = picture ? odl_image_ref (picture) : NULL;
  const OdlFrame *frame = odl_session_frame (self->side.parts->session);
  odl_histogram_set_picture (self->histogram, picture, frame ? frame->input : NULL);
  gtk_label_set_text (self->words,
                      picture ? _ ("Values of the result, and the grey levels: drag them")
                              : _ ("Values of a result are counted when the picture "
                                   "rests, and not of three planes or a difference"));
  return G_SOURCE_CONTINUE;
}

static void
chosen_cb (OdlHistogram *histogram, double centre, double width, Page *self)
{
  odl_viewport_set_window (self->side.parts->viewport, centre, width);
  odl_histogram_set_window (histogram, centre, width);
}

static void
page_free (void *data)
{
  Page *self = data;
  g_source_remove (self->count_id);
  g_clear_pointer (&self->counted, odl_image_unref);
  odl_lab_side_release (&self->side);
  g_free (self);
}

static GtkWidget *
make (const OdlLabSide *side)
{
  Page *self = g_new0 (Page, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->side = *side;
  odl_lab_side_hold (&self->side);
  self->widget = box;
  self->histogram = g_object_new (ODL_TYPE_HISTOGRAM, NULL);
  self->words = GTK_LABEL (odl_measure_caption (""));
  gtk_widget_set_vexpand (GTK_WIDGET (self->histogram), TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->words));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->histogram));
  g_signal_connect (self->histogram, "chosen", G_CALLBACK (chosen_cb), self);
  g_object_set_data_full (G_OBJECT (box), ODL_GREY_LEVELS_PAGE, self, page_free);
  self->count_id = g_timeout_add (COUNT_MS, count_cb, self);
  return box;
}

static void
add_rows (GtkWidget *widget, OdlLabTable *table)
{
  const Page *self = g_object_get_data (G_OBJECT (widget), ODL_GREY_LEVELS_PAGE);
  const OdlHistogramCounts *counts = odl_histogram_counts (self->histogram);
  for (int i = 0; counts && i < ODL_HISTOGRAM_BINS; i++) {
    const double step = (counts->most - counts->least) / ODL_HISTOGRAM_BINS;
    odl_lab_table_begin (table);
    odl_lab_table_add (table, counts->least + i * step);
    odl_lab_table_add (table, counts->least + (i + 1) * step);
    odl_lab_table_add (table, counts->counts[i]);
  }
}

const OdlLabPage odl_lab_grey_levels = {
  .name = "grey-levels",
  .title = N_ ("Grey Levels"),
  .make = make,
  .columns = "from,to,samples",
  .add_rows = add_rows,
};

OdlHistogram *
odl_grey_levels_page_histogram (GtkWidget *widget)
{
  return ((Page *) g_object_get_data (G_OBJECT (widget), ODL_GREY_LEVELS_PAGE))
      ->histogram;
}

const OdlImage *
odl_grey_levels_page_counted (GtkWidget *widget)
{
  return ((Page *) g_object_get_data (G_OBJECT (widget), ODL_GREY_LEVELS_PAGE))->counted;
}
