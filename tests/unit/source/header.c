// SPDX-License-Identifier: MIT
// The whole header as text: the elements that dcmdump finds, in their order, and values
// that nothing in them can break.
#include <string.h>

#include "dicom_writer.h"
#include "source/dicom/dicom.h"
#include "source/header_text.h"
#include "../../helpers/test_data.h"
#include "support.h"

// The tags of the data set up to the pixels, without items and delimiters. Transfer full.
static char *
tags_of (const char *text, const char *start)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *tags = g_string_new (NULL);

  for (char **line = lines; *line != NULL; line++) {
    const char *at = strchr (*line, '(');
    if (at == NULL || strspn (*line, start) < (size_t) (at - *line) || strlen (at) < 11
        || at[5] != ',' || at[10] != ')')
      continue;
    g_autofree char *tag = g_ascii_strdown (at, 11);
    if (g_str_has_prefix (tag, "(7fe0"))
      break;
    if (!g_str_has_prefix (tag, "(fffe") && !g_str_has_prefix (tag, "(0002"))
      g_string_append (tags, tag);
  }
  return g_string_free (tags, FALSE);
}

static void
test_elements (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = odl_test_data (data);
  g_autofree char *program = g_find_program_in_path ("dcmdump");
  g_autofree char *printed = NULL;

  if (path == NULL)
    return;
  if (program == NULL) {
    g_test_skip ("dcmdump is not installed");
    return;
  }
  const char *const command[] = { program, "-q", path, NULL };
  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                &printed, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *text = odl_dicom_read_header (path, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *expected = tags_of (printed, " ");
  g_autofree char *got = tags_of (text, "0123456789\t");
  g_assert_cmpuint (strlen (expected), >, 11 * 20);
  g_assert_cmpstr (got, ==, expected);
}

static void
test_values (void)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = odl_test_folder ();

  odl_dicom_put_text (file, 0x00080005, "CS", "ISO_IR 100");
  odl_dicom_put_text (file, 0x00080081, "ST", "one\ttwo\r\nthree");
  odl_dicom_put_text (file, 0x00081030, "LO",
                      "<b>Sch\xe4"
                      "del</b>");
  // A sequence of one item, which has a character set of its own.
  odl_dicom_put_head (file, 0x00081140, "SQ", 8 + 18 + 14);
  odl_dicom_put_u32 (file, 0xe000fffe);
  odl_dicom_put_u32 (file, 18 + 14);
  odl_dicom_put_text (file, 0x00080005, "CS", "ISO_IR 144");
  odl_dicom_put_text (file, 0x0008103e, "LO", "\xbb\xee\xda\xd0\xe2\xd8");
  odl_dicom_put_text (file, 0x00091010, "UN", "private");
  odl_dicom_put_short (file, 0x00280010, 7);
  g_autofree char *path = odl_test_write (folder, "a.dcm", file->data, file->len);
  g_autofree char *text = odl_dicom_read_header (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==,
                   "0\t(0008,0005)\tCS\tSpecificCharacterSet\tISO_IR 100\n"
                   "0\t(0008,0081)\tST\tInstitutionAddress\tone two  three\n"
                   "0\t(0008,1030)\tLO\tStudyDescription\t<b>Schädel</b>\n"
                   "0\t(0008,1140)\tSQ\tReferencedImageSequence\t\n"
                   "1\t(FFFE,E000)\t\tItem\t1\n"
                   "2\t(0008,0005)\tCS\tSpecificCharacterSet\tISO_IR 144\n"
                   "2\t(0008,103E)\tLO\tSeriesDescription\tЛюкати\n"
                   "0\t(0009,1010)\tUN\tUnknown Tag & Data\t8 B\n"
                   "0\t(0028,0010)\tUS\tRows\t7\n");
  g_free (odl_test_write (folder, "text.dcm", "text", 4));
  g_autofree char *other = g_build_filename (folder, "text.dcm", NULL);
  g_assert_null (odl_dicom_read_header (other, NULL, &error));
  odl_test_contains (other, error->message, "text.dcm");
  odl_test_remove_folder (folder);
}

// Attributes of unknown type are listed with that of the dictionary, also those of
// private creators and in their sequences; smallest values have the sign of the pixels,
// those of an icon that of its own.
static void
test_types (void)
{
  // An item of 20 bytes: pixels without a sign, and their smallest value.
  static const uint8_t item[] = { 0xfe, 0xff, 0x00, 0xe0, 20, 0, 0, 0, //
                                  0x28, 0x00, 0x03, 0x01, 2,  0, 0, 0, 0,    0, //
                                  0x28, 0x00, 0x06, 0x01, 2,  0, 0, 0, 0xec, 0xff };
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("ondelette-header-XXXXXX", NULL);
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);

  odl_dicom_put_text (file, 0x00090010, "UN", "CARDIO-D.R. 1.0 ");
  odl_dicom_put_head (file, 0x00091040, "UN", sizeof item);
  g_byte_array_append (file, item, sizeof item);
  odl_dicom_put_short (file, 0x00280103, 1);
  odl_dicom_put_short (file, 0x00280106, 0xffec);
  odl_dicom_put_text (file, 0x00281053, "UN", "1 ");
  g_free (odl_test_write (folder, "types.dcm", file->data, file->len));
  g_autofree char *path = g_build_filename (folder, "types.dcm", NULL);
  g_autofree char *text = odl_dicom_read_header (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==,
                   "0\t(0009,0010)\tLO\tPrivateCreator\tCARDIO-D.R. 1.0\n"
                   "0\t(0009,1040)\tSQ\tAlternateImageSequence\t\n"
                   "1\t(FFFE,E000)\t\tItem\t1\n"
                   "2\t(0028,0103)\tUS\tPixelRepresentation\t0\n"
                   "2\t(0028,0106)\tUS\tSmallestImagePixelValue\t65516\n"
                   "0\t(0028,0103)\tUS\tPixelRepresentation\t1\n"
                   "0\t(0028,0106)\tSS\tSmallestImagePixelValue\t-20\n"
                   "0\t(0028,1053)\tDS\tRescaleSlope\t1\n");
  odl_test_remove_folder (folder);
}

// What is said of each picture of a sequence stands below its number, in their order. A
// name of a patient is marked as one of a DICOM file is.
static void
test_sequences (void)
{
  static const struct {
    const char *kind;
    const char *name;
    const char *file;
    const char *text;
  } rows[] = {
    { "nrrd", "a.seq.nrrd",
      "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 1 1 2\nencoding: raw\n"
      "kinds: domain domain list\naxis 2 index values:=0.5 a%20b\n"
      "axis 2 item 1 DICOM.PatientName:=Doe%5eJane\naxis 2 item 0 Gain:=50%25\n\nab",
      "0\t\t\ttype\tuchar\n0\t\t\tdimension\t3\n0\t\t\tsizes\t1 1 2\n"
      "0\t\t\tencoding\traw\n0\t\t\tkinds\tdomain domain list\n"
      "0\t\t\tFrame\t1\n1\t\t\tindex value\t0.5\n1\t\t\tGain\t50%\n"
      "0\t\t\tFrame\t2\n1\t\t\tindex value\ta b\n"
      "1\t\tPN\tDICOM.PatientName\tDoe^Jane\n" },
    { "metaimage", "a.igs.mha",
      "ObjectType = Image\nNDims = 3\nDimSize = 1 1 2\nElementType = MET_UCHAR\n"
      "Seq_Frame0001_Timestamp = 2\nSeq_Frame0000_ProbeToTrackerTransform = 1 0 0 5\n"
      "ElementDataFile = LOCAL\nab",
      "0\t\t\tObjectType\tImage\n0\t\t\tNDims\t3\n0\t\t\tDimSize\t1 1 2\n"
      "0\t\t\tElementType\tMET_UCHAR\n0\t\t\tElementDataFile\tLOCAL\n"
      "0\t\t\tFrame\t1\n1\t\t\tProbeToTrackerTransform\t1 0 0 5\n"
      "0\t\t\tFrame\t2\n1\t\t\tTimestamp\t2\n" },
  };
  g_autofree char *folder = g_dir_make_tmp ("ondelette-header-XXXXXX", NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path
        = odl_test_write (folder, rows[i].name, rows[i].file, strlen (rows[i].file));
    g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (odl_header_text_kind (source), ==, rows[i].kind);
    g_autofree char *text = odl_header_text_read (rows[i].kind, path, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (text, ==, rows[i].text);
  }
  odl_test_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  static const char *const files[] = { "pydicom/CT_small.dcm",
                                       "pydicom-data/emri_small.dcm",
                                       "pydicom/rtdose.dcm",
                                       "pydicom/ExplVR_BigEnd.dcm",
                                       "pydicom/image_dfl.dcm",
                                       "pydicom/examples_ybr_color.dcm",
                                       "dicom-test-files/J2KI/RG1_J2KI" };
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *name = g_path_get_basename (files[i]);
    g_autofree char *test = g_strconcat ("/header/elements-of/", name, NULL);
    g_test_add_data_func (test, files[i], test_elements);
  }
  g_test_add_func ("/header/sequences", test_sequences);
  g_test_add_func ("/header/values", test_values);
  g_test_add_func ("/header/types", test_types);
  return g_test_run ();
}
