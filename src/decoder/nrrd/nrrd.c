// SPDX-License-Identifier: MIT
// NRRD: pictures, volumes and sequences of samples of all types to 64 bits, in the file
// itself or in others beside it. Volumes whose space is a patient's are turned as those
// of NIfTI files are, by their strides, so that nothing is copied.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/formats.h"
#include "decoder/metaimage/convert.h"
#include "decoder/nrrd/data.h"
#include "decoder/nrrd/header.h"
#include "decoder/nrrd/lines.h"
#include "decoder/picture.h"
#include "decoder/stamps.h"
#include "decoder/told.h"

// The items of a sequence in an NRRD file: their times, their states and what else the
// file says of each, as 3D Slicer (axis 3 index values) and PlusLib and IGSIO
// (Seq_Frame0000_Timestamp) write them. Untrusted.

typedef struct {
  GArray *stamps_s; // double per item, or fewer; NaN: none
  const char *stamps_name; // field that says them; NULL: none does
  GArray *index; // OdlNrrdText per item: its index value, as written
  char unit[24]; // of the index values
  double interval_s; // between items that have none; 0: unknown
  GHashTable *invalid; // set of items that the recording program marked as invalid
} OdlNrrdItems;

// Largest gap in the numbering of the items' stamps.
#define MAX_GAP 4096u
// Of the text for people.
#define MOST_TEXT ((size_t) 16 << 20)
#define PLUS "Seq_Frame"

static const struct {
  const char *name;
  double seconds;
} units[] = {
  { "s", 1 },
  { "sec", 1 },
  { "second", 1 },
  { "seconds", 1 },
  { "ms", 1e-3 },
  { "millisecond", 1e-3 },
  { "milliseconds", 1e-3 },
  { "us", 1e-6 },
  { "µs", 1e-6 },
  { "μs", 1e-6 },
  { "ns", 1e-9 },
  { "min", 60 },
  { "h", 3600 },
};

static double
seconds_of (const char *unit)
{
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].name) == 0)
      return units[i].seconds;
  return 0;
}

// "axis 3 index values"
static bool
is_axis_key (const OdlNrrdLine *line, int axis, const char *what)
{
  OdlNrrdText rest;
  uint64_t number = 0;

  return line->is_key && odl_nrrd_text_begins (line->name, "axis ", &rest)
         && odl_nrrd_text_take_number (&rest, &number) && number == (uint64_t) axis
         && rest.n == strlen (what) && memcmp (rest.at, what, rest.n) == 0;
}

static const OdlNrrdLine *
find_axis_key (const OdlNrrdHeader *header, const char *what)
{
  for (guint i = 0; header->sequence >= 0 && i < header->lines.lines->len; i++) {
    const OdlNrrdLine *line = &g_array_index (header->lines.lines, OdlNrrdLine, i);
    if (is_axis_key (line, header->sequence, what))
      return line;
  }
  return NULL;
}

static void
split_index (OdlNrrdItems *items, OdlNrrdText text, uint32_t most)
{
  while (items->index->len < most) {
    while (text.n > 0 && g_ascii_isspace (text.at[0])) {
      text.at++;
      text.n--;
    }
    OdlNrrdText word = { text.at, 0 };
    while (word.n < text.n && !g_ascii_isspace (text.at[word.n]))
      word.n++;
    if (word.n == 0)
      return;
    g_array_append_val (items->index, word);
    text.at += word.n;
    text.n -= word.n;
  }
}

static double
number_of (OdlNrrdText text)
{
  char word[64] = "", *end = NULL;

  if (text.n == 0 || text.n >= sizeof word)
    return NAN;
  memcpy (word, text.at, text.n);
  const double number = g_ascii_strtod (word, &end);
  return end == word || *end != '\0' ? NAN : number;
}

// The values of the sequence's axis are times where their unit is one.
static void
read_index (OdlNrrdItems *items, const OdlNrrdHeader *header)
{
  const OdlNrrdLine *values = find_axis_key (header, " index values");
  const OdlNrrdLine *type = find_axis_key (header, " index type");
  const OdlNrrdLine *unit = find_axis_key (header, " index unit");
  const OdlNrrdAxis *axis
      = header->sequence >= 0 ? &header->axes[header->sequence] : NULL;

  if (values == NULL)
    return;
  split_index (items, values->value, header->n_items);
  g_strlcpy (items->unit, axis->unit, sizeof items->unit);
  if (unit != NULL && items->unit[0] == '\0') {
    g_autofree char *told = odl_nrrd_text_show (unit->value, true);
    g_strlcpy (items->unit, told, sizeof items->unit);
  }
  const bool is_time
      = g_ascii_strcasecmp (axis->label, "time") == 0 || axis->kind == ODL_NRRD_TIME;
  const double scale = items->unit[0] == '\0' && is_time ? 1 : seconds_of (items->unit);
  const bool is_text
      = type != NULL && type->value.n == 4 && memcmp (type->value.at, "text", 4) == 0;
  if (is_text || scale == 0)
    return;
  items->stamps_name = "index values";
  for (guint i = 0; i < items->index->len; i++) {
    const double stamp = number_of (g_array_index (items->index, OdlNrrdText, i)) * scale;
    g_array_append_val (items->stamps_s, stamp);
  }
}

// Equal steps along the sequence's axis.
static void
read_interval (OdlNrrdItems *items, const OdlNrrdHeader *header)
{
  const OdlNrrdAxis *axis
      = header->sequence >= 0 ? &header->axes[header->sequence] : NULL;
  g_autofree char *value = odl_nrrd_field (&header->lines, "space units");
  g_auto (GStrv) words = odl_nrrd_words (value != NULL ? value : "");
  const char *unit = "";
  double step = NAN;

  if (axis == NULL)
    return;
  if (isfinite (axis->spacing)) {
    step = axis->spacing;
    unit = axis->unit;
  } else if (axis->has_direction) {
    step = axis->direction[3];
    unit = g_strv_length (words) == 4 ? words[3] : "";
  }
  const bool is_time = unit[0] == '\0' && axis->kind == ODL_NRRD_TIME;
  const double seconds = fabs (step) * (is_time ? 1 : seconds_of (unit));
  if (seconds > 1e-9 && seconds < 1e9)
    items->interval_s = seconds;
}

// Of "Seq_Frame0012_Timestamp" the number and what follows "_".
static bool
is_plus_key (const OdlNrrdLine *line, uint64_t *item, OdlNrrdText *rest)
{
  return line->is_key && odl_nrrd_text_begins (line->name, PLUS, rest)
         && odl_nrrd_text_take_number (rest, item)
         && odl_nrrd_text_begins (*rest, "_", rest);
}

static bool
is_word (OdlNrrdText text, const char *word)
{
  return text.n == strlen (word) && g_ascii_strncasecmp (text.at, word, text.n) == 0;
}

static void
read_plus (OdlNrrdItems *items, const OdlNrrdHeader *header)
{
  const bool has_index = items->stamps_s->len > 0;

  for (guint i = 0; i < header->lines.lines->len; i++) {
    const OdlNrrdLine *line = &g_array_index (header->lines.lines, OdlNrrdLine, i);
    OdlNrrdText rest;
    uint64_t item = 0;
    if (!is_plus_key (line, &item, &rest) || item >= header->n_items)
      continue;
    if ((is_word (rest, "ImageStatus") || is_word (rest, "Status"))
        && is_word (line->value, "INVALID"))
      g_hash_table_add (items->invalid, GUINT_TO_POINTER ((guint) item));
    if (has_index || !is_word (rest, "Timestamp")
        || item >= items->stamps_s->len + MAX_GAP)
      continue;
    items->stamps_name = "Timestamp";
    while (items->stamps_s->len <= item) {
      const double none = NAN;
      g_array_append_val (items->stamps_s, none);
    }
    g_array_index (items->stamps_s, double, item) = number_of (line->value);
  }
}

static void
odl_nrrd_items_read (OdlNrrdItems *items, const OdlNrrdHeader *header)
{
  *items = (OdlNrrdItems){
    .stamps_s = g_array_new (FALSE, FALSE, sizeof (double)),
    .index = g_array_new (FALSE, FALSE, sizeof (OdlNrrdText)),
    .invalid = g_hash_table_new (NULL, NULL),
  };
  read_index (items, header);
  read_interval (items, header);
  read_plus (items, header);
}

static void
odl_nrrd_items_clear (OdlNrrdItems *items)
{
  g_clear_pointer (&items->stamps_s, g_array_unref);
  g_clear_pointer (&items->index, g_array_unref);
  g_clear_pointer (&items->invalid, g_hash_table_unref);
}

#define MEASURED_BYTES ((uint64_t) 64 << 20)
#define MEASURED_CHUNK ((size_t) 256 << 10)
#define MEASURED_FILES 32u

// State kept between frames.
typedef struct {
  OdlNrrdHeader header;
  OdlNrrdItems items;
  OdlNrrdData *data;
  bool in_order; // pictures are stored one after the other, as they are shown
  uint64_t frame_bytes; // of a picture
  bool timed; // frame times have been sent
  bool has_range; // see odl_picture_wants_range
  OdlNumberRange range;
} Image;

// One picture, by the samples of the file.
typedef struct {
  uint32_t width, height;
  uint64_t first; // sample
  int64_t step[2]; // to the next column and row
  uint64_t channel; // to the next colour
  uint32_t part; // columns of that many at the right are of the second number
  uint64_t second; // to that number
} View;

static void
image_free (void *data)
{
  Image *image = data;

  odl_nrrd_data_free (image->data);
  odl_nrrd_items_clear (&image->items);
  odl_nrrd_header_clear (&image->header);
  g_free (image);
}

static uint32_t
shown_extent (const OdlNrrdHeader *header, int shown)
{
  return header->place.extent[header->place.axis[shown]];
}

static uint32_t
shown_width (const OdlNrrdHeader *header)
{
  return shown_extent (header, 0) * (header->complex_axis >= 0 ? 2 : 1);
}

static uint32_t
shown_frames (const OdlNrrdHeader *header)
{
  return header->n_items * shown_extent (header, 2);
}

static View
view_of (const OdlNrrdHeader *header, uint32_t frame)
{
  const uint32_t slices = shown_extent (header, 2);
  View view = { .width = shown_width (header),
                .height = shown_extent (header, 1),
                .channel = 1,
                .part = shown_extent (header, 0) };
  uint32_t item = frame / slices;

  for (int i = 0; i < header->n_loops; i++) {
    const OdlNrrdAxis *axis = &header->axes[header->loops[i]];
    view.first += item % axis->size * axis->stride;
    item /= (uint32_t) axis->size;
  }
  for (int shown = 0; shown < 3; shown++) {
    const int axis = header->place.axis[shown];
    const uint64_t last = header->place.extent[axis] - 1;
    const bool mirrored = header->place.mirrored[shown];
    const uint64_t at = shown == 2 ? frame % slices : 0;
    view.first += (mirrored ? last - at : at) * header->stride[axis];
    if (shown < 2)
      view.step[shown]
          = mirrored ? -(int64_t) header->stride[axis] : (int64_t) header->stride[axis];
  }
  if (header->channel_axis >= 0)
    view.channel = header->axes[header->channel_axis].stride;
  if (header->complex_axis >= 0)
    view.second = header->axes[header->complex_axis].stride;
  return view;
}

// Whether all pictures are blocks of the file, one after the other.
static bool
is_in_order (const OdlNrrdHeader *header)
{
  const View view = view_of (header, 0);
  const uint32_t n = shown_frames (header);
  const uint64_t pixels = (uint64_t) view.width * view.height;
  const uint64_t numbers = pixels * header->channels;

  return view.first == 0 && header->complex_axis < 0
         && (header->channels == 1 || view.channel == 1)
         && (view.width == 1 || view.step[0] == header->channels)
         && (view.height == 1 || view.step[1] == (int64_t) view.width * header->channels)
         && (n == 1
             || (view_of (header, 1).first == numbers
                 && view_of (header, n - 1).first == (n - 1) * numbers));
}

// ---- Describing ----------------------------------------------------------------------

// Frames of which something can be there.
static uint32_t
count_frames (const Image *image)
{
  const uint32_t declared = shown_frames (&image->header);
  const uint64_t most = odl_nrrd_data_most (image->data) / image->frame_bytes;

  return image->in_order ? (uint32_t) CLAMP (most, 1, declared) : declared;
}

static void
describe_space (const OdlNrrdHeader *header, OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;

  for (int shown = 0; shown < 3; shown++)
    reply->spacing_mm[shown] = header->spacing_mm[header->place.axis[shown]];
  if (reply->n_slices == 0 || reply->spacing_mm[0] == 0)
    reply->spacing_mm[2] = 0;
  const double aspect = reply->spacing_mm[0] > 0 && reply->spacing_mm[1] > 0
                            ? reply->spacing_mm[0] / reply->spacing_mm[1]
                            : header->aspect;
  if (aspect > 0)
    reply->pixel_aspect = CLAMP (aspect, 0.001, 1000);
  if (header->space[0] != '\0')
    odl_picture_detail (picture, "space", "%s", header->space);
  if (header->is_placed)
    odl_place_describe (&header->place, picture);
  else if (header->has_origin)
    odl_picture_detail (picture, "origin-mm", "%.9g\\%.9g\\%.9g", header->origin[0],
                        header->origin[1], header->origin[2]);
  if (header->orientation[0] != '\0')
    odl_picture_detail (picture, "transducer-orientation", "%s", header->orientation);
}

static void
warn (const OdlNrrdHeader *header, OdlPicture *picture)
{
  g_autofree char *frame = odl_nrrd_field (&header->lines, "measurement frame");

  for (int i = 0; i < header->n_ignored; i++)
    odl_picture_warn (picture, _ ("its %s is invalid and is ignored"),
                      header->ignored[i]);
  if (header->was_negative)
    odl_picture_warn (picture, _ ("its %s is negative; the amount is taken"), "spacings");
  if (header->odd_unit[0] != '\0')
    odl_picture_warn (picture, _ ("its unit “%s” is no known length: it has no scale"),
                      header->odd_unit);
  if (frame != NULL && header->shows_components)
    odl_picture_warn (picture, _ ("its measurement frame is ignored: numbers of vectors "
                                  "are shown as they are stored"));
  if (header->shows_components)
    odl_picture_warn (picture, _ ("each place has several numbers (kinds): they are "
                                  "shown one after the other"));
}

static void
describe_times (Image *image, OdlPicture *picture)
{
  const OdlNrrdItems *items = &image->items;
  OdlDecoderReply *reply = &picture->reply;

  if (image->timed || reply->n_frames < 2)
    return;
  image->timed = true;
  if (reply->n_slices > 0 && items->stamps_name != NULL) {
    odl_stamps_set_volumes (picture, (const double *) items->stamps_s->data,
                            items->stamps_s->len, items->stamps_name);
  } else if (reply->n_slices > 0) {
    if (items->interval_s > 0 && reply->n_frames > reply->n_slices)
      odl_picture_detail (picture, "volume-interval-s", "%.9g", items->interval_s);
  } else if (items->stamps_name != NULL) {
    odl_stamps_set (picture, (const double *) items->stamps_s->data, items->stamps_s->len,
                    items->stamps_name);
  } else if (items->interval_s > 0) {
    reply->frame_rate = CLAMP (1 / items->interval_s, 0.01, 10000);
    picture->timing = g_strdup ("spacings");
  }
}

static void
describe_texts (const OdlNrrdHeader *header, OdlPicture *picture)
{
  static const struct {
    const char *field;
    const char *key;
  } texts[] = { { "content", "content" }, { "kinds", "kinds" } };
  g_autofree char *unit = odl_nrrd_field (&header->lines, "sample units");

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *value = odl_nrrd_field (&header->lines, texts[i].field);
    if (value == NULL)
      continue;
    g_autofree char *told
        = odl_nrrd_text_show ((OdlNrrdText){ value, strlen (value) }, false);
    odl_picture_detail (picture, texts[i].key, "%s", told);
  }
  if (header->sequence >= 0 && header->axes[header->sequence].label[0] != '\0')
    odl_picture_detail (picture, "sequence-axis", "%s",
                        header->axes[header->sequence].label);
  if (unit != NULL && unit[0] != '\0' && g_utf8_validate (unit, -1, NULL))
    picture->unit = g_strdup (unit);
}

static void
describe (Image *image, OdlPicture *picture)
{
  static const char *const ways[] = { [ODL_NRRD_RAW] = "",
                                      [ODL_NRRD_TEXT] = ", text",
                                      [ODL_NRRD_HEX] = ", hex",
                                      [ODL_NRRD_GZIP] = ", gzip",
                                      [ODL_NRRD_BZIP2] = ", bzip2" };
  const OdlNrrdHeader *header = &image->header;
  OdlDecoderReply *reply = &picture->reply;
  const uint32_t slices = shown_extent (header, 2);
  g_autoptr (GString) sizes = g_string_new (NULL);

  for (int i = 0; i < header->n_axes; i++)
    g_string_append_printf (sizes, "%s%" G_GUINT64_FORMAT, i > 0 ? "×" : "",
                            header->axes[i].size);
  odl_picture_set_format (picture, "NRRD, %s%s", header->type->name,
                          ways[header->encoding]);
  odl_picture_detail (picture, "element-type", "%s", header->type->name);
  odl_picture_detail (picture, "dimensions", "%s", sizes->str);
  odl_picture_detail (picture, "byte-order", "%s", header->big_endian ? "big" : "little");
  odl_picture_detail (picture, "header", "nrrd");
  reply->declared_frames = shown_frames (header);
  reply->n_frames = count_frames (image);
  if (slices > 1) {
    const uint32_t there = image->in_order && header->n_items == 1
                               ? MIN (slices, reply->n_frames)
                               : slices;
    reply->n_slices = there > 1 ? there : 0;
    // Of a time step that is there in part, the slices that are not are refused by
    // number.
    if (there > 1)
      reply->n_frames = (reply->n_frames + there - 1) / there * there;
  }
  describe_texts (header, picture);
  describe_space (header, picture);
  describe_times (image, picture);
  warn (header, picture);
  // Where pictures lie across each other, all of them may lack something.
  const uint64_t wanted = header->n_samples * header->type->size;
  const uint64_t most = odl_nrrd_data_most (image->data);
  if (reply->n_frames < reply->declared_frames)
    odl_picture_warn_first (picture, _ ("the file declares %u frames but holds %u"),
                            reply->declared_frames, reply->n_frames);
  else if (most < wanted)
    odl_picture_warn_first (picture,
                            _ ("the file declares %.0f bytes of samples but holds %.0f"),
                            (double) wanted, (double) most);
}

// ---- Samples -------------------------------------------------------------------------

// Fills the picture from a block; returns the number of bytes that are there.
static size_t
read_block (Image *image, uint32_t frame, OdlPicture *picture)
{
  const OdlNrrdHeader *header = &image->header;
  const size_t size = header->type->size;
  const bool kept = odl_meta_is_kept (header->type->sample, header->big_endian, picture);
  const uint64_t first = frame * image->frame_bytes;
  g_autofree uint8_t *room = g_malloc (MEASURED_CHUNK);
  uint64_t done = 0;

  while (done < image->frame_bytes) {
    size_t n = (size_t) MIN (image->frame_bytes - done, MEASURED_CHUNK);
    const uint8_t *from = odl_nrrd_data_piece (image->data, first + done, room, &n);
    if (from == NULL || (kept && !odl_picture_write (picture, done, from, n)))
      break;
    if (!kept)
      odl_meta_put (header->type->sample, header->big_endian, from, n / size,
                    (size_t) done / size, picture);
    done += n;
  }
  if (header->channels == 1)
    odl_picture_fill_missing (picture, (size_t) done / size, false);
  return (size_t) done;
}

// Copies the pixels of one row; returns the number of those that are there.
static size_t
gather_row (Image *image, const View *view, uint32_t y, uint8_t *row, uint8_t *missing)
{
  const OdlNrrdHeader *header = &image->header;
  const size_t size = header->type->size;
  int64_t at = (int64_t) view->first + view->step[1] * (int64_t) y;
  size_t there = 0;

  for (uint32_t x = 0; x < view->width; x++, at += view->step[0]) {
    bool has_all = true;
    if (x == view->part)
      at += (int64_t) view->second - view->step[0] * (int64_t) view->part;
    for (uint32_t c = 0; c < header->channels; c++) {
      size_t n = 0;
      const uint8_t *from = odl_nrrd_data_at (
          image->data, ((uint64_t) at + c * view->channel) * size, &n);
      if (n >= size)
        memcpy (row + (x * header->channels + c) * size, from, size);
      has_all &= n >= size;
    }
    missing[x] = !has_all;
    there += has_all;
  }
  return there;
}

// Fills the picture from all over the file. What is missing is as dark as the darkest.
static size_t
gather (Image *image, uint32_t frame, OdlPicture *picture)
{
  const OdlNrrdHeader *header = &image->header;
  const View view = view_of (header, frame);
  const size_t numbers = (size_t) view.width * header->channels;
  g_autofree uint8_t *row = g_malloc0 (numbers * header->type->size);
  g_autofree uint8_t *missing = g_malloc0 ((size_t) view.width * view.height);
  size_t there = 0;

  for (uint32_t y = 0; y < view.height; y++) {
    there += gather_row (image, &view, y, row, missing + (size_t) y * view.width);
    odl_meta_put (header->type->sample, header->big_endian, row, numbers, y * numbers,
                  picture);
  }
  if (there < (size_t) view.width * view.height && header->channels == 1)
    odl_picture_fill_places (picture, missing);
  return there * header->channels * header->type->size;
}

// Opens the files that a picture needs.
static bool
open_files (Image *image, uint32_t frame, GError **error)
{
  const OdlNrrdHeader *header = &image->header;
  const size_t size = header->type->size;

  if (image->in_order)
    return odl_nrrd_data_open (image->data, frame * image->frame_bytes,
                               (frame + 1) * image->frame_bytes, error);
  const View view = view_of (header, frame);
  int64_t low = (int64_t) view.first, high = low;
  const uint32_t sides[2] = { view.part, view.height };
  for (int i = 0; i < 2; i++) {
    const int64_t reach = view.step[i] * ((int64_t) sides[i] - 1);
    low += MIN (reach, 0);
    high += MAX (reach, 0);
  }
  high += (int64_t) (view.channel * (header->channels - 1) + view.second) + 1;
  return odl_nrrd_data_open (image->data, (uint64_t) low * size, (uint64_t) high * size,
                             error);
}

static bool
judge (Image *image, uint32_t frame, size_t there, OdlPicture *picture, GError **error)
{
  const bool spoiled
      = there < image->frame_bytes || odl_nrrd_data_is_damaged (image->data);

  if (there == 0 && frame == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it contains no image: its samples are missing"));
  if (spoiled && frame > 0 && (there == 0 || image->in_order))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the samples of frame %u are damaged or end too early"),
                          frame + 1);
  if (spoiled)
    odl_picture_incomplete (picture, _ ("the samples are damaged or end too early"));
  return true;
}

// The common range of all pictures, from places all over the file, or from the beginning
// of what is unpacked.
static void
find_range (Image *image, const OdlPicture *picture)
{
  const OdlNrrdHeader *header = &image->header;
  const size_t size = header->type->size, each = MEASURED_CHUNK / size;
  const uint64_t all = odl_nrrd_data_most (image->data);
  const uint64_t n_parts = (all + MEASURED_CHUNK - 1) / MEASURED_CHUNK;
  const bool packed = image->in_order && header->encoding == ODL_NRRD_GZIP;
  const uint64_t most = image->header.lines.names->len > 0
                            ? MEASURED_FILES
                            : MEASURED_BYTES / MEASURED_CHUNK;
  const uint64_t n = CLAMP (n_parts, 1, most);
  g_autofree uint8_t *chunk = g_malloc (MEASURED_CHUNK);
  g_autofree float *values = g_new (float, each);

  image->has_range = true;
  odl_number_range_init (&image->range, picture);
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t at = (packed ? i : i * n_parts / n) * MEASURED_CHUNK;
    size_t read = MEASURED_CHUNK;
    const uint8_t *from = odl_nrrd_data_piece (image->data, at, chunk, &read);
    odl_meta_measure (header->type->sample, header->big_endian, from, read / size, values,
                      &image->range);
  }
}

static bool
decode_frame (Image *image, uint32_t frame, OdlPicture *picture, GError **error)
{
  const OdlNrrdHeader *header = &image->header;
  const OdlMetaSample sample = header->type->sample;
  const uint32_t item = frame / shown_extent (header, 2);
  const OdlPictureShape shape
      = { shown_width (header), shown_extent (header, 1), (int) header->channels,
          odl_meta_picture_type (sample) };
  const size_t pixels = (size_t) shape.width * shape.height;

  describe (image, picture);
  const bool invalid
      = g_hash_table_contains (image->items.invalid, GUINT_TO_POINTER (item));
  if (frame > 0 && invalid)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("frame %u was marked as invalid by the recording program"),
                          frame + 1);
  if (!odl_picture_fits (picture, &shape, odl_nrrd_data_kept (image->data) + pixels,
                         error)
      || !open_files (image, frame, error))
    return false;
  if (odl_picture_allocate (picture, &shape, odl_nrrd_data_kept (image->data) + pixels,
                            error)
      == NULL)
    return false;
  odl_picture_set_number (picture, odl_meta_number_type (sample), false);
  if (header->beams.array != ODL_BEAMS_NONE)
    odl_picture_set_beams (picture, &header->beams);
  const size_t there = image->in_order ? read_block (image, frame, picture)
                                       : gather (image, frame, picture);
  if (!judge (image, frame, there, picture, error))
    return false;
  if (invalid)
    odl_picture_incomplete (picture,
                            _ ("frame %u was marked as invalid by the recording program"),
                            frame + 1);
  odl_meta_limit_range (sample, picture);
  if (!odl_picture_wants_range (picture, frame))
    return true;
  if (!image->has_range)
    find_range (image, picture);
  if (shape.type == ODL_SAMPLE_F32)
    odl_picture_finish_numbers (picture, NULL, &image->range);
  else
    odl_picture_set_found (picture, &image->range);
  return true;
}

static bool
open_image (Image *image, const OdlDecoderInput *input, GError **error)
{
  OdlNrrdHeader *header = &image->header;

  if (!odl_nrrd_header_read (header, input->data, input->size, error))
    return false;
  odl_nrrd_items_read (&image->items, header);
  image->frame_bytes = (uint64_t) shown_width (header) * shown_extent (header, 1)
                       * header->channels * header->type->size;
  image->in_order = is_in_order (header);
  image->data = odl_nrrd_data_new (header, input, !image->in_order, error);
  return image->data != NULL;
}

bool
odl_decode_nrrd (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  Image *image = *input->kept;

  if (image == NULL) {
    image = g_new0 (Image, 1);
    if (!open_image (image, input, error)) {
      image_free (image);
      return false;
    }
    *input->kept = image;
    *input->free_kept = image_free;
  }
  const uint32_t n = shown_frames (&image->header);
  if (input->frame < n)
    return decode_frame (image, input->frame, picture, error);
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("there is no frame %u; the file holds %u"), input->frame + 1,
                        n);
}

// The header of an NRRD file for people.

// "axis 3 item 12 Name" of 3D Slicer, "Seq_Frame0012_Name" of PlusLib and IGSIO: the
// item, and its name in `rest`.
static bool
is_of_item (OdlNrrdText name, uint64_t *item, OdlNrrdText *rest)
{
  uint64_t axis = 0;

  if (odl_nrrd_text_begins (name, "Seq_Frame", rest))
    return odl_nrrd_text_take_number (rest, item)
           && odl_nrrd_text_begins (*rest, "_", rest);
  return odl_nrrd_text_begins (name, "axis ", rest)
         && odl_nrrd_text_take_number (rest, &axis)
         && odl_nrrd_text_begins (*rest, " item ", rest)
         && odl_nrrd_text_take_number (rest, item)
         && odl_nrrd_text_begins (*rest, " ", rest);
}

// "axis 3 index values": a value of each item.
static bool
is_index (OdlNrrdText name)
{
  OdlNrrdText rest;
  uint64_t axis = 0;

  return odl_nrrd_text_begins (name, "axis ", &rest)
         && odl_nrrd_text_take_number (&rest, &axis)
         && odl_nrrd_text_begins (rest, " index values", &rest) && rest.n == 0;
}

static void
add_index (OdlTold *told, OdlNrrdText value)
{
  g_autofree char *text = g_strndup (value.at, value.n);
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  uint32_t item = 0;

  for (char **word = words; *word != NULL; word++) {
    if (**word == '\0')
      continue;
    g_autofree char *shown
        = odl_nrrd_text_show ((OdlNrrdText){ *word, strlen (*word) }, true);
    odl_told_add_item (told, item++, "index value", shown);
  }
}

bool
odl_dump_nrrd (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  OdlNrrdLines lines;
  OdlTold *told = odl_told_new ();
  bool done = odl_nrrd_lines_read (&lines, input->data, input->size, error);

  for (guint i = 0; done && i < lines.lines->len; i++) {
    const OdlNrrdLine *line = &g_array_index (lines.lines, OdlNrrdLine, i);
    OdlNrrdText rest = line->name;
    uint64_t item = 0;
    const bool of_item = line->is_key && is_of_item (line->name, &item, &rest);
    if (line->is_key && is_index (line->name)) {
      add_index (told, line->value);
      continue;
    }
    const bool counted = of_item && item < ODL_DECODER_MAX_FRAMES;
    g_autofree char *name = odl_nrrd_text_show (counted ? rest : line->name, of_item);
    g_autofree char *value = odl_nrrd_text_show (line->value, of_item);
    if (counted)
      odl_told_add_item (told, (uint32_t) item, name, value);
    else
      odl_told_add (told, name, value);
  }
  done = done && odl_told_finish (told, picture, error);
  odl_nrrd_lines_clear (&lines);
  odl_told_free (told);
  return done;
}
