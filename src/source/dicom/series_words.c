// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <math.h>

#include "source/dicom/series_slice.h"

// Gaps between neighbours may differ by this fraction.
#define SAME_GAP 0.02

static void add (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add (GString *text, const char *format, ...)
{
  va_list arguments;

  if (text->len > 0)
    g_string_append (text, "; ");
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

static void
add_left_out (GString *text, const OdlSeriesLeftOut *n)
{
  if (n->of_others > 0)
    add (text,
         ngettext ("%d picture has its series number but is of another person or study; "
                   "it is left out",
                   "%d pictures have its series number but are of another person or "
                   "study; they are left out",
                   (gulong) n->of_others),
         n->of_others);
  if (n->unlike > 0)
    add (text,
         ngettext ("%d picture of the series has another size or direction, or no valid "
                   "place, and is left out",
                   "%d pictures of the series have another size or direction, or no "
                   "valid place, and are left out",
                   (gulong) n->unlike),
         n->unlike);
  if (n->moving > 0)
    add (text,
         ngettext ("%d file of the series has several frames and is left out",
                   "%d files of the series have several frames and are left out",
                   (gulong) n->moving),
         n->moving);
  if (n->twice > 0)
    add (text,
         ngettext ("%d picture is there twice and is shown once",
                   "%d pictures are there twice and are shown once", (gulong) n->twice),
         n->twice);
  if (n->elsewhere > 0)
    add (text,
         ngettext ("the folder holds %d picture of other series; open one of a series to "
                   "see it",
                   "the folder holds %d pictures of other series; open one of a series "
                   "to see it",
                   (gulong) n->elsewhere),
         n->elsewhere);
  if (n->unreadable > 0)
    add (text,
         ngettext ("%d DICOM file of the folder holds no picture that can be read",
                   "%d DICOM files of the folder hold no picture that can be read",
                   (gulong) n->unreadable),
         n->unreadable);
}

// Whether slices lie at the same place, or one of them seems to be missing.
static void
add_gaps (GString *text, const GPtrArray *stack)
{
  double least = INFINITY, most = 0;
  int at_one = 0;

  for (guint i = 1; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const OdlSeriesSlice *before = g_ptr_array_index (stack, i - 1);
    const double gap = fabs (slice->along - before->along) * ODL_SERIES_SAME_PLACE;
    at_one += gap == 0;
    least = gap > 0 ? MIN (least, gap) : least;
    most = MAX (most, gap);
  }
  // Nearly all places have several: volumes over time.
  if (at_one > (int) stack->len / 3)
    add (text, _ ("there are more pictures at some places than at others, as if some "
                  "were missing"));
  else if (at_one > 0)
    add (text,
         ngettext ("%d picture lies where another one does",
                   "%d pictures lie where others do", (gulong) at_one),
         at_one);
  if (most > least * (1 + SAME_GAP) + ODL_SERIES_SAME_PLACE)
    add (text, _ ("its pictures are %.2f to %.2f mm apart; some may be missing"), least,
         most);
}

static void
add_filled (GString *text, const OdlSeriesSpace *space)
{
  if (space->missing > 0)
    add (text,
         ngettext ("%d slice is missing: a dark one takes its place",
                   "%d slices are missing: dark ones take their places",
                   (gulong) space->missing),
         space->missing);
  if (space->doubled > 0)
    add (text,
         ngettext ("%d picture lies where another one does and is left out",
                   "%d pictures lie where others do and are left out",
                   (gulong) space->doubled),
         space->doubled);
}

// Why it is no volume, or what is odd about it.
static void
add_space (GString *text, const GPtrArray *stack, const OdlSeriesSpace *space)
{
  const OdlStackFlaw flaw = space->stack.flaw;

  add_filled (text, space);
  if (space->volumes == 1 && space->missing + space->doubled == 0)
    add_gaps (text, stack);
  else if (space->volumes > 1 && flaw == ODL_STACK_REGULAR && !space->in_time)
    add (text,
         _ ("each place has %d pictures: they are shown as %d volumes, in the order of "
            "their numbers"),
         space->volumes, space->volumes);
  if (flaw == ODL_STACK_REGULAR && space->uneven_times)
    add (text, _ ("its volumes do not follow each other at equal times, as if some were "
                  "missing"));
  if (flaw == ODL_STACK_SHIFTED)
    add (text, _ ("its pictures are shifted sideways against each other"));
  if (space->unlike_pixels)
    add (text, _ ("its pixels are not of one size, or its pictures not turned alike"));
  if (flaw == ODL_STACK_TOO_FEW)
    return;
  if (flaw != ODL_STACK_REGULAR || space->unlike_pixels)
    add (text, space->can_be_filled
                   ? _ ("by itself it is no volume; opened as volume:FOLDER, or with "
                        "“Frames as Slices of a Volume” in the window’s menu, it is one, "
                        "with dark slices for the missing ones")
                   : _ ("by itself it is no volume"));
  else if (space->stack.tilt_degrees > 0)
    add (text,
         _ ("gantry tilt of %.1f°: planes across its slices, and the rendered view, are "
            "slanted by as much"),
         space->stack.tilt_degrees);
}

char *
odl_series_words (const GPtrArray *stack,
                  const OdlSeriesLeftOut *left_out,
                  const OdlSeriesSpace *space,
                  const char *before)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  GString *text = g_string_new (before);

  add_left_out (text, left_out);
  if (first->has_place)
    add_space (text, stack, space);
  else if (first->bad_place && stack->len > 1)
    add (text, _ ("its pictures do not say properly where they lie (Image Position and "
                  "Orientation); by itself it is no volume"));
  return g_string_free (text, text->len == 0);
}
