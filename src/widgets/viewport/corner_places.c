// SPDX-License-Identifier: MIT
// Where the labels over the canvas stand (corners.c says what they tell): none covers
// another one, nor the badge.
#include "widgets/viewport/private.h"

#define BELOW_WORDS 0.12 // of the height
#define MARGIN 10
// Of the value under the pointer and its place in the patient, two lines; marks begin
// below.
#define PROBE_HEIGHT 42
#define PROBE_WIDTH 280 // with decimals, before and after the filters
#define WORDS_WIDTH 130 // of the word for a half of a comparison, and what is around it
#define WORDS_HEIGHT 34

// `x` and `y` are the fractions of the room that is left beside the label.
static void
place (GtkLabel *label, int width, int height, double x, double y, int bottom)
{
  GtkWidget *widget = GTK_WIDGET (label);
  int wanted, high;
  if (!gtk_widget_get_visible (widget))
    return;
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wanted, NULL, NULL);
  wanted = MIN (wanted, MAX (width * 9 / 20, 1));
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, wanted, NULL, &high, NULL, NULL);
  const int left = MARGIN + (int) (x * (width - 2 * MARGIN - wanted));
  const int top = MARGIN + (int) (y * (height - bottom - 2 * MARGIN - high));
  gtk_widget_size_allocate (widget, &(GtkAllocation){ left, top, wanted, high }, -1);
}

// At the right or left edge: below words in the upper corners, above those in the lower
// one, where they reach to the middle.
static void
place_side_letter (OdlViewport *self,
                   GtkLabel *letter,
                   int width,
                   int height,
                   double x,
                   double y)
{
  GtkLabel *const upper[] = { self->corners.upper, self->corners.marks };
  GtkWidget *widget = GTK_WIDGET (letter);
  GtkAllocation at, words, common;
  place (letter, width, height, x, y, 0);
  if (!gtk_widget_get_visible (widget))
    return;
  gtk_widget_get_allocation (widget, &at);
  for (size_t i = 0; i < G_N_ELEMENTS (upper); i++) {
    gtk_widget_get_allocation (GTK_WIDGET (upper[i]), &words);
    if (gtk_widget_get_visible (GTK_WIDGET (upper[i]))
        && gdk_rectangle_intersect (&at, &words, &common))
      at.y = words.y + words.height + MARGIN / 2;
  }
  gtk_widget_get_allocation (GTK_WIDGET (self->corners.lower), &words);
  if (gtk_widget_get_visible (GTK_WIDGET (self->corners.lower))
      && gdk_rectangle_intersect (&at, &words, &common))
    at.y = words.y - at.height - MARGIN / 2;
  gtk_widget_size_allocate (widget, &at, -1);
}

// Above the badge where that reaches below the middle, and above the words at the right
// where these do. Returns where the free part ends.
static int
place_lowest_letter (OdlViewport *self, int width, int height, double x)
{
  const int middle = (int) (x * width);
  int free_to = odl_viewport_badge_top (self, middle - 2 * MARGIN, middle + 2 * MARGIN);
  GtkLabel *letter = self->corners.edges[ODL_EDGE_BOTTOM];
  GtkAllocation words = { width, height, 0, 0 };

  if (gtk_widget_get_visible (GTK_WIDGET (self->corners.lower)))
    gtk_widget_get_allocation (GTK_WIDGET (self->corners.lower), &words);
  if (middle + 2 * MARGIN > words.x)
    free_to = MIN (free_to, words.y + MARGIN / 2);
  place (letter, width, height, x, 1, MAX (height - free_to - MARGIN / 2, 0));
  return gtk_widget_get_visible (GTK_WIDGET (letter)) ? MIN (free_to, height) : height;
}

// As wide as its length is long; above the badge where that reaches so far, and above the
// letter, which stands at `free_to`.
static void
place_bar (OdlViewport *self, int width, int height, int free_to)
{
  GtkWidget *bar = GTK_WIDGET (self->corners.bar);
  const int wide = self->corners.bar_width;
  int high;
  if (!gtk_widget_get_visible (bar))
    return;
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, wide, NULL, &high, NULL, NULL);
  // Of two panes in the first one; beside the words at the right, else above them.
  GtkAllocation words = { width, height, 0, 0 };
  if (gtk_widget_get_visible (GTK_WIDGET (self->corners.lower)))
    gtk_widget_get_allocation (GTK_WIDGET (self->corners.lower), &words);
  int left = MAX ((odl_viewport_panes (self, width).width - wide) / 2, 0);
  if (left + wide > words.x - 2 * MARGIN)
    left = MAX (words.x - 2 * MARGIN - wide, MARGIN);
  const bool apart = left + wide <= words.x - 2 * MARGIN;
  const int badge = odl_viewport_badge_top (self, left, left + wide);
  const int end
      = MIN (MIN (free_to - 3 * MARGIN, badge - MARGIN / 2), apart ? height : words.y);
  gtk_widget_size_allocate (bar, &(GtkAllocation){ left, end - high, wide, high }, -1);
}

// Below the value under the pointer, and below the patient's words where they reach so
// far.
static int
words_top (const OdlCorners *corners, int divider)
{
  GtkAllocation patient = { 0 };
  if (gtk_widget_get_visible (GTK_WIDGET (corners->upper)))
    gtk_widget_get_allocation (GTK_WIDGET (corners->upper), &patient);
  const bool apart = patient.x + patient.width < divider - WORDS_WIDTH;
  return apart ? PROBE_HEIGHT : MAX (PROBE_HEIGHT, patient.y + patient.height + MARGIN);
}

// Below the value under the pointer, and below marks, where they reach to the middle.
static void
place_upper_letter (OdlViewport *self, int width, int height)
{
  GtkWidget *marks = GTK_WIDGET (self->corners.marks);
  GtkAllocation taken = { 0 };
  int top = width < 2 * PROBE_WIDTH ? PROBE_HEIGHT : 0;
  if (gtk_widget_get_visible (marks))
    gtk_widget_get_allocation (marks, &taken);
  if (taken.width > 0 && taken.x < width / 2 + 2 * MARGIN)
    top = MAX (top, taken.y + taken.height);
  place (self->corners.edges[ODL_EDGE_TOP], width, height, 0.5,
         (double) top / MAX (height, top), 0);
}

int
odl_viewport_allocate_corners (OdlViewport *self, int width, int height, int divider)
{
  OdlCorners *corners = &self->corners;
  if (width != corners->width || height != corners->height)
    odl_viewport_place_corners_again (self);
  corners->width = width;
  corners->height = height;
  // The badge may be below, where a divider moves it to the right.
  const int free_to = odl_viewport_badge_top (self, width / 2, width);
  place (self->corners.upper, width, height, 0, 0, 0);
  place (self->corners.lower, width, height, 1, 1, MAX (height - free_to, 0));
  // Of two panes in the first one, below the words in its corner.
  const bool two = odl_viewport_panes (self, width).second > 0;
  place (corners->edges[ODL_EDGE_TOP], width, height, two ? 0.25 : 0.5,
         two ? BELOW_WORDS : 0, 0);
  place_bar (self, width, height,
             place_lowest_letter (self, width, height, two ? 0.25 : 0.5));
  // The marks give way to the word of the right half.
  const int words = words_top (corners, divider);
  GtkWidget *marks = GTK_WIDGET (corners->marks);
  int wide;
  gtk_widget_measure (marks, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wide, NULL, NULL);
  const bool apart = divider == 0 || width - wide - MARGIN > divider + WORDS_WIDTH;
  const int top = apart ? PROBE_HEIGHT : words + WORDS_HEIGHT;
  place (corners->marks, width, height, 1, (double) top / MAX (height, top), 0);
  if (divider == 0)
    place_upper_letter (self, width, height);
  place_side_letter (self, corners->edges[ODL_EDGE_LEFT], width, height, 0, 0.5);
  place_side_letter (self, corners->edges[ODL_EDGE_RIGHT], width, height, 1, 0.5);
  odl_viewport_keep_below (self, height);
  return words;
}

void
odl_viewport_upper_words (OdlViewport *self, OdlPlacingBox words[2])
{
  GtkLabel *const labels[] = { self->corners.upper, self->corners.marks };
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  for (size_t i = 0; i < G_N_ELEMENTS (labels); i++) {
    GtkAllocation at;
    gtk_widget_get_allocation (GTK_WIDGET (labels[i]), &at);
    words[i] = gtk_widget_get_visible (GTK_WIDGET (labels[i]))
                   ? (OdlPlacingBox){ at.x * scale, at.y * scale, at.width * scale,
                                      at.height * scale }
                   : (OdlPlacingBox){ 0 };
  }
}

int
odl_viewport_words_top (OdlViewport *self, int left, int right)
{
  const OdlCorners *corners = &self->corners;
  GtkLabel *const labels[]
      = { corners->bar, corners->edges[ODL_EDGE_BOTTOM], corners->lower };
  int top = odl_viewport_badge_top (self, left, right);
  for (size_t i = 0; i < G_N_ELEMENTS (labels); i++) {
    GtkAllocation at;
    gtk_widget_get_allocation (GTK_WIDGET (labels[i]), &at);
    if (gtk_widget_get_visible (GTK_WIDGET (labels[i])) && at.x < right
        && at.x + at.width > left)
      top = MIN (top, at.y);
  }
  return top;
}
