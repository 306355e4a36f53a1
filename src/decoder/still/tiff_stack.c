// SPDX-License-Identifier: MIT
#include "decoder/still/tiff_stack.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/exchange.h"
#include "decoder/stamps.h"

// Whether all files are there.
static bool
odl_tiff_set_is_whole (const GPtrArray *names)
{
  uint64_t size;

  for (guint i = 1; i < names->len; i++) {
    const int fd = odl_decoder_ask_file (names->pdata[i], &size, NULL);
    if (fd < 0)
      return false;
    close (fd);
  }
  return true;
}

// Of words in a file of their own.
#define MOST_WORDS ((uint64_t) 16 << 20)

// Reads the words of OME that are in a file beside this one. False: they cannot be read.
static bool
read_elsewhere (OdlTiffWords *words, uint32_t n_pages)
{
  uint64_t size = 0;
  const int fd = odl_decoder_ask_file (words->elsewhere, &size, NULL);

  if (fd < 0)
    return false;
  void *data = size > 0 && size <= MOST_WORDS
                   ? mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0)
                   : MAP_FAILED;
  close (fd);
  if (data == MAP_FAILED)
    return false;
  const bool done = odl_tiff_words_read_elsewhere (words, data, size, n_pages);
  munmap (data, size);
  return done;
}

void
odl_tiff_set_clear (OdlTiffSet *set)
{
  if (set->open == 0)
    return;
  odl_tiff_pages_clear (&set->pages);
  munmap ((void *) set->data, set->size);
  set->open = 0;
}

static bool
open_file (OdlTiffSet *set, guint index, GError **error)
{
  uint64_t size = 0;
  const int fd = odl_decoder_ask_file (set->names->pdata[index], &size, error);

  odl_tiff_set_clear (set);
  if (fd < 0)
    return false;
  void *data = size > 0 ? mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close (fd);
  if (data == MAP_FAILED)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("the file “%.200s” of its set is too large, or empty"),
                          (const char *) set->names->pdata[index]);
  set->data = data;
  set->size = size;
  set->open = index;
  if (odl_tiff_pages_find (&set->pages, data, size, false, error))
    return true;
  odl_tiff_set_clear (set);
  return false;
}

bool
odl_tiff_set_find (OdlTiffSet *set,
                   guint index,
                   uint32_t page,
                   OdlDecoderInput *where,
                   uint64_t *directory,
                   GError **error)
{
  if (set->open != index && !open_file (set, index, error))
    return false;
  if (page >= set->pages.places->len)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the file “%.200s” of its set has no page %u"),
                          (const char *) set->names->pdata[index], page + 1);
  where->data = set->data;
  where->size = set->size;
  *directory = g_array_index (set->pages.places, uint64_t, page);
  return true;
}

#define SOFTWARE "Ondelette "
#define LEAST_MM 1e-6
#define MOST_MM 1e6

static bool
is_length (double mm)
{
  return mm >= LEAST_MM && mm <= MOST_MM;
}

// As many as are too many, at most.
static uint32_t
described_pages (const OdlTiffWords *words)
{
  uint64_t n = 1;

  for (int axis = 0; axis < ODL_TIFF_N_AXES; axis++)
    n = MIN (n * MIN (words->extent[axis], G_MAXUINT32), G_MAXUINT32);
  return (uint32_t) n;
}

static void
set_axes (OdlTiffStack *stack, const uint64_t extent[ODL_TIFF_N_AXES])
{
  uint64_t stride = 1;

  for (int i = 0; i < ODL_TIFF_N_AXES; i++) {
    const int axis = stack->words.order[i];
    stack->extent[axis] = (uint32_t) extent[axis];
    stack->stride[axis] = stride;
    stride *= extent[axis];
  }
  stack->n_frames = (uint32_t) stride;
  stack->n_slices = stack->extent[ODL_TIFF_Z] > 1 ? stack->extent[ODL_TIFF_Z] : 0;
}

static uint32_t
file_of (const OdlTiffWords *words, uint64_t plane)
{
  return words->files != NULL && plane < words->files->len
             ? g_array_index (words->files, uint32_t, plane)
             : 0;
}

// Whether it names a page for each plane, all of which are there, as far as they are in
// this file, which has so many.
static bool
lists_pages (const OdlTiffWords *words, uint32_t n_pages)
{
  const uint32_t n = words->files != NULL ? described_pages (words) : n_pages;

  if (described_pages (words) != n || (words->pages != NULL && words->pages->len != n)
      || (words->files != NULL && words->pages == NULL))
    return false;
  for (guint i = 0; words->pages != NULL && i < words->pages->len; i++)
    if (file_of (words, i) == 0 && g_array_index (words->pages, uint32_t, i) >= n_pages)
      return false;
  return true;
}

static bool
refuse_unlike (const OdlTiffStack *stack, GError **error)
{
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its page %u has another size or type than its first one, so "
                           "that they make neither a stack nor a sequence; --pages=first "
                           "shows the first one"),
                        stack->pages.unlike + 1);
}

// Millimetres that the numbers of pixels in the resolution are counted in; 0: they are no
// lengths, as those of photographs, which are for printing.
static double
resolution_mm (const OdlTiffStack *stack, TIFF *first)
{
  const OdlTiffWords *words = &stack->words;
  const bool is_imagej = g_strcmp0 (words->by, "ImageJ") == 0;
  uint16_t unit = RESUNIT_INCH;

  TIFFGetFieldDefaulted (first, TIFFTAG_RESOLUTIONUNIT, &unit);
  // ImageJ takes the unit of the description, but for centimetres and micrometres;
  // earlier versions of this program wrote millimetres there and centimetres in the
  // field.
  if (is_imagej && unit == RESUNIT_CENTIMETER
      && (stack->is_ours || words->unit_mm == 1e-3))
    return 10;
  if (is_imagej && words->unit[0] != '\0')
    return words->unit_mm;
  // This program writes a resolution where it knows a length, and no other.
  return (is_imagej || stack->is_ours) && unit == RESUNIT_CENTIMETER ? 10 : 0;
}

static void
find_lengths (OdlTiffStack *stack, TIFF *first)
{
  const OdlTiffWords *words = &stack->words;
  const double mm = resolution_mm (stack, first);
  float per_unit[2] = { 0, 0 };

  TIFFGetField (first, TIFFTAG_XRESOLUTION, &per_unit[0]);
  TIFFGetField (first, TIFFTAG_YRESOLUTION, &per_unit[1]);
  double found[3] = { mm / (double) per_unit[0], mm / (double) per_unit[1],
                      words->spacing * words->unit_mm };
  if (words->size_mm[0] > 0)
    memcpy (found, words->size_mm, sizeof found);
  if (!is_length (found[0]) || !is_length (found[1]))
    return;
  memcpy (stack->spacing_mm, found, sizeof found);
  if (stack->n_slices == 0 || !is_length (found[2]))
    stack->spacing_mm[2] = 0;
}

// Where the samples of the only page lie, if they are one block of all its bytes. False:
// they are not.
static bool
find_block (TIFF *first, uint64_t *at, uint64_t *bytes)
{
  uint64_t *offsets = NULL, *counts = NULL;
  uint16_t compression = COMPRESSION_NONE, planar = PLANARCONFIG_CONTIG;
  uint32_t height = 0;

  TIFFGetFieldDefaulted (first, TIFFTAG_COMPRESSION, &compression);
  TIFFGetFieldDefaulted (first, TIFFTAG_PLANARCONFIG, &planar);
  TIFFGetField (first, TIFFTAG_IMAGELENGTH, &height);
  if (compression != COMPRESSION_NONE || planar != PLANARCONFIG_CONTIG
      || TIFFIsTiled (first) || TIFFGetField (first, TIFFTAG_STRIPOFFSETS, &offsets) != 1
      || TIFFGetField (first, TIFFTAG_STRIPBYTECOUNTS, &counts) != 1 || offsets == NULL
      || counts == NULL)
    return false;
  *at = offsets[0];
  *bytes = 0;
  for (uint32_t i = 0; i < TIFFNumberOfStrips (first); i++) {
    if (offsets[i] != *at + *bytes || counts[i] > G_MAXINT64 / 2 - *bytes)
      return false;
    *bytes += counts[i];
  }
  return *bytes > 0 && *bytes == TIFFScanlineSize64 (first) * height;
}

// ImageJ writes no directories but the first one where the file is larger than 4 GB.
static void
find_blocks (OdlTiffStack *stack, TIFF *first, size_t size)
{
  uint64_t at, bytes;

  if (stack->n_pages != 1 || stack->words.images < 2 || !find_block (first, &at, &bytes)
      || at >= size)
    return;
  const uint64_t there = (size - at) / bytes;
  if (there < 2)
    return;
  stack->block_at = at;
  stack->block_bytes = bytes;
  stack->n_pages
      = (uint32_t) MIN (MIN (there, stack->words.images), ODL_DECODER_MAX_FRAMES);
}

bool
odl_tiff_stack_arrange (OdlTiffStack *stack,
                        TIFF *first,
                        size_t size,
                        OdlTiffWay way,
                        GError **error)
{
  const char *description = NULL, *software = NULL;
  OdlTiffWords *words = &stack->words;
  const bool alone = way == ODL_TIFF_FIRST || stack->pages.unlike > 0;

  if (TIFFGetField (first, TIFFTAG_IMAGEDESCRIPTION, &description) != 1)
    description = NULL;
  if (TIFFGetField (first, TIFFTAG_SOFTWARE, &software) == 1)
    stack->is_ours = g_str_has_prefix (software, SOFTWARE);
  stack->n_pages = MAX (stack->pages.places->len, 1);
  odl_tiff_words_read (words, description, stack->n_pages);
  stack->lacks_words
      = words->elsewhere != NULL && !read_elsewhere (words, stack->n_pages);
  if (words->names != NULL
      && (way != ODL_TIFF_BY_ITSELF || !odl_tiff_set_is_whole (words->names))) {
    g_clear_pointer (&words->names, g_ptr_array_unref);
    g_clear_pointer (&words->files, g_array_unref);
    words->has_others = true;
    words->has_axes = false;
  }
  if (way != ODL_TIFF_FIRST)
    find_blocks (stack, first, size);
  const uint64_t n = stack->n_pages;
  if (stack->pages.unlike > 0 && way >= ODL_TIFF_SEQUENCE)
    return refuse_unlike (stack, error);
  uint64_t extent[ODL_TIFF_N_AXES] = { 1, 1, alone ? 1 : n };
  if (way == ODL_TIFF_STACK) {
    extent[ODL_TIFF_Z] = n;
    extent[ODL_TIFF_T] = 1;
  } else if (way == ODL_TIFF_BY_ITSELF && !alone && words->has_axes) {
    stack->contradicts = !lists_pages (words, stack->n_pages);
    stack->is_listed = !stack->contradicts;
    if (!stack->contradicts)
      memcpy (extent, words->extent, sizeof extent);
  }
  set_axes (stack, extent);
  find_lengths (stack, first);
  return true;
}

void
odl_tiff_stack_clear (OdlTiffStack *stack)
{
  odl_tiff_pages_clear (&stack->pages);
  odl_tiff_words_clear (&stack->words);
}

OdlTiffPlace
odl_tiff_stack_place (const OdlTiffStack *stack, uint32_t frame)
{
  const uint32_t slices = stack->extent[ODL_TIFF_Z], times = stack->extent[ODL_TIFF_T];
  const uint32_t item = frame / slices;
  const uint64_t plane = frame % slices * stack->stride[ODL_TIFF_Z]
                         + item % times * stack->stride[ODL_TIFF_T]
                         + item / times * stack->stride[ODL_TIFF_C];
  const GArray *pages = stack->is_listed ? stack->words.pages : NULL;
  const uint64_t page = pages != NULL && plane < pages->len
                            ? g_array_index (pages, uint32_t, plane)
                            : plane;

  const uint32_t file = stack->is_listed ? file_of (&stack->words, plane) : 0;

  if (file > 0)
    return (OdlTiffPlace){ .file = file, .page = (uint32_t) page };
  if (page >= stack->n_pages || stack->pages.places->len == 0)
    return (OdlTiffPlace){ 0 };
  const bool is_block = stack->block_bytes > 0;
  return (OdlTiffPlace){
    g_array_index (stack->pages.places, uint64_t, is_block ? 0 : page),
    is_block ? page * stack->block_bytes : 0,
    0,
    (uint32_t) page,
  };
}

// ---- describing ----------------------------------------------------------------------

static void
describe_lengths (const OdlTiffStack *stack, OdlPicture *picture)
{
  const OdlTiffWords *words = &stack->words;
  const double *spacing = stack->spacing_mm;

  memcpy (picture->reply.spacing_mm, spacing, sizeof stack->spacing_mm);
  if (spacing[0] > 0)
    picture->reply.pixel_aspect = CLAMP (spacing[0] / spacing[1], 0.001, 1000);
  if (words->unit[0] != '\0' && words->unit_mm == 0
      && g_ascii_strcasecmp (words->unit, "pixel") != 0
      && g_ascii_strcasecmp (words->unit, "pixels") != 0)
    odl_picture_warn (picture, _ ("its unit “%s” is no known length: it has no scale"),
                      words->unit);
}

static void
describe_times (const OdlTiffStack *stack, OdlPicture *picture)
{
  const OdlTiffWords *words = &stack->words;
  OdlDecoderReply *reply = &picture->reply;

  if (stack->extent[ODL_TIFF_T] < 2)
    return;
  // Of several channels one after the other, times do not ascend.
  const GArray *stamps_s
      = stack->is_listed && stack->extent[ODL_TIFF_C] == 1 ? words->stamps_s : NULL;
  if (stamps_s != NULL && stack->n_slices > 0) {
    odl_stamps_set_volumes (picture, (const double *) (const void *) stamps_s->data,
                            stamps_s->len, "DeltaT");
    return;
  }
  if (stamps_s != NULL) {
    odl_stamps_set (picture, (const double *) (const void *) stamps_s->data,
                    stamps_s->len, "DeltaT");
    return;
  }
  if (stack->n_slices > 0) {
    if (words->interval_s > 0)
      odl_picture_detail (picture, "volume-interval-s", "%.9g", words->interval_s);
    return;
  }
  const double rate = words->interval_s > 0 ? 1 / words->interval_s : words->rate;
  if (!(rate > 0))
    return;
  reply->frame_rate = CLAMP (rate, 1e-6, 1e7);
  picture->timing = g_strdup (words->interval_s <= 0                 ? "fps"
                              : g_strcmp0 (words->by, "ImageJ") == 0 ? "finterval"
                                                                     : "TimeIncrement");
}

static void
describe_values (const OdlTiffStack *stack, OdlPicture *picture)
{
  const OdlTiffWords *words = &stack->words;
  OdlDecoderReply *reply = &picture->reply;
  const double width = words->window[1] - words->window[0];

  if (reply->channels != 1)
    return;
  // ImageJ has no scale for floats either.
  if (reply->sample_type != ODL_SAMPLE_F32) {
    reply->slope = words->slope;
    reply->intercept = words->intercept;
  }
  if (words->value_unit[0] != '\0')
    picture->unit = g_strdup (words->value_unit);
  if (width > 0 && fabs (words->window[0]) < 1e29 && fabs (words->window[1]) < 1e29) {
    reply->has_window = 1;
    reply->window_centre
        = (words->window[0] + width / 2) * reply->slope + reply->intercept;
    reply->window_width = width * fabs (reply->slope);
  }
}

static void
describe_pages (const OdlTiffStack *stack, OdlTiffWay way, OdlPicture *picture)
{
  const OdlTiffWords *words = &stack->words;
  const char *by = way != ODL_TIFF_BY_ITSELF ? "--pages"
                   : words->has_axes && !stack->contradicts && words->by != NULL
                       ? words->by
                       : _ ("equal pages");
  g_autofree char *format = g_strdup (picture->format);

  if (stack->n_slices > 0 && stack->n_frames > stack->n_slices)
    odl_picture_set_format (picture, _ ("%s; %u pages as volumes of %u slices (%s)"),
                            format, stack->n_frames, stack->n_slices, by);
  else if (stack->n_slices > 0)
    odl_picture_set_format (picture, _ ("%s; %u pages as a volume (%s)"), format,
                            stack->n_frames, by);
  else
    odl_picture_set_format (picture, _ ("%s; %u pages as a sequence (%s)"), format,
                            stack->n_frames, by);
  odl_picture_detail (picture, "pages", "%u", stack->n_frames);
  odl_picture_detail (picture, "pages-are", "%s",
                      stack->n_slices > 0 ? "slices" : "frames");
  if (stack->extent[ODL_TIFF_C] > 1) {
    odl_picture_detail (picture, "page-channels", "%u", stack->extent[ODL_TIFF_C]);
    odl_picture_warn (picture,
                      _ ("it has %u channels, which are shown one after the other"),
                      stack->extent[ODL_TIFF_C]);
  }
}

static void
warn_of_contradiction (const OdlTiffStack *stack, OdlPicture *picture)
{
  const uint32_t described = described_pages (&stack->words);
  const uint32_t n = stack->n_pages;

  if (described != n)
    odl_picture_warn (
        picture,
        _ ("its description speaks of %u pages (%s), but it has %u, which are "
           "taken as they follow each other"),
        described, stack->words.by, n);
  else
    odl_picture_warn (
        picture,
        _ ("its description names pages that are not there, or not all (%s); "
           "they are taken as they follow each other"),
        stack->words.by);
}

void
odl_tiff_stack_describe (const OdlTiffStack *stack, OdlTiffWay way, OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;

  reply->n_frames = reply->declared_frames = stack->n_frames;
  reply->n_slices = stack->n_slices;
  describe_lengths (stack, picture);
  describe_values (stack, picture);
  if (stack->words.by != NULL)
    odl_picture_detail (picture, "description-by", "%s", stack->words.by);
  if (stack->n_frames > 1) {
    describe_times (stack, picture);
    describe_pages (stack, way, picture);
  } else if (stack->pages.unlike > 0 && way == ODL_TIFF_BY_ITSELF) {
    odl_picture_warn_of_others (picture);
  }
  if (stack->contradicts)
    warn_of_contradiction (stack, picture);
  else if (stack->block_bytes > 0 && stack->words.images > stack->n_pages)
    odl_picture_warn_first (picture, _ ("the file declares %u frames but holds %u"),
                            (unsigned) stack->words.images, stack->n_pages);
  if (stack->is_listed && stack->words.names != NULL)
    odl_picture_detail (picture, "files", "%u", stack->words.names->len);
  if (stack->lacks_words)
    odl_picture_warn (picture, _ ("what its pages are is said in another file (OME), "
                                  "which is not there or cannot be read"));
  if (stack->words.has_others)
    odl_picture_warn (picture,
                      _ ("pages of other files belong to it (OME), which are not "
                         "shown"));
  if (stack->pages.ends_early && way != ODL_TIFF_FIRST)
    odl_picture_warn_first (picture, _ ("its list of pages ends too early: %u are there"),
                            stack->pages.places->len);
}
