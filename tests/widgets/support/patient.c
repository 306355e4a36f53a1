// SPDX-License-Identifier: MIT
#include "patient.h"

#include "../../unit/source/dicom_writer.h"

char *
write_patient (Fixture *fixture, const char *patient, const char *orientation, int side)
{
  const bool ct = g_str_equal (patient, "Ct");
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *name = g_strconcat (patient, ".dcm", NULL);
  g_autofree char *person = g_strconcat (patient, "^Erika", NULL);

  odl_dicom_put_text (file, 0x00080005, "CS", "ISO_IR 100");
  odl_dicom_put_text (file, 0x00080008, "CS", "DERIVED\\PRIMARY");
  odl_dicom_put_text (file, 0x00080018, "UI", patient);
  odl_dicom_put_text (file, 0x00080020, "DA", "20240131");
  odl_dicom_put_text (file, 0x00080060, "CS", ct ? "CT" : "MR");
  // A letter of that set.
  odl_dicom_put_text (file, 0x0008103e, "LO",
                      "Sch\xe4"
                      "del");
  odl_dicom_put_text (file, 0x00100010, "PN", person);
  odl_dicom_put_text (file, 0x00100020, "LO", "19990101");
  odl_dicom_put_text (file, 0x00200011, "IS", "3");
  // Of radiographs, in letters.
  if (g_ascii_isalpha (*orientation)) {
    odl_dicom_put_text (file, 0x00200020, "CS", orientation);
  } else {
    odl_dicom_put_text (file, 0x00200032, "DS", "0\\0\\0");
    odl_dicom_put_text (file, 0x00200037, "DS", orientation);
  }
  if (g_str_equal (patient, "Gamma"))
    odl_dicom_put_text (file, 0x00200062, "CS", "R");
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_short (file, 0x00280010, (unsigned) side);
  odl_dicom_put_short (file, 0x00280011, (unsigned) side);
  odl_dicom_put_text (file, 0x00280030, "DS", "0.5\\0.5");
  odl_dicom_put_short (file, 0x00280100, 8);
  odl_dicom_put_short (file, 0x00280101, 8);
  odl_dicom_put_short (file, 0x00280102, 7);
  odl_dicom_put_short (file, 0x00280103, 0);
  if (ct) {
    odl_dicom_put_text (file, 0x00281050, "DS", "30");
    odl_dicom_put_text (file, 0x00281051, "DS", "100");
    odl_dicom_put_text (file, 0x00281052, "DS", "-100");
    odl_dicom_put_text (file, 0x00281053, "DS", "1");
  }
  odl_dicom_put_text (file, 0x00282110, "CS", "01");
  odl_dicom_put_head (file, 0x7fe00010, "OB", (uint32_t) (side * side));
  g_autofree guint8 *black = g_malloc0 ((gsize) side * side);
  g_byte_array_append (file, black, (guint) (side * side));
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
  return path;
}

void
write_slice (const char *folder, int place)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *text = g_strdup_printf ("%d", place);
  g_autofree char *position = g_strdup_printf ("0\\0\\%d", place);
  g_autofree char *name = g_strdup_printf ("slice%d.dcm", (place * 3) % 5);

  odl_dicom_put_text (file, 0x00080018, "UI", text);
  odl_dicom_put_text (file, 0x0020000e, "UI", "1.2");
  odl_dicom_put_text (file, 0x00200032, "DS", position);
  odl_dicom_put_text (file, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_bytes_of (file, 8, 8);
  odl_dicom_put_head (file, 0x7fe00010, "OB", 64);
  for (int i = 0; i < 64; i++) {
    const guint8 value = (guint8) (40 * place);
    g_byte_array_append (file, &value, 1);
  }
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
}
