// SPDX-License-Identifier: MIT
#include "panes.h"

#include <glib/gstdio.h>

#include "../../unit/source/dicom_writer.h"

#define SIDE 40

// ---- the panes -----------------------------------------------------------------------

const OdlWindowParts *
parts_of (Fixture *fixture)
{
  return odl_main_window_parts (fixture->window);
}

OdlPane *
pane_at (Fixture *fixture, int n)
{
  OdlPane *pane = odl_layout_nth (parts_of (fixture)->layout, n);
  g_assert_nonnull (pane);
  return pane;
}

int
n_panes (Fixture *fixture)
{
  return odl_layout_count (parts_of (fixture)->layout);
}

// What the other functions of tests are about from now on.
void
look_at (Fixture *fixture, int n)
{
  fixture->session = pane_at (fixture, n)->session;
  fixture->viewport = pane_at (fixture, n)->viewport;
}

void
go_to (Fixture *fixture, int n)
{
  odl_layout_activate (parts_of (fixture)->layout, pane_at (fixture, n));
  g_assert_true (parts_of (fixture)->session == pane_at (fixture, n)->session);
  look_at (fixture, n);
}

// The other functions are about the active one.
void
arrange (Fixture *fixture, const char *action, const char *text)
{
  activate_with_text (fixture, action, text);
  fixture->session = parts_of (fixture)->session;
  fixture->viewport = parts_of (fixture)->viewport;
}

void
lay_out (Fixture *fixture, const char *name)
{
  arrange (fixture, "layout", name);
  run_cycles (fixture, 3);
}

void
open_in (Fixture *fixture, int n, const char *location)
{
  go_to (fixture, n);
  open_and_wait (fixture, location);
}

// ---- pictures ------------------------------------------------------------------------

static void
put_number (GByteArray *file, uint32_t tag, const char *vr, double value)
{
  g_autofree char *text = g_strdup_printf ("%g", value);
  odl_dicom_put_text (file, tag, vr, text);
}

static void
put_pixels (GByteArray *file, const Series *series, int frames, int first)
{
  g_autofree char *spacing = g_strdup_printf ("%g\\%g", series->spacing, series->spacing);
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  if (frames > 1)
    put_number (file, 0x00280008, "IS", frames);
  odl_dicom_put_short (file, 0x00280010, SIDE);
  odl_dicom_put_short (file, 0x00280011, SIDE);
  odl_dicom_put_text (file, 0x00280030, "DS", spacing);
  odl_dicom_put_short (file, 0x00280100, 8);
  odl_dicom_put_short (file, 0x00280101, 8);
  odl_dicom_put_short (file, 0x00280102, 7);
  odl_dicom_put_short (file, 0x00280103, 0);
  odl_dicom_put_head (file, 0x7fe00010, "OB", (uint32_t) (frames * SIDE * SIDE));
  for (int i = 0; i < frames; i++)
    for (int k = 0; k < SIDE * SIDE; k++)
      g_byte_array_append (file, &(guint8){ (guint8) (40 + 5 * (first + i) + k % 7) }, 1);
}

static void
write_file (const Series *series, const char *path, int number, int frames)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *instance = g_strdup_printf ("1.9.%s.%d", series->name, number);
  const double along = series->first + number * series->step;
  g_autofree char *place = series->sagittal
                               ? g_strdup_printf ("%g\\-10\\20", along)
                               : g_strdup_printf ("%g\\-10\\%g", series->left, along);
  odl_dicom_put_text (file, 0x00080018, "UI", instance);
  odl_dicom_put_text (file, 0x00080060, "CS", "MR");
  odl_dicom_put_text (file, 0x00100010, "PN",
                      series->person ? series->person : "Kranich^Berta");
  odl_dicom_put_text (file, 0x00100020, "LO", "880077");
  odl_dicom_put_text (file, 0x00100030, "DA", "19720506");
  if (frames > 1)
    put_number (file, 0x00181063, "DS", series->interval_ms);
  odl_dicom_put_text (file, 0x0020000d, "UI", "1.9");
  odl_dicom_put_text (file, 0x0020000e, "UI", series->name);
  put_number (file, 0x00200013, "IS", number + 1);
  if (series->frame) {
    odl_dicom_put_text (file, 0x00200032, "DS", place);
    odl_dicom_put_text (file, 0x00200037, "DS",
                        series->sagittal ? "0\\1\\0\\0\\0\\-1" : "1\\0\\0\\0\\1\\0");
    odl_dicom_put_text (file, 0x00200052, "UI", series->frame);
  }
  put_pixels (file, series, frames, number);
  g_assert_true (g_file_set_contents (path, (const char *) file->data, file->len, NULL));
}

// The location to open. Transfer full.
char *
write_series (Fixture *fixture, const Series *series)
{
  g_autofree char *folder = g_build_filename (fixture->folder, series->name, NULL);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  if (series->interval_ms > 0) {
    char *cine = g_build_filename (folder, "cine.dcm", NULL);
    write_file (series, cine, 0, series->n);
    return cine;
  }
  for (int i = 0; i < series->n; i++) {
    g_autofree char *name = g_strdup_printf ("%03d.dcm", i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    write_file (series, path, i, 1);
  }
  return g_strconcat ("series:", folder, NULL);
}
