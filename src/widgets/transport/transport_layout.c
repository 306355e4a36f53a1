// SPDX-License-Identifier: MIT
#include "widgets/transport/transport_layout.h"

#define N_PARTS 4
#define N_LAYOUTS 3
#define MAX_ROWS 3

// Pixels.
#define GAP 12
#define ROW_GAP 3
#define MIN_SEEK 120 // while pictures play; shorter, it hits no frame

enum { BUTTONS, SEEK, NUMBERS, MODES, NONE = -1 };

// Rows of parts, the widest layout first. One part of each row takes the remaining width.
static const struct {
  int rows[MAX_ROWS][N_PARTS];
  int n_rows;
} layouts[N_LAYOUTS] = {
  { { { BUTTONS, SEEK, NUMBERS, MODES } }, 1 },
  { { { SEEK, NONE, NONE, NONE }, { BUTTONS, NUMBERS, MODES, NONE } }, 2 },
  { { { SEEK, NONE, NONE, NONE },
      { BUTTONS, MODES, NONE, NONE },
      { NUMBERS, NONE, NONE, NONE } },
    3 },
};

// Which part of a row stretches, the first that is in it.
static const int stretches[] = { SEEK, NUMBERS, BUTTONS };

static GtkWidget *
part (const OdlTransportParts *parts, int which)
{
  GtkWidget *const widgets[N_PARTS]
      = { parts->buttons, parts->seek, parts->numbers, parts->modes };
  GtkWidget *widget = which == NONE ? NULL : widgets[which];
  return widget && gtk_widget_get_visible (widget) ? widget : NULL;
}

static int
part_width (const OdlTransportParts *parts, int which, bool smallest)
{
  int minimum, natural;
  GtkWidget *widget = part (parts, which);
  if (!widget)
    return 0;
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL,
                      NULL);
  if (which == SEEK && !smallest)
    return MAX (natural, MIN_SEEK);
  return smallest ? minimum : natural;
}

static int
row_width (const OdlTransportParts *parts, const int *row, bool smallest)
{
  int width = 0;
  for (int i = 0; i < N_PARTS; i++)
    if (part (parts, row[i]))
      width += part_width (parts, row[i], smallest) + (width > 0 ? GAP : 0);
  return width;
}

static int
row_height (const OdlTransportParts *parts, const int *row)
{
  int height = 0;
  for (int i = 0; i < N_PARTS; i++) {
    int minimum, natural;
    GtkWidget *widget = part (parts, row[i]);
    if (!widget)
      continue;
    gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, &minimum, &natural, NULL,
                        NULL);
    height = MAX (height, natural);
  }
  return height;
}

static int
layout_width (const OdlTransportParts *parts, int layout, bool smallest)
{
  int width = 0;
  for (int i = 0; i < layouts[layout].n_rows; i++) {
    const int *row = layouts[layout].rows[i];
    int spare = 0;
    for (int k = 0; k < N_PARTS && !smallest; k++)
      spare += row[k] == NUMBERS ? parts->spare : 0;
    width = MAX (width, row_width (parts, row, smallest) + spare);
  }
  return width;
}

static int
choose_layout (const OdlTransportParts *parts, int width)
{
  int layout = 0;
  while (layout < N_LAYOUTS - 1 && layout_width (parts, layout, false) > width)
    layout++;
  return layout;
}

void
odl_transport_layout_measure (const OdlTransportParts *parts,
                              GtkOrientation orientation,
                              int for_size,
                              int *minimum,
                              int *natural)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = layout_width (parts, N_LAYOUTS - 1, true);
    *natural = MAX (*minimum, layout_width (parts, 1, false));
    return;
  }
  const int layout = choose_layout (parts, for_size < 0 ? 0 : for_size);
  int height = 0;
  for (int i = 0; i < layouts[layout].n_rows; i++) {
    const int row = row_height (parts, layouts[layout].rows[i]);
    if (row > 0)
      height += row + (height > 0 ? ROW_GAP : 0);
  }
  *minimum = *natural = height;
}

static int
stretching_part (const OdlTransportParts *parts, const int *row)
{
  for (size_t k = 0; k < G_N_ELEMENTS (stretches); k++)
    for (int i = 0; i < N_PARTS; i++)
      if (row[i] == stretches[k] && part (parts, row[i]))
        return row[i];
  return NONE;
}

// One row at `y`; mirrored for scripts from right to left.
static void
allocate_row (const OdlTransportParts *parts,
              const int *row,
              int width,
              GtkAllocation at,
              bool mirrored)
{
  const bool smallest = row_width (parts, row, false) > width;
  const int spare = MAX (width - row_width (parts, row, smallest), 0);
  const int stretching = stretching_part (parts, row);
  for (int i = 0; i < N_PARTS; i++) {
    GtkWidget *widget = part (parts, row[i]);
    if (!widget)
      continue;
    GtkAllocation place = at;
    place.width = part_width (parts, row[i], smallest);
    if (row[i] == stretching)
      place.width += spare;
    at.x += place.width + GAP;
    if (mirrored)
      place.x = width - place.x - place.width;
    gtk_widget_size_allocate (widget, &place, -1);
  }
}

void
odl_transport_layout_allocate (const OdlTransportParts *parts, int width, bool mirrored)
{
  const int layout = choose_layout (parts, width);
  GtkAllocation at = { 0 };
  for (int i = 0; i < layouts[layout].n_rows; i++) {
    const int *row = layouts[layout].rows[i];
    at.height = row_height (parts, row);
    if (at.height == 0)
      continue;
    allocate_row (parts, row, width, at, mirrored);
    at.y += at.height + ROW_GAP;
  }
}
