// SPDX-License-Identifier: MIT
// What was measured, as a structured report: Imaging Measurement Report (PS3.16, TID
// 1500), with a Measurement Group (TID 1501) for each line, Planar ROI Measurements (TID
// 1410) for each region, and a comment for what is written on the picture.
#include "decoder/dicom/said.hpp"

#include <cstring>
#include <glib/gi18n-lib.h>
#include <map>
#include <set>

#include "base/error.h"

#define NUMBER_CHARACTERS 16 // of a DS
#define FULL_DIGITS 17 // that tell all doubles apart

static const OdlDeriveCode title = { "126000", "DCM", "Imaging Measurement Report" };
static const OdlDeriveCode title_of_keys = { "113000", "DCM", "Of Interest" };
static const OdlDeriveCode language
    = { "121049", "DCM", "Language of Content Item and Descendants" };
static const OdlDeriveCode english = { "en", "RFC5646", "English" };

// ---- Items of the tree ---------------------------------------------------------------

static DcmItem *
add_item (DcmItem *parent,
          const char *relation,
          const char *type,
          const OdlDeriveCode *name)
{
  DcmItem *item = NULL;

  // Only memory that cannot be had, which is another error.
  if (parent->findOrCreateSequenceItem (DCM_ContentSequence, item, -2).bad ())
    throw std::bad_alloc ();
  odl_derive_put (item, DCM_RelationshipType, relation);
  odl_derive_put (item, DCM_ValueType, type);
  if (name != NULL)
    odl_derive_put_code (item, DCM_ConceptNameCodeSequence, *name);
  return item;
}

static DcmItem *
add_code (DcmItem *parent,
          const char *relation,
          const OdlDeriveCode &name,
          const OdlDeriveCode &value)
{
  DcmItem *item = add_item (parent, relation, "CODE", &name);

  odl_derive_put_code (item, DCM_ConceptCodeSequence, value);
  return item;
}

static DcmItem *
add_text (DcmItem *parent,
          const char *relation,
          const OdlDeriveCode &name,
          const char *text)
{
  DcmItem *item = add_item (parent, relation, "TEXT", &name);

  odl_derive_put (item, DCM_TextValue, text);
  return item;
}

static void
add_uid (DcmItem *parent,
         const char *relation,
         const OdlDeriveCode &name,
         const OFString &uid)
{
  odl_derive_put (add_item (parent, relation, "UIDREF", &name), DCM_UID, uid.c_str ());
}

static void
begin_container (DcmItem *item, const char *tid)
{
  DcmItem *used = NULL;

  odl_derive_put (item, DCM_ContinuityOfContent, "SEPARATE");
  if (tid == NULL
      || item->findOrCreateSequenceItem (DCM_ContentTemplateSequence, used, -2).bad ())
    return;
  odl_derive_put (used, DCM_MappingResource, "DCMR");
  odl_derive_put (used, DCM_TemplateIdentifier, tid);
}

static DcmItem *
add_container (DcmItem *parent, const OdlDeriveCode &name, const char *tid)
{
  DcmItem *item = add_item (parent, "CONTAINS", "CONTAINER", &name);

  begin_container (item, tid);
  return item;
}

// ---- Places and values ---------------------------------------------------------------

static void
add_place (DcmItem *parent,
           const char *relation,
           const OdlDeriveCode &name,
           const OdlSaidMark *mark,
           const OdlSaidPicture *picture)
{
  DcmItem *item = add_item (parent, relation, "SCOORD", &name);

  odl_derive_put (item, DCM_GraphicType,
                  mark->mark->form == ODL_MARK_ELLIPSE ? "ELLIPSE"
                  : mark->mark->n_points == 1          ? "POINT"
                                                       : "POLYLINE");
  item->putAndInsertFloat32Array (DCM_GraphicData, mark->points,
                                  2 * (unsigned long) mark->mark->n_points);
  odl_said_refer (add_item (item, "SELECTED FROM", "IMAGE", NULL),
                  DCM_ReferencedSOPSequence, picture);
}

// As exactly as a DS can; beside it stands the whole (PS3.3 C.18.1).
static void
put_number (DcmItem *item, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  int digits = FULL_DIGITS;

  do {
    char format[16];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (text, sizeof text, format, value);
  } while (strlen (text) > NUMBER_CHARACTERS && --digits > 0);
  odl_derive_put (item, DCM_NumericValue, text);
  item->putAndInsertFloat64 (DCM_FloatingPointValue, value);
}

static OdlDeriveCode
code_of (const OdlDecoderCode *code)
{
  return { code->value, code->scheme, code->meaning };
}

// What was done before the value was measured, as an algorithm (TID 4019): who does not
// know it must not take the value for one of the picture.
static void
add_recipe (DcmItem *number, const OdlSaid *said)
{
  const OFString after = "after " + said->recipe;

  add_text (number, "HAS CONCEPT MOD", { "111001", "DCM", "Algorithm Name" },
            "filters before the measurement");
  add_text (number, "HAS CONCEPT MOD", { "111003", "DCM", "Algorithm Version" },
            said->order.program);
  add_text (number, "HAS CONCEPT MOD", { "111002", "DCM", "Algorithm Parameters" },
            after.c_str ());
}

// The stored result of the filters; without an instance where there is none.
static OdlSaidPicture
derived_of (const OdlSaid *said, const OdlSaidPicture *picture)
{
  const OdlDecoderSaid *order = &said->order;
  OdlSaidPicture derived = *picture;

  derived.sop_class = order->derived_class;
  derived.instance = order->derived_instance;
  derived.series = order->derived_series;
  derived.frame = order->derived_frame;
  return derived;
}

// The whole picture that a value was measured in; where in it, the region says.
static void
add_source (DcmItem *number, const OdlSaidPicture *picture)
{
  static const OdlDeriveCode name = { "121112", "DCM", "Source of Measurement" };

  odl_said_refer (add_item (number, "INFERRED FROM", "IMAGE", &name),
                  DCM_ReferencedSOPSequence, picture);
}

static void
add_value (DcmItem *group,
           const OdlSaid *said,
           const OdlSaidMark *mark,
           const OdlDecoderMeasured *value,
           const OdlSaidPicture *picture)
{
  const OdlDeriveCode name = code_of (&value->concept_name);
  DcmItem *number = add_item (group, "CONTAINS", "NUM", &name), *measured = NULL;

  if (number->findOrCreateSequenceItem (DCM_MeasuredValueSequence, measured, -2)
          .good ()) {
    put_number (measured, value->value);
    odl_derive_put_code (measured, DCM_MeasurementUnitsCodeSequence,
                         code_of (&value->unit));
  }
  if (*value->derivation.value != '\0')
    add_code (number, "HAS CONCEPT MOD", { "121401", "DCM", "Derivation" },
              code_of (&value->derivation));
  const OdlSaidPicture derived = derived_of (said, picture);
  const bool in_derived = value->after && !derived.instance.empty ();
  if (value->after)
    add_recipe (number, said);
  if (mark->mark->form == ODL_MARK_LINE)
    add_place (number, "INFERRED FROM", { "121112", "DCM", "Source of Measurement" },
               mark, in_derived ? &derived : picture);
  else if (in_derived)
    add_source (number, &derived);
}

static void
add_group (DcmItem *measurements,
           const OdlSaid *said,
           size_t i,
           const OdlSaidPicture *picture)
{
  const OdlSaidMark *mark = &said->marks[i];
  const bool is_region = mark->mark->form != ODL_MARK_LINE;
  DcmItem *group = add_container (measurements, { "125007", "DCM", "Measurement Group" },
                                  is_region ? "1410" : "1501");
  char number[16];

  g_snprintf (number, sizeof number, "%u", (unsigned) i + 1);
  add_text (group, "HAS OBS CONTEXT", { "112039", "DCM", "Tracking Identifier" },
            mark->mark->name);
  add_uid (group, "HAS OBS CONTEXT", { "112040", "DCM", "Tracking Unique Identifier" },
           odl_derive_uid (said->order.secret, "tracking", number));
  if (!said->recipe.empty ())
    add_text (group, "CONTAINS", { "121106", "DCM", "Comment" },
              ("after " + said->recipe).c_str ());
  if (!mark->words.empty ())
    add_text (group, "CONTAINS", { "121106", "DCM", "Comment" }, mark->words.c_str ());
  if (is_region)
    add_place (group, "CONTAINS", { "111030", "DCM", "Image Region" }, mark, picture);
  for (uint32_t k = 0; k < mark->mark->n_measured; k++)
    add_value (group, said, mark, &mark->measured[k], picture);
}

// ---- The document --------------------------------------------------------------------

// The program, which observed, since nobody has said who did (TID 1002, 1004).
static void
add_observer (DcmItem *root, const OdlSaid *said)
{
  add_code (root, "HAS OBS CONTEXT", { "121005", "DCM", "Observer Type" },
            { "121007", "DCM", "Device" });
  add_uid (root, "HAS OBS CONTEXT", { "121012", "DCM", "Device Observer UID" },
           odl_derive_uid (said->order.secret, "device", ""));
  add_text (root, "HAS OBS CONTEXT", { "121013", "DCM", "Device Observer Name" },
            said->order.program);
  add_text (root, "HAS OBS CONTEXT", { "121014", "DCM", "Device Observer Manufacturer" },
            "Ondelette");
}

// As the study says, where it does.
static void
add_procedure (DcmItem *root, DcmItem *dataset)
{
  static const OdlDeriveCode name = { "121058", "DCM", "Procedure reported" };
  DcmItem *said = odl_item_in (dataset, DCM_ProcedureCodeSequence, 0);

  if (said != NULL) {
    const OFString value = odl_item_text (said, DCM_CodeValue);
    const OFString scheme = odl_item_text (said, DCM_CodingSchemeDesignator);
    const OFString meaning = odl_item_text (said, DCM_CodeMeaning);
    if (!value.empty () && !scheme.empty () && !meaning.empty ()) {
      add_code (root, "HAS CONCEPT MOD", name,
                { value.c_str (), scheme.c_str (), meaning.c_str () });
      return;
    }
  }
  add_code (root, "HAS CONCEPT MOD", name, { "363679005", "SCT", "Imaging procedure" });
}

// Where the pictures are to be found (PS3.3 C.17.2): whole objects, each once.
static void
put_evidence (DcmItem *root, const std::vector<OdlSaidPicture> &pictures)
{
  DcmItem *study = NULL;
  std::set<OFString> known;
  std::map<OFString, DcmItem *> all;

  if (root->findOrCreateSequenceItem (DCM_CurrentRequestedProcedureEvidenceSequence,
                                      study, -2)
          .bad ())
    return;
  odl_derive_put (study, DCM_StudyInstanceUID, pictures.front ().study.c_str ());
  for (OdlSaidPicture picture : pictures) {
    DcmItem *&series = all[picture.series];
    picture.frame = 0;
    if (!known.insert (picture.instance).second)
      continue;
    if (series == NULL
        && study->findOrCreateSequenceItem (DCM_ReferencedSeriesSequence, series, -2)
               .bad ())
      return;
    odl_derive_put (series, DCM_SeriesInstanceUID, picture.series.c_str ());
    odl_said_refer (series, DCM_ReferencedSOPSequence, &picture);
  }
}

// Nobody has called it complete, or verified it.
static void
put_state (DcmItem *root)
{
  static const DcmTagKey empty[] = { DCM_ReferencedPerformedProcedureStepSequence,
                                     DCM_PerformedProcedureCodeSequence };

  odl_derive_put (root, DCM_CompletionFlag, "PARTIAL");
  odl_derive_put (root, DCM_VerificationFlag, "UNVERIFIED");
  odl_derive_put (root, DCM_ContentDate, odl_item_text (root, DCM_SeriesDate).c_str ());
  odl_derive_put (root, DCM_ContentTime, odl_item_text (root, DCM_SeriesTime).c_str ());
  for (const DcmTagKey &tag : empty)
    root->insertEmptyElement (tag);
}

// Whether it is words alone.
static bool
is_comment (const OdlSaidMark &mark)
{
  return mark.mark->n_measured == 0 && !mark.words.empty ();
}

static void
add_measurements (DcmItem *root, const OdlSaid *said, const OdlSaidPicture *picture)
{
  DcmItem *measurements = NULL;

  for (size_t i = 0; i < said->marks.size (); i++) {
    if (is_comment (said->marks[i]))
      continue;
    if (measurements == NULL)
      measurements
          = add_container (root, { "126010", "DCM", "Imaging Measurements" }, NULL);
    add_group (measurements, said, i, picture);
  }
}

// What was written, and where (TID 1500, Qualitative Evaluations).
static void
add_comments (DcmItem *root, const OdlSaid *said, const OdlSaidPicture *picture)
{
  DcmItem *evaluations = NULL;

  for (const OdlSaidMark &mark : said->marks) {
    if (!is_comment (mark))
      continue;
    if (evaluations == NULL)
      evaluations
          = add_container (root, { "C0034375", "UMLS", "Qualitative Evaluations" }, NULL);
    DcmItem *text = add_text (evaluations, "CONTAINS", { "121106", "DCM", "Comment" },
                              mark.words.c_str ());
    add_place (text, "INFERRED FROM", { "111030", "DCM", "Image Region" }, &mark,
               picture);
  }
}

GByteArray *
odl_dicom_report (const OdlDicomHeader *header,
                  const OdlDicomSpace *space,
                  DcmDataset &dataset,
                  GError **error)
{
  OdlSaid said;
  OdlSaidPicture picture;
  DcmDataset root;

  if (!odl_said_take_order (&said, error)
      || !odl_said_begin (header, space, dataset, &said, UID_ComprehensiveSRStorage, "SR",
                          "Measurements, not for diagnosis", &picture, &root, error))
    return NULL;
  const OdlSaidPicture derived = derived_of (&said, &picture);
  put_state (&root);
  if (derived.instance.empty ())
    put_evidence (&root, { picture });
  else
    put_evidence (&root, { picture, derived });
  odl_derive_put (&root, DCM_ValueType, "CONTAINER");
  odl_derive_put_code (&root, DCM_ConceptNameCodeSequence, title);
  begin_container (&root, "1500");
  add_code (&root, "HAS CONCEPT MOD", language, english);
  add_observer (&root, &said);
  add_procedure (&root, &dataset);
  add_measurements (&root, &said, &picture);
  add_comments (&root, &said, &picture);
  return odl_derive_bytes (root, EXS_LittleEndianExplicit, error);
}

// ---- Key objects ---------------------------------------------------------------------

// The picture that a mark names, of the series at hand. False: it names none.
static bool
find_named (const OdlSaidMark &mark,
            const OdlDicomHeader *header,
            const OdlDicomSpace *space,
            const OdlSaidPicture &at_hand,
            OdlSaidPicture *picture)
{
  const size_t blank = mark.words.find (' ');
  guint64 frame = 0;

  if (blank == OFString_npos || blank == 0
      || !g_ascii_string_to_unsigned (mark.words.c_str () + blank + 1, 10, 0,
                                      UINT32_MAX - 1, &frame, NULL))
    return false;
  *picture = at_hand;
  picture->instance = mark.words.substr (0, blank);
  // Other files of a series have one frame each.
  if (picture->instance != at_hand.instance)
    picture->frame = 0;
  else if (frame >= header->frames)
    return false;
  else if (header->frames > 1)
    picture->frame = odl_dicom_space_frame (space, (uint32_t) frame) + 1;
  return true;
}

static void
put_key_head (DcmItem *root)
{
  odl_derive_put (root, DCM_ContentDate, odl_item_text (root, DCM_SeriesDate).c_str ());
  odl_derive_put (root, DCM_ContentTime, odl_item_text (root, DCM_SeriesTime).c_str ());
  root->insertEmptyElement (DCM_ReferencedPerformedProcedureStepSequence);
  odl_derive_put (root, DCM_ValueType, "CONTAINER");
  odl_derive_put_code (root, DCM_ConceptNameCodeSequence, title_of_keys);
  begin_container (root, "2010");
}

GByteArray *
odl_dicom_keys (const OdlDicomHeader *header,
                const OdlDicomSpace *space,
                DcmDataset &dataset,
                GError **error)
{
  OdlSaid said;
  OdlSaidPicture at_hand;
  std::vector<OdlSaidPicture> pictures;
  DcmDataset root;

  if (!odl_said_take_order (&said, error)
      || !odl_said_begin (header, space, dataset, &said,
                          UID_KeyObjectSelectionDocumentStorage, "KO", "Key pictures",
                          &at_hand, &root, error))
    return NULL;
  for (const OdlSaidMark &mark : said.marks) {
    OdlSaidPicture picture;
    if (find_named (mark, header, space, at_hand, &picture))
      pictures.push_back (picture);
  }
  if (pictures.empty ()) {
    odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the order for a report is invalid"));
    return NULL;
  }
  put_key_head (&root);
  put_evidence (&root, pictures);
  add_code (&root, "HAS CONCEPT MOD", language, english);
  add_observer (&root, &said);
  for (const OdlSaidPicture &picture : pictures)
    odl_said_refer (add_item (&root, "CONTAINS", "IMAGE", NULL),
                    DCM_ReferencedSOPSequence, &picture);
  return odl_derive_bytes (root, EXS_LittleEndianExplicit, error);
}
