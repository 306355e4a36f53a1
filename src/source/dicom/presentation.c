// SPDX-License-Identifier: MIT
#include "source/dicom/presentation.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "source/dicom/dicom.h"
#include "source/dicom/presentation_item.h"

#define MOST_SIDE 65536
// Modality of presentation states.
#define STATES "PR"

// Tags as the text of a header has them.
#define SOP_CLASS "(0008,0016)"
#define MODALITY "(0008,0060)"
#define REFERENCED_SERIES "(0008,1115)"
#define REFERENCED_IMAGES "(0008,1140)"
#define REFERENCED_INSTANCE "(0008,1155)"
#define REFERENCED_FRAMES "(0008,1160)"
#define VOI_TABLES "(0028,3010)"
#define SOFTCOPY_VOI "(0028,3110)"
#define DISPLAYED_AREAS "(0070,005A)"
#define BLENDING "(0070,0402)"

// ---- what it refers to ---------------------------------------------------------------

static bool
names_frame (OdlHeaderItem reference, int64_t frame)
{
  double number = 0;

  if (frame < 0 || *odl_header_text (reference, REFERENCED_FRAMES) == '\0')
    return true;
  for (int i = 0; odl_header_number (reference, REFERENCED_FRAMES, i, &number); i++)
    if (number == (double) frame + 1)
      return true;
  return false;
}

// Whether one of the images that an item lists is the picture; without a list all are
// meant, if `all`.
bool
odl_presentation_refers (OdlHeaderItem item,
                         const char *sop_instance,
                         int64_t frame,
                         bool all)
{
  if (odl_header_is_empty (odl_header_item (item, REFERENCED_IMAGES, 0)))
    return all;
  for (int i = 0;; i++) {
    const OdlHeaderItem reference = odl_header_item (item, REFERENCED_IMAGES, i);
    if (odl_header_is_empty (reference))
      return false;
    if (g_str_equal (odl_header_text (reference, REFERENCED_INSTANCE), sop_instance)
        && names_frame (reference, frame))
      return true;
  }
}

static bool
is_of_picture (OdlHeaderItem whole, const char *sop_instance, int64_t frame)
{
  for (int i = 0;; i++) {
    const OdlHeaderItem series = odl_header_item (whole, REFERENCED_SERIES, i);
    if (odl_header_is_empty (series))
      return false;
    if (odl_presentation_refers (series, sop_instance, frame, false))
      return true;
  }
}

// The item of a sequence that is for the picture.
static OdlHeaderItem
item_for (OdlHeaderItem whole,
          const char *sequence,
          const char *sop_instance,
          int64_t frame)
{
  for (int i = 0;; i++) {
    const OdlHeaderItem item = odl_header_item (whole, sequence, i);
    if (odl_header_is_empty (item)
        || odl_presentation_refers (item, sop_instance, frame, true))
      return item;
  }
}

char *
odl_presentation_read (const char *path, GCancellable *cancellable, GError **error)
{
  g_autofree char *text = odl_dicom_read_header (path, cancellable, error);
  g_autofree char *kind = odl_presentation_value (text != NULL ? text : "", MODALITY);

  if (text == NULL || g_str_equal (kind, STATES))
    return g_steal_pointer (&text);
  g_autofree char *shown = g_filename_display_name (path);
  return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                         _ ("%s is no presentation state of DICOM"), shown);
}

bool
odl_presentation_applies (const char *text)
{
  g_autofree char *kind = odl_presentation_value (text, SOP_CLASS);

  return g_str_equal (kind, ODL_PRESENTATION_CLASS);
}

static void
add_pictures (OdlHeaderItem of, GPtrArray *pictures)
{
  for (int i = 0;; i++) {
    const OdlHeaderItem series = odl_header_item (of, REFERENCED_SERIES, i);
    if (odl_header_is_empty (series))
      return;
    for (int k = 0;; k++) {
      const OdlHeaderItem image = odl_header_item (series, REFERENCED_IMAGES, k);
      if (odl_header_is_empty (image))
        break;
      g_ptr_array_add (pictures, g_strdup (odl_header_text (image, REFERENCED_INSTANCE)));
    }
  }
}

GPtrArray *
odl_presentation_pictures (const char *text)
{
  GPtrArray *pictures = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *copy = g_strdup (text);
  g_autoptr (GArray) lines = odl_header_split (copy);
  const OdlHeaderItem whole = odl_header_whole (lines);

  add_pictures (whole, pictures);
  for (int i = 0;; i++) {
    const OdlHeaderItem blended = odl_header_item (whole, BLENDING, i);
    if (odl_header_is_empty (blended))
      return pictures;
    add_pictures (blended, pictures);
  }
}

// ---- how it is looked at -------------------------------------------------------------

static void
read_modality (OdlHeaderItem whole, OdlPresentation *into)
{
  double slope = 1, intercept = 0;

  if (odl_header_number (whole, "(0028,1053)", 0, &slope)
      && odl_header_number (whole, "(0028,1052)", 0, &intercept)
      && fabs (slope) > 1e-15) {
    into->slope = slope;
    into->intercept = intercept;
  }
  into->is_partial
      |= !odl_header_is_empty (odl_header_item (whole, "(0028,3000)", 0)); // a table
}

// What has 16 bits, of a file that says its sign wrongly, or not at all.
static double
with_sign (double number, bool is_signed)
{
  return number < 0 && !is_signed      ? number + 65536
         : number > 32767 && is_signed ? number - 65536
                                       : number;
}

// Descriptor: number of entries (0: 65536), first value, bits. The first value has a sign
// where what enters the table may have one (PS3.3 C.11.2.1.1).
static bool
read_table (OdlHeaderItem table, OdlPresentation *into)
{
  double n = 0, first = 0, bits = 0;
  g_auto (GStrv) entries = g_strsplit (odl_header_text (table, "(0028,3006)"), "\\", -1);
  const guint there = g_strv_length (entries);

  if (!odl_header_number (table, "(0028,3002)", 0, &n)
      || !odl_header_number (table, "(0028,3002)", 1, &first)
      || !odl_header_number (table, "(0028,3002)", 2, &bits))
    return false;
  n = n == 0 ? ODL_CURVE_MAX_LEVELS : with_sign (n, false);
  if (first > 0)
    first = with_sign (first, into->intercept < 0 || first + n > 65536);
  if (!(n >= 2 && n <= there && n <= ODL_CURVE_MAX_LEVELS && bits >= 8 && bits <= 16))
    return false;
  g_autofree float *levels = g_new (float, (gsize) n);
  for (int i = 0; i < (int) n; i++) {
    double value = 0;
    if (!odl_number_from_text (entries[i], &value))
      return false;
    levels[i] = (float) CLAMP (value / (exp2 (bits) - 1), 0, 1);
  }
  into->window.curve = odl_curve_new (levels, (int) n);
  into->window.first = first;
  into->window.last = first + n - 1;
  into->window.name = g_strdup (odl_header_text (table, "(0028,3003)"));
  return into->window.curve != NULL;
}

static void
read_window (OdlHeaderItem voi, OdlPresentation *into)
{
  static const char *const functions[] = { "LINEAR", "LINEAR_EXACT", "SIGMOID" };
  const OdlHeaderItem table = odl_header_item (voi, VOI_TABLES, 0);
  double centre = 0, width = 0;

  if (!odl_header_is_empty (table)) {
    into->has_window = read_table (table, into);
    into->is_partial |= !into->has_window;
    return;
  }
  if (!odl_header_number (voi, "(0028,1050)", 0, &centre)
      || !odl_header_number (voi, "(0028,1051)", 0, &width) || width <= 0)
    return;
  into->has_window = true;
  into->window.centre = centre;
  into->window.width = width;
  into->window.name = g_strdup (odl_header_text (voi, "(0028,1055)"));
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_str_equal (odl_header_text (voi, "(0028,1056)"), functions[i]))
      into->function = (OdlVoiFunction) i;
}

static void
read_turn (OdlHeaderItem whole, OdlPresentation *into)
{
  double degrees = 0;

  if (odl_header_number (whole, "(0070,0042)", 0, &degrees) && fmod (degrees, 90) == 0)
    into->quarter_turns = ((int) degrees / 90 % 4 + 4) % 4;
  into->flip = g_str_equal (odl_header_text (whole, "(0070,0041)"), "Y");
}

// The corners are those that are seen, as places of the picture as it is stored, from 1.
static void
read_area (OdlHeaderItem area, OdlPresentation *into)
{
  double x[2], y[2], down = 0, across = 0, ratio = 0;

  if (odl_header_number (area, "(0070,0101)", 0, &down)
      && odl_header_number (area, "(0070,0101)", 1, &across) && down > 0 && across > 0)
    into->pixel_aspect = across / down;
  else if (odl_header_number (area, "(0070,0102)", 0, &down)
           && odl_header_number (area, "(0070,0102)", 1, &across) && down > 0
           && across > 0)
    into->pixel_aspect = across / down;
  if (into->pixel_aspect < 0.01 || into->pixel_aspect > 100)
    into->pixel_aspect = 0;
  if (!odl_header_number (area, "(0070,0052)", 0, &x[0])
      || !odl_header_number (area, "(0070,0052)", 1, &y[0])
      || !odl_header_number (area, "(0070,0053)", 0, &x[1])
      || !odl_header_number (area, "(0070,0053)", 1, &y[1]))
    return;
  for (int i = 0; i < 2; i++)
    if (fabs (x[i]) > MOST_SIDE || fabs (y[i]) > MOST_SIDE)
      return;
  into->has_area = true;
  into->left = (int) MIN (x[0], x[1]) - 1;
  into->right = (int) MAX (x[0], x[1]);
  into->top = (int) MIN (y[0], y[1]) - 1;
  into->bottom = (int) MAX (y[0], y[1]);
  if (g_str_equal (odl_header_text (area, "(0070,0100)"), "MAGNIFY")
      && odl_header_number (area, "(0070,0103)", 0, &ratio) && ratio > 0)
    into->magnification = ratio;
  into->is_partial |= g_str_equal (odl_header_text (area, "(0070,0100)"), "TRUE SIZE");
}

// Masks, tables of presentation and drawings of several lines as one, which are not
// shown.
static bool
asks_for_more (OdlHeaderItem whole)
{
  static const char *const sequences[] = { "(0028,6100)", "(2050,0010)", "(0070,0209)" };

  for (guint i = 0; i < G_N_ELEMENTS (sequences); i++)
    if (!odl_header_is_empty (odl_header_item (whole, sequences[i], 0)))
      return true;
  return false;
}

OdlPresentation *
odl_presentation_parse (const char *text, const char *sop_instance, int64_t frame)
{
  g_autofree char *copy = g_strdup (text);
  g_autoptr (GArray) lines = odl_header_split (copy);
  const OdlHeaderItem whole = odl_header_whole (lines);
  const char *kind = odl_header_text (whole, MODALITY);

  if (*sop_instance == '\0' || !g_str_equal (kind, STATES)
      || !is_of_picture (whole, sop_instance, frame))
    return NULL;
  OdlPresentation *into = g_new0 (OdlPresentation, 1);
  *into = (OdlPresentation){ .label = g_strdup (odl_header_text (whole, "(0070,0080)")),
                             .description
                             = g_strdup (odl_header_text (whole, "(0070,0081)")),
                             .date = g_strdup (odl_header_text (whole, "(0070,0082)")),
                             .path = g_strdup (""),
                             .header = g_strdup (text),
                             .sop_instance = g_strdup (sop_instance),
                             .frame = frame,
                             .slope = 1 };
  read_modality (whole, into);
  read_window (item_for (whole, SOFTCOPY_VOI, sop_instance, frame), into);
  read_turn (whole, into);
  read_area (item_for (whole, DISPLAYED_AREAS, sop_instance, frame), into);
  const char *shape = odl_header_text (whole, "(2050,0020)");
  into->has_shape = *shape != '\0';
  into->inverse = g_str_equal (shape, "INVERSE");
  into->is_partial |= asks_for_more (whole);
  return into;
}

OdlPresentation *
odl_presentation_of_frame (const OdlPresentation *presentation, int64_t frame)
{
  return odl_presentation_parse (presentation->header, presentation->sop_instance, frame);
}

char *
odl_presentation_value (const char *header, const char *tag)
{
  g_autofree char *copy = g_strdup (header);
  g_autoptr (GArray) lines = odl_header_split (copy);

  return g_strdup (odl_header_text (odl_header_whole (lines), tag));
}

void
odl_presentation_free (OdlPresentation *presentation)
{
  g_free (presentation->label);
  g_free (presentation->description);
  g_free (presentation->date);
  g_free (presentation->path);
  g_free (presentation->header);
  g_free (presentation->sop_instance);
  g_free (presentation->window.name);
  odl_curve_unref (presentation->window.curve);
  g_free (presentation);
}

// value = slope · stored + intercept, in both. A window of the picture's own function
// stays one that can be dragged.
void
odl_presentation_window (const OdlPresentation *presentation,
                         const OdlValueMap *map,
                         OdlWindow *window)
{
  const OdlFileWindow *saved = &presentation->window;
  const double scale = map->slope / presentation->slope;
  const double offset = map->intercept - presentation->intercept * scale;

  // The shape says what the lowest value is, whatever the picture says.
  if (presentation->has_shape)
    window->invert = presentation->inverse != map->inverse;
  if (!presentation->has_window)
    return;
  window->mode = ODL_WINDOW_CUSTOM;
  window->centre = saved->centre * scale + offset;
  window->width = saved->width * fabs (scale);
  if (saved->curve != NULL) {
    window->mode = ODL_WINDOW_TABLE;
    window->table = saved->curve;
    window->table_first = saved->first * scale + offset;
    window->table_last = saved->last * scale + offset;
  } else if (presentation->function == ODL_VOI_SIGMOID
             && map->function != ODL_VOI_SIGMOID) {
    const double reach = ODL_SIGMOID_WIDTHS / 2 * window->width;
    window->mode = ODL_WINDOW_TABLE;
    window->table = odl_curve_sigmoid ();
    window->table_first = window->centre - reach;
    window->table_last = window->centre + reach;
  }
}
