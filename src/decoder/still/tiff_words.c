// SPDX-License-Identifier: MIT
// ImageJ writes lines of “key=value”, as Java's properties are (ij.io.FileSaver,
// FileOpener); tifffile writes JSON, in older versions “shape=(…)”.
#include "decoder/still/tiff_words.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "decoder/protocol.h"

static const struct {
  const char *name;
  double mm;
} lengths[] = {
  { "mm", 1 },           { "millimeter", 1 },   { "millimeters", 1 },
  { "cm", 10 },          { "centimeter", 10 },  { "m", 1000 },
  { "meter", 1000 },     { "um", 1e-3 },        { "\xc2\xb5m", 1e-3 },
  { "\xce\xbcm", 1e-3 }, { "\\u00B5m", 1e-3 },  { "\\u00b5m", 1e-3 },
  { "\xb5m", 1e-3 },     { "micron", 1e-3 },    { "microns", 1e-3 },
  { "nm", 1e-6 },        { "nanometer", 1e-6 }, { "micrometer", 1e-3 },
  { "inch", 25.4 },      { "inches", 25.4 },    { "in", 25.4 },
};

static const struct {
  const char *name;
  double s;
} times[] = { { "sec", 1 },     { "s", 1 },     { "seconds", 1 },      { "ms", 1e-3 },
              { "msec", 1e-3 }, { "us", 1e-6 }, { "\xc2\xb5s", 1e-6 }, { "min", 60 },
              { "hour", 3600 }, { "h", 3600 } };

double
odl_tiff_length_mm (const char *unit)
{
  for (size_t i = 0; i < G_N_ELEMENTS (lengths); i++)
    if (g_ascii_strcasecmp (unit, lengths[i].name) == 0)
      return lengths[i].mm;
  return 0;
}

double
odl_tiff_time_s (const char *unit)
{
  for (size_t i = 0; i < G_N_ELEMENTS (times); i++)
    if (g_ascii_strcasecmp (unit, times[i].name) == 0)
      return times[i].s;
  return 0;
}

// The axes of a word such as “CZT”, that which changes from page to page first. False: it
// is none, and `order` stays.
static bool
odl_tiff_axes_order (const char *letters, int order[ODL_TIFF_N_AXES])
{
  static const char axes[] = "czt";
  int found[ODL_TIFF_N_AXES];
  unsigned seen = 0;

  for (int i = 0; i < ODL_TIFF_N_AXES; i++) {
    const char *at
        = letters[i] != '\0' ? strchr (axes, g_ascii_tolower (letters[i])) : NULL;
    if (at == NULL)
      return false;
    found[i] = (int) (at - axes);
    seen |= 1u << found[i];
  }
  if (seen != 7 || letters[ODL_TIFF_N_AXES] != '\0')
    return false;
  memcpy (order, found, sizeof found);
  return true;
}

// OME-XML in the description of a TIFF file.
// OME-TIFF, schema 2016-06: Image, Pixels, Channel, TiffData and Plane. GLib's parser
// knows no entities but the five of XML, and opens nothing.

// Of a set of several files.
#define MAX_PLANES 262144u
#define MAX_FILES 1024u

typedef struct {
  OdlTiffWords *words;
  uint32_t n_planes; // that are listed at most
  char *own; // UUID of this file; NULL: not said
  char *elsewhere; // file that has all this in its place; NULL: none has
  int n_images;
  bool in_uuid; // within the UUID of a TiffData …
  char *file; // … and the name of the file; NULL: not said
  bool has_pixels;
  uint64_t samples; // of a pixel that make one channel each
  uint64_t sizes[ODL_TIFF_N_AXES];
  uint64_t n_steps; // planes that TiffData were looked at for
  uint32_t mapped; // index of the first plane of the last TiffData …
  uint32_t n_mapped; // … and how many it has
  uint64_t page; // of that plane
  GArray *pages; // uint32_t, of all planes in their order; G_MAXUINT32: not said
  GArray *files; // uint32_t, of these, with the names
  GPtrArray *names;
  GArray *stamps_s; // double, of all times; NaN: not said
} Reading;

static const char *
find (const char **names, const char **values, const char *name)
{
  for (int i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return values[i];
  return NULL;
}

// A whole number; `otherwise`: there is none.
static uint64_t
whole (const char **names, const char **values, const char *name, uint64_t otherwise)
{
  const char *text = find (names, values, name);
  guint64 number;

  return text != NULL
                 && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &number, NULL)
             ? number
             : otherwise;
}

static double
real (const char **names, const char **values, const char *name)
{
  const char *text = find (names, values, name);
  double number;

  return text != NULL && odl_number_from_text (text, &number) ? number : NAN;
}

static double
time_s (const char **names, const char **values, const char *name, const char *unit_name)
{
  const char *unit = find (names, values, unit_name);

  return real (names, values, name) * odl_tiff_time_s (unit != NULL ? unit : "s");
}

static void
take_pixels (Reading *reading, const char **names, const char **values)
{
  static const char *const sizes[] = { "SizeC", "SizeZ", "SizeT" };
  static const char *const spacings[]
      = { "PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ" };
  OdlTiffWords *words = reading->words;
  const char *order = find (names, values, "DimensionOrder");

  for (int axis = 0; axis < ODL_TIFF_N_AXES; axis++)
    reading->sizes[axis] = MAX (whole (names, values, sizes[axis], 1), 1);
  reading->has_pixels = order != NULL && g_str_has_prefix (order, "XY")
                        && odl_tiff_axes_order (order + 2, words->order);
  for (int i = 0; i < 3; i++) {
    g_autofree char *name = g_strconcat (spacings[i], "Unit", NULL);
    const char *unit = find (names, values, name);
    const double mm = real (names, values, spacings[i])
                      * odl_tiff_length_mm (unit != NULL ? unit : "um");
    words->size_mm[i] = mm > 0 && isfinite (mm) ? mm : 0;
  }
  const double interval_s = time_s (names, values, "TimeIncrement", "TimeIncrementUnit");
  if (interval_s >= 1e-9 && interval_s <= 1e6)
    words->interval_s = interval_s;
}

// Number of a plane in the order of the axes. False: there is none.
static bool
find_plane (const Reading *reading, const uint64_t at[ODL_TIFF_N_AXES], uint32_t *plane)
{
  uint64_t stride = 1, found = 0;

  for (int i = 0; i < ODL_TIFF_N_AXES; i++) {
    const int axis = reading->words->order[i];
    const uint64_t size = axis == ODL_TIFF_C
                              ? MAX (reading->sizes[axis] / reading->samples, 1)
                              : reading->sizes[axis];
    const uint64_t index = axis == ODL_TIFF_C ? at[axis] / reading->samples : at[axis];
    if (index >= size || stride > ODL_DECODER_MAX_FRAMES)
      return false;
    found += index * stride;
    stride *= size;
  }
  *plane = (uint32_t) MIN (found, G_MAXUINT32);
  return found < reading->n_planes;
}

static uint64_t
count_planes (const Reading *reading)
{
  uint64_t n = MAX (reading->sizes[ODL_TIFF_C] / reading->samples, 1);

  n = MIN (n * reading->sizes[ODL_TIFF_Z], G_MAXUINT32);
  return MIN (n * reading->sizes[ODL_TIFF_T], G_MAXUINT32);
}

// Writes down the pages of the last TiffData.
static void
list_pages (Reading *reading)
{
  const uint32_t end = MIN (reading->mapped + reading->n_mapped, reading->n_planes);

  for (uint32_t i = reading->pages->len; i < end; i++)
    g_array_append_val (reading->pages, i);
  for (uint32_t i = reading->mapped; i < end; i++)
    g_array_index (reading->pages, uint32_t, i)
        = (uint32_t) MIN (reading->page + i - reading->mapped, G_MAXUINT32);
}

// The number of a file by its name; 0: there are too many.
static uint32_t
find_file (Reading *reading, const char *name)
{
  for (guint i = 1; i < reading->names->len; i++)
    if (g_str_equal (reading->names->pdata[i], name))
      return i;
  if (reading->names->len > MAX_FILES)
    return 0;
  g_ptr_array_add (reading->names, g_strdup (name));
  return reading->names->len - 1;
}

// The last TiffData is of another file.
static void
take_file (Reading *reading)
{
  const uint32_t end = MIN (reading->mapped + reading->n_mapped, reading->n_planes);
  const uint32_t file = reading->file != NULL ? find_file (reading, reading->file) : 0;
  const uint32_t own = 0;

  reading->words->has_others |= file == 0;
  list_pages (reading);
  for (uint32_t i = reading->files->len; i < end; i++)
    g_array_append_val (reading->files, own);
  for (uint32_t i = reading->mapped; i < end; i++)
    g_array_index (reading->files, uint32_t, i) = file;
}

// Planes without IFD are the pages from the first one on; without a number of planes it
// is one if the page is named, else all.
static void
take_data (Reading *reading, const char **names, const char **values)
{
  const uint64_t at[]
      = { whole (names, values, "FirstC", 0), whole (names, values, "FirstZ", 0),
          whole (names, values, "FirstT", 0) };
  const bool is_named = find (names, values, "IFD") != NULL;
  const uint64_t all = count_planes (reading);
  const uint64_t n = whole (names, values, "PlaneCount", is_named ? 1 : all);

  reading->page = whole (names, values, "IFD", 0);
  reading->n_mapped = 0;
  if (!find_plane (reading, at, &reading->mapped))
    return;
  reading->n_mapped = (uint32_t) MIN (n, MIN (all, ODL_DECODER_MAX_FRAMES)
                                             - MIN (all, reading->mapped));
  // Elements that name the same planes again and again lead nowhere.
  reading->n_steps += reading->n_mapped;
  if (reading->n_steps > ODL_DECODER_MAX_FRAMES)
    reading->n_mapped = 0;
  // Pages in the order of the planes need no list.
  if (reading->pages->len > 0 || reading->page != reading->mapped)
    list_pages (reading);
}

// The times are those of the first slice of the first channel.
static void
take_plane (Reading *reading, const char **names, const char **values)
{
  const uint64_t at = whole (names, values, "TheT", G_MAXUINT32);
  const double stamp_s = time_s (names, values, "DeltaT", "DeltaTUnit");

  if (whole (names, values, "TheC", 0) > 0 || whole (names, values, "TheZ", 0) > 0
      || at != reading->stamps_s->len || !isfinite (stamp_s))
    return;
  g_array_append_val (reading->stamps_s, stamp_s);
}

static const char *
local_name (const char *name)
{
  const char *colon = strchr (name, ':');

  return colon != NULL ? colon + 1 : name;
}

static void
start_cb (GMarkupParseContext *context,
          const char *full_name,
          const char **names,
          const char **values,
          void *data,
          GError **error)
{
  Reading *reading = data;
  const char *name = local_name (full_name);

  if (g_str_equal (name, "OME") && reading->own == NULL)
    reading->own = g_strdup (find (names, values, "UUID"));
  if (g_str_equal (name, "BinaryOnly") && reading->elsewhere == NULL)
    reading->elsewhere = g_strdup (find (names, values, "MetadataFile"));
  reading->n_images += g_str_equal (name, "Image");
  if (reading->n_images != 1)
    return;
  if (g_str_equal (name, "Pixels") && !reading->has_pixels)
    take_pixels (reading, names, values);
  else if (g_str_equal (name, "Channel"))
    reading->samples = MAX (whole (names, values, "SamplesPerPixel", 1), 1);
  else if (g_str_equal (name, "TiffData"))
    take_data (reading, names, values);
  else if (g_str_equal (name, "Plane"))
    take_plane (reading, names, values);
  reading->in_uuid = g_str_equal (name, "UUID");
  if (reading->in_uuid) {
    g_free (reading->file);
    reading->file = g_strdup (find (names, values, "FileName"));
  }
}

static void
end_cb (GMarkupParseContext *context, const char *name, void *data, GError **error)
{
  ((Reading *) data)->in_uuid = false;
}

// Whose pages a TiffData names.
static void
text_cb (GMarkupParseContext *context,
         const char *text,
         gsize length,
         void *data,
         GError **error)
{
  Reading *reading = data;

  if (!reading->in_uuid)
    return;
  g_autofree char *uuid = g_strstrip (g_strndup (text, length));
  if (g_strcmp0 (uuid, reading->own) != 0)
    take_file (reading);
}

// Adds what it says of its first picture, also of those of its pages that are in other
// files, which are named but not looked for. Texts that are no XML, or have entities, say
// nothing.
static void
odl_tiff_ome_read (OdlTiffWords *words, const char *text, uint32_t n_pages)
{
  static const GMarkupParser parser
      = { .start_element = start_cb, .end_element = end_cb, .text = text_cb };
  const size_t length = strlen (text);
  Reading reading = { .words = words,
                      .n_planes = MAX (n_pages, MAX_PLANES),
                      .samples = 1,
                      .own = g_strdup (words->uuid),
                      .pages = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                      .files = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                      .names = g_ptr_array_new_with_free_func (g_free),
                      .stamps_s = g_array_new (FALSE, FALSE, sizeof (double)) };
  OdlTiffWords before = *words;
  GMarkupParseContext *context = g_markup_parse_context_new (
      &parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &reading, NULL);

  g_ptr_array_add (reading.names, NULL);
  const bool is_xml = g_markup_parse_context_parse (context, text, (gssize) length, NULL)
                      && g_markup_parse_context_end_parse (context, NULL);
  g_markup_parse_context_free (context);
  if (is_xml && !reading.has_pixels && reading.elsewhere != NULL) {
    *words = before;
    words->elsewhere = g_steal_pointer (&reading.elsewhere);
    g_free (words->uuid);
    words->uuid = g_steal_pointer (&reading.own);
  } else if (!is_xml || !reading.has_pixels) {
    *words = before;
  } else {
    words->by = "OME";
    words->has_axes = !words->has_others;
    for (int axis = 0; axis < ODL_TIFF_N_AXES; axis++)
      words->extent[axis] = reading.sizes[axis];
    words->extent[ODL_TIFF_C] = MAX (words->extent[ODL_TIFF_C] / reading.samples, 1);
    if (reading.pages->len > 0)
      words->pages = g_array_ref (reading.pages);
    if (reading.names->len > 1 && words->has_axes) {
      words->files = g_array_ref (reading.files);
      words->names = g_ptr_array_ref (reading.names);
    }
    if (reading.stamps_s->len > 1)
      words->stamps_s = g_array_ref (reading.stamps_s);
  }
  g_array_unref (reading.pages);
  g_array_unref (reading.stamps_s);
  g_array_unref (reading.files);
  g_ptr_array_unref (reading.names);
  g_free (reading.file);
  g_free (reading.own);
  g_free (reading.elsewhere);
}

bool
odl_tiff_words_read_elsewhere (OdlTiffWords *words,
                               const uint8_t *data,
                               size_t n,
                               uint32_t n_pages)
{
  g_autofree char *text = g_strndup ((const char *) data, n);

  g_clear_pointer (&words->elsewhere, g_free);
  odl_tiff_ome_read (words, text, n_pages);
  // It leads nowhere else.
  g_clear_pointer (&words->elsewhere, g_free);
  return words->by != NULL;
}

#define IMAGEJ "ImageJ="
// Of a description all that matters stands at its beginning.
#define MOST_BYTES 65536u
#define MOST_AXES 16
// The largest and smallest length and time that is taken for one.
#define MOST 1e6
#define LEAST 1e-9

// A whole number; 0: it is none.
static uint64_t
count_of (double value)
{
  return value >= 1 && value <= G_MAXUINT32 && value == floor (value) ? (uint64_t) value
                                                                      : 0;
}

static bool
is_sane (double value)
{
  return value >= LEAST && value <= MOST;
}

// ---- ImageJ --------------------------------------------------------------------------

// Lines as they were found.
typedef struct {
  double spacing, interval, time_s, function, coefficients[2];
} Lines;

static void
take_length (OdlTiffWords *words, const char *value)
{
  g_strlcpy (words->unit, value, sizeof words->unit);
  words->unit_mm = odl_tiff_length_mm (value);
}

static void
take_extent (OdlTiffWords *words, int axis, double value)
{
  if (count_of (value) == 0)
    return;
  words->extent[axis] = count_of (value);
  words->has_axes = true;
}

static void
take_line (OdlTiffWords *words, Lines *lines, const char *key, const char *value)
{
  const struct {
    const char *key;
    double *to;
  } numbers[] = { { "spacing", &lines->spacing },    { "finterval", &lines->interval },
                  { "fps", &words->rate },           { "cf", &lines->function },
                  { "c0", &lines->coefficients[0] }, { "c1", &lines->coefficients[1] },
                  { "min", &words->window[0] },      { "max", &words->window[1] } };
  static const char *const extents[] = { "channels", "slices", "frames" };
  double number;

  if (g_str_equal (key, "unit"))
    take_length (words, value);
  else if (g_str_equal (key, "tunit"))
    lines->time_s = odl_tiff_time_s (value);
  else if (g_str_equal (key, "vunit") && g_utf8_validate (value, -1, NULL))
    g_strlcpy (words->value_unit, value, sizeof words->value_unit);
  else if (g_str_equal (key, "order"))
    odl_tiff_axes_order (value, words->order);
  if (!odl_number_from_text (value, &number))
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (g_str_equal (key, numbers[i].key))
      *numbers[i].to = number;
  if (g_str_equal (key, "images"))
    words->images = count_of (number);
  for (int axis = 0; axis < ODL_TIFF_N_AXES; axis++)
    if (g_str_equal (key, extents[axis]))
      take_extent (words, axis, number);
}

static void
read_imagej (OdlTiffWords *words, char *text)
{
  Lines lines = { .time_s = 1, .function = NAN, .coefficients = { NAN, NAN } };

  words->by = "ImageJ";
  for (char *line = text, *next; line != NULL; line = next) {
    next = strpbrk (line, "\n\r");
    if (next != NULL)
      *next++ = '\0';
    char *equals = strchr (line, '=');
    if (equals == NULL)
      continue;
    *equals = '\0';
    take_line (words, &lines, g_strstrip (line), g_strstrip (equals + 1));
  }
  if (is_sane (fabs (lines.spacing)))
    words->spacing = fabs (lines.spacing);
  if (is_sane (lines.interval * lines.time_s))
    words->interval_s = lines.interval * lines.time_s;
  if (!is_sane (words->rate))
    words->rate = 0;
  // A straight line; of other functions the stored values are shown.
  if (lines.function == 0 && isfinite (lines.coefficients[0])
      && fabs (lines.coefficients[0]) < 1e30 && fabs (lines.coefficients[1]) < 1e30
      && fabs (lines.coefficients[1]) > 1e-30) {
    words->intercept = lines.coefficients[0];
    words->slope = lines.coefficients[1];
  }
}

// ---- tifffile ------------------------------------------------------------------------

// The numbers between the brackets that follow.
static int
read_shape (const char *at, uint64_t shape[MOST_AXES])
{
  int n = 0;

  at += strcspn (at, "[(");
  while (*at != '\0' && n < MOST_AXES) {
    char *end;
    at++;
    const uint64_t number = g_ascii_strtoull (at, &end, 10);
    if (end == at || number == 0 || number > G_MAXUINT32)
      break;
    shape[n++] = number;
    at = end + strspn (end, " ");
    if (*at != ',')
      break;
  }
  return n;
}

// The axes of pages among those of the file, the last of which changes first.
static void
read_axes (OdlTiffWords *words, const char *letters, const uint64_t *shape, int n)
{
  static const char axes[] = "CZT";
  int n_found = 0, order[ODL_TIFF_N_AXES];
  uint64_t extent[ODL_TIFF_N_AXES] = { 1, 1, 1 };
  unsigned seen = 0;

  for (int i = n - 1; i >= 0; i--) {
    const char *at = strchr (axes, letters[i]);
    if (strchr ("YXS", letters[i]) != NULL || shape[i] == 1)
      continue;
    if (at == NULL || (seen & 1u << (at - axes)) != 0)
      return;
    seen |= 1u << (at - axes);
    order[n_found++] = (int) (at - axes);
    extent[at - axes] = shape[i];
  }
  for (int axis = 0; axis < ODL_TIFF_N_AXES; axis++)
    if ((seen & 1u << axis) == 0)
      order[n_found++] = axis;
  memcpy (words->order, order, sizeof order);
  memcpy (words->extent, extent, sizeof extent);
  words->has_axes = seen != 0;
}

static void
read_tifffile (OdlTiffWords *words, const char *text)
{
  const char *shape_at = strstr (text, text[0] == '{' ? "\"shape\"" : "shape=(");
  const char *axes_at = strstr (text, "\"axes\"");
  uint64_t shape[MOST_AXES];
  const int n = shape_at != NULL ? read_shape (shape_at, shape) : 0;

  if (n == 0)
    return;
  words->by = "tifffile";
  const char *letters = axes_at != NULL ? axes_at + strlen ("\"axes\"") : "";
  letters += strspn (letters, " :\"");
  if ((int) strcspn (letters, "\"") == n)
    read_axes (words, letters, shape, n);
}

void
odl_tiff_words_read (OdlTiffWords *words, const char *description, uint32_t n_pages)
{
  g_autofree char *text = NULL;

  *words = (OdlTiffWords){ .extent = { 1, 1, 1 },
                           .order = { ODL_TIFF_C, ODL_TIFF_Z, ODL_TIFF_T },
                           .slope = 1 };
  if (description == NULL)
    return;
  if (g_str_has_prefix (description, "<?xml") || g_str_has_prefix (description, "<OME")) {
    odl_tiff_ome_read (words, description, n_pages);
    return;
  }
  text = g_strndup (description, MOST_BYTES);
  if (g_str_has_prefix (text, IMAGEJ))
    read_imagej (words, text);
  else if (text[0] == '{' || g_str_has_prefix (text, "shape=("))
    read_tifffile (words, text);
}

void
odl_tiff_words_clear (OdlTiffWords *words)
{
  g_clear_pointer (&words->pages, g_array_unref);
  g_clear_pointer (&words->stamps_s, g_array_unref);
  g_clear_pointer (&words->files, g_array_unref);
  g_clear_pointer (&words->names, g_ptr_array_unref);
  g_clear_pointer (&words->elsewhere, g_free);
  g_clear_pointer (&words->uuid, g_free);
}
