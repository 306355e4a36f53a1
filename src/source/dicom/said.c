// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/dicom/headers.h"
#include "source/dicom/report_text.h"
#include "source/dicom/said.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/protocol.h"
#include "source/dicom/derived.h"
#include "source/dicom/dicom.h"
#include "source/dicom/header_tree.h"
#include "source/dicom/ordered.h"
#include "source/dicom/series.h"
#include "source/helper/client.h"
#include "source/volume.h"

#define MOST_READ 64 // of key objects

static void
add_keys (const char *path, GHashTable *keys, GCancellable *cancellable)
{
  g_autoptr (OdlReport) report = odl_report_read (path, true, cancellable, NULL);

  for (guint i = 0; report != NULL && report->is_keys && i < report->keys->len; i++)
    g_hash_table_add (keys, g_strdup (report->keys->pdata[i]));
}

static bool
is_keys (const uint8_t *head, size_t n)
{
  return memmem (head, n, ODL_REPORT_KEY_OBJECTS, strlen (ODL_REPORT_KEY_OBJECTS))
         != NULL;
}

GHashTable *
odl_keys_find (const char *path, GCancellable *cancellable)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) paths = odl_dicom_files_beside (path, is_keys, cancellable);

  for (guint i = 0;
       i < MIN (paths->len, MOST_READ) && !g_cancellable_is_cancelled (cancellable); i++)
    add_keys (paths->pdata[i], keys, cancellable);
  return keys;
}

struct _OdlSaid {
  GArray *marks; // OdlDecoderMark
  GArray *measured; // OdlDecoderMeasured, of all marks in their order
  GArray *points; // float, likewise
  GString *words; // likewise
};

OdlSaid *
odl_said_new (void)
{
  OdlSaid *said = g_new (OdlSaid, 1);

  *said = (OdlSaid){ g_array_new (FALSE, FALSE, sizeof (OdlDecoderMark)),
                     g_array_new (FALSE, FALSE, sizeof (OdlDecoderMeasured)),
                     g_array_new (FALSE, FALSE, sizeof (float)), g_string_new (NULL) };
  return said;
}

void
odl_said_free (OdlSaid *said)
{
  if (said == NULL)
    return;
  g_array_unref (said->marks);
  g_array_unref (said->measured);
  g_array_unref (said->points);
  g_string_free (said->words, TRUE);
  g_free (said);
}

bool
odl_said_add_mark (OdlSaid *said,
                   OdlSaidShape shape,
                   const char *name,
                   const OdlPoint *points,
                   int n_points)
{
  static const uint32_t forms[] = { [ODL_SAID_LINE] = ODL_MARK_LINE,
                                    [ODL_SAID_REGION] = ODL_MARK_REGION,
                                    [ODL_SAID_ELLIPSE] = ODL_MARK_ELLIPSE };
  OdlDecoderMark mark = { .form = forms[shape], .n_points = (uint32_t) n_points };

  g_return_val_if_fail (n_points > 0 && mark.n_points <= ODL_DECODER_SAID_MAX_POINTS,
                        false);
  if (said->marks->len >= ODL_DECODER_SAID_MAX_MARKS)
    return false;
  g_strlcpy (mark.name, name, sizeof mark.name);
  g_array_append_val (said->marks, mark);
  for (int i = 0; i < n_points; i++) {
    const float pair[] = { (float) points[i].x, (float) points[i].y };
    g_array_append_vals (said->points, pair, 2);
  }
  return true;
}

static void
copy_code (OdlDecoderCode *to, const OdlSaidCode *from)
{
  g_strlcpy (to->value, from->value, sizeof to->value);
  g_strlcpy (to->scheme, from->scheme, sizeof to->scheme);
  g_strlcpy (to->meaning, from->meaning, sizeof to->meaning);
}

void
odl_said_add_value (OdlSaid *said,
                    const OdlSaidCode *name,
                    const OdlSaidCode *unit,
                    const OdlSaidCode *derivation,
                    double value,
                    bool after)
{
  OdlDecoderMeasured measured = { .value = value, .after = after };
  OdlDecoderMark *last
      = &g_array_index (said->marks, OdlDecoderMark, said->marks->len - 1);

  g_return_if_fail (last->n_measured < ODL_DECODER_SAID_MAX_MEASURED);
  if (!isfinite (value))
    return;
  copy_code (&measured.concept_name, name);
  copy_code (&measured.unit, unit);
  if (derivation != NULL)
    copy_code (&measured.derivation, derivation);
  g_array_append_val (said->measured, measured);
  last->n_measured++;
}

void
odl_said_add_words (OdlSaid *said, const char *words, OdlPoint anchor)
{
  OdlDecoderMark *last
      = &g_array_index (said->marks, OdlDecoderMark, said->marks->len - 1);
  const char *end = words;

  // Whole letters; each line takes another byte in the file.
  for (guint n_lines = 0; *end != '\0'; end = g_utf8_next_char (end)) {
    n_lines += *end == '\n';
    if ((guint) (g_utf8_next_char (end) - words) + n_lines > ODL_DECODER_SAID_MAX_WORDS)
      break;
  }
  last->words_bytes = (uint32_t) (end - words);
  last->anchor[0] = (float) anchor.x;
  last->anchor[1] = (float) anchor.y;
  g_string_append_len (said->words, words, end - words);
}

// ---- the picture ---------------------------------------------------------------------

// Where a frame is stored.
typedef struct {
  const char *path;
  const char *instance; // its SOP Instance UID; "": it has none
  gint64 frame; // in that file
} Place;

static bool
find_place (const OdlSource *source, gint64 frame, Place *place, GError **error)
{
  const char *location = source->info.location;
  const bool is_series = source->klass == &odl_series_source;

  if (!is_series && !odl_dicom_is_source (source))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it is no DICOM file, so that no other one can refer to it. "
                             "Write a table (CSV)."));
  if (is_series && odl_source_lacks_frame (source, frame))
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("this slice is not there, so that nothing can refer to it."));
  // Frames that are taken for the slices of a volume stay those of their file.
  *place = (Place){
    .path = is_series ? source->info.files[frame]
                      : location + (g_str_has_prefix (location, "volume:") ? 7 : 0),
    .instance = is_series ? odl_decoded_source_instance (source, frame)
                          : odl_source_detail (source, "sop-instance"),
    .frame = is_series ? 0 : frame,
  };
  if (place->instance == NULL)
    place->instance = "";
  return true;
}

bool
odl_said_is_possible (const OdlSource *source, gint64 frame, GError **error)
{
  Place place = { 0 };

  return find_place (source, frame, &place, error);
}

// ---- the order -----------------------------------------------------------------------

static OdlDecoderSaid
begin_order (const OdlSaid *said, const Place *place, gsize recipe_bytes)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  OdlDecoderSaid order = {
    .magic = ODL_DECODER_MAGIC,
    .version = ODL_DECODER_VERSION,
    .n_marks = said->marks->len,
    .n_measured = said->measured->len,
    .n_points = said->points->len / 2,
    .recipe_bytes = (uint32_t) MIN (recipe_bytes, ODL_DECODER_DERIVE_MAX_RECIPE),
    .words_bytes = (uint32_t) said->words->len,
    .frame = (uint32_t) place->frame,
    .zone_minutes = (int32_t) (g_date_time_get_utc_offset (now) / G_TIME_SPAN_MINUTE),
    .now_s = g_date_time_to_unix (now),
    .window_width = 1,
    .pixel_aspect = 1,
  };

  G_STATIC_ASSERT (sizeof order.secret == ODL_DERIVED_SECRET_BYTES);
  odl_derived_make_secret (order.secret);
  g_strlcpy (order.instance, place->instance, sizeof order.instance);
  g_strlcpy (order.program, "Ondelette " ODL_VERSION, sizeof order.program);
  return order;
}

static GByteArray *
order_of (const OdlSaid *said, const OdlDecoderSaid *order, const char *recipe)
{
  GArray *const arrays[] = { said->marks, said->measured, said->points };
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) order, sizeof *order);
  for (size_t i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_byte_array_append (bytes, (const guint8 *) arrays[i]->data,
                         arrays[i]->len * g_array_get_element_size (arrays[i]));
  g_byte_array_append (bytes, (const guint8 *) recipe, order->recipe_bytes);
  g_byte_array_append (bytes, (const guint8 *) said->words->str, order->words_bytes);
  return bytes;
}

// ---- what was derived ----------------------------------------------------------------

#define SOP_CLASS "(0008,0016)"
#define INSTANCE "(0008,0018)"
#define STUDY "(0020,000D)"
#define SERIES "(0020,000E)"
#define FRAMES "(0028,0008)"
#define SOURCE_IMAGES "(0008,2112)"
#define SHARED_GROUPS "(5200,9229)"
#define FRAME_GROUPS "(5200,9230)"
#define DERIVATIONS "(0008,9124)"
#define REFERENCED_INSTANCE "(0008,1155)"

void
odl_said_derived_clear (OdlSaidDerived *derived)
{
  g_clear_pointer (&derived->sop_class, g_free);
  g_clear_pointer (&derived->instance, g_free);
  g_clear_pointer (&derived->series, g_free);
}

static bool
names_source (OdlHeaderItem item, const char *instance)
{
  OdlHeaderItem rest = odl_header_items (item, SOURCE_IMAGES), one;

  while (odl_header_next (&rest, &one))
    if (strcmp (odl_header_text (one, REFERENCED_INSTANCE), instance) == 0)
      return true;
  return false;
}

// Enhanced files say it for all frames, or for each.
static bool
is_derived_from (OdlHeaderItem whole, const char *instance)
{
  const OdlHeaderItem groups[] = { odl_header_item (whole, SHARED_GROUPS, 0),
                                   odl_header_item (whole, FRAME_GROUPS, 0) };
  bool is = names_source (whole, instance);

  for (size_t i = 0; i < G_N_ELEMENTS (groups); i++)
    is = is || names_source (odl_header_item (groups[i], DERIVATIONS, 0), instance);
  return is;
}

// Words alone: lines are kept in more than one way. Transfer full.
static char *
words_of (const char *recipe)
{
  g_auto (GStrv) parts = g_strsplit_set (recipe, " \r\n", -1);
  g_autoptr (GString) words = g_string_new (NULL);

  for (char **part = parts; *part != NULL; part++)
    if (**part != '\0')
      g_string_append_printf (words, "%s ", *part);
  return g_strdup (words->str);
}

static bool
has_recipe (const char *path, const char *recipe)
{
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, NULL);
  const char *there = source != NULL ? odl_source_detail (source, "recipe") : NULL;
  g_autofree char *wanted = words_of (recipe);
  g_autofree char *got = words_of (there != NULL ? there : "");

  return strcmp (wanted, got) == 0;
}

bool
odl_said_derived_read (OdlSaidDerived *derived,
                       const char *path,
                       const OdlSource *source,
                       gint64 frame,
                       const char *recipe,
                       GError **error)
{
  const char *instance = odl_said_instance (source, frame, NULL);
  const char *study = odl_source_detail (source, "study-instance");
  g_autofree char *text = odl_dicom_read_header (path, NULL, error);
  g_autofree char *shown = g_filename_display_name (path);

  *derived = (OdlSaidDerived){ 0 };
  if (text == NULL)
    return false;
  g_autoptr (GArray) lines = odl_header_split (text);
  const OdlHeaderItem whole = odl_header_whole (lines);
  if (instance == NULL || !is_derived_from (whole, instance)
      || g_strcmp0 (odl_header_text (whole, STUDY), study) != 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("%s was not derived from this picture, so that nothing was "
                             "measured in it"),
                          shown);
  if (!has_recipe (path, recipe))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("%s was derived by other filters than those that the values "
                             "were measured after"),
                          shown);
  const int n = atoi (odl_header_text (whole, FRAMES));
  if (n > 1 && n != source->info.n_frames)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("%s has other frames than the picture, so that nobody can say which one was "
           "measured in"),
        shown);
  *derived = (OdlSaidDerived){ g_strdup (odl_header_text (whole, SOP_CLASS)),
                               g_strdup (odl_header_text (whole, INSTANCE)),
                               g_strdup (odl_header_text (whole, SERIES)),
                               n > 1 ? frame + 1 : 0 };
  return true;
}

// ---- reports and states --------------------------------------------------------------

GBytes *
odl_said_report (const OdlSaid *said,
                 const OdlSource *source,
                 gint64 frame,
                 const char *recipe,
                 const OdlSaidDerived *derived,
                 GError **error)
{
  Place place = { 0 };

  if (!find_place (source, frame, &place, error))
    return NULL;
  recipe = recipe != NULL ? recipe : "";
  OdlDecoderSaid order = begin_order (said, &place, strlen (recipe));
  if (derived != NULL) {
    g_strlcpy (order.derived_class, derived->sop_class, sizeof order.derived_class);
    g_strlcpy (order.derived_instance, derived->instance, sizeof order.derived_instance);
    g_strlcpy (order.derived_series, derived->series, sizeof order.derived_series);
    order.derived_frame = (uint32_t) derived->frame;
  }
  g_autoptr (GByteArray) bytes = order_of (said, &order, recipe);
  return odl_ordered_ask (place.path, "dicom-report", ODL_DECODER_SAID, bytes, error);
}

GBytes *
odl_said_state (const OdlSaid *said,
                const OdlSource *source,
                gint64 frame,
                const OdlSaidView *view,
                GError **error)
{
  static const uint32_t functions[]
      = { [ODL_VOI_LINEAR] = 0, [ODL_VOI_LINEAR_EXACT] = 1, [ODL_VOI_SIGMOID] = 2 };
  Place place = { 0 };

  if (!find_place (source, frame, &place, error))
    return NULL;
  OdlDecoderSaid order = begin_order (said, &place, 0);
  order.window_centre = view->centre;
  order.window_width = view->width;
  order.function = functions[view->function];
  order.use_table = view->use_table;
  order.inverse = view->inverse;
  memcpy (order.spacing_mm, view->spacing_mm, sizeof order.spacing_mm);
  order.pixel_aspect = view->pixel_aspect;
  order.quarter_turns = (uint32_t) view->quarter_turns;
  order.flip = view->flip;
  for (int i = 0; i < 4; i++)
    order.corners[i] = view->corners[i];
  g_autoptr (GByteArray) bytes = order_of (said, &order, "");
  return odl_ordered_ask (place.path, "dicom-state", ODL_DECODER_SAID, bytes, error);
}

const char *
odl_said_instance (const OdlSource *source, gint64 frame, gint64 *stored)
{
  Place place = { 0 };

  if (!find_place (source, frame, &place, NULL) || *place.instance == '\0')
    return NULL;
  if (stored != NULL)
    *stored = place.frame;
  return place.instance;
}

// The mark that names a picture.
static bool
add_key (OdlSaid *said, const Place *place)
{
  static const OdlPoint nowhere = { 0, 0 };
  g_autofree char *words
      = g_strdup_printf ("%s %" G_GINT64_FORMAT, place->instance, place->frame);

  if (!odl_said_add_mark (said, ODL_SAID_LINE, "key", &nowhere, 1))
    return false;
  odl_said_add_words (said, words, nowhere);
  return true;
}

GBytes *
odl_said_keys (const OdlSource *source, const gint64 *frames, guint n, GError **error)
{
  g_autoptr (OdlSaid) said = odl_said_new ();
  Place first = { 0 };

  g_return_val_if_fail (n > 0, NULL);
  for (guint i = 0; i < n; i++) {
    Place place = { 0 };
    if (!find_place (source, frames[i], &place, error))
      return NULL;
    first = i == 0 ? place : first;
    if (*place.instance != '\0' && !add_key (said, &place))
      return odl_error_null (error, ODL_ERROR_TOO_LARGE,
                             _ ("more pictures are marked than a file of DICOM may "
                                "have here"));
  }
  const OdlDecoderSaid order = begin_order (said, &first, 0);
  g_autoptr (GByteArray) bytes = order_of (said, &order, "");
  return odl_ordered_ask (first.path, "dicom-keys", ODL_DECODER_SAID, bytes, error);
}
