// SPDX-License-Identifier: MIT
// DICOM through the helper: real files, one by one, and the same picture in several
// encodings.
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include "dicom_writer.h"
#include "../../helpers/test_data.h"
#include "support.h"

// What a real file must do. A shape, or a phrase of the refusal.
typedef struct {
  const char *path;
  int width, height, channels;
  OdlSampleType type;
  int frames;
  const char *phrase; // of the refusal; with a shape, of the warning
} RealFile;

static const RealFile real_files[] = {
#define REFUSED(path, phrase) \
  { \
    path, 0, 0, 0, 0, 0, phrase \
  }
  REFUSED ("fo-dicom/GH1146.dcm", "contains no image"),
  REFUSED ("fo-dicom/GH179B.dcm", "too early"),
  REFUSED ("fo-dicom/GH364.dcm", "damaged"),
  REFUSED ("pydicom-data/JLSL_08_07_0_1F.dcm", "at 7 bits, which is not supported"),
  REFUSED ("pydicom-data/SC_rgb_32bit.dcm", "32 bits"),
  // The delimiter stands in the place of the image's width.
  REFUSED ("pydicom/JPEG2000-embedded-sequence-delimiter.dcm", "damaged"),
  REFUSED ("pydicom/charset_files/chrJapMulti.dcm", "contains no image"),
  REFUSED ("pydicom/charset_files/chrSQEncoding.dcm", "contains no image"),
  REFUSED ("pydicom/dicomdirtests/DICOMDIR", "contains no image"),
  REFUSED ("pydicom/meta_missing_tsyntax.dcm", "Transfer Syntax"),
  REFUSED ("pydicom/no_meta.dcm", "known format"),
  REFUSED ("pydicom/palettes/hotiron.dcm", "contains no image"),
  REFUSED ("pydicom/palettes/pet.dcm", "contains no image"),
  REFUSED ("pydicom/reportsi.dcm", "contains no image"),
  REFUSED ("pydicom/rtplan.dcm", "contains no image"),
  REFUSED ("pydicom/crayons.icc", "known format"),
  REFUSED ("pydicom/README.txt", "known format"),
#undef REFUSED
  { "dicom-test-files/J2KI/RG1_J2KI", 1841, 1955, 1, ODL_SAMPLE_U16, 1 },
  { "dicom-test-files/J2KR/NM1_J2KR", 256, 1024, 1, ODL_SAMPLE_S16, 1 },
  { "dicom-test-files/JLSL/CT1_JLSL", 512, 512, 1, ODL_SAMPLE_S16, 1 },
  { "dicom-test-files/JPLL/NM1_JPLL", 256, 1024, 1, ODL_SAMPLE_S16, 1 },
  { "dicom-test-files/JPLL/RG3_JPLL", 1760, 1760, 1, ODL_SAMPLE_U16, 1 },
  { "dicom-test-files/JPLY/MR4_JPLY", 512, 512, 1, ODL_SAMPLE_U16, 1 },
  { "dicom-test-files/JPLY/RG3_JPLY", 1760, 1760, 1, ODL_SAMPLE_U16, 1 },
  { "dicom-test-files/RLE/VL1_RLE", 756, 486, 3, ODL_SAMPLE_U8, 1 },
  { "fo-dicom/1403-OB.dcm", 3, 3, 3, ODL_SAMPLE_U8, 1 },
  { "fo-dicom/GH1261.dcm", 162, 162, 1, ODL_SAMPLE_U16, 1, "window" },
  { "fo-dicom/GH1301.dcm", 32, 32, 1, ODL_SAMPLE_U8, 1 },
  { "fo-dicom/GH1308.dcm", 512, 512, 1, ODL_SAMPLE_S16, 1 },
  { "fo-dicom/GH1728.dcm", 652, 568, 1, ODL_SAMPLE_U16, 1 },
  { "fo-dicom/GH133.dcm", 2394, 3062, 1, ODL_SAMPLE_U16, 1 },
  { "fo-dicom/GH177_D_CLUNIE_CT1_IVRLE_BigEndian_ELE_undefinded_length.dcm", 512, 512, 1,
    ODL_SAMPLE_S16, 1 },
  { "fo-dicom/GH195.dcm", 795, 445, 3, ODL_SAMPLE_U8, 1 },
  { "fo-dicom/GH340.dcm", 256, 256, 1, ODL_SAMPLE_U16, 1, "grey" },
  { "fo-dicom/GH538-jpeg1.dcm", 636, 434, 3, ODL_SAMPLE_U8, 1 },
  { "fo-dicom/HasFragmentSequence.dcm", 512, 512, 1, ODL_SAMPLE_U8, 96 },
  { "fo-dicom/JPEGwithIcon.dcm", 600, 600, 3, ODL_SAMPLE_U8, 1 },
  { "fo-dicom/OutOfBoundsOverlay.dcm", 1318, 788, 1, ODL_SAMPLE_U16, 1 },
  { "fo-dicom/TestPattern_Palette_16.dcm", 640, 400, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom-data/HTJ2KLossless_08_RGB.dcm", 640, 480, 3, ODL_SAMPLE_U8, 1 },
  { "openjpeg-data/cthead1.j2k", 256, 256, 1, ODL_SAMPLE_U8, 1 },
  { "pydicom-data/liver_j2k.dcm", 512, 512, 1, ODL_SAMPLE_U8, 3 },
  { "pydicom-data/JLSL_16_15_1_1F.dcm", 128, 128, 1, ODL_SAMPLE_S16, 1 },
  { "pydicom-data/JLSL_RGB_ILV1.dcm", 256, 256, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom-data/MR-SIEMENS-DICOM-WithOverlays.dcm", 484, 484, 1, ODL_SAMPLE_U16, 1 },
  { "pydicom-data/OBXXXX1A.dcm", 800, 600, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom-data/OBXXXX1A_rle_2frame.dcm", 800, 600, 3, ODL_SAMPLE_U8, 2 },
  { "pydicom-data/SC_rgb_16bit.dcm", 100, 100, 3, ODL_SAMPLE_U16, 1 },
  { "pydicom-data/eCT_Supplemental.dcm", 512, 512, 1, ODL_SAMPLE_U16, 2 },
  { "pydicom-data/emri_small.dcm", 64, 64, 1, ODL_SAMPLE_U16, 10 },
  { "pydicom-data/gdcm-US-ALOKA-16.dcm", 640, 480, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom-data/liver_nonbyte_aligned.dcm", 510, 510, 1, ODL_SAMPLE_U8, 3 },
  { "pydicom-data/mlut_18.dcm", 512, 512, 1, ODL_SAMPLE_U16, 1 },
  { "pydicom-data/parametric_map_float.dcm", 128, 128, 1, ODL_SAMPLE_F32, 1 },
  { "pydicom/JPEG2000.dcm", 256, 1024, 1, ODL_SAMPLE_S16, 1 },
  { "pydicom/examples_jpeg2k.dcm", 640, 480, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom/CT_small.dcm", 128, 128, 1, ODL_SAMPLE_S16, 1 },
  { "pydicom/ExplVR_BigEnd.dcm", 80, 60, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom/JPEGLSNearLossless_08.dcm", 10, 45, 1, ODL_SAMPLE_U8, 1 },
  { "pydicom/JPGExtended.dcm", 256, 1024, 1, ODL_SAMPLE_U16, 1 },
  { "pydicom/MR_truncated.dcm", 64, 64, 1, ODL_SAMPLE_S16, 1, "99." },
  { "pydicom/SC_rgb_dcmtk_+eb+cr.dcm", 100, 100, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom/SC_rgb_dcmtk_+eb+cy+np.dcm", 100, 100, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom/SC_rgb_jpeg_app14_dcmd.dcm", 256, 256, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom/SC_rgb_jpeg_gdcm.dcm", 100, 100, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom/SC_rgb_rle_16bit_2frame.dcm", 100, 100, 3, ODL_SAMPLE_U16, 2 },
  { "pydicom/SC_rgb_small_odd.dcm", 3, 3, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom/SC_ybr_full_422_uncompressed.dcm", 100, 100, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom/badVR.dcm", 10, 10, 1, ODL_SAMPLE_F32, 1 },
  { "pydicom/charset_files/chrGreek.dcm", 32, 32, 1, ODL_SAMPLE_U8, 1 },
  { "pydicom/charset_files/chrH31.dcm", 32, 32, 1, ODL_SAMPLE_U8, 1 },
  { "pydicom/charset_files/chrRuss.dcm", 32, 32, 1, ODL_SAMPLE_U8, 1 },
  { "pydicom/charset_files/chrX1.dcm", 32, 32, 1, ODL_SAMPLE_U8, 1 },
  { "pydicom/dicomdirtests/77654033/CR1/6154", 16, 16, 1, ODL_SAMPLE_U16, 1 },
  { "pydicom/dicomdirtests/77654033/CT2/17106", 16, 16, 1, ODL_SAMPLE_S16, 1 },
  { "pydicom/examples_overlay.dcm", 484, 300, 1, ODL_SAMPLE_U16, 1 },
  { "pydicom/examples_palette.dcm", 800, 350, 3, ODL_SAMPLE_U8, 1 },
  { "pydicom/examples_ybr_color.dcm", 320, 240, 3, ODL_SAMPLE_U8, 30 },
  { "pydicom/image_dfl.dcm", 512, 512, 1, ODL_SAMPLE_U8, 1 },
  { "pydicom/liver_1frame.dcm", 512, 512, 1, ODL_SAMPLE_U8, 1 },
  { "pydicom/rtdose.dcm", 10, 10, 1, ODL_SAMPLE_F32, 15 },
  { "imageio-binaries/chelsea.png", 451, 300, 3, ODL_SAMPLE_U8, 1 },
};

static void
test_real_file (gconstpointer data)
{
  const RealFile *expected = data;
  g_autofree char *path = odl_test_data (expected->path);
  g_autoptr (OdlSource) source = NULL;

  if (path == NULL)
    return;
  if (expected->width == 0) {
    g_autofree char *message = odl_test_refusal (path);
    g_autofree char *name = g_path_get_basename (path);
    odl_test_contains (path, message, expected->phrase);
    odl_test_contains (path, message, name);
    return;
  }
  g_autoptr (OdlImage) image = odl_test_open (path, &source);
  const OdlImageInfo *info = odl_image_info (image);
  g_assert_cmpint (info->extent.x, ==, expected->width);
  g_assert_cmpint (info->extent.y, ==, expected->height);
  g_assert_cmpint (info->channels, ==, expected->channels);
  g_assert_cmpint (info->type, ==, expected->type);
  g_assert_cmpint (source->info.n_frames, ==, expected->frames);
  if (expected->phrase != NULL)
    odl_test_contains (path, source->info.warning, expected->phrase);
}

// Files that hold the same picture; near: how much the second may differ.
static const struct {
  const char *name;
  const char *a;
  const char *b;
  double near;
} twins[] = {
  { "ct-as-rle", "dicom-test-files/REF/CT1_UNC", "dicom-test-files/RLE/CT1_RLE", 0 },
  { "ct-as-lossless-jpeg", "dicom-test-files/REF/CT1_UNC",
    "dicom-test-files/JPLL/CT1_JPLL", 0 },
  { "ct-as-jpeg-ls", "dicom-test-files/REF/CT1_UNC", "dicom-test-files/JLSL/CT1_JLSL",
    0 },
  { "ct-as-near-lossless", "dicom-test-files/REF/CT1_UNC",
    "dicom-test-files/JLSN/CT1_JLSN", 4 },
  { "ct-as-jpeg-2000", "dicom-test-files/REF/CT1_UNC", "dicom-test-files/J2KR/CT1_J2KR",
    0 },
  { "enhanced-mr-as-jpeg-2000", "pydicom-data/emri_small.dcm",
    "pydicom-data/emri_small_jpeg_2k_lossless.dcm", 0 },
  { "liver-as-jpeg-2000", "pydicom/liver_1frame.dcm", "pydicom-data/liver_j2k.dcm", 0 },
  { "ultrasound-as-jpeg-2000", "pydicom-data/US1_UNCR.dcm", "pydicom/examples_jpeg2k.dcm",
    0 },
  { "ultrasound-as-lossy-jpeg-2000", "pydicom-data/US1_UNCR.dcm",
    "pydicom-data/US1_J2KI.dcm", 124 },
  { "mr-as-lossless-jpeg", "dicom-test-files/REF/MR4_UNC",
    "dicom-test-files/JPLL/MR4_JPLL", 0 },
  { "mr-as-lossy-jpeg", "dicom-test-files/REF/MR4_UNC", "dicom-test-files/JPLY/MR4_JPLY",
    40 },
  { "ultrasound-as-rle", "pydicom-data/US1_UNCR.dcm", "dicom-test-files/RLE/US1_RLE", 0 },
  { "colour-by-plane", "pydicom-data/color-px.dcm", "pydicom-data/color-pl.dcm", 0 },
  { "small-mr-as-rle", "pydicom/MR_small.dcm", "pydicom/MR_small_RLE.dcm", 0 },
  { "small-mr-big-endian", "pydicom/MR_small.dcm", "pydicom/MR_small_bigendian.dcm", 0 },
  { "small-mr-implicit", "pydicom/MR_small.dcm", "pydicom/MR_small_implicit.dcm", 0 },
  { "small-mr-as-jpeg-ls", "pydicom/MR_small.dcm",
    "pydicom/MR_small_jpeg_ls_lossless.dcm", 0 },
  { "small-mr-padded", "pydicom/MR_small.dcm", "pydicom/MR_small_padded.dcm", 0 },
  { "enhanced-mr-as-rle", "pydicom-data/emri_small.dcm",
    "pydicom-data/emri_small_RLE.dcm", 0 },
  { "palette-as-rle", "pydicom-data/OBXXXX1A.dcm", "pydicom-data/OBXXXX1A_rle_2frame.dcm",
    0 },
  { "sixteen-bit-colour-as-rle", "pydicom-data/SC_rgb_16bit.dcm",
    "pydicom/SC_rgb_rle_16bit_2frame.dcm", 0 },
};

static void
test_twins (gconstpointer data)
{
  size_t i = GPOINTER_TO_SIZE (data);
  g_autofree char *path_a = odl_test_data (twins[i].a);
  g_autofree char *path_b = path_a != NULL ? odl_test_data (twins[i].b) : NULL;

  if (path_b == NULL)
    return;
  g_autoptr (OdlImage) a = odl_test_open (path_a, NULL);
  g_autoptr (OdlImage) b = odl_test_open (path_b, NULL);
  double difference = odl_test_difference (a, b);
  g_test_message ("largest difference %g", difference);
  g_assert_cmpfloat (difference, <=, twins[i].near);
  if (twins[i].near > 0)
    g_assert_cmpfloat (difference, >, 0);
}

// The value maps of files whose headers are known.
static void
test_value_maps (void)
{
  static const struct {
    const char *path;
    double slope, intercept;
    const char *unit;
    double centre, width;
    bool inverse;
    double lowest, highest;
  } cases[] = {
    // No window in the file: stored values are 0 … 2278 besides the padding of −2000.
    { "dicom-test-files/REF/CT1_UNC", 1, -1024, "HU", 115.5, 2279, false, 0, 4095 },
    { "dicom-test-files/REF/MR4_UNC", 9.570207, -19595, "", -927, 2265, false, 0, 4095 },
    // Its padding is written as 63536, although pixels are signed.
    { "fo-dicom/GH1308.dcm", 1, -1024, "HU", 40, 300, false, 0, 4095 },
    { "dicom-test-files/JPLL/RG3_JPLL", 1, 0, "", 550, 1024, true, 0, 1023 },
    { "pydicom/MR_small.dcm", 1, 0, "", 600, 1600, false, 0, 4095 },
    { "pydicom/dicomdirtests/77654033/CR1/6154", 0.684, 200, "OD", 1600, 2800, true, 0,
      4095 },
    { "pydicom/examples_overlay.dcm", 1, 0, "", 450, 790, false, 0, 4095 },
    { "fo-dicom/GH1261.dcm", 1, 0, "", 0, 0, false, 0, 4095 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = odl_test_data (cases[i].path);
    if (path == NULL)
      return;
    g_autoptr (OdlImage) image = odl_test_open (path, NULL);
    const OdlImageInfo *info = odl_image_info (image);
    const OdlValueMap *map = &info->value_map;
    g_test_message ("%s", path);
    g_assert_cmpfloat_with_epsilon (map->slope, cases[i].slope, 1e-6);
    g_assert_cmpfloat (map->intercept, ==, cases[i].intercept);
    g_assert_cmpstr (map->unit, ==, cases[i].unit);
    g_assert_cmpint (map->has_window, ==, cases[i].width > 0);
    g_assert_cmpfloat (map->window_centre, ==, cases[i].centre);
    g_assert_cmpfloat (map->window_width, ==, cases[i].width);
    g_assert_cmpint (map->inverse, ==, cases[i].inverse);
    g_assert_cmpfloat (info->stored_min, ==, cases[i].lowest);
    g_assert_cmpfloat (info->stored_max, ==, cases[i].highest);
  }
}

static void
test_details (void)
{
  static const struct {
    const char *key;
    const char *value;
  } expected[] = {
    { "transfer-syntax", "1.2.840.10008.1.2.4.51" },
    { "photometric", "MONOCHROME2" },
    { "sop-instance", "1.3.6.1.4.1.5962.1.1.7.1.5.20040826185059.5457" },
    { "modality", "MR" },
    { "device", "Philips T5" },
    { "rows", "512" },
    { "columns", "512" },
    { "bits-stored", "12" },
    { "lossy", "yes" },
    { "slope", "9.57021" },
    { "intercept", "-19595" },
    { "window-centre", "-927" },
    { "window-width", "2265" },
  };
  g_autoptr (OdlSource) source = NULL;
  g_autofree char *path = odl_test_data ("dicom-test-files/JPLY/MR4_JPLY");

  if (path == NULL)
    return;
  g_autoptr (OdlImage) image = odl_test_open (path, &source);
  g_assert_cmpstr (source->info.format, ==, "DICOM, JPEG Extended");
  g_assert_cmpstr (source->info.name, ==, "MR4_JPLY");
  for (size_t i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (odl_source_detail (source, expected[i].key), ==, expected[i].value);
}

// Of projections, the spacing is that of the detector unless the file says otherwise.
static void
test_where_the_spacing_holds (void)
{
  static const struct {
    const char *spacing, *imager, *calibration, *scanned;
    OdlSpacingPlace place;
    double across, down;
  } rows[] = {
    { "0.3\\0.2", NULL, NULL, NULL, ODL_SPACING_IN_OBJECT, 0.2, 0.3 },
    { "0.3\\0.2", "0.4\\0.3", NULL, NULL, ODL_SPACING_IN_OBJECT, 0.2, 0.3 },
    { "0.3\\0.2", "0.3\\0.2", NULL, NULL, ODL_SPACING_AT_DETECTOR, 0.2, 0.3 },
    { "0.3\\0.2", "0.3\\0.2", "FIDUCIAL", NULL, ODL_SPACING_IN_OBJECT, 0.2, 0.3 },
    { NULL, "0.4\\0.3", NULL, "0.1\\0.1", ODL_SPACING_AT_DETECTOR, 0.3, 0.4 },
    { NULL, NULL, NULL, "0.1\\0.1", ODL_SPACING_ON_FILM, 0.1, 0.1 },
    { NULL, NULL, NULL, NULL, ODL_SPACING_IN_OBJECT, 0, 0 },
  };
  g_autofree char *folder = odl_test_folder ();
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
    if (rows[i].imager)
      odl_dicom_put_text (file, 0x00181164, "DS", rows[i].imager);
    if (rows[i].scanned)
      odl_dicom_put_text (file, 0x00182010, "DS", rows[i].scanned);
    odl_dicom_put_short (file, 0x00280002, 1);
    odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
    odl_dicom_put_short (file, 0x00280010, 4);
    odl_dicom_put_short (file, 0x00280011, 6);
    if (rows[i].spacing)
      odl_dicom_put_text (file, 0x00280030, "DS", rows[i].spacing);
    odl_dicom_put_short (file, 0x00280100, 8);
    odl_dicom_put_short (file, 0x00280101, 8);
    odl_dicom_put_short (file, 0x00280102, 7);
    odl_dicom_put_short (file, 0x00280103, 0);
    if (rows[i].calibration)
      odl_dicom_put_text (file, 0x00280a02, "CS", rows[i].calibration);
    odl_dicom_put_head (file, 0x7fe00010, "OB", 24);
    g_byte_array_append (file, (const guint8 *) "abcdefghijklmnopqrstuvwx", 24);
    g_autofree char *path = odl_test_write (folder, "a.dcm", file->data, file->len);
    g_autoptr (OdlImage) image = odl_test_open (path, NULL);
    const OdlImageInfo *info = odl_image_info (image);
    g_test_message ("%d", (int) i);
    g_assert_cmpint (info->spacing_place, ==, rows[i].place);
    g_assert_cmpfloat (info->spacing_mm[0], ==, rows[i].across);
    g_assert_cmpfloat (info->spacing_mm[1], ==, rows[i].down);
  }
  odl_test_remove_folder (folder);
}

// An odd number of bytes has one behind it that makes the number even.
static void
test_a_pad_byte_is_no_frame (void)
{
  static const struct {
    int width, height;
    const char *frames;
    guint bytes;
    int n_frames;
    bool says_more;
  } cases[] = {
    { 1, 1, "1", 2, 1, false }, { 1, 1, "3", 4, 3, false }, { 3, 1, "1", 4, 1, false },
    { 1, 1, "1", 4, 1, true },  { 1, 1, "2", 4, 2, true },  { 1, 2, "1", 4, 1, true },
    { 1, 1, "4", 2, 2, false },
  };
  g_autofree char *folder = odl_test_folder ();

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
    g_autoptr (OdlSource) source = NULL;

    odl_dicom_put_short (file, 0x00280002, 1);
    odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
    odl_dicom_put_text (file, 0x00280008, "IS", cases[i].frames);
    odl_dicom_put_bytes_of (file, cases[i].width, cases[i].height);
    odl_dicom_put_head (file, 0x7fe00010, "OB", cases[i].bytes);
    g_byte_array_append (file, (const guint8 *) "abcdefgh", cases[i].bytes);
    g_autofree char *path = odl_test_write (folder, "odd.dcm", file->data, file->len);
    g_autoptr (OdlImage) image = odl_test_open (path, &source);
    g_assert_cmpint (odl_image_info (image)->extent.x, ==, cases[i].width);
    g_assert_cmpint (source->info.n_frames, ==, cases[i].n_frames);
    const char *warning = source->info.warning != NULL ? source->info.warning : "";
    g_assert_cmpint (strstr (warning, "more frames") != NULL, ==, cases[i].says_more);
  }
  odl_test_remove_folder (folder);
}

static void
test_truncated_file_is_marked (void)
{
  g_autofree char *cut_path = odl_test_data ("pydicom/MR_truncated.dcm");
  g_autofree char *whole_path
      = cut_path != NULL ? odl_test_data ("pydicom/MR_small.dcm") : NULL;
  if (whole_path == NULL)
    return;
  g_autoptr (OdlImage) cut = odl_test_open (cut_path, NULL);
  g_autoptr (OdlImage) whole = odl_test_open (whole_path, NULL);
  g_assert_cmpstr (odl_image_info (cut)->mark, ==, "incomplete");
  g_assert_null (odl_image_info (whole)->mark);
  for (int y = 0; y < 62; y++)
    for (int x = 0; x < 64; x++)
      g_assert_cmpfloat (odl_test_sample (cut, 0, x, y), ==,
                         odl_test_sample (whole, 0, x, y));
  // What is missing is as dark as the darkest that is there, no darker: the window and
  // the range of a picture that brings none are found by its values.
  double least = odl_test_sample (whole, 0, 0, 0);
  for (int y = 0; y < 62; y++)
    for (int x = 0; x < 64; x++)
      least = MIN (least, odl_test_sample (whole, 0, x, y));
  g_assert_cmpfloat (odl_test_sample (cut, 0, 63, 63), ==, least);
}

static void
test_frames_of_a_cine_differ (void)
{
  static const char *const names[]
      = { "pydicom/examples_ybr_color.dcm", "fo-dicom/HasFragmentSequence.dcm",
          "pydicom-data/emri_small_RLE.dcm", "pydicom-data/emri_small.dcm" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlSource) source = NULL;
    g_autofree char *path = odl_test_data (names[i]);
    if (path == NULL)
      return;
    g_autoptr (OdlImage) first = odl_test_open (path, &source);
    int last_index = source->info.n_frames - 1;
    g_autoptr (OdlImage) last = odl_source_read_frame (source, last_index, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (odl_test_difference (first, last), >, 0);
    g_assert_null (odl_source_read_frame (source, last_index + 1, NULL, &error));
    g_assert_nonnull (error);
  }
}

// The n-th JPEG stream of a file, decoded by libjpeg with its own idea of the colours.
static uint8_t *
decode_with_libjpeg (const char *path, int *width, int *height)
{
  g_autofree char *bytes = NULL;
  gsize size = 0;
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  const char *start = memmem (bytes, size, "\xff\xd8\xff\xe0", 4);
  g_assert_nonnull (start);
  jpeg.err = jpeg_std_error (&errors);
  jpeg_create_decompress (&jpeg);
  jpeg_mem_src (&jpeg, (const unsigned char *) start, size - (size_t) (start - bytes));
  jpeg_read_header (&jpeg, TRUE);
  jpeg.out_color_space = JCS_RGB;
  jpeg_start_decompress (&jpeg);
  *width = (int) jpeg.output_width;
  *height = (int) jpeg.output_height;
  uint8_t *pixels = g_malloc ((size_t) *width * *height * 3);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = pixels + (size_t) jpeg.output_scanline * *width * 3;
    jpeg_read_scanlines (&jpeg, &row, 1);
  }
  jpeg_finish_decompress (&jpeg);
  jpeg_destroy_decompress (&jpeg);
  return pixels;
}

static void
test_jpeg_colours_follow_the_stream (void)
{
  // The first is labelled RGB and is not: by its label, teeth are purple.
  static const char *const names[] = { "fo-dicom/GH195.dcm", "fo-dicom/GH538-jpeg1.dcm",
                                       "pydicom/examples_ybr_color.dcm" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    int width = 0, height = 0;
    double sum = 0, largest = 0;
    g_autofree char *path = odl_test_data (names[i]);
    if (path == NULL)
      return;
    g_autofree uint8_t *expected = decode_with_libjpeg (path, &width, &height);
    g_autoptr (OdlImage) image = odl_test_open (path, NULL);
    g_assert_cmpint (odl_image_info (image)->extent.x, ==, width);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        for (int c = 0; c < 3; c++) {
          double difference = fabs (odl_test_sample (image, c, x, y)
                                    - expected[(y * width + x) * 3 + c]);
          sum += difference;
          largest = fmax (largest, difference);
        }
    g_test_message ("%s: mean %g, largest %g", path, sum / (width * height * 3), largest);
    g_assert_cmpfloat (sum / (width * height * 3), <, 0.5);
    g_assert_cmpfloat (largest, <=, 4);
  }
}

// Colour files as DCMTK's own tool shows them, which is an outside truth for palettes.
static void
test_colours_equal_dcmtk (void)
{
  static const char *const names[] = {
    "pydicom-data/OBXXXX1A.dcm",
    "pydicom/examples_palette.dcm",
    "fo-dicom/TestPattern_Palette_16.dcm",
    "pydicom-data/color-pl.dcm",
    "pydicom/SC_ybr_full_422_uncompressed.dcm",
    "pydicom/ExplVR_BigEnd.dcm",
  };
  g_autofree char *tool = g_find_program_in_path ("dcm2pnm");
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *ppm = g_build_filename (folder, "out.ppm", NULL);

  if (tool == NULL) {
    g_test_skip ("dcm2pnm is absent");
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = odl_test_data (names[i]);
    g_autofree char *bytes = NULL;
    gsize size = 0;
    int width = 0, height = 0, start = 0;
    if (path == NULL)
      break;
    const char *argv[] = { tool, "-q", "+op", path, ppm, NULL };
    g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL,
                                 G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                                 NULL, NULL, NULL, NULL, NULL, NULL));
    g_assert_true (g_file_get_contents (ppm, &bytes, &size, NULL));
    g_assert_cmpint (sscanf (bytes, "P6 %d %d 255%n", &width, &height, &start), ==, 2);
    g_assert_cmpuint (size, ==, (gsize) start + 1 + (gsize) width * height * 3);
    g_autoptr (OdlImage) image = odl_test_open (path, NULL);
    double largest = 0;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        for (int c = 0; c < 3; c++)
          largest = fmax (largest,
                          fabs (odl_test_sample (image, c, x, y)
                                - (uint8_t) bytes[start + 1 + (y * width + x) * 3 + c]));
    g_test_message ("%s: %g", path, largest);
    g_assert_cmpfloat (largest, <=, 1);
  }
  odl_test_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (real_files); i++) {
    g_autofree char *name = g_strconcat ("/dicom/real-file/", real_files[i].path, NULL);
    g_test_add_data_func (name, &real_files[i], test_real_file);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (twins); i++) {
    g_autofree char *name = g_strconcat ("/dicom/same-picture/", twins[i].name, NULL);
    g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_twins);
  }
  g_test_add_func ("/dicom/value-maps-come-from-the-header", test_value_maps);
  g_test_add_func ("/dicom/details-come-from-the-header", test_details);
  g_test_add_func ("/dicom/where-the-spacing-holds", test_where_the_spacing_holds);
  g_test_add_func ("/dicom/a-pad-byte-is-no-frame", test_a_pad_byte_is_no_frame);
  g_test_add_func ("/dicom/a-truncated-file-is-marked", test_truncated_file_is_marked);
  g_test_add_func ("/dicom/frames-of-a-cine-differ", test_frames_of_a_cine_differ);
  g_test_add_func ("/dicom/jpeg-colours-follow-the-stream",
                   test_jpeg_colours_follow_the_stream);
  g_test_add_func ("/dicom/colours-equal-dcmtk", test_colours_equal_dcmtk);
  return g_test_run ();
}
