// SPDX-License-Identifier: MIT
#include "decoder/formats.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "decoder/exchange.h"
#include "decoder/exif.h"
#include "decoder/profile.h"
#include "decoder/still/tiff_layout.h"
#include "decoder/still/tiff_pages.h"
#include "decoder/still/tiff_stack.h"

// Levels of a pyramid: the sizes in which all pages of a TIFF file are there.

typedef struct {
  uint32_t width, height;
} OdlTiffSize;

// What screens of 4K show, and some more, so that most pictures are shown whole.
#define MOST_PIXELS ((uint64_t) 4096 * 4096)

static bool
has_size (const OdlTiffReduced *reduced, const OdlTiffSize *size)
{
  return reduced->width == size->width && reduced->height == size->height;
}

// Pages that are there in that size.
static guint
count_pages (const OdlTiffPages *pages, const OdlTiffSize *size)
{
  guint n = 0;
  uint32_t last = 0;

  for (guint i = 0; i < pages->reduced->len; i++) {
    const OdlTiffReduced *reduced = &g_array_index (pages->reduced, OdlTiffReduced, i);
    if (!has_size (reduced, size) || (n > 0 && reduced->page == last))
      continue;
    n++;
    last = reduced->page;
  }
  return n;
}

static bool
is_listed (const GArray *sizes, const OdlTiffSize *size)
{
  for (guint i = 0; i < sizes->len; i++)
    if (g_array_index (sizes, OdlTiffSize, i).width == size->width
        && g_array_index (sizes, OdlTiffSize, i).height == size->height)
      return true;
  return false;
}

static gint
compare_cb (gconstpointer one, gconstpointer other)
{
  const OdlTiffSize *a = one, *b = other;

  if (a->width != b->width)
    return a->width > b->width ? -1 : 1;
  return a->height == b->height ? 0 : a->height > b->height ? -1 : 1;
}

// OdlTiffSize from that of the pages themselves, level 0, to the smallest. Transfer full.
static GArray *
odl_tiff_levels_find (const OdlTiffPages *pages)
{
  const OdlTiffSize whole = { pages->width, pages->height };
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (OdlTiffSize));

  g_array_append_val (sizes, whole);
  for (guint i = 0; i < pages->reduced->len; i++) {
    const OdlTiffReduced *reduced = &g_array_index (pages->reduced, OdlTiffReduced, i);
    const OdlTiffSize size = { reduced->width, reduced->height };
    // Later pages have the levels of the first one, or it is none.
    if (reduced->page > 0)
      break;
    if (!is_listed (sizes, &size) && count_pages (pages, &size) == pages->places->len)
      g_array_append_val (sizes, size);
  }
  g_array_sort (sizes, compare_cb);
  return sizes;
}

// The largest level of no more pixels than a screen has, else the smallest one.
static guint
odl_tiff_levels_fitting (const GArray *sizes)
{
  for (guint i = 0; i < sizes->len; i++) {
    const OdlTiffSize *size = &g_array_index (sizes, OdlTiffSize, i);
    if ((uint64_t) size->width * size->height <= MOST_PIXELS)
      return i;
  }
  return sizes->len - 1;
}

// Makes the pages be those of a level that was found.
static void
odl_tiff_levels_take (OdlTiffPages *pages, const OdlTiffSize *size)
{
  for (guint i = pages->reduced->len; i-- > 0;) {
    const OdlTiffReduced *reduced = &g_array_index (pages->reduced, OdlTiffReduced, i);
    if (has_size (reduced, size))
      g_array_index (pages->places, uint64_t, reduced->page) = reduced->place;
  }
}

// The samples of a page of a TIFF file, turned as it says.

// Converts one stored row, or one row of a tile. `plane`: −1 for interleaved samples.
static void
convert_row (const OdlTiffLayout *layout,
             const uint8_t *stored,
             int plane,
             uint32_t n_pixels,
             uint8_t *row)
{
  const int n = plane < 0 ? layout->samples_per_pixel : 1;

  if (layout->verbatim) {
    memcpy (row, stored, n_pixels * layout->pixel_bytes);
    return;
  }
  for (int i = 0; i < n; i++) {
    const int sample = plane < 0 ? i : plane;
    for (uint32_t x = 0; x < n_pixels && odl_tiff_uses (layout, sample); x++)
      odl_tiff_put_sample (layout, stored, (size_t) x * (size_t) n + (size_t) i, sample,
                           row + x * layout->pixel_bytes);
  }
}

// The last plane that is used; without planes 0.
static int
last_plane (const OdlTiffLayout *layout)
{
  return layout->separate ? MAX (layout->opacity, layout->colours - 1) : 0;
}

static bool
skips_plane (const OdlTiffLayout *layout, int plane)
{
  return layout->separate && !odl_tiff_uses (layout, plane);
}

static uint32_t
read_strips (TIFF *tiff,
             const OdlTiffLayout *layout,
             const OdlOrientation *orientation,
             void *target)
{
  g_autofree uint8_t *stored = g_try_malloc (layout->row_bytes);
  g_autofree uint8_t *rows = NULL;
  const int last = last_plane (layout);
  size_t row_size = (size_t) layout->width * layout->pixel_bytes;
  uint32_t done = G_MAXUINT32;

  // With separate planes, a row is complete after the last plane.
  rows = g_try_malloc0_n (layout->separate ? layout->height : 1, row_size);
  if (stored == NULL || rows == NULL)
    return 0;
  for (int plane = 0; plane <= last; plane++) {
    uint32_t y = 0;
    if (skips_plane (layout, plane))
      continue;
    for (; y < layout->height; y++) {
      uint8_t *row = rows + (layout->separate ? y * row_size : 0);
      if (TIFFReadScanline (tiff, stored, y, (uint16_t) plane) < 0)
        break;
      convert_row (layout, stored, layout->separate ? plane : -1, layout->width, row);
      if (plane == last)
        odl_orientation_put_row (orientation, row, y, layout->width, layout->pixel_bytes,
                                 target);
    }
    done = MIN (done, y);
  }
  return done;
}

// Copies one tile, clipped at the right and bottom.
static void
put_tile (const OdlTiffLayout *layout,
          const OdlOrientation *orientation,
          const uint8_t *rows,
          uint32_t left,
          uint32_t top,
          void *picture)
{
  OdlOrientation at = *orientation;
  uint32_t width = MIN (layout->tile_width, layout->width - left);
  uint32_t height = MIN (layout->tile_height, layout->height - top);

  at.origin += (ptrdiff_t) left * at.step_x;
  for (uint32_t y = 0; y < height; y++)
    odl_orientation_put_row (&at,
                             rows + (size_t) y * layout->tile_width * layout->pixel_bytes,
                             top + y, width, layout->pixel_bytes, picture);
}

static uint32_t
read_tiles (TIFF *tiff,
            const OdlTiffLayout *layout,
            const OdlOrientation *orientation,
            void *target)
{
  size_t n_pixels = (size_t) layout->tile_width * layout->tile_height;
  g_autofree uint8_t *stored = g_try_malloc (layout->tile_bytes);
  g_autofree uint8_t *rows = g_try_malloc0_n (n_pixels, layout->pixel_bytes);
  const int last = last_plane (layout);
  uint32_t rows_done = 0;

  if (stored == NULL || rows == NULL)
    return 0;
  for (uint32_t top = 0; top < layout->height; top += layout->tile_height) {
    for (uint32_t left = 0; left < layout->width; left += layout->tile_width) {
      for (int plane = 0; plane <= last; plane++) {
        if (skips_plane (layout, plane))
          continue;
        if (TIFFReadTile (tiff, stored, left, top, 0, (uint16_t) plane) < 0)
          return rows_done;
        for (uint32_t y = 0; y < layout->tile_height; y++)
          convert_row (layout, stored + y * layout->row_bytes,
                       layout->separate ? plane : -1, layout->tile_width,
                       rows + (size_t) y * layout->tile_width * layout->pixel_bytes);
      }
      put_tile (layout, orientation, rows, left, top, target);
    }
    rows_done = MIN (layout->height, top + layout->tile_height);
  }
  return rows_done;
}

// The same for generic layouts, whose pixels become those of the picture.
// Rare formats: libtiff's conversion to 8-bit RGBA. It is not told how the picture lies,
// since it would mirror the picture but not exchange rows and columns.
static uint32_t
odl_tiff_read_any (TIFF *tiff,
                   const OdlTiffLayout *layout,
                   const OdlOrientation *orientation,
                   OdlPicture *picture)
{
  size_t n = (size_t) layout->width * layout->height;
  g_autofree uint32_t *pixels = g_try_new0 (uint32_t, n);

  if (pixels == NULL || !TIFFSetField (tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT)
      || !TIFFReadRGBAImageOriented (tiff, layout->width, layout->height, pixels,
                                     ORIENTATION_TOPLEFT, 1))
    return 0;
  uint8_t *rows = (uint8_t *) pixels;
  for (size_t i = 0; i < n; i++) {
    uint32_t pixel = pixels[i];
    rows[3 * i] = (uint8_t) TIFFGetR (pixel);
    rows[3 * i + 1] = (uint8_t) TIFFGetG (pixel);
    rows[3 * i + 2] = (uint8_t) TIFFGetB (pixel);
  }
  for (uint32_t y = 0; y < layout->height; y++)
    odl_orientation_put_row (orientation, rows + (size_t) y * layout->width * 3, y,
                             layout->width, 3, picture->pixels);
  return layout->height;
}

// Writes pixels as the layout has them to `target`, which holds all of them. Returns how
// many stored rows are there.
static uint32_t
odl_tiff_read_rows (TIFF *tiff,
                    const OdlTiffLayout *layout,
                    const OdlOrientation *orientation,
                    void *target)
{
  return layout->tile_bytes > 0 ? read_tiles (tiff, layout, orientation, target)
                                : read_strips (tiff, layout, orientation, target);
}

// Zero bytes readable beyond the end of the file, so that libtiff decodes available
// rows; a flag records that data is missing. Directories have none: libtiff makes room
// for as many entries as the file might hold.
#define PADDING ((toff_t) 1 << 26)

// Pages of floats that are looked at for their common range, and their bytes.
#define MEASURED_PAGES 16u
#define MEASURED_BYTES ((uint64_t) 64 << 20)

typedef struct {
  const OdlDecoderInput *input;
  OdlTiffPlace place; // of the page, whose directory is read as if it were the first one;
                      // 0: that which the header names
  const OdlTiffStack *stack; // of that page; NULL: nothing lies elsewhere
  toff_t position;
  toff_t padding; // beyond the end of the file
  bool past_end;
  char message[200];
} TiffFile;

// State kept between frames.
typedef struct {
  OdlTiffStack stack;
  OdlTiffSet set;
  OdlTiffWay way;
  GArray *levels; // OdlTiffSize, of which one is shown
  guint level;
  bool is_chosen; // that level was asked for
  OdlTiffLayout first; // of the first page, without what it borrows
  bool is_declared;
  double declared[2]; // range of all samples
  bool has_range;
  OdlNumberRange range; // that was found; of floats
} Kept;

// Says in the part of the header that was read, which begins at `position`, where the
// page lies.
static void
put_place (const TiffFile *file, void *to, size_t n)
{
  uint8_t header[ODL_TIFF_HEADER_BYTES];
  const size_t from = (size_t) file->position;

  memcpy (header, file->input->data, sizeof header);
  odl_tiff_pages_begin_at (header, sizeof header, file->place.directory);
  memcpy (to, header + from, MIN (n, sizeof header - from));
}

static tmsize_t
read_cb (thandle_t handle, void *to, tmsize_t n)
{
  TiffFile *file = handle;
  const OdlTiffStack *stack = file->stack;
  // Samples are read by themselves.
  const bool is_moved = stack != NULL && file->position >= stack->block_at
                        && file->position - stack->block_at < stack->block_bytes;
  const toff_t from = file->position + (is_moved ? file->place.shift : 0);
  size_t wanted = n > 0 ? (size_t) n : 0;
  size_t left = from < file->input->size ? file->input->size - from : 0;
  size_t copied = MIN (wanted, left);

  if (copied > 0)
    memcpy (to, file->input->data + from, copied);
  if (file->place.directory > 0 && file->position < ODL_TIFF_HEADER_BYTES
      && file->input->size >= ODL_TIFF_HEADER_BYTES)
    put_place (file, to, copied);
  if (copied < wanted) {
    memset ((uint8_t *) to + copied, 0, wanted - copied);
    file->past_end = true;
  }
  file->position += wanted;
  return (tmsize_t) (file->padding > 0 ? wanted : copied);
}

static tmsize_t
write_cb (thandle_t handle, void *from, tmsize_t n)
{
  return 0;
}

static toff_t
seek_cb (thandle_t handle, toff_t offset, int whence)
{
  TiffFile *file = handle;

  if (whence == SEEK_CUR)
    offset += file->position;
  else if (whence == SEEK_END)
    offset += file->input->size + file->padding;
  file->position = offset;
  return offset;
}

static int
close_cb (thandle_t handle)
{
  return 0;
}

static toff_t
size_cb (thandle_t handle)
{
  TiffFile *file = handle;
  return file->input->size + file->padding;
}

static void
error_cb (thandle_t handle, const char *module, const char *format, va_list arguments)
{
  TiffFile *file = handle;

  if (file != NULL && file->message[0] == '\0')
    g_vsnprintf (file->message, sizeof file->message, format, arguments);
}

// Where pixels go: to the numbers, if the samples do not hold them.
static void *
target_of (const OdlPicture *picture)
{
  return picture->numbers != NULL ? picture->numbers : picture->pixels;
}

static void
note_profile (TIFF *tiff, OdlPicture *picture)
{
  uint32_t size = 0;
  void *profile = NULL;

  if (TIFFGetField (tiff, TIFFTAG_ICCPROFILE, &size, &profile))
    odl_picture_note_profile (picture, profile, size);
}

static size_t
extra_bytes (const OdlTiffLayout *layout)
{
  const size_t extra = layout->tile_bytes + layout->row_bytes;

  return layout->generic || layout->separate
             ? extra + (size_t) layout->width * layout->height * 8
             : extra;
}

static bool
allocate (OdlTiffLayout *layout,
          const OdlOrientation *orientation,
          OdlPicture *picture,
          GError **error)
{
  const OdlPictureShape shape
      = { orientation->width, orientation->height, layout->channels, layout->type };

  if (odl_picture_allocate (picture, &shape, extra_bytes (layout), error) == NULL)
    return false;
  if (layout->number != ODL_NUMBER_UNKNOWN
      && odl_picture_set_number (picture, layout->number, false) == NULL
      && layout->type == ODL_SAMPLE_F32)
    odl_tiff_layout_drop_numbers (layout);
  return true;
}

static bool
refuse_data (const TiffFile *file, GError **error)
{
  g_autofree char *message = g_strdup (file->message);

  return odl_error_set (
      error, ODL_ERROR_CORRUPT,
      _ ("the TIFF data is damaged or of a kind that cannot be read (%s)"),
      odl_text_cut_stop (message));
}

static void
describe_levels (const Kept *kept, OdlPicture *picture)
{
  const OdlTiffSize *sizes = (const OdlTiffSize *) (const void *) kept->levels->data;
  g_autoptr (GString) list = g_string_new (NULL);

  if (kept->levels->len < 2)
    return;
  for (guint i = 0; i < kept->levels->len; i++)
    g_string_append_printf (list, "%s%u: %u×%u", i > 0 ? ", " : "", i, sizes[i].width,
                            sizes[i].height);
  odl_picture_detail (picture, "levels", "%s", list->str);
  odl_picture_detail (picture, "level", "%u", kept->level);
  if (kept->level > 0 && !kept->is_chosen)
    odl_picture_warn (picture,
                      // Translators: numbers of levels from 0, then sizes in pixels.
                      _ ("level %u of its pyramid is shown, %u×%u of %u×%u pixels; "
                         "--pages=level=0 shows all of them"),
                      kept->level, sizes[kept->level].width, sizes[kept->level].height,
                      sizes[0].width, sizes[0].height);
}

static bool
read_picture (const Kept *kept,
              TIFF *tiff,
              TiffFile *file,
              OdlPicture *picture,
              GError **error)
{
  OdlTiffLayout layout = { 0 };

  if (!odl_tiff_layout (tiff, &layout, error))
    return false;
  if (!odl_tiff_layout_follow (&layout, &kept->first))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it has another size or type than the first page"));
  const OdlOrientation orientation
      = odl_orientation (layout.orientation, layout.width, layout.height);
  if (!allocate (&layout, &orientation, picture, error))
    return false;
  const uint32_t rows
      = layout.generic
            ? odl_tiff_read_any (tiff, &layout, &orientation, picture)
            : odl_tiff_read_rows (tiff, &layout, &orientation, target_of (picture));
  const size_t n = picture->reply.data_bytes / sizeof (float);
  for (size_t i = 0; picture->numbers != NULL && i < n; i++)
    odl_number_move (layout.number,
                     (char *) picture->numbers + i * odl_number_size (layout.number),
                     ODL_NUMBER_F32, (float *) picture->pixels + i);
  if (rows == 0)
    return refuse_data (file, error);
  if (rows < layout.height || file->past_end)
    odl_picture_incomplete (picture, _ ("the TIFF data is damaged or ends too early"));
  odl_tiff_describe (tiff, &layout, kept->is_declared ? kept->declared : NULL,
                     kept->has_range ? &kept->range : NULL, picture);
  note_profile (tiff, picture);
  odl_tiff_stack_describe (&kept->stack, kept->way, picture);
  describe_levels (kept, picture);
  return true;
}

// The file with a page as its first one. NULL: its header is damaged.
static TIFF *
open_page (TiffFile *file, GError **error)
{
  TIFF *tiff = TIFFClientOpen ("file", "rm", file, read_cb, write_cb, seek_cb, close_cb,
                               size_cb, NULL, NULL);

  file->padding = PADDING;
  if (tiff != NULL && !file->past_end)
    return tiff;
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("the TIFF header is damaged or ends too early (%s)"),
               file->message[0] != '\0' ? odl_text_cut_stop (file->message)
                                        : _ ("the file ends too early"));
  if (tiff != NULL)
    TIFFClose (tiff);
  return NULL;
}

// ---- pages ---------------------------------------------------------------------------

static void
kept_free (void *data)
{
  Kept *kept = data;

  odl_tiff_set_clear (&kept->set);
  g_clear_pointer (&kept->levels, g_array_unref);
  odl_tiff_stack_clear (&kept->stack);
  g_free (kept);
}

// Where the page of a frame lies: `where`, in `file`, for as long as no other is asked
// for.
static bool
find_page (Kept *kept,
           const OdlDecoderInput *input,
           uint32_t frame,
           OdlDecoderInput *where,
           TiffFile *file,
           GError **error)
{
  OdlTiffPlace place = odl_tiff_stack_place (&kept->stack, frame);

  *where = *input;
  if (place.file > 0
      && !odl_tiff_set_find (&kept->set, place.file, place.page, where, &place.directory,
                             error))
    return false;
  *file = (TiffFile){ .input = where,
                      .place = place,
                      .stack = place.file > 0 ? NULL : &kept->stack };
  return true;
}

// Adds the samples of a page, which need not be all there, to the range.
static void
measure_page (Kept *kept, const OdlDecoderInput *input, uint32_t frame)
{
  OdlDecoderInput where;
  TiffFile file;
  TIFF *tiff = find_page (kept, input, frame, &where, &file, NULL)
                   ? open_page (&file, NULL)
                   : NULL;
  OdlTiffLayout layout = { 0 };

  if (tiff == NULL)
    return;
  if (odl_tiff_layout (tiff, &layout, NULL)
      && odl_tiff_layout_follow (&layout, &kept->first)) {
    odl_tiff_layout_drop_numbers (&layout);
    const OdlOrientation orientation
        = odl_orientation (layout.orientation, layout.width, layout.height);
    const size_t row = (size_t) layout.width * (size_t) layout.channels;
    g_autofree float *values = g_try_new0 (float, row *layout.height);
    const uint32_t rows
        = values != NULL ? odl_tiff_read_rows (tiff, &layout, &orientation, values) : 0;
    // A page that is turned has its rows elsewhere: it counts as a whole.
    if (rows == layout.height)
      odl_number_range_add (&kept->range, values, row * rows);
  }
  TIFFClose (tiff);
}

// The common range of pages of floats that declare none, from some of them.
static void
find_range (Kept *kept, const OdlDecoderInput *input)
{
  const OdlTiffLayout *layout = &kept->first;
  const uint64_t bytes = (uint64_t) layout->width * layout->height
                         * (uint64_t) layout->channels * sizeof (float);
  const uint32_t n = kept->stack.n_frames;
  const OdlPictureShape shape
      = { layout->width, layout->height, layout->channels, ODL_SAMPLE_F32 };
  const uint32_t most
      = (uint32_t) CLAMP (MEASURED_BYTES / MAX (bytes, 1), 1, MEASURED_PAGES);
  OdlPicture none;

  if (layout->type != ODL_SAMPLE_F32 || kept->is_declared || n < 2)
    return;
  odl_picture_init (&none, input->memory / 2);
  if (odl_picture_fits (&none, &shape, extra_bytes (layout), NULL)) {
    odl_number_range_init (&kept->range, &none);
    for (uint32_t i = 0; i < MIN (most, n); i++)
      measure_page (kept, input, (uint32_t) ((uint64_t) i * n / MIN (most, n)));
    kept->has_range = kept->range.least[0] <= kept->range.most[0];
  }
  odl_picture_clear (&none);
}

// ---- Levels --------------------------------------------------------------------------

static bool
level_fits (const Kept *kept, const OdlDecoderInput *input, guint level)
{
  const OdlTiffSize *size = &g_array_index (kept->levels, OdlTiffSize, level);
  const OdlPictureShape shape
      = { size->width, size->height, kept->first.channels, kept->first.type };
  const OdlPicture none = { .memory = input->memory };

  return odl_picture_fits (&none, &shape, 0, NULL);
}

// `wanted`: −1: the one that fits.
static bool
choose_level (Kept *kept, const OdlDecoderInput *input, int wanted, GError **error)
{
  const OdlTiffStack *stack = &kept->stack;

  // Pages of other files, and those without directories, have their own size alone.
  if (stack->words.names != NULL || stack->block_bytes > 0)
    g_array_set_size (kept->levels, 1);
  kept->is_chosen = wanted >= 0;
  if (wanted >= (int) kept->levels->len && kept->levels->len == 1)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it has no level %d: it is no pyramid"), wanted);
  if (wanted >= (int) kept->levels->len)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it has no level %d; its last one is %u"), wanted,
                          kept->levels->len - 1);
  kept->level = kept->is_chosen ? (guint) wanted : odl_tiff_levels_fitting (kept->levels);
  while (!kept->is_chosen && kept->level + 1 < kept->levels->len
         && !level_fits (kept, input, kept->level))
    kept->level++;
  return true;
}

static TIFF *
open_first (const Kept *kept,
            TiffFile *file,
            const OdlDecoderInput *input,
            GError **error)
{
  const GArray *places = kept->stack.pages.places;

  *file = (TiffFile){ .input = input };
  if (places->len > 0)
    file->place.directory = g_array_index (places, uint64_t, 0);
  return open_page (file, error);
}

static bool
take_level (Kept *kept, const OdlDecoderInput *input, GError **error)
{
  const OdlTiffSize *sizes = (const OdlTiffSize *) (const void *) kept->levels->data;
  const OdlTiffSize *size = &sizes[kept->level];
  TiffFile file;

  if (kept->level == 0)
    return true;
  odl_tiff_levels_take (&kept->stack.pages, size);
  kept->stack.spacing_mm[0] *= (double) sizes[0].width / size->width;
  kept->stack.spacing_mm[1] *= (double) sizes[0].height / size->height;
  TIFF *tiff = open_first (kept, &file, input, error);
  if (tiff == NULL)
    return false;
  const bool done = odl_tiff_layout (tiff, &kept->first, error);
  TIFFClose (tiff);
  return done;
}

// Of a volume all slices count, since they are held together, but for those in other
// files of a set.
static bool
check_size (const Kept *kept, const OdlDecoderInput *input, GError **error)
{
  const OdlTiffStack *stack = &kept->stack;
  const OdlTiffLayout *first = &kept->first;
  const uint32_t n = MAX (MIN (stack->n_slices, stack->pages.places->len), 1);

  return odl_tiff_layout_is_backed (first, n, input->size)
         || odl_error_set (error, ODL_ERROR_TOO_LARGE,
                           // Translators: pixels, then a number of pages.
                           _ ("a file of this size cannot hold %u×%u pixels on each of "
                              "its pages (%u)"),
                           first->width, first->height, n);
}

static bool
arrange (Kept *kept, const OdlDecoderInput *input, int level, GError **error)
{
  OdlTiffStack *stack = &kept->stack;
  TiffFile file;

  if (!odl_tiff_pages_find (&stack->pages, input->data, input->size,
                            kept->way == ODL_TIFF_FIRST, error))
    return false;
  kept->levels = odl_tiff_levels_find (&stack->pages);
  TIFF *tiff = open_first (kept, &file, input, error);
  if (tiff == NULL)
    return false;
  const bool done
      = odl_tiff_layout (tiff, &kept->first, error)
        && odl_tiff_stack_arrange (stack, tiff, input->size, kept->way, error);
  kept->is_declared = odl_tiff_declared_range (tiff, kept->declared);
  TIFFClose (tiff);
  kept->set.names = stack->words.names;
  if (!done || !choose_level (kept, input, level, error)
      || !take_level (kept, input, error) || !check_size (kept, input, error))
    return false;
  find_range (kept, input);
  return true;
}

static Kept *
find_kept (const OdlDecoderInput *input, OdlTiffWay way, int level, GError **error)
{
  if (*input->kept != NULL)
    return *input->kept;
  Kept *kept = g_new0 (Kept, 1);
  kept->way = way;
  if (!arrange (kept, input, level, error)) {
    kept_free (kept);
    return NULL;
  }
  *input->kept = kept;
  *input->free_kept = kept_free;
  return kept;
}

static bool
decode (const OdlDecoderInput *input,
        OdlTiffWay way,
        int level,
        OdlPicture *picture,
        GError **error)
{
  TIFFSetErrorHandler (NULL);
  TIFFSetWarningHandler (NULL);
  TIFFSetErrorHandlerExt (error_cb);
  Kept *kept = find_kept (input, way, level, error);
  if (kept == NULL)
    return false;
  if (input->frame >= kept->stack.n_frames)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("there is no frame %u; the file holds %u"), input->frame + 1,
                          kept->stack.n_frames);
  // Also of a frame that cannot be read, so that others are looked for.
  picture->reply.n_frames = picture->reply.declared_frames = kept->stack.n_frames;
  OdlDecoderInput where;
  TiffFile file;
  TIFF *tiff = find_page (kept, input, input->frame, &where, &file, error)
                   ? open_page (&file, error)
                   : NULL;
  if (tiff == NULL)
    return false;
  const bool done = read_picture (kept, tiff, &file, picture, error);
  TIFFClose (tiff);
  return done;
}

// ---- Ways ----------------------------------------------------------------------------

#define MOST_WORDS 64 // bytes of them

static const char *const ways[] = {
  [ODL_TIFF_BY_ITSELF] = "itself",
  [ODL_TIFF_FIRST] = "first",
  [ODL_TIFF_SEQUENCE] = "sequence",
  [ODL_TIFF_STACK] = "stack",
};

// The way and the level that the parent was given.
static bool
ask_level (OdlTiffWay *way, int *level, GError **error)
{
  char words[MOST_WORDS + 1] = "";
  uint64_t size = 0, number = 0;
  const int fd = odl_decoder_ask_file (ODL_DECODER_CHOICE, &size, error);

  if (fd < 0)
    return false;
  const bool is_read
      = size <= MOST_WORDS && read (fd, words, MOST_WORDS) == (ssize_t) size;
  close (fd);
  char *blank = strchr (words, ' ');
  if (is_read && blank != NULL) {
    *blank = '\0';
    for (size_t i = 0; i < G_N_ELEMENTS (ways); i++)
      if (strcmp (words, ways[i]) == 0
          && g_ascii_string_to_unsigned (blank + 1, 10, 0, ODL_DECODER_MAX_FRAMES,
                                         &number, NULL)) {
        *way = (OdlTiffWay) i;
        *level = (int) number;
        return true;
      }
  }
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED, _ ("it has no such level"));
}

bool
odl_decode_tiff (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return decode (input, ODL_TIFF_BY_ITSELF, -1, picture, error);
}

bool
odl_decode_tiff_first (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return decode (input, ODL_TIFF_FIRST, -1, picture, error);
}

bool
odl_decode_tiff_sequence (const OdlDecoderInput *input,
                          OdlPicture *picture,
                          GError **error)
{
  return decode (input, ODL_TIFF_SEQUENCE, -1, picture, error);
}

bool
odl_decode_tiff_stack (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return decode (input, ODL_TIFF_STACK, -1, picture, error);
}

bool
odl_decode_tiff_level (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  OdlTiffWay way = ODL_TIFF_BY_ITSELF;
  int level = 0;

  return (*input->kept != NULL || ask_level (&way, &level, error))
         && decode (input, way, level, picture, error);
}
