// SPDX-License-Identifier: MIT
// Reports say whose they are.
#include "source/dicom/report_text.h"

#include <glib.h>

#include "../../helpers/folder.h"
#include "dicom_writer.h"
#include "support.h"

static char *
write_report (const char *folder, const char *name)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);

  odl_dicom_put_text (out, 0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.88.22");
  odl_dicom_put_text (out, 0x00080018, "UI", "1.2.3");
  odl_dicom_put_text (out, 0x00080023, "DA", "20240612");
  odl_dicom_put_text (out, 0x00081030, "LO", "Thorax");
  if (name)
    odl_dicom_put_text (out, 0x00100010, "PN", name);
  odl_dicom_put_text (out, 0x00100020, "LO", "4711");
  odl_dicom_put_text (out, 0x00100030, "DA", "19570314");
  odl_dicom_write_in (folder, "report", out);
  return g_build_filename (folder, "report", NULL);
}

static void
test_whose (void)
{
  static const struct {
    const char *written, *read;
  } names[] = { { "DURAND^Marie^H", "DURAND, Marie H" },
                { "DURAND", "DURAND" },
                { "DURAND^", "DURAND" },
                { "YAMADA^Tarou=YAMADA^TAROU", "YAMADA, Tarou" },
                { NULL, "" } };
  g_autofree char *folder = odl_test_folder ();

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = write_report (folder, names[i].written);
    g_autoptr (OdlReport) open = odl_report_read (path, false, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (open->patient, ==, names[i].read);
    g_assert_cmpstr (open->patient_id, ==, "4711");
    g_assert_cmpstr (open->birth, ==, "19570314");
    g_assert_cmpstr (open->study, ==, "Thorax");
    g_autoptr (OdlReport) hidden = odl_report_read (path, true, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (hidden->patient, ==, "");
    g_assert_cmpstr (hidden->patient_id, ==, "");
    g_assert_cmpstr (hidden->birth, ==, "");
  }
  odl_test_remove_tree (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/whose", test_whose);
  return g_test_run ();
}
