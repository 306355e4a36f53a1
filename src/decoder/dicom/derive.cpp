// SPDX-License-Identifier: MIT
#include "decoder/dicom/derive.hpp"

#include <cstring>
#include <glib/gi18n-lib.h>
#include <unistd.h>
#include <vector>

#include "base/error.h"
#include "decoder/dicom/dump.hpp"
#include "decoder/exchange.h"

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
