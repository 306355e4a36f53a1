// SPDX-License-Identifier: MIT
#include "source/dicom/report_text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "source/dicom/dicom.h"
#include "source/dicom/header_tree.h"
#include "source/source_file.h"

// What the SOP classes of all begin with.
#define FAMILY "1.2.840.10008.5.1.4.1.1.88."
#define MOST_BYTES 262144 // of text
#define MOST_PICTURES 10000
#define MOST_DIGITS 8 // with sign and point; longer numbers are rounded

// Tags as the text of a header has them.
#define SOP_CLASS "(0008,0016)"
#define STUDY "(0008,1030)"
#define PATIENT "(0010,0010)"
#define PATIENT_ID "(0010,0020)"
#define BIRTH "(0010,0030)"
#define CONTENT_DATE "(0008,0023)"
#define CODE_VALUE "(0008,0100)"
#define CODE_SCHEME "(0008,0102)"
#define CODE_MEANING "(0008,0104)"
#define REFERENCED_INSTANCE "(0008,1155)"
#define REFERENCED_FRAMES "(0008,1160)"
#define REFERENCED_SOPS "(0008,1199)"
#define UNITS "(0040,08EA)"
#define VALUE_TYPE "(0040,A040)"
#define CONCEPT_NAME "(0040,A043)"
#define CONCEPT_CODE "(0040,A168)"
#define MEASURED "(0040,A300)"
#define QUALIFIER "(0040,A301)"
#define NUMBER "(0040,A30A)"
#define COMPLETION "(0040,A491)"
#define VERIFICATION "(0040,A493)"
#define CONTENT "(0040,A730)"
#define REFERENCED_ITEM "(0040,DB73)"

typedef struct {
  OdlReport *report;
  GString *text;
  GHashTable *known; // pictures
  bool hides_names;
} Writer;

// ---- values --------------------------------------------------------------------------

char *
odl_report_key (const char *instance, gint64 frame)
{
  return frame > 0 ? g_strdup_printf ("%s %" G_GINT64_FORMAT, instance, frame)
                   : g_strdup (instance);
}

// What a code means, or at least its value.
static const char *
meaning_of (OdlHeaderItem item, const char *sequence)
{
  const OdlHeaderItem code = odl_header_item (item, sequence, 0);
  const char *meaning = odl_header_text (code, CODE_MEANING);

  return *meaning != '\0' ? meaning : odl_header_text (code, CODE_VALUE);
}

// As people write it: some programs give all digits that a double has.
static char *
round_number (const char *text)
{
  char rounded[G_ASCII_DTOSTR_BUF_SIZE];
  double number = 0;

  if (strlen (text) <= MOST_DIGITS || !odl_number_from_text (text, &number))
    return g_strdup (text);
  return g_strdup (g_ascii_formatd (rounded, sizeof rounded, "%.6g", number));
}

// "mm", where that is how units are written; else what the code means.
static const char *
unit_of (OdlHeaderItem measured)
{
  static const char *const areas[][2]
      = { { "mm2", "mm²" }, { "cm2", "cm²" }, { "m2", "m²" }, { "cm3", "cm³" },
          { "mm3", "mm³" }, { "deg", "°" },   { "um", "µm" }, { "[hnsf'U]", "HU" } };
  const OdlHeaderItem code = odl_header_item (measured, UNITS, 0);
  const char *value = odl_header_text (code, CODE_VALUE);
  const bool is_short = g_str_equal (odl_header_text (code, CODE_SCHEME), "UCUM")
                        && *value != '\0' && strpbrk (value, "{}[]") == NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (areas); i++)
    if (g_str_equal (value, areas[i][0]))
      return areas[i][1];
  return g_str_equal (value, "1") ? "" : is_short ? value : meaning_of (measured, UNITS);
}

static char *
number_of (OdlHeaderItem item)
{
  const OdlHeaderItem measured = odl_header_item (item, MEASURED, 0);

  if (*odl_header_text (measured, NUMBER) == '\0')
    return g_strdup (meaning_of (item, QUALIFIER));
  const char *unit = unit_of (measured);
  g_autofree char *number = round_number (odl_header_text (measured, NUMBER));
  return g_strdup_printf ("%s%s%s", number, *unit != '\0' ? " " : "", unit);
}

// Each frame that a reference names, or all of the picture.
static void
add_keys (const OdlReport *report, OdlHeaderItem reference, const char *instance)
{
  g_autoptr (GArray) frames
      = odl_header_numbers (reference, REFERENCED_FRAMES, MOST_PICTURES);
  const guint n = MAX (frames->len, 1);

  if (!report->is_keys || *instance == '\0')
    return;
  for (guint i = 0; i < n && report->keys->len < MOST_PICTURES; i++) {
    const double frame = frames->len > 0 ? g_array_index (frames, double, i) : 0;
    g_ptr_array_add (report->keys, odl_report_key (instance, (gint64) frame));
  }
}

// A picture is named by its identifier.
static char *
picture_of (Writer *writer, OdlHeaderItem item)
{
  const OdlHeaderItem reference = odl_header_item (item, REFERENCED_SOPS, 0);
  const char *instance = odl_header_text (reference, REFERENCED_INSTANCE);
  const char *frames = odl_header_text (reference, REFERENCED_FRAMES);
  const OdlReport *report = writer->report;
  GPtrArray *pictures = report->pictures;

  if (*instance != '\0' && pictures->len < MOST_PICTURES
      && g_hash_table_add (writer->known, (char *) instance))
    g_ptr_array_add (pictures, g_strdup (instance));
  add_keys (report, reference, instance);
  g_autofree char *of
      = *frames != '\0' ? g_strdup_printf (_ (", frame %s"), frames) : NULL;
  return g_strconcat (instance, of, NULL);
}

// Places in pictures are for programs.
static char *
value_of (Writer *writer, OdlHeaderItem item, const char *type)
{
  static const struct {
    const char *type, *tag;
  } plain[] = { { "TEXT", "(0040,A160)" },
                { "DATE", "(0040,A121)" },
                { "TIME", "(0040,A122)" },
                { "DATETIME", "(0040,A120)" },
                { "PNAME", "(0040,A123)" } };

  if (writer->hides_names && g_str_equal (type, "PNAME"))
    return g_strdup ("…");
  for (size_t i = 0; i < G_N_ELEMENTS (plain); i++)
    if (g_str_equal (plain[i].type, type))
      return odl_header_lines (item, plain[i].tag);
  if (g_str_equal (type, "CODE"))
    return g_strdup (meaning_of (item, CONCEPT_CODE));
  if (g_str_equal (type, "NUM"))
    return number_of (item);
  if (g_str_equal (type, "IMAGE") || g_str_equal (type, "COMPOSITE")
      || g_str_equal (type, "WAVEFORM"))
    return picture_of (writer, item);
  return g_strdup ("");
}

// ---- the tree ------------------------------------------------------------------------

// Names of items that have none.
static const char *
title_of (OdlHeaderItem item, const char *type)
{
  const char *name = meaning_of (item, CONCEPT_NAME);

  if (*name != '\0')
    return name;
  return g_str_equal (type, "IMAGE")       ? _ ("Picture")
         : g_str_equal (type, "COMPOSITE") ? _ ("Object")
         : g_str_equal (type, "WAVEFORM")  ? _ ("Waveform")
                                           : "";
}

static void
add_line (Writer *writer, int depth, const char *name, const char *value)
{
  g_auto (GStrv) lines = g_strsplit (value, "\n", -1);

  g_string_append_printf (writer->text, "%*s%s%s%s\n", 2 * depth, "", name,
                          *name != '\0' && *value != '\0' ? ": " : "",
                          lines[0] != NULL ? lines[0] : "");
  for (int i = 1; lines[0] != NULL && lines[i] != NULL; i++)
    g_string_append_printf (writer->text, "%*s%s\n", 2 * depth + 2, "", lines[i]);
}

static bool
is_full (const Writer *writer)
{
  return writer->report->n_items >= ODL_REPORT_MOST_ITEMS
         || writer->text->len >= MOST_BYTES;
}

// Identifiers and places say nothing to people, and what hangs below them is kept.
static bool
is_told (const char *type)
{
  static const char *const left_out[] = { "UIDREF", "SCOORD", "SCOORD3D", "TCOORD" };

  for (size_t i = 0; i < G_N_ELEMENTS (left_out); i++)
    if (g_str_equal (left_out[i], type))
      return false;
  return true;
}

static void
add_item (Writer *writer, OdlHeaderItem item, int depth)
{
  const char *type = odl_header_text (item, VALUE_TYPE);
  g_autofree char *value = value_of (writer, item, type);
  const char *other = odl_header_text (item, REFERENCED_ITEM);

  writer->report->n_items++;
  if (*other != '\0') {
    g_autofree char *place = g_strdelimit (g_strdup (other), "\\", '.');
    g_autofree char *words = g_strdup_printf (_ ("see item %s"), place);
    add_line (writer, depth, "", words);
  } else if (is_told (type)) {
    add_line (writer, depth, title_of (item, type), value);
    depth++;
  }
  OdlHeaderItem rest = odl_header_items (item, CONTENT), child;
  while (odl_header_next (&rest, &child)) {
    if (depth > ODL_REPORT_MOST_DEPTH || is_full (writer)) {
      writer->report->is_partial = true;
      return;
    }
    add_item (writer, child, depth);
  }
}

// "MULLER^A^B" as people write it; of several spellings the first one. Transfer full.
static char *
person_of (const char *name)
{
  g_auto (GStrv) spellings = g_strsplit (name, "=", 2);
  g_auto (GStrv) parts = g_strsplit (spellings[0] != NULL ? spellings[0] : "", "^", 2);
  const bool has_given = parts[0] != NULL && parts[1] != NULL && *parts[1] != '\0';
  char *person = g_strjoin (has_given ? ", " : "", parts[0] != NULL ? parts[0] : "",
                            has_given ? parts[1] : "", NULL);

  return g_strchomp (g_strdelimit (person, "^", ' '));
}

// Who it is of; a report that does not say it may be taken for that of the picture that
// was shown before.
static void
take_patient (OdlReport *report, OdlHeaderItem whole, bool hides_names)
{
  report->patient = person_of (hides_names ? "" : odl_header_text (whole, PATIENT));
  report->patient_id = g_strdup (hides_names ? "" : odl_header_text (whole, PATIENT_ID));
  report->birth = g_strdup (hides_names ? "" : odl_header_text (whole, BIRTH));
  report->study = g_strdup (odl_header_text (whole, STUDY));
}

// Also those that are named beside the tree.
OdlReport *
odl_report_parse (const char *header, bool hides_names)
{
  g_autofree char *copy = g_strdup (header);
  g_autoptr (GArray) lines = odl_header_split (copy);
  const OdlHeaderItem whole = odl_header_whole (lines);
  const char *class = odl_header_text (whole, SOP_CLASS);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  if (!g_str_has_prefix (class, FAMILY))
    return NULL;
  OdlReport *report = g_new0 (OdlReport, 1);
  Writer writer = { report, g_string_new (NULL), known, hides_names };
  *report = (OdlReport){
    .is_keys = g_str_equal (class, ODL_REPORT_KEY_OBJECTS),
    .title = g_strdup (meaning_of (whole, CONCEPT_NAME)),
    .date = g_strdup (odl_header_text (whole, CONTENT_DATE)),
    .completion = g_strdup (odl_header_text (whole, COMPLETION)),
    .verification = g_strdup (odl_header_text (whole, VERIFICATION)),
    .pictures = g_ptr_array_new_with_free_func (g_free),
    .keys = g_ptr_array_new_with_free_func (g_free),
    .is_partial = strstr (header, "\n0\t\t\t\t…") != NULL,
  };
  take_patient (report, whole, hides_names);
  add_item (&writer, whole, 0);
  report->text = g_string_free (writer.text, FALSE);
  return report;
}

void
odl_report_free (OdlReport *report)
{
  if (report == NULL)
    return;
  g_free (report->patient);
  g_free (report->patient_id);
  g_free (report->birth);
  g_free (report->study);
  g_free (report->title);
  g_free (report->date);
  g_free (report->completion);
  g_free (report->verification);
  g_free (report->text);
  g_ptr_array_unref (report->pictures);
  g_ptr_array_unref (report->keys);
  g_free (report);
}

// ---- files ---------------------------------------------------------------------------

static bool
begins_with (const char *path, const char *class)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n = 0;

  return odl_source_file_read_head (path, head, &n, NULL)
         && odl_dicom_source.probe (path, head, n)
         && memmem (head, n, class, strlen (class)) != NULL;
}

bool
odl_report_is_file (const char *path)
{
  return begins_with (path, FAMILY);
}

bool
odl_report_is_keys (const char *path)
{
  return begins_with (path, ODL_REPORT_KEY_OBJECTS);
}

OdlReport *
odl_report_read (const char *path,
                 bool hides_names,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autofree char *header = odl_dicom_read_header (path, cancellable, error);
  OdlReport *report = header != NULL ? odl_report_parse (header, hides_names) : NULL;

  if (header == NULL || report != NULL)
    return report;
  g_autofree char *shown = g_filename_display_name (path);
  return odl_error_null (error, ODL_ERROR_UNSUPPORTED, _ ("%s is no report of DICOM"),
                         shown);
}
