// SPDX-License-Identifier: MIT
#include "decoder/dicom/derive.hpp"

#include <cstring>
#include <glib.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>
#include <vector>

#include "base/error.h"
#include "decoder/dicom/dump.hpp"
#include "decoder/dicom/item.hpp"
#include "decoder/exchange.h"

// Which identifiers a derived file has where its source has none.

// What identifiers are made from: those of the source, or, of files from before DICOM
// that have none, what tells their pictures, studies and series from others.
struct OdlDeriveOrigin {
  OFString instance, study, series;
};

static OdlDeriveOrigin
odl_derive_origin (DcmItem *dataset, const OdlDicomScan *scan)
{
  static const DcmTagKey of_study[]
      = { DCM_PatientName, DCM_PatientID, DCM_StudyDate, DCM_StudyID };
  OdlDeriveOrigin origin = { odl_item_text (dataset, DCM_SOPInstanceUID), "",
                             odl_item_text (dataset, DCM_SeriesInstanceUID) };

  for (const DcmTagKey &tag : of_study)
    origin.study += odl_item_text (dataset, tag) + "\n";
  if (origin.series.empty ())
    origin.series = origin.study + odl_item_text (dataset, DCM_SeriesNumber) + "\n"
                    + odl_item_text (dataset, DCM_Modality);
  if (origin.instance.empty ()) {
    g_autofree char *sum
        = g_compute_checksum_for_data (G_CHECKSUM_SHA256, scan->data, scan->size);
    origin.instance = sum;
  }
  return origin;
}

// Says what the object is, and gives it the identifiers that it lacks.
// Files from before DICOM do not say what they are: then they become a secondary capture,
// with all that such an object must have.
static void
odl_derive_put_class (DcmItem *dataset,
                      const OdlDeriveOrigin &origin,
                      const OdlDecoderDerive *order)
{
  static const DcmTagKey must_be_there[]
      = { DCM_StudyDate,         DCM_StudyTime,
          DCM_AccessionNumber,   DCM_ReferringPhysicianName,
          DCM_PatientName,       DCM_PatientID,
          DCM_PatientBirthDate,  DCM_PatientSex,
          DCM_StudyID,           DCM_Laterality,
          DCM_SeriesNumber,      DCM_InstanceNumber,
          DCM_PatientOrientation };

  if (odl_item_text (dataset, DCM_SOPInstanceUID).empty ())
    odl_derive_put (
        dataset, DCM_SOPInstanceUID,
        odl_derive_uid (order->secret, "instance", origin.instance.c_str ()).c_str ());
  if (!odl_item_text (dataset, DCM_SOPClassUID).empty ())
    return;
  odl_derive_put (dataset, DCM_SOPClassUID, UID_SecondaryCaptureImageStorage);
  odl_derive_put (dataset, DCM_ConversionType, "WSD");
  for (const DcmTagKey &tag : must_be_there)
    if (!dataset->tagExists (tag))
      dataset->insertEmptyElement (tag);
  if (odl_item_text (dataset, DCM_StudyInstanceUID).empty ())
    odl_derive_put (
        dataset, DCM_StudyInstanceUID,
        odl_derive_uid (order->secret, "study", origin.study.c_str ()).c_str ());
  if (odl_item_text (dataset, DCM_SeriesInstanceUID).empty ())
    odl_derive_put (
        dataset, DCM_SeriesInstanceUID,
        odl_derive_uid (order->secret, "series", origin.series.c_str ()).c_str ());
}

// The image pixel module of a derived file, and what depends on it (PS3.3 C.7.6.3).

static void
put_short (DcmItem *item, const DcmTagKey &tag, uint32_t value)
{
  // The old element may be of another type.
  item->findAndDeleteElement (tag);
  item->putAndInsertUint16 (tag, (Uint16) value);
}

static void
put_number (DcmItem *item, const DcmTagKey &tag, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  // Decimal strings have 16 characters at most.
  for (int digits = 12; digits > 0; digits--) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    if (strlen (g_ascii_formatd (text, sizeof text, format, value)) <= 16)
      break;
  }
  odl_derive_put (item, tag, text);
}

// Tables of colours, whose indices the pixels no longer are.
static const DcmTagKey palette[] = {
  DCM_RedPaletteColorLookupTableDescriptor,
  DCM_GreenPaletteColorLookupTableDescriptor,
  DCM_BluePaletteColorLookupTableDescriptor,
  DCM_AlphaPaletteColorLookupTableDescriptor,
  DCM_RedPaletteColorLookupTableData,
  DCM_GreenPaletteColorLookupTableData,
  DCM_BluePaletteColorLookupTableData,
  DCM_AlphaPaletteColorLookupTableData,
  DCM_SegmentedRedPaletteColorLookupTableData,
  DCM_SegmentedGreenPaletteColorLookupTableData,
  DCM_SegmentedBluePaletteColorLookupTableData,
  DCM_PaletteColorLookupTableUID,
};

// What grey values mean, and how they are shown: nothing of colours.
static const DcmTagKey grey[] = {
  DCM_RescaleSlope,
  DCM_RescaleIntercept,
  DCM_RescaleType,
  DCM_WindowCenter,
  DCM_WindowWidth,
  DCM_WindowCenterWidthExplanation,
  DCM_VOILUTFunction,
  DCM_VOILUTSequence,
  DCM_ModalityLUTSequence,
  DCM_PresentationLUTShape,
  DCM_PixelIntensityRelationship,
  DCM_PixelIntensityRelationshipSign,
};

// The pixels are values of the table now.
static void
apply_modality (DcmItem *dataset)
{
  OFString type;
  DcmItem *item = odl_item_in (dataset, DCM_ModalityLUTSequence, 0);

  if (item != NULL)
    type = odl_item_text (item, DCM_ModalityLUTType);
  dataset->findAndDeleteElement (DCM_ModalityLUTSequence);
  odl_derive_put (dataset, DCM_RescaleIntercept, "0");
  odl_derive_put (dataset, DCM_RescaleSlope, "1");
  odl_derive_put (dataset, DCM_RescaleType, type.empty () ? "US" : type.c_str ());
}

static void
put_window (DcmItem *dataset, const OdlDecoderDerive *order)
{
  const bool has_one = dataset->tagExistsWithValue (DCM_WindowCenter)
                       || dataset->tagExists (DCM_VOILUTSequence)
                       || dataset->tagExists (DCM_PerFrameFunctionalGroupsSequence);

  if (order->has_window == 0 || (order->has_window == 2 && has_one)
      || !(order->window_width > 0))
    return;
  static const DcmTagKey tags[]
      = { DCM_WindowCenterWidthExplanation, DCM_VOILUTFunction, DCM_VOILUTSequence };
  odl_derive_remove (dataset, tags);
  put_number (dataset, DCM_WindowCenter, order->window_centre);
  put_number (dataset, DCM_WindowWidth, order->window_width);
}

// Groups 6000 to 60FE. Those whose bits are in the pixels go with the bits.
static void
remove_overlays (DcmItem *dataset, bool part_of_frames)
{
  std::vector<DcmTagKey> tags;

  for (unsigned group = 0x6000; group <= 0x60FE; group += 2) {
    const DcmTagKey data ((Uint16) group, 0x3000), frames ((Uint16) group, 0x0015);
    if (dataset->tagExists (data) && !(part_of_frames && dataset->tagExists (frames)))
      continue;
    for (DcmObject *object = dataset->nextInContainer (NULL); object != NULL;
         object = dataset->nextInContainer (object))
      if (object->getGTag () == group)
        tags.push_back (object->getTag ());
  }
  for (const DcmTagKey &tag : tags)
    dataset->findAndDeleteElement (tag);
}

// ---- Frames ----

// Keeps the values of some of `n` frames of a vector with one value for each.
static void
cut_vector (DcmItem *dataset,
            const DcmTagKey &tag,
            uint32_t n,
            const OdlDecoderDerive *order)
{
  DcmElement *element = NULL;
  OFString text, part;

  if (dataset->findAndGetElement (tag, element).bad () || element->ident () == EVR_SQ
      || element->getVM () != n)
    return;
  if (element->ident () == EVR_US) {
    std::vector<Uint16> values;
    for (uint32_t i = 0; i < order->n_frames; i++) {
      Uint16 value = 0;
      element->getUint16 (value, order->first_frame + i);
      values.push_back (value);
    }
    element->putUint16Array (values.data (), (unsigned long) values.size ());
    return;
  }
  for (uint32_t i = 0; i < order->n_frames; i++) {
    if (element->getOFString (part, order->first_frame + i).bad ())
      return;
    text += (i > 0 ? "\\" : "") + part;
  }
  element->putString (text.c_str ());
}

static void
cut_groups (DcmItem *dataset, const OdlDecoderDerive *order)
{
  DcmSequenceOfItems *sequence = NULL;

  if (dataset->findAndGetSequence (DCM_PerFrameFunctionalGroupsSequence, sequence).bad ())
    return;
  while (sequence->card () > (unsigned long) order->first_frame + order->n_frames)
    delete sequence->remove (sequence->card () - 1);
  for (uint32_t i = 0; i < order->first_frame && sequence->card () > 0; i++)
    delete sequence->remove ((unsigned long) 0);
}

static void
put_frames (const OdlDicomHeader *header, DcmItem *dataset, const OdlDecoderDerive *order)
{
  static const DcmTagKey by_number[] = { DCM_RepresentativeFrameNumber,
                                         DCM_FrameNumbersOfInterest,
                                         DCM_FrameOfInterestDescription,
                                         DCM_FrameOfInterestType,
                                         DCM_StartTrim,
                                         DCM_StopTrim };
  char number[16];

  if (!dataset->tagExists (DCM_NumberOfFrames) && order->n_frames == 1)
    return;
  g_snprintf (number, sizeof number, "%u", order->n_frames);
  odl_derive_put (dataset, DCM_NumberOfFrames, number);
  if (order->n_frames == header->frames)
    return;
  odl_derive_remove (dataset, by_number);
  cut_groups (dataset, order);
  DcmElement *pointer = NULL;
  if (dataset->findAndGetElement (DCM_FrameIncrementPointer, pointer).bad ()
      || pointer->ident () != EVR_AT)
    return;
  for (unsigned long i = 0; i < pointer->getVM (); i++) {
    DcmTagKey tag;
    if (static_cast<DcmAttributeTag *> (pointer)->getTagVal (tag, i).good ())
      cut_vector (dataset, tag, header->frames, order);
  }
}

// ---- Pixels ----

static const char *
photometric (const OdlDicomHeader *header, const OdlDecoderDerive *order)
{
  if (order->channels == 3)
    return order->compression == ODL_DERIVE_JPEG_2000 ? "YBR_RCT" : "RGB";
  return header->colour == ODL_DICOM_GREY_INVERSE ? "MONOCHROME1" : "MONOCHROME2";
}

// Describes the pixels that the parent will append: bits, colours, number of frames, what
// their values mean and how they are shown. Removes what is no longer true of them.
static void
odl_derive_pixels (const OdlDicomHeader *header,
                   DcmDataset &dataset,
                   const OdlDecoderDerive *order)
{
  static const DcmTagKey padding[]
      = { DCM_PixelPaddingValue, DCM_PixelPaddingRangeLimit };
  const bool was_grey = header->samples == 1 && header->colour != ODL_DICOM_PALETTE;

  if ((order->flags & ODL_DERIVE_FILTERED) != 0 || !was_grey)
    odl_derive_remove (&dataset, padding);
  if (header->colour == ODL_DICOM_PALETTE)
    odl_derive_remove (&dataset, palette);
  if (order->channels == 3)
    odl_derive_remove (&dataset, grey);
  else if (header->modality.values != NULL)
    apply_modality (&dataset);
  remove_overlays (&dataset, order->n_frames != header->frames);

  put_short (&dataset, DCM_SamplesPerPixel, order->channels);
  odl_derive_put (&dataset, DCM_PhotometricInterpretation, photometric (header, order));
  dataset.findAndDeleteElement (DCM_PlanarConfiguration);
  if (order->channels == 3)
    put_short (&dataset, DCM_PlanarConfiguration, 0);
  put_short (&dataset, DCM_Rows, order->height);
  put_short (&dataset, DCM_Columns, order->width);
  put_short (&dataset, DCM_BitsAllocated, order->bits <= 8 ? 8 : 16);
  put_short (&dataset, DCM_BitsStored, order->bits);
  put_short (&dataset, DCM_HighBit, order->bits - 1);
  put_short (&dataset, DCM_PixelRepresentation, order->is_signed);
  put_frames (header, &dataset, order);
  if (order->channels == 1)
    put_window (&dataset, order);
}

// Losses are never forgotten (PS3.3 C.7.6.1.1.5).
static void
odl_derive_put_losses (const OdlDicomHeader *header,
                       const OdlDicomScan *scan,
                       DcmItem *dataset,
                       const OdlDecoderDerive *order)
{
  if ((order->flags & ODL_DERIVE_LOSSY) == 0 && !header->lossy)
    return;
  odl_derive_put (dataset, DCM_LossyImageCompression, "01");
  if (dataset->tagExistsWithValue (DCM_LossyImageCompressionRatio) || !scan->encapsulated
      || scan->pixels.size == 0)
    return;
  const double bytes = (double) header->rows * header->columns * header->samples
                       * header->frames * (header->bits_allocated / 8);
  char ratio[G_ASCII_DTOSTR_BUF_SIZE];
  odl_derive_put (
      dataset, DCM_LossyImageCompressionRatio,
      g_ascii_formatd (ratio, sizeof ratio, "%.4g", bytes / (double) scan->pixels.size));
}

#define MOST_IMAGE_TYPES 16UL
#define LONG_STRING 64 // characters of an LO

// ---- The order ----

static bool
is_sane (const OdlDecoderDerive *order, uint64_t size)
{
  return order->magic == ODL_DECODER_MAGIC && order->version == ODL_DECODER_VERSION
         && order->width > 0 && order->width <= G_MAXUINT16 && order->height > 0
         && order->height <= G_MAXUINT16 && (order->channels == 1 || order->channels == 3)
         && order->bits > 0 && order->bits <= 16 && order->n_frames > 0
         && order->compression < ODL_DERIVE_N_COMPRESSIONS
         && order->recipe_bytes <= ODL_DECODER_DERIVE_MAX_RECIPE
         && size == sizeof *order + order->recipe_bytes;
}

static bool
take_order (OdlDerive *derive, GError **error)
{
  OdlDecoderDerive *order = &derive->order;
  uint64_t size = 0;
  const int fd = odl_decoder_ask_file (ODL_DECODER_DERIVE, &size, error);

  if (fd < 0)
    return false;
  bool done = odl_derive_read (fd, order, sizeof *order) && is_sane (order, size);
  if (done) {
    order->instance[sizeof order->instance - 1] = '\0';
    order->program[sizeof order->program - 1] = '\0';
    order->description[sizeof order->description - 1] = '\0';
    derive->recipe = static_cast<char *> (g_malloc0 (order->recipe_bytes + 1));
    done = odl_derive_read (fd, derive->recipe, order->recipe_bytes);
  }
  close (fd);
  if (!done)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("the order for a derived picture is invalid"));
  return done;
}

// ---- What goes ----

// What a new picture makes untrue wherever it stands: signatures, icons, extremes.
static bool
is_stale (const DcmTagKey &tag)
{
  static const DcmTagKey stale[] = {
    DCM_SmallestImagePixelValue,
    DCM_LargestImagePixelValue,
    DCM_SmallestPixelValueInSeries,
    DCM_LargestPixelValueInSeries,
    DCM_RETIRED_SmallestImagePixelValueInPlane,
    DCM_RETIRED_LargestImagePixelValueInPlane,
    DCM_PixelDataProviderURL,
    DCM_IconImageSequence,
    DCM_MACParametersSequence,
    DCM_DigitalSignaturesSequence,
  };

  for (const DcmTagKey &row : stale)
    if (row == tag)
      return true;
  return false;
}

// Private elements may describe the old pixels. Nothing follows the pixels; group
// lengths are made anew.
static void
prune (DcmItem *item)
{
  std::vector<DcmObject *> unwanted;

  for (DcmObject *object = item->nextInContainer (NULL); object != NULL;
       object = item->nextInContainer (object)) {
    const DcmTag &tag = object->getTag ();
    if (is_stale (tag) || tag.getGroup () % 2 == 1 || tag.getElement () == 0
        || tag.getGroup () >= 0x7FE0) {
      unwanted.push_back (object);
      continue;
    }
    if (object->ident () != EVR_SQ)
      continue;
    DcmSequenceOfItems *sequence = static_cast<DcmSequenceOfItems *> (object);
    for (DcmObject *inner = sequence->nextInContainer (NULL); inner != NULL;
         inner = sequence->nextInContainer (inner))
      prune (static_cast<DcmItem *> (inner));
  }
  for (DcmObject *object : unwanted)
    delete item->remove (object);
}

// ---- What it was made from ----

static void
put_source (DcmItem *item,
            const OFString &sop_class,
            const OFString &instance,
            const OdlDicomHeader *header,
            const OdlDecoderDerive *order)
{
  DcmItem *source = NULL;
  OFString frames;

  item->findAndDeleteElement (DCM_SourceImageSequence);
  if (instance.empty ()
      || item->findOrCreateSequenceItem (DCM_SourceImageSequence, source, -2).bad ())
    return;
  odl_derive_put (source, DCM_ReferencedSOPClassUID, sop_class.c_str ());
  odl_derive_put (source, DCM_ReferencedSOPInstanceUID, instance.c_str ());
  for (uint32_t i = 0; order->n_frames != header->frames && i < order->n_frames; i++) {
    char number[16];
    g_snprintf (number, sizeof number, "%s%u", i > 0 ? "\\" : "",
                order->first_frame + i + 1);
    frames += number;
  }
  if (!frames.empty ())
    odl_derive_put (source, DCM_ReferencedFrameNumber, frames.c_str ());
  odl_derive_code (source, DCM_PurposeOfReferenceCodeSequence, "121322",
                   "Source image for image processing operation");
}

// Enhanced images say it among their functional groups (PS3.3 C.7.6.16.2.6).
static DcmItem *
place_of_derivation (DcmItem *dataset)
{
  DcmItem *shared = NULL, *derivation = NULL;
  DcmSequenceOfItems *frames = NULL;

  if (dataset->findAndGetSequence (DCM_PerFrameFunctionalGroupsSequence, frames).bad ())
    return dataset;
  for (DcmObject *item = frames->nextInContainer (NULL); item != NULL;
       item = frames->nextInContainer (item))
    static_cast<DcmItem *> (item)->findAndDeleteElement (DCM_DerivationImageSequence);
  if (dataset->findOrCreateSequenceItem (DCM_SharedFunctionalGroupsSequence, shared, 0)
          .bad ())
    return dataset;
  shared->findAndDeleteElement (DCM_DerivationImageSequence);
  return shared->findOrCreateSequenceItem (DCM_DerivationImageSequence, derivation, 0)
                 .good ()
             ? derivation
             : dataset;
}

// “ORIGINAL\PRIMARY\AXIAL” becomes “DERIVED\SECONDARY\AXIAL”; of enhanced images the
// second value says something else and stays.
static void
put_type (DcmItem *item, const DcmTagKey &tag, bool keep_second)
{
  DcmElement *element = NULL;
  OFString whole = "DERIVED", part;
  const unsigned long n
      = item->findAndGetElement (tag, element).good () ? element->getVM () : 0;

  for (unsigned long i = 1; i < MIN (MAX (n, 2UL), MOST_IMAGE_TYPES); i++) {
    if (i >= n || element->getOFString (part, i).bad ())
      part.clear ();
    if (i == 1 && (!keep_second || part.empty ()))
      part = keep_second ? "PRIMARY" : "SECONDARY";
    whole += "\\" + part;
  }
  odl_derive_put (item, tag, whole.c_str ());
}

static void
put_frame_types (DcmItem *item)
{
  for (DcmObject *object = item->nextInContainer (NULL); object != NULL;
       object = item->nextInContainer (object)) {
    if (object->ident () != EVR_SQ)
      continue;
    DcmSequenceOfItems *sequence = static_cast<DcmSequenceOfItems *> (object);
    for (DcmObject *inner = sequence->nextInContainer (NULL); inner != NULL;
         inner = sequence->nextInContainer (inner)) {
      DcmItem *group = static_cast<DcmItem *> (inner);
      if (group->tagExists (DCM_FrameType))
        put_type (group, DCM_FrameType, true);
      put_frame_types (group);
    }
  }
}

// Where the source is to be found (PS3.3 C.7.6.16.2, Enhanced Multi-frame).
static void
put_evidence (DcmItem *dataset,
              const OFString &series_uid,
              const OFString &sop_class,
              const OFString &instance)
{
  DcmItem *study = NULL, *series = NULL, *source = NULL;

  if (dataset->findOrCreateSequenceItem (DCM_SourceImageEvidenceSequence, study, -2)
          .bad ()
      || study->findOrCreateSequenceItem (DCM_ReferencedSeriesSequence, series, -2).bad ()
      || series->findOrCreateSequenceItem (DCM_ReferencedSOPSequence, source, -2).bad ())
    return;
  odl_derive_put (study, DCM_StudyInstanceUID,
                  odl_item_text (dataset, DCM_StudyInstanceUID).c_str ());
  odl_derive_put (series, DCM_SeriesInstanceUID, series_uid.c_str ());
  odl_derive_put (source, DCM_ReferencedSOPClassUID, sop_class.c_str ());
  odl_derive_put (source, DCM_ReferencedSOPInstanceUID, instance.c_str ());
}

// Which enhanced MR images have only if they are original (PS3.3 C.8.13.4).
static const DcmTagKey pulses[] = {
  DCM_PulseSequenceName,
  DCM_MRAcquisitionType,
  DCM_EchoPulseSequence,
  DCM_MultiPlanarExcitation,
  DCM_PhaseContrast,
  DCM_TimeOfFlightContrast,
  DCM_SteadyStatePulseSequence,
  DCM_EchoPlanarPulseSequence,
  DCM_SaturationRecovery,
  DCM_SpectrallySelectedSuppression,
  DCM_OversamplingPhase,
  DCM_GeometryOfKSpaceTraversal,
  DCM_SegmentedKSpaceTraversal,
  DCM_RectilinearPhaseEncodeReordering,
  DCM_CoverageOfKSpace,
  DCM_NumberOfKSpaceTrajectories,
  DCM_BulkMotionCompensationTechnique,
};

// `instance` and the identifiers in `dataset` are the source's, or what stands for them.
static void
put_derivation (DcmItem *dataset,
                const OFString &sop_class,
                const OFString &instance,
                const OdlDicomHeader *header,
                const OdlDerive *derive)
{
  const char *name = dcmFindNameOfUID (sop_class.c_str ());
  DcmItem *place = place_of_derivation (dataset);
  OFString series = odl_item_text (dataset, DCM_SeriesDescription);

  put_type (dataset, DCM_ImageType, name != NULL && strstr (name, "Enhanced") != NULL);
  put_frame_types (dataset);
  if (sop_class == UID_EnhancedMRImageStorage
      || sop_class == UID_EnhancedMRColorImageStorage)
    odl_derive_remove (dataset, pulses);
  odl_derive_put (place, DCM_DerivationDescription, derive->order.description);
  place->findAndDeleteElement (DCM_DerivationCodeSequence);
  if (place != dataset) {
    odl_derive_code (place, DCM_DerivationCodeSequence, "110001", "Image Processing");
    put_evidence (dataset, odl_item_text (dataset, DCM_SeriesInstanceUID), sop_class,
                  instance);
  }
  put_source (place, sop_class, instance, header, &derive->order);
  series += series.empty () ? "filtered" : ", filtered";
  if (series.length () <= LONG_STRING)
    odl_derive_put (dataset, DCM_SeriesDescription, series.c_str ());
}

// ---- The program ----

// The program, among the equipment (PS3.3 C.12.1), and the recipe, as it can be used
// again.
static void
put_program (DcmItem *dataset, const OdlDerive *derive)
{
  const OdlDecoderDerive *order = &derive->order;
  const OdlDeriveMoment moment
      = odl_derive_moment (dataset, order->now_s, order->zone_minutes);
  DcmItem *item = NULL;

  if (dataset->findOrCreateSequenceItem (DCM_ContributingEquipmentSequence, item, -2)
          .good ()) {
    odl_derive_put (item, DCM_Manufacturer, "Ondelette");
    odl_derive_put (item, DCM_ManufacturerModelName, "Ondelette");
    odl_derive_put (item, DCM_SoftwareVersions, order->program);
    odl_derive_put (item, DCM_ContributionDateTime, (moment.date + moment.time).c_str ());
    odl_derive_put (item, DCM_ContributionDescription, order->description);
    odl_derive_code (item, DCM_PurposeOfReferenceCodeSequence, "109103",
                     "Modifying Equipment");
  }
  if (*derive->recipe == '\0')
    return;
  odl_derive_put (dataset, DcmTag (ODL_DERIVE_CREATOR_TAG, EVR_LO), ODL_DERIVE_CREATOR);
  odl_derive_put (dataset, DcmTag (ODL_DERIVE_RECIPE_TAG, EVR_UT), derive->recipe);
}

// ---- Identity ----

static void
put_identity (DcmItem *dataset,
              const OFString &instance,
              const OFString &series,
              const OdlDecoderDerive *order)
{
  const OdlDeriveMoment moment
      = odl_derive_moment (dataset, order->now_s, order->zone_minutes);
  char frames[32];

  g_snprintf (frames, sizeof frames, "/%u/%u", order->first_frame, order->n_frames);
  odl_derive_put (
      dataset, DCM_SOPInstanceUID,
      odl_derive_uid (order->secret, "instance", (instance + frames).c_str ()).c_str ());
  odl_derive_put (dataset, DCM_SeriesInstanceUID,
                  odl_derive_uid (order->secret, "series", series.c_str ()).c_str ());
  odl_derive_put (dataset, DCM_InstanceCreationDate, moment.date.c_str ());
  odl_derive_put (dataset, DCM_InstanceCreationTime, moment.time.c_str ());
  odl_derive_put (dataset, DCM_ContentDate, moment.date.c_str ());
  odl_derive_put (dataset, DCM_ContentTime, moment.time.c_str ());
}

// ---- The bytes ----

// The tag, type and length of the pixels that follow.
static bool
append_pixel_element (GByteArray *bytes, const OdlDecoderDerive *order)
{
  static const guint8 items[12]
      = { 0xE0, 0x7F, 0x10, 0x00, 'O', 'B', 0, 0, 0xFF, 0xFF, 0xFF, 0xFF };

  if (order->compression != ODL_DERIVE_PLAIN) {
    g_byte_array_append (bytes, items, sizeof items);
    return true;
  }
  const uint64_t size = (uint64_t) order->width * order->height * order->channels
                        * (order->bits <= 8 ? 1 : 2) * order->n_frames;
  const uint64_t even = size + size % 2;
  guint8 element[12] = { 0xE0, 0x7F, 0x10, 0x00, 'O', 'W', 0, 0 };

  if (size > G_MAXUINT32 - 2)
    return false;
  if (order->bits <= 8)
    element[5] = 'B';
  for (int i = 0; i < 4; i++)
    element[8 + i] = (guint8) (even >> 8 * i);
  g_byte_array_append (bytes, element, sizeof element);
  return true;
}

static GByteArray *
serialise (DcmDataset &dataset, const OdlDecoderDerive *order, GError **error)
{
  static const E_TransferSyntax syntaxes[ODL_DERIVE_N_COMPRESSIONS]
      = { EXS_LittleEndianExplicit, EXS_RLELossless, EXS_JPEG2000LosslessOnly };
  g_autoptr (GByteArray) bytes
      = odl_derive_bytes (dataset, syntaxes[order->compression], error);

  if (bytes == NULL || append_pixel_element (bytes, order))
    return static_cast<GByteArray *> (g_steal_pointer (&bytes));
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                       _ ("its frames need more than the 4 GB that a DICOM file may "
                          "hold. Write fewer with --frames"));
  return NULL;
}

// What the file would say, without writing it.
static GByteArray *
report (DcmDataset &dataset)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GByteArray *bytes = g_byte_array_new ();

  odl_dicom_dump (&dataset, text);
  g_byte_array_append (bytes, reinterpret_cast<guint8 *> (text->str), (guint) text->len);
  return bytes;
}

GByteArray *
odl_dicom_derive (const OdlDicomHeader *header,
                  const OdlDicomScan *scan,
                  DcmDataset &dataset,
                  GError **error)
{
  OdlDerive derive;

  if (!take_order (&derive, error))
    return NULL;
  const OdlDecoderDerive *order = &derive.order;
  const OFString instance = odl_item_text (&dataset, DCM_SOPInstanceUID);
  const OFString sop_class = odl_item_text (&dataset, DCM_SOPClassUID);
  if (instance != order->instance) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("it was replaced by another picture meanwhile"));
    return NULL;
  }
  const OdlDeriveOrigin origin = odl_derive_origin (&dataset, scan);
  const bool deidentify = (order->flags & ODL_DERIVE_DEIDENTIFY) != 0;
  prune (&dataset);
  odl_derive_pixels (header, dataset, order);
  odl_derive_put_losses (header, scan, &dataset, order);
  if (deidentify)
    odl_derive_deidentify (dataset, order);
  odl_derive_put_class (&dataset, origin, order);
  if ((order->flags & ODL_DERIVE_FILTERED) != 0) {
    const OFString source = deidentify && !instance.empty ()
                                ? odl_derive_uid (order->secret, "uid", instance.c_str ())
                                : instance;
    put_derivation (&dataset, sop_class, source, header, &derive);
    put_identity (&dataset, origin.instance, origin.series, order);
    put_program (&dataset, &derive);
  }
  if ((order->flags & ODL_DERIVE_REPORT) != 0)
    return report (dataset);
  return serialise (dataset, order, error);
}
