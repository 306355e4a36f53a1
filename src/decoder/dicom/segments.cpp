// SPDX-License-Identifier: MIT
// What somebody outlined in pictures: the segments of a segmentation (PS3.3 A.51) and
// where its frames lie, or the contours of a structure set (A.19). Pixels of
// segmentations are read as those of other files are.
#include "decoder/dicom/segments.hpp"

#include <cmath>
#include <cstring>
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "decoder/dicom/character_set.h"
#include "decoder/dicom/text.hpp"
#include "decoder/protocol.h"

#define LABEL_MAP_CLASS "1.2.840.10008.5.1.4.1.1.66.7"

namespace {

struct Table {
  OdlDecoderSegments head = {};
  std::vector<OdlDecoderSegment> segments;
  std::vector<OdlDecoderSegmentFrame> frames;
  std::vector<double> points; // three for each
};

}

// ---- Colours -------------------------------------------------------------------------

// Of the companded sRGB, 0 … 255 (IEC 61966-2-1).
static uint8_t
compand (double linear)
{
  const double level
      = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow (linear, 1 / 2.4) - 0.055;

  return (uint8_t) (255 * CLAMP (level, 0, 1) + 0.5);
}

static double
from_lab (double f)
{
  return f > 6.0 / 29 ? f * f * f : 3 * (6.0 / 29) * (6.0 / 29) * (f - 4.0 / 29);
}

// CIELab of the white of ICC profiles (D50) as DICOM has it (PS3.3 C.10.7.1.1), whole
// numbers of 16 bits, as sRGB: Bradford's matrix to D65 and that of sRGB in one.
static void
convert_lab (const uint32_t lab[3], uint8_t colour[3])
{
  static const double white[3] = { 0.96422, 1, 0.82521 };
  static const double matrix[3][3] = { { 3.1338561, -1.6168667, -0.4906146 },
                                       { -0.9787684, 1.9161415, 0.0334540 },
                                       { 0.0719453, -0.2289914, 1.4052427 } };
  const double l = lab[0] * 100 / 65535.0;
  const double a = lab[1] * 255 / 65535.0 - 128, b = lab[2] * 255 / 65535.0 - 128;
  const double y = (l + 16) / 116;
  const double xyz[3] = { white[0] * from_lab (y + a / 500), white[1] * from_lab (y),
                          white[2] * from_lab (y - b / 200) };

  for (int i = 0; i < 3; i++)
    colour[i]
        = compand (matrix[i][0] * xyz[0] + matrix[i][1] * xyz[1] + matrix[i][2] * xyz[2]);
}

static void
read_lab (DcmItem *item, OdlDecoderSegment *segment)
{
  uint32_t lab[3];
  double value = 0;

  for (unsigned i = 0; i < 3; i++) {
    if (!odl_item_number (item, DCM_RecommendedDisplayCIELabValue, i, value)
        || !(value >= 0 && value <= 65535))
      return;
    lab[i] = (uint32_t) value;
  }
  convert_lab (lab, segment->colour);
  segment->has_colour = 1;
}

static void
read_rgb (DcmItem *item, OdlDecoderSegment *segment)
{
  double value = 0;

  for (unsigned i = 0; i < 3; i++) {
    if (!odl_item_number (item, DCM_ROIDisplayColor, i, value)
        || !(value >= 0 && value <= 255))
      return;
    segment->colour[i] = (uint8_t) value;
  }
  segment->has_colour = 1;
}

// ---- Names and places ----------------------------------------------------------------

template <size_t N>
static void
copy_name (char (&to)[N], DcmItem *item, const DcmTagKey &tag, int set)
{
  const OFString value = odl_item_text (item, tag);
  g_autofree char *text = odl_character_set_decode (value.c_str (), set);
  g_autofree char *whole = g_utf8_make_valid (text, -1);
  const char *end = whole;

  while (*end != '\0' && g_utf8_next_char (end) - whole < (ptrdiff_t) N)
    end = g_utf8_next_char (end);
  memcpy (to, whole, (size_t) (end - whole));
  to[end - whole] = '\0';
}

template <size_t N>
static void
copy_uid (char (&to)[N], DcmItem *item, const DcmTagKey &tag)
{
  g_strlcpy (to, item != NULL ? odl_item_text (item, tag).c_str () : "", N);
}

static bool
read_three (DcmItem *item, const DcmTagKey &tag, unsigned first, double *values)
{
  for (unsigned i = 0; i < 3; i++)
    if (!odl_item_number (item, tag, first + i, values[i]) || !(fabs (values[i]) < 1e6))
      return false;
  return true;
}

// Of a frame of a segmentation.
static void
read_place (DcmItem *dataset, uint32_t index, OdlDecoderSegmentFrame *frame)
{
  DcmItem *position = odl_item_macro (dataset, DCM_PlanePositionSequence, index);
  DcmItem *turn = odl_item_macro (dataset, DCM_PlaneOrientationSequence, index);
  DcmItem *measures = odl_item_macro (dataset, DCM_PixelMeasuresSequence, index);
  double down = 0, across = 0, thickness = 0;

  if (!odl_item_number (measures, DCM_SpacingBetweenSlices, 0, thickness)
      || !(thickness > 0))
    odl_item_number (measures, DCM_SliceThickness, 0, thickness);
  frame->is_placed
      = read_three (position, DCM_ImagePositionPatient, 0, frame->position)
        && read_three (turn, DCM_ImageOrientationPatient, 0, frame->orientation)
        && read_three (turn, DCM_ImageOrientationPatient, 3, frame->orientation + 3)
        && odl_item_number (measures, DCM_PixelSpacing, 0, down)
        && odl_item_number (measures, DCM_PixelSpacing, 1, across) && down > 1e-6
        && across > 1e-6 && down < 1e4 && across < 1e4;
  frame->spacing_mm[0] = frame->is_placed ? across : 0;
  frame->spacing_mm[1] = frame->is_placed ? down : 0;
  frame->thickness_mm = thickness > 0 && thickness < 1e4 ? thickness : 0;
}

static void
read_reference (DcmItem *item, OdlDecoderSegmentFrame *frame)
{
  double number = 1;

  copy_uid (frame->instance, item, DCM_ReferencedSOPInstanceUID);
  if (item != NULL)
    odl_item_number (item, DCM_ReferencedFrameNumber, 0, number);
  frame->frame
      = number >= 1 && number <= ODL_DECODER_MAX_FRAMES ? (uint32_t) number - 1 : 0;
}

static int
find_segment (const Table *table, double number)
{
  for (size_t i = 0; i < table->segments.size (); i++)
    if (table->segments[i].number == number)
      return (int) i;
  return -1;
}

static bool
too_many (GError **error)
{
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("it has more segments, frames or points than can be shown"));
}

// ---- Segmentations -------------------------------------------------------------------

static bool
read_segments (DcmItem *dataset, Table *table, GError **error)
{
  const int set = odl_dicom_character_set (dataset);
  DcmItem *item = NULL;

  for (unsigned i = 0; (item = odl_item_in (dataset, DCM_SegmentSequence, i)) != NULL;
       i++) {
    OdlDecoderSegment segment = {};
    if (i >= ODL_DECODER_MAX_SEGMENTS)
      return too_many (error);
    if (!odl_item_short (item, DCM_SegmentNumber, segment.number))
      continue;
    copy_name (segment.name, item, DCM_SegmentLabel, set);
    read_lab (item, &segment);
    table->segments.push_back (segment);
  }
  return true;
}

static bool
read_kind (DcmItem *dataset, Table *table, GError **error)
{
  static const char *const kinds[] = { "BINARY", "FRACTIONAL", "LABELMAP" };
  const OFString kind = odl_item_text (dataset, DCM_SegmentationType);
  uint32_t full = 0;

  for (uint32_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kind == kinds[i]) {
      table->head.kind = i;
      if (i == ODL_SEGMENTS_FRACTIONAL)
        odl_item_short (dataset, DCM_MaximumFractionalValue, full);
      table->head.full = full > 0 && full < 256 ? full : 255;
      return true;
    }
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("its kind of segmentation, “%s”, is not supported"),
                        kind.c_str ());
}

// Of the palette of a map of labels, by the numbers of the segments.
static void
take_palette (const OdlDicomHeader *header, Table *table)
{
  for (OdlDecoderSegment &segment : table->segments) {
    if (segment.has_colour)
      continue;
    for (int c = 0; c < 3; c++) {
      const OdlDicomLut *lut = &header->palette[c];
      const int64_t at = (int64_t) segment.number - lut->first;
      const uint16_t value = lut->values[CLAMP (at, 0, (int64_t) lut->n - 1)];
      segment.colour[c] = (uint8_t) (value >> MAX (lut->bits - 8, 0));
    }
    segment.has_colour = 1;
  }
}

static bool
read_frames (const OdlDicomHeader *header, DcmItem *dataset, Table *table, GError **error)
{
  if (header->frames > ODL_DECODER_MAX_SEGMENT_FRAMES)
    return too_many (error);
  for (uint32_t i = 0; i < header->frames; i++) {
    OdlDecoderSegmentFrame frame = {};
    DcmItem *name = odl_item_macro (dataset, DCM_SegmentIdentificationSequence, i);
    DcmItem *derived = odl_item_macro (dataset, DCM_DerivationImageSequence, i);
    uint32_t number = 0;
    const int known = odl_item_short (name, DCM_ReferencedSegmentNumber, number)
                          ? find_segment (table, number)
                          : -1;
    frame.segment = known >= 0 ? (uint32_t) known : ODL_SEGMENTS_NONE;
    read_place (dataset, i, &frame);
    read_reference (odl_item_in (derived, DCM_SourceImageSequence, 0), &frame);
    table->frames.push_back (frame);
  }
  table->head.width = header->columns;
  table->head.height = header->rows;
  copy_uid (table->head.frame_of_reference, dataset, DCM_FrameOfReferenceUID);
  return true;
}

// ---- Structure sets ------------------------------------------------------------------

static bool
read_regions (DcmItem *dataset, Table *table, GError **error)
{
  const int set = odl_dicom_character_set (dataset);
  DcmItem *item = NULL;

  for (unsigned i = 0;
       (item = odl_item_in (dataset, DCM_StructureSetROISequence, i)) != NULL; i++) {
    OdlDecoderSegment segment = {};
    double number = 0;
    if (i >= ODL_DECODER_MAX_SEGMENTS)
      return too_many (error);
    if (!odl_item_number (item, DCM_ROINumber, 0, number)
        || !(number >= 0 && number < UINT32_MAX))
      continue;
    segment.number = (uint32_t) number;
    copy_name (segment.name, item, DCM_ROIName, set);
    table->segments.push_back (segment);
    if (*table->head.frame_of_reference == '\0')
      copy_uid (table->head.frame_of_reference, item, DCM_ReferencedFrameOfReferenceUID);
  }
  return true;
}

// False: there are more points than can be shown. Contours that are none are left out.
static bool
read_contour (DcmItem *item, uint32_t segment, Table *table)
{
  OdlDecoderSegmentFrame frame = {};
  OFVector<Float64> values;
  DcmElement *element = NULL;
  const bool closed = odl_item_text (item, DCM_ContourGeometricType) == "CLOSED_PLANAR";

  if (item->findAndGetElement (DCM_ContourData, element).bad ())
    return true;
  DcmDecimalString *text = dynamic_cast<DcmDecimalString *> (element);
  if (text == NULL || text->getFloat64Vector (values).bad () || values.size () < 3)
    return true;
  for (double value : values)
    if (!(fabs (value) < 1e6))
      return true;
  frame.segment = segment;
  frame.is_placed = 1;
  frame.is_closed = closed;
  frame.n_points = (uint32_t) (values.size () / 3);
  read_reference (odl_item_in (item, DCM_ContourImageSequence, 0), &frame);
  if (table->points.size () / 3 + frame.n_points > ODL_DECODER_MAX_SEGMENT_POINTS
      || table->frames.size () >= ODL_DECODER_MAX_SEGMENT_FRAMES)
    return false;
  table->points.insert (table->points.end (), values.begin (),
                        values.begin () + 3 * frame.n_points);
  table->frames.push_back (frame);
  return true;
}

static bool
read_contours (DcmItem *dataset, Table *table, GError **error)
{
  DcmItem *region = NULL;

  table->head.kind = ODL_SEGMENTS_CONTOURS;
  for (unsigned i = 0;
       (region = odl_item_in (dataset, DCM_ROIContourSequence, i)) != NULL; i++) {
    DcmSequenceOfItems *contours = NULL;
    double number = -1;
    odl_item_number (region, DCM_ReferencedROINumber, 0, number);
    const int known = find_segment (table, number);
    if (known < 0 || region->findAndGetSequence (DCM_ContourSequence, contours).bad ()
        || contours == NULL)
      continue;
    read_rgb (region, &table->segments[known]);
    for (DcmObject *inner = contours->nextInContainer (NULL); inner != NULL;
         inner = contours->nextInContainer (inner))
      if (!read_contour (static_cast<DcmItem *> (inner), (uint32_t) known, table))
        return too_many (error);
  }
  return true;
}

// ---- The answer ----------------------------------------------------------------------

static GByteArray *
to_bytes (Table *table)
{
  GByteArray *bytes = g_byte_array_new ();

  table->head.magic = ODL_DECODER_MAGIC;
  table->head.version = ODL_DECODER_VERSION;
  table->head.n_segments = (uint32_t) table->segments.size ();
  table->head.n_frames = (uint32_t) table->frames.size ();
  table->head.n_points = (uint32_t) (table->points.size () / 3);
  g_byte_array_append (bytes, reinterpret_cast<const guint8 *> (&table->head),
                       sizeof table->head);
  g_byte_array_append (bytes, reinterpret_cast<const guint8 *> (table->segments.data ()),
                       (guint) (table->segments.size () * sizeof table->segments[0]));
  g_byte_array_append (bytes, reinterpret_cast<const guint8 *> (table->frames.data ()),
                       (guint) (table->frames.size () * sizeof table->frames[0]));
  g_byte_array_append (bytes, reinterpret_cast<const guint8 *> (table->points.data ()),
                       (guint) (table->points.size () * sizeof table->points[0]));
  return bytes;
}

GByteArray *
odl_dicom_segments (const OdlDicomHeader *header, DcmDataset &dataset, GError **error)
{
  const OFString kind = odl_item_text (&dataset, DCM_SOPClassUID);
  Table table;
  bool done = false;

  if (kind == UID_RTStructureSetStorage)
    done = read_regions (&dataset, &table, error)
           && read_contours (&dataset, &table, error);
  else if (kind == UID_SegmentationStorage || kind == LABEL_MAP_CLASS)
    done = read_segments (&dataset, &table, error) && read_kind (&dataset, &table, error)
           && read_frames (header, &dataset, &table, error);
  else
    odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                   _ ("it is neither a segmentation nor a structure set of DICOM"));
  if (done && table.head.kind == ODL_SEGMENTS_LABELS
      && header->colour == ODL_DICOM_PALETTE)
    take_palette (header, &table);
  return done ? to_bytes (&table) : NULL;
}
