// SPDX-License-Identifier: MIT
#include "decoder/dicom/said.hpp"

#include <cmath>
#include <cstring>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/dicom/text.hpp"
#include "decoder/exchange.h"

#define SERIES_OFFSET 1000.0
#define MOST_SERIES_NUMBER 1e9

// ---- The order -----------------------------------------------------------------------

static bool
is_sane (const OdlDecoderSaid *order, uint64_t size)
{
  const uint64_t marks = order->n_marks;

  return order->magic == ODL_DECODER_MAGIC && order->version == ODL_DECODER_VERSION
         && marks <= ODL_DECODER_SAID_MAX_MARKS
         && order->n_measured <= marks * ODL_DECODER_SAID_MAX_MEASURED
         && order->n_points <= marks * ODL_DECODER_SAID_MAX_POINTS
         && order->recipe_bytes <= ODL_DECODER_DERIVE_MAX_RECIPE
         && order->words_bytes <= marks * ODL_DECODER_SAID_MAX_WORDS
         && order->quarter_turns < 4 && order->function < 3 && order->window_width > 0
         && order->pixel_aspect > 0
         && size
                == sizeof *order + marks * sizeof (OdlDecoderMark)
                       + order->n_measured * (uint64_t) sizeof (OdlDecoderMeasured)
                       + order->n_points * 2 * (uint64_t) sizeof (float)
                       + order->recipe_bytes + order->words_bytes;
}

template <size_t N>
static bool
is_text (const char (&text)[N])
{
  return memchr (text, '\0', N) != NULL;
}

static bool
is_sane_value (const OdlDecoderMeasured *value)
{
  bool sane = std::isfinite (value->value);

  for (const OdlDecoderCode *code :
       { &value->concept_name, &value->unit, &value->derivation })
    sane = sane && is_text (code->value) && is_text (code->scheme)
           && is_text (code->meaning);
  return sane;
}

// Lines apart as texts of DICOM have them.
static OFString
words_of (const char *text, size_t n)
{
  OFString words;

  for (size_t i = 0; i < n; i++)
    words += text[i] == '\n' ? OFString ("\r\n") : OFString (1, text[i]);
  return words;
}

// Finds what each mark has. False: they have more, or less, than there is.
static bool
share_out (OdlSaid *said)
{
  const OdlDecoderSaid *order = &said->order;
  const char *at = said->bytes.data ();
  const OdlDecoderMark *marks = reinterpret_cast<const OdlDecoderMark *> (at);
  const OdlDecoderMeasured *measured = reinterpret_cast<const OdlDecoderMeasured *> (
      at += order->n_marks * sizeof *marks);
  const float *points
      = reinterpret_cast<const float *> (at += order->n_measured * sizeof *measured);
  const char *words = at + order->n_points * 2 * sizeof *points + order->recipe_bytes;
  uint32_t n_measured = 0, n_points = 0, n_words = 0;

  for (uint32_t i = 0; i < order->n_marks; i++) {
    const OdlDecoderMark *mark = &marks[i];
    if (mark->form >= ODL_MARK_N_FORMS || mark->n_points == 0 || !is_text (mark->name)
        || mark->n_points > order->n_points - n_points
        || mark->n_measured > order->n_measured - n_measured
        || mark->words_bytes > order->words_bytes - n_words
        || (mark->form == ODL_MARK_ELLIPSE && mark->n_points != 4))
      return false;
    said->marks.push_back ({ mark, measured + n_measured, points + 2 * n_points,
                             words_of (words + n_words, mark->words_bytes) });
    for (uint32_t k = 0; k < mark->words_bytes; k++)
      said->has_letters |= (signed char) words[n_words + k] < 0;
    for (uint32_t k = 0; k < mark->n_measured; k++)
      if (!is_sane_value (&measured[n_measured + k]))
        return false;
    n_points += mark->n_points;
    n_measured += mark->n_measured;
    n_words += mark->words_bytes;
  }
  said->recipe.assign (words - order->recipe_bytes, order->recipe_bytes);
  return n_points == order->n_points && n_measured == order->n_measured
         && n_words == order->words_bytes;
}

bool
odl_said_take_order (OdlSaid *said, GError **error)
{
  OdlDecoderSaid *order = &said->order;
  uint64_t size = 0;
  const int fd = odl_decoder_ask_file (ODL_DECODER_SAID, &size, error);

  if (fd < 0)
    return false;
  bool done = odl_derive_read (fd, order, sizeof *order) && is_sane (order, size)
              && is_text (order->instance) && is_text (order->program)
              && is_text (order->derived_class) && is_text (order->derived_instance)
              && is_text (order->derived_series);
  if (done) {
    said->bytes.resize ((size_t) size - sizeof *order);
    done = odl_derive_read (fd, said->bytes.data (), said->bytes.size ())
           && share_out (said);
  }
  close (fd);
  if (!done)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("the order for a report is invalid"));
  return done;
}

// ---- The beginning -------------------------------------------------------------------

// Of the modules of patient and study (PS3.3 C.7.1.1, C.7.2.1, C.7.2.2), which all
// objects of a study share. Those that must be there are empty where the file lacks them.
static const struct {
  const DcmTagKey &tag;
  bool needed;
} shared[] = {
  { DCM_SpecificCharacterSet, false },
  { DCM_TimezoneOffsetFromUTC, false },
  { DCM_PatientName, true },
  { DCM_PatientID, true },
  { DCM_IssuerOfPatientID, false },
  { DCM_IssuerOfPatientIDQualifiersSequence, false },
  { DCM_PatientBirthDate, true },
  { DCM_PatientSex, true },
  { DCM_PatientBirthTime, false },
  { DCM_OtherPatientIDsSequence, false },
  { DCM_PatientIdentityRemoved, false },
  { DCM_DeidentificationMethod, false },
  { DCM_DeidentificationMethodCodeSequence, false },
  { DCM_PatientSpeciesDescription, false },
  { DCM_PatientSpeciesCodeSequence, false },
  { DCM_PatientBreedDescription, false },
  { DCM_PatientBreedCodeSequence, false },
  { DCM_BreedRegistrationSequence, false },
  { DCM_ResponsiblePerson, false },
  { DCM_ResponsiblePersonRole, false },
  { DCM_ResponsibleOrganization, false },
  { DCM_StudyInstanceUID, true },
  { DCM_StudyDate, true },
  { DCM_StudyTime, true },
  { DCM_ReferringPhysicianName, true },
  { DCM_StudyID, true },
  { DCM_AccessionNumber, true },
  { DCM_IssuerOfAccessionNumberSequence, false },
  { DCM_StudyDescription, false },
  { DCM_PatientAge, false },
  { DCM_PatientSize, false },
  { DCM_PatientWeight, false },
};

// Whether a value can stand in a new file: texts and identifiers as they are, dates and
// others of a form of their own only if they have it.
static bool
is_valid (DcmElement *element)
{
  const DcmEVR kind = element->ident ();

  return kind == EVR_SQ || kind == EVR_UI || element->isAffectedBySpecificCharacterSet ()
         || element->checkValue ("1").good ();
}

static void
share (DcmItem *dataset, DcmItem *into)
{
  for (const auto &row : shared) {
    DcmElement *element = NULL;
    const bool is_set = row.tag == DCM_SpecificCharacterSet;
    if (dataset->findAndGetElement (row.tag, element, false, true).good ()
        && (element->isEmpty () || !(is_set || is_valid (element))
            || into->insert (element, true).bad ()))
      delete element;
    if (row.needed && !into->tagExists (row.tag))
      into->insertEmptyElement (row.tag);
  }
}

static void
make_utf8 (DcmItem *item, int set)
{
  for (DcmObject *object = item->nextInContainer (NULL); object != NULL;
       object = item->nextInContainer (object)) {
    char *raw = NULL;
    if (object->ident () == EVR_SQ) {
      DcmSequenceOfItems *sequence = static_cast<DcmSequenceOfItems *> (object);
      for (DcmObject *inner = sequence->nextInContainer (NULL); inner != NULL;
           inner = sequence->nextInContainer (inner))
        make_utf8 (static_cast<DcmItem *> (inner), set);
    } else if (object->isAffectedBySpecificCharacterSet ()
               && static_cast<DcmElement *> (object)->getString (raw).good ()
               && raw != NULL) {
      g_autofree char *text = odl_character_set_decode (raw, set);
      static_cast<DcmElement *> (object)->putString (text);
    }
  }
}

// Words that are not ASCII need a character set that has them.
static void
settle_letters (OdlSaid *said, DcmItem *into)
{
  const int set = odl_dicom_character_set (into);

  if (!said->has_letters)
    return;
  if (set >= -1) {
    make_utf8 (into, set);
    odl_derive_put (into, DCM_SpecificCharacterSet, "ISO_IR 192");
    return;
  }
  for (OdlSaidMark &mark : said->marks) {
    g_autofree char *plain = g_str_to_ascii (mark.words.c_str (), "C");
    mark.words = plain;
  }
}

// A number that the series of the picture has not got.
static void
put_series_number (DcmItem *dataset, DcmItem *into)
{
  double number = 0;
  char text[16];

  odl_item_number (dataset, DCM_SeriesNumber, 0, number);
  if (!(number >= 0 && number <= MOST_SERIES_NUMBER))
    number = 0;
  g_snprintf (text, sizeof text, "%.0f", floor (number) + SERIES_OFFSET);
  odl_derive_put (into, DCM_SeriesNumber, text);
}

static bool
find_picture (const OdlDicomHeader *header,
              const OdlDicomSpace *space,
              DcmDataset &dataset,
              const OdlDecoderSaid *order,
              OdlSaidPicture *picture,
              GError **error)
{
  *picture = { odl_item_text (&dataset, DCM_SOPClassUID),
               odl_item_text (&dataset, DCM_SOPInstanceUID),
               odl_item_text (&dataset, DCM_SeriesInstanceUID),
               odl_item_text (&dataset, DCM_StudyInstanceUID),
               header->frames > 1 ? odl_dicom_space_frame (space, order->frame) + 1 : 0 };
  if (picture->instance != order->instance)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it was replaced by another picture meanwhile"));
  if (order->frame >= header->frames)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("it has no such frame"));
  if (picture->sop_class.empty () || picture->instance.empty ())
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it has no identifier (SOP Instance UID) by which another "
                             "file could refer to it"));
  if (!picture->series.empty () && !picture->study.empty ())
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("it does not say which study and series it belongs to, so "
                           "that nothing can be added to them"));
}

bool
odl_said_begin (const OdlDicomHeader *header,
                const OdlDicomSpace *space,
                DcmDataset &dataset,
                OdlSaid *said,
                const char *sop_class,
                const char *modality,
                const char *description,
                OdlSaidPicture *picture,
                DcmDataset *into,
                GError **error)
{
  const OdlDecoderSaid *order = &said->order;
  const OdlDeriveMoment moment
      = odl_derive_moment (&dataset, order->now_s, order->zone_minutes);

  if (!find_picture (header, space, dataset, order, picture, error))
    return false;
  share (&dataset, into);
  settle_letters (said, into);
  const OFString instance = odl_derive_uid (order->secret, modality, "instance");
  const OFString series = odl_derive_uid (order->secret, modality, "series");
  const struct {
    const DcmTagKey &tag;
    const char *text;
  } rows[] = {
    { DCM_SOPClassUID, sop_class },
    { DCM_SOPInstanceUID, instance.c_str () },
    { DCM_InstanceCreationDate, moment.date.c_str () },
    { DCM_InstanceCreationTime, moment.time.c_str () },
    { DCM_Modality, modality },
    { DCM_SeriesInstanceUID, series.c_str () },
    { DCM_SeriesDescription, description },
    { DCM_SeriesDate, moment.date.c_str () },
    { DCM_SeriesTime, moment.time.c_str () },
    { DCM_InstanceNumber, "1" },
    { DCM_Manufacturer, "Ondelette" },
    { DCM_ManufacturerModelName, "Ondelette" },
    { DCM_SoftwareVersions, order->program },
  };
  for (const auto &row : rows)
    odl_derive_put (into, row.tag, row.text);
  put_series_number (&dataset, into);
  return true;
}

void
odl_said_refer (DcmItem *item, const DcmTag &sequence, const OdlSaidPicture *picture)
{
  DcmItem *into = NULL;
  char frame[16];

  if (item->findOrCreateSequenceItem (sequence, into, -2).bad ())
    return;
  odl_derive_put (into, DCM_ReferencedSOPClassUID, picture->sop_class.c_str ());
  odl_derive_put (into, DCM_ReferencedSOPInstanceUID, picture->instance.c_str ());
  if (picture->frame == 0)
    return;
  g_snprintf (frame, sizeof frame, "%u", picture->frame);
  odl_derive_put (into, DCM_ReferencedFrameNumber, frame);
}
