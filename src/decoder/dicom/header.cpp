// SPDX-License-Identifier: MIT
#include "decoder/dicom/header.h"

#include <cmath>
#include <cstring>
#include <glib/gi18n-lib.h>

#include <dcmtk/dcmdata/dcistrmb.h>

#include "base/error.h"
#include "decoder/dicom/derive.hpp"
#include "decoder/dicom/item.hpp"
#include "decoder/dicom/regions.hpp"
#include "decoder/dicom/series.hpp"
#include "decoder/dicom/suv.hpp"
#include "decoder/dicom/voi.hpp"
#include "decoder/profile.h"

// Characters; the message to the parent has room for few more.
#define MOST_RECIPE 4096

static const struct {
  const char *name;
  OdlDicomColour colour;
  uint32_t samples;
  OdlDicomCodec only; // with this one; ODL_DICOM_NATIVE: with all
  int chroma_shift[2];
  bool limited;
} photometrics[] = {
  { "MONOCHROME2", ODL_DICOM_GREY, 1, ODL_DICOM_NATIVE, { 0, 0 }, false },
  { "MONOCHROME1", ODL_DICOM_GREY_INVERSE, 1, ODL_DICOM_NATIVE, { 0, 0 }, false },
  { "RGB", ODL_DICOM_RGB, 3, ODL_DICOM_NATIVE, { 0, 0 }, false },
  { "YBR_FULL", ODL_DICOM_YBR, 3, ODL_DICOM_NATIVE, { 0, 0 }, false },
  { "YBR_FULL_422", ODL_DICOM_YBR, 3, ODL_DICOM_NATIVE, { 1, 0 }, false },
  { "YBR_PARTIAL_422", ODL_DICOM_YBR, 3, ODL_DICOM_NATIVE, { 1, 0 }, true },
  { "YBR_PARTIAL_420", ODL_DICOM_YBR, 3, ODL_DICOM_NATIVE, { 1, 1 }, true },
  { "YBR_RCT", ODL_DICOM_YBR_CODED, 3, ODL_DICOM_JPEG_2000, { 0, 0 }, false },
  { "YBR_ICT", ODL_DICOM_YBR_CODED, 3, ODL_DICOM_JPEG_2000, { 0, 0 }, false },
  { "PALETTE COLOR", ODL_DICOM_PALETTE, 1, ODL_DICOM_NATIVE, { 0, 0 }, false },
};

bool
odl_dicom_header_parse (DcmDataset &dataset, const OdlDicomScan *scan, GError **error)
{
  E_TransferSyntax syntax = scan->syntax->implicit_vr  ? EXS_LittleEndianImplicit
                            : scan->syntax->big_endian ? EXS_BigEndianExplicit
                                                       : EXS_LittleEndianExplicit;
  DcmInputBufferStream stream;

  stream.setBuffer (scan->data + scan->header.offset, (offile_off_t) scan->header.size);
  stream.setEos ();
  dataset.transferInit ();
  OFCondition result = dataset.read (stream, syntax);
  dataset.transferEnd ();
  if (result.good ())
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its header is damaged (%s)"),
                        result.text ());
}

static bool
read_photometric (OdlDicomHeader *header,
                  const OdlDicomScan *scan,
                  DcmItem *dataset,
                  OdlPicture *picture,
                  GError **error)
{
  OFString name = odl_item_text (dataset, DCM_PhotometricInterpretation);

  header->samples = 1;
  if (!odl_item_optional_short (dataset, DCM_SamplesPerPixel, header->samples, error))
    return false;
  if (name.empty () && header->samples == 1) {
    odl_picture_warn (picture, _ ("the file does not say what its values mean; shown as "
                                  "grey, dark to bright"));
    name = "MONOCHROME2";
  }
  odl_picture_detail (picture, "photometric", "%s", name.c_str ());
  for (const auto &row : photometrics)
    if (name == row.name
        && (row.only == ODL_DICOM_NATIVE || row.only == scan->syntax->codec)) {
      header->colour = row.colour;
      header->limited = row.limited;
      memcpy (header->chroma_shift, row.chroma_shift, sizeof row.chroma_shift);
      if (header->samples == row.samples)
        return true;
      return odl_error_set (
          error, ODL_ERROR_CORRUPT,
          _ ("its header is inconsistent: %s with %u samples per pixel"), row.name,
          header->samples);
    }
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("its colour model “%s” is not supported"), name.c_str ());
}

static bool
read_bits (OdlDicomHeader *header,
           DcmItem *dataset,
           const OdlDicomScan *scan,
           GError **error)
{
  uint32_t representation = 0, planar = 0;

  if (!odl_item_short (dataset, DCM_BitsAllocated, header->bits_allocated))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it does not say how many bits a value has"));
  header->bits_stored = header->bits_allocated;
  if (!odl_item_optional_short (dataset, DCM_BitsStored, header->bits_stored, error))
    return false;
  header->high_bit = header->bits_stored - 1;
  if (!odl_item_optional_short (dataset, DCM_HighBit, header->high_bit, error)
      || !odl_item_optional_short (dataset, DCM_PixelRepresentation, representation,
                                   error)
      || !odl_item_optional_short (dataset, DCM_PlanarConfiguration, planar, error))
    return false;
  header->is_signed = representation == 1;
  header->by_plane = planar == 1;
  if (scan->kind != ODL_DICOM_PIXELS)
    return true;
  if (header->bits_stored == 0 || header->bits_stored > header->bits_allocated
      || header->high_bit >= header->bits_allocated
      || header->high_bit + 1 < header->bits_stored || representation > 1 || planar > 1)
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("its header is inconsistent: %u bits allocated, %u stored, highest %u"),
        header->bits_allocated, header->bits_stored, header->high_bit);
  uint32_t bits = header->bits_allocated;
  bool known = header->samples == 1
                   ? bits == 1 || bits == 8 || bits == 12 || bits == 16 || bits == 32
                   : bits == 8 || bits == 16;
  if (known && !(bits == 32 && header->colour == ODL_DICOM_PALETTE))
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("pixels of %u samples with %u bits each are not supported"),
                        header->samples, bits);
}

static void
read_frames (OdlDicomHeader *header, DcmItem *dataset, OdlPicture *picture)
{
  OFString text = odl_item_text (dataset, DCM_NumberOfFrames);
  double frames = 1;

  odl_item_number (dataset, DCM_NumberOfFrames, 0, frames);
  if (!(frames >= 1 && frames == floor (frames))) {
    odl_picture_warn (picture, _ ("the number of frames “%s” is invalid"), text.c_str ());
    frames = 1;
  }
  header->frames = (uint32_t) MIN (frames, G_MAXINT);
  if (header->frames > 1)
    odl_dicom_timing_read (&header->timing, dataset, header->frames, picture);
}

static void
read_rescale (DcmItem *dataset, uint32_t frame, OdlPicture *picture)
{
  DcmItem *item = odl_item_macro (dataset, DCM_PixelValueTransformationSequence, frame);
  OFString unit = odl_item_text (item, DCM_RescaleType);
  double slope = 1, intercept = 0;
  bool present = odl_item_number (item, DCM_RescaleSlope, 0, slope);

  present = odl_item_number (item, DCM_RescaleIntercept, 0, intercept) || present;
  if (!present && odl_item_number (dataset, DCM_DoseGridScaling, 0, slope)) {
    present = true;
    unit = odl_item_text (dataset, DCM_DoseUnits) == "GY" ? "Gy" : "";
  }
  if (!present)
    return;
  // Also rejects NaN.
  if (!(fabs (slope) > 1e-15 && fabs (slope) < 1e15 && fabs (intercept) < 1e15)) {
    odl_picture_warn (picture,
                      _ ("its rescale slope or intercept is invalid and is ignored"));
    return;
  }
  picture->reply.slope = slope;
  picture->reply.intercept = intercept;
  if (unit.empty () && odl_item_text (dataset, DCM_Modality) == "CT")
    unit = "HU";
  if (unit.empty ())
    unit = odl_dicom_pet_unit (dataset);
  if (unit != "US" && unit != "UNSPECIFIED" && unit.length () <= 16)
    picture->unit = g_utf8_make_valid (unit.c_str (), -1);
  odl_picture_detail (picture, "slope", "%g", slope);
  odl_picture_detail (picture, "intercept", "%g", intercept);
}

// The places of pixel spacings, the one that holds for what is seen before those that
// hold where the rays were caught, or the film was scanned. Where there are no functional
// groups, or none of the kind, the data set has it.
static const struct {
  const DcmTagKey &tag;
  const DcmTagKey &macro;
  OdlSpacingPlace place;
} spacings[] = {
  { DCM_PixelSpacing, DCM_PixelMeasuresSequence, ODL_SPACING_IN_OBJECT },
  { DCM_ObjectPixelSpacingInCenterOfBeam, DCM_ProjectionPixelCalibrationSequence,
    ODL_SPACING_IN_OBJECT },
  { DCM_ImagerPixelSpacing, DCM_FramePixelDataPropertiesSequence,
    ODL_SPACING_AT_DETECTOR },
  { DCM_ImagePlanePixelSpacing, DCM_UndefinedTagKey, ODL_SPACING_AT_DETECTOR },
  { DCM_NominalScannedPixelSpacing, DCM_UndefinedTagKey, ODL_SPACING_ON_FILM },
};

// Two numbers, of rows and of columns; NaN where one cannot be read. False: absent.
static bool
read_pair (DcmItem *item, const DcmTagKey &tag, double pair[2])
{
  pair[0] = pair[1] = NAN;
  if (!odl_item_number (item, tag, 0, pair[0]))
    return false;
  odl_item_number (item, tag, 1, pair[1]);
  return true;
}

// In projections Pixel Spacing is that of the detector, unless it is said to be
// calibrated, or differs from it (PS3.3, 10.7.1.3).
static bool
is_of_detector (DcmItem *dataset, uint32_t frame, const double spacing[2])
{
  DcmItem *item = odl_item_macro (dataset, DCM_FramePixelDataPropertiesSequence, frame);
  double caught[2];

  return read_pair (item, DCM_ImagerPixelSpacing, caught) && caught[0] == spacing[0]
         && caught[1] == spacing[1]
         && odl_item_text (dataset, DCM_PixelSpacingCalibrationType).empty ();
}

// False: none is known.
static bool
read_spacing (DcmItem *dataset, uint32_t frame, OdlPicture *picture)
{
  double pair[2];

  for (const auto &row : spacings) {
    if (!read_pair (odl_item_macro (dataset, row.macro, frame), row.tag, pair))
      continue;
    if (!(pair[0] > 1e-6 && pair[0] < 1e4 && pair[1] > 1e-6 && pair[1] < 1e4)) {
      odl_picture_warn (picture, _ ("its pixel spacing is invalid and is ignored"));
      continue;
    }
    picture->reply.spacing_mm[0] = pair[1];
    picture->reply.spacing_mm[1] = pair[0];
    picture->reply.spacing_place
        = row.tag == DCM_PixelSpacing && is_of_detector (dataset, frame, pair)
              ? ODL_SPACING_AT_DETECTOR
              : row.place;
    picture->reply.pixel_aspect = CLAMP (pair[1] / pair[0], 0.001, 1000);
    return true;
  }
  return false;
}

// The aspect ratio, vertical/horizontal, counts where no spacing is known (PS3.3
// C.7.6.3.1.7).
static void
read_geometry (DcmItem *dataset, uint32_t frame, OdlPicture *picture)
{
  double pair[2];

  if (read_spacing (dataset, frame, picture)
      || !read_pair (dataset, DCM_PixelAspectRatio, pair))
    return;
  const double aspect = pair[1] / pair[0];
  if (aspect >= 0.01 && aspect <= 100)
    picture->reply.pixel_aspect = aspect;
  else
    odl_picture_warn (
        picture, _ ("its pixel aspect ratio is invalid; pixels are shown as squares"));
}

static bool
read_luts (OdlDicomHeader *header, DcmItem *dataset, GError **error)
{
  static const OdlLutTags palette[] = {
    { DCM_RedPaletteColorLookupTableDescriptor, DCM_RedPaletteColorLookupTableData,
      DCM_SegmentedRedPaletteColorLookupTableData },
    { DCM_GreenPaletteColorLookupTableDescriptor, DCM_GreenPaletteColorLookupTableData,
      DCM_SegmentedGreenPaletteColorLookupTableData },
    { DCM_BluePaletteColorLookupTableDescriptor, DCM_BluePaletteColorLookupTableData,
      DCM_SegmentedBluePaletteColorLookupTableData },
  };
  static const OdlLutTags modality
      = { DCM_LUTDescriptor, DCM_LUTData, DCM_UndefinedTagKey };

  if (header->colour == ODL_DICOM_PALETTE) {
    for (int c = 0; c < 3; c++)
      if (!odl_item_lut (dataset, palette[c], header->is_signed, &header->palette[c],
                         error))
        return false;
    return true;
  }
  DcmItem *item = odl_item_in (dataset, DCM_ModalityLUTSequence, 0);
  return item == NULL || header->samples != 1
         || odl_item_lut (item, modality, header->is_signed, &header->modality, error);
}

// Pixel Padding Value, and up to Pixel Padding Range Limit if that is there, both
// included (PS3.3 C.7.5.1.1.2); those of floats in C.7.6.24. Samples that went through a
// table are no stored numbers.
static void
read_padding (const OdlDicomHeader *header,
              const OdlDicomScan *scan,
              DcmItem *dataset,
              OdlPicture *picture)
{
  const DcmTagKey tags[][2] = {
    { DCM_PixelPaddingValue, DCM_PixelPaddingRangeLimit },
    { DCM_FloatPixelPaddingValue, DCM_FloatPixelPaddingRangeLimit },
    { DCM_DoubleFloatPixelPaddingValue, DCM_DoubleFloatPixelPaddingRangeLimit },
  };
  const int row = scan->kind == ODL_DICOM_PIXELS          ? 0
                  : scan->kind == ODL_DICOM_DOUBLE_PIXELS ? 2
                                                          : 1;
  double ends[2];

  if (header->samples != 1 || header->modality.values != NULL
      || !odl_item_number (dataset, tags[row][0], 0, ends[0]))
    return;
  if (!odl_item_number (dataset, tags[row][1], 0, ends[1]))
    ends[1] = ends[0];
  // Padding of pixels has their sign, whatever its VR.
  for (int i = 0; row == 0 && header->bits_allocated <= 16 && i < 2; i++)
    if (header->is_signed ? ends[i] > INT16_MAX : ends[i] < 0)
      ends[i] += header->is_signed ? -(UINT16_MAX + 1.0) : UINT16_MAX + 1.0;
  odl_picture_set_padding (picture, ends[0], ends[1]);
  if (ends[0] == ends[1])
    odl_picture_detail (picture, "pixel-padding", "%.9g", ends[0]);
  else
    odl_picture_detail (picture, "pixel-padding", "%.9g … %.9g", ends[0], ends[1]);
}

static void
describe (const OdlDicomHeader *header,
          const OdlDicomScan *scan,
          DcmItem *dataset,
          OdlPicture *picture)
{
  odl_picture_set_format (picture, "DICOM, %s", scan->syntax->name);
  odl_picture_detail (picture, "transfer-syntax", "%s", scan->syntax->uid);
  odl_picture_detail (picture, "sop-instance", "%s",
                      odl_item_text (dataset, DCM_SOPInstanceUID).c_str ());
  odl_picture_detail (picture, "modality", "%s",
                      odl_item_text (dataset, DCM_Modality).c_str ());
  odl_picture_detail (picture, "rows", "%u", header->rows);
  odl_picture_detail (picture, "columns", "%u", header->columns);
  odl_picture_detail (picture, "samples-per-pixel", "%u", header->samples);
  odl_picture_detail (picture, "bits-allocated", "%u", header->bits_allocated);
  odl_picture_detail (picture, "bits-stored", "%u", header->bits_stored);
  odl_picture_detail (picture, "signed", "%s", header->is_signed ? "yes" : "no");
  // Of files that we wrote; it can be typed again.
  OFString recipe = odl_item_text (dataset, ODL_DERIVE_RECIPE_TAG);
  if (odl_item_text (dataset, ODL_DERIVE_CREATOR_TAG) == ODL_DERIVE_CREATOR
      && !recipe.empty () && recipe.length () <= MOST_RECIPE)
    odl_picture_whole_detail (picture, "recipe", recipe.c_str ());
  read_padding (header, scan, dataset, picture);
  odl_dicom_suv (dataset, picture);
}

// Of colours: that of the picture, or of the first way through a microscope.
static void
note_profile (DcmItem *dataset, OdlPicture *picture)
{
  DcmItem *const items[] = { dataset, odl_item_in (dataset, DCM_OpticalPathSequence, 0) };
  const Uint8 *profile = NULL;
  unsigned long size = 0;

  for (DcmItem *item : items)
    if (item != NULL
        && item->findAndGetUint8Array (DCM_ICCProfile, profile, &size).good ()
        && size > 0) {
      odl_picture_note_profile (picture, profile, size);
      return;
    }
}

static bool
refuse_without_pixels (DcmItem *dataset, GError **error)
{
  OFString modality = odl_item_text (dataset, DCM_Modality);
  bool directory = dataset->tagExists (DCM_DirectoryRecordSequence);

  if (directory)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it contains no image; it is the index of a DICOM medium (DICOMDIR): "
           "open the pictures in the folders beside it"));
  if (modality == "PR"
      && odl_item_text (dataset, DCM_SOPClassUID)
             != UID_GrayscaleSoftcopyPresentationStateStorage)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it contains no image; it says how others are looked at (a "
           "presentation state), but not as one of grey levels, and cannot be "
           "applied: open the picture that it is of"));
  if (modality == "PR")
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it contains no image; it says how others are looked at (a "
           "presentation state): open the picture that it is of, and choose it "
           "among the grey levels"));
  if (modality == "SR" || modality == "KO")
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        modality == "SR"
            ? _ ("it contains no image; it is a report in words and numbers (DICOM SR), "
                 "which the window and “ondelette-cli info” show as text")
            : _ ("it contains no image; it names pictures that somebody has marked (a "
                 "key object selection), which the window and “ondelette-cli info” "
                 "show"));
  if (modality.empty ())
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED, _ ("it contains no image"));
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("it contains no image (a DICOM object of modality %s)"),
                        modality.c_str ());
}

bool
odl_dicom_header_read (OdlDicomHeader *header,
                       const OdlDicomScan *scan,
                       DcmDataset &dataset,
                       uint32_t frame,
                       OdlPicture *picture,
                       GError **error)
{
  *header = OdlDicomHeader{};
  if (scan->kind == ODL_DICOM_NO_PIXELS)
    return refuse_without_pixels (&dataset, error);
  if (!odl_item_short (&dataset, DCM_Rows, header->rows)
      || !odl_item_short (&dataset, DCM_Columns, header->columns) || header->rows == 0
      || header->columns == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its header gives no valid number of rows and columns"));
  if (!read_photometric (header, scan, &dataset, picture, error)
      || !read_bits (header, &dataset, scan, error)
      || !read_luts (header, &dataset, error))
    return false;
  read_frames (header, &dataset, picture);
  header->lossy = scan->syntax->lossy
                  || odl_item_text (&dataset, DCM_LossyImageCompression) == "01";
  describe (header, scan, &dataset, picture);
  odl_dicom_series_read (&dataset, frame, picture);
  read_geometry (&dataset, frame, picture);
  odl_dicom_regions_read (header, &dataset, picture);
  if (header->samples == 1 && header->colour != ODL_DICOM_PALETTE) {
    if (header->modality.values == NULL)
      read_rescale (&dataset, frame, picture);
    odl_dicom_voi_read (header, &dataset, frame, picture);
  }
  odl_dicom_name_unapplied (header, &dataset, picture);
  note_profile (&dataset, picture);
  return true;
}

void
odl_dicom_header_clear (OdlDicomHeader *header)
{
  for (int c = 0; c < 3; c++)
    g_free (header->palette[c].values);
  g_free (header->modality.values);
  odl_dicom_timing_clear (&header->timing);
}
