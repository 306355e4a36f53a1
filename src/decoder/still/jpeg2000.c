// SPDX-License-Identifier: MIT
// JPEG 2000 stills: codestreams (.j2k) and JP2 files around one, with OpenJPEG.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/memory.h"
#include "decoder/dicom/pixels/codestream.h"
#include "decoder/formats.h"
#include "decoder/opacity.h"
#include "decoder/opj.h"
#include "decoder/profile.h"

// What OpenJPEG needs for a sample: its number, and as much while it is transformed.
#define SAMPLE_BYTES (2 * sizeof (int32_t))
#define MOST_BITS 24 // that floats hold exactly

static bool
is_boxed (const OdlDecoderInput *input)
{
  return input->size > 2 && input->data[0] == 0;
}

// Reads the main header, and refuses what would need more memory than there is.
static bool
read_header (const OdlDecoderInput *input, OdlCodestream *stream, GError **error)
{
  const uint8_t *data = input->data;
  size_t size = input->size, bytes = 0;

  if (!odl_jpeg2000_read (&data, &size, stream))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its compressed pixels are damaged (%s)"), "JPEG 2000");
  const size_t factors[] = { stream->width, stream->height,
                             (size_t) MAX (stream->n_components, 4), SAMPLE_BYTES };
  if (stream->width <= ODL_IMAGE_MAX_SIDE && stream->height <= ODL_IMAGE_MAX_SIDE
      && odl_size_product (factors, G_N_ELEMENTS (factors), &bytes)
      && bytes <= input->memory)
    return true;
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("it is too large: its header says %u×%u pixels, which needs "
                           "more memory than a file of this size may take"),
                        stream->width, stream->height);
}

// Which components are shown, and as what.
typedef struct {
  const opj_image_t *image;
  const opj_image_comp_t *shown[4]; // 1 or 3 colours, and opacity
  int colours;
  bool opaque; // without opacity
  bool multiplied; // colours are multiplied by it
  bool is_ycc;
} Channels;

// What the box “cdef” says (ISO/IEC 15444-1, I.5.3.6), which OpenJPEG keeps as `alpha`
// and by which it has sorted the colours: 1 opacity, 2 colours multiplied by it. Where it
// says nothing, the fourth component beside three colours is opacity; one beside grey is
// not.
static void
choose_channels (const opj_image_t *image, Channels *channels)
{
  const opj_image_comp_t *opacity = NULL;
  int n = 0;

  *channels = (Channels){ .image = image };
  for (uint32_t c = 0; c < image->numcomps; c++) {
    const opj_image_comp_t *component = &image->comps[c];
    if (component->alpha != 1 && component->alpha != 2)
      channels->shown[n++] = component;
    else if (opacity == NULL)
      opacity = component;
  }
  channels->colours = n >= 3 ? 3 : 1;
  if (opacity == NULL && n == 4)
    opacity = channels->shown[3];
  channels->opaque = opacity == NULL || n == 0;
  channels->multiplied = !channels->opaque && opacity->alpha == 2;
  if (opacity != NULL)
    channels->shown[n > 0 ? channels->colours : 0] = opacity;
}

static int
count_shown (const Channels *channels)
{
  return channels->colours + (channels->opaque ? 0 : 1);
}

// Colours may have fewer samples: one for `factor` of the first component's.
static bool
has_fewer (const opj_image_comp_t *component, const opj_image_comp_t *first)
{
  return component->dx != first->dx || component->dy != first->dy;
}

static bool
suits (const opj_image_comp_t *component, const opj_image_comp_t *first)
{
  const bool whole = component->dx > 0 && component->dy > 0 && first->dx > 0
                     && first->dy > 0 && component->dx % first->dx == 0
                     && component->dy % first->dy == 0;

  return component->data != NULL && component->w > 0 && component->h > 0 && whole
         && (has_fewer (component, first)
             || (component->w == first->w && component->h == first->h))
         && component->prec == first->prec && component->sgnd == first->sgnd;
}

static bool
check_components (Channels *channels, GError **error)
{
  const opj_image_t *image = channels->image;
  const opj_image_comp_t *first = channels->shown[0];

  for (int c = 0; c < count_shown (channels); c++)
    if (!suits (channels->shown[c], first))
      return odl_error_set (
          error, ODL_ERROR_UNSUPPORTED,
          _ ("its channels differ in size, bits or sign, which is not supported"));
  if (image->color_space == OPJ_CLRSPC_CMYK || image->color_space == OPJ_CLRSPC_EYCC)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its colours are those of printing (CMYK) or e-YCC, which are not supported"));
  if (first->prec > MOST_BITS)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its samples have more than 24 bits, which is not supported"));
  // Only differences of colours have fewer samples, unless the file says otherwise.
  channels->is_ycc = channels->colours == 3 && first->sgnd == 0
                     && (image->color_space == OPJ_CLRSPC_SYCC
                         || (image->color_space != OPJ_CLRSPC_SRGB
                             && !has_fewer (channels->shown[0], first)
                             && has_fewer (channels->shown[1], first)
                             && has_fewer (channels->shown[2], first)));
  return true;
}

static OdlSampleType
sample_type (const opj_image_comp_t *component)
{
  if (component->prec > 16)
    return ODL_SAMPLE_F32;
  if (component->sgnd != 0)
    return ODL_SAMPLE_S16;
  return component->prec > 8 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8;
}

// sYCC (IEC 61966-2-1, annex F) to RGB, in place.
static void
convert_to_rgb (int32_t *rgb, int32_t greatest)
{
  const double middle = greatest / 2 + 1;
  const double y = rgb[0], cb = rgb[1] - middle, cr = rgb[2] - middle;
  const double values[]
      = { y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb };

  for (int c = 0; c < 3; c++)
    rgb[c] = (int32_t) (CLAMP (values[c], 0, greatest) + 0.5);
}

// The sample that covers column `x` and row `y` of the first component; the nearest one
// at the left and upper edge, where the reference grid may begin between two of them.
static int32_t
sample_at (const Channels *channels, int index, uint32_t x, uint32_t y)
{
  const opj_image_comp_t *first = channels->shown[0], *own = channels->shown[index];
  const uint32_t column = (x + first->x0) / (own->dx / first->dx);
  const uint32_t row = (y + first->y0) / (own->dy / first->dy);
  const uint32_t across = column > own->x0 ? MIN (column - own->x0, own->w - 1) : 0;
  const uint32_t down = row > own->y0 ? MIN (row - own->y0, own->h - 1) : 0;

  return own->data[(size_t) down * own->w + across];
}

// Grey with opacity has it in three channels.
static void
take_samples (const Channels *channels, OdlPicture *picture)
{
  const int n = (int) picture->reply.channels, n_shown = count_shown (channels);
  const int32_t greatest = (int32_t) picture->reply.stored_max;

  for (uint32_t y = 0; y < picture->reply.height; y++)
    for (uint32_t x = 0; x < picture->reply.width; x++) {
      int32_t values[4], shown[4];
      for (int c = 0; c < n_shown; c++)
        shown[c] = sample_at (channels, c, x, y);
      for (int c = 0; c < n; c++)
        values[c] = c == 3 ? shown[n_shown - 1] : shown[channels->colours == 3 ? c : 0];
      if (channels->is_ycc)
        convert_to_rgb (values, greatest);
      for (int c = 0; c < n; c++)
        odl_picture_put (
            picture, ((size_t) y * picture->reply.width + x) * (size_t) n + (size_t) c,
            values[c]);
    }
}

static bool
take_picture (const opj_image_t *image, OdlPicture *picture, GError **error)
{
  Channels channels;

  if (image->numcomps > 4)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it has more than four channels, which is not supported"));
  choose_channels (image, &channels);
  if (!check_components (&channels, error))
    return false;
  const opj_image_comp_t *first = channels.shown[0];
  const OdlPictureShape shape
      = { first->w, first->h, channels.opaque ? channels.colours : 4,
          sample_type (first) };
  const size_t decoded = (size_t) first->w * first->h * image->numcomps;
  if (odl_picture_allocate (picture, &shape, decoded * sizeof (int32_t), error) == NULL)
    return false;
  const int32_t half = (int32_t) (1u << (first->prec - 1));
  picture->reply.stored_min = first->sgnd != 0 ? -half : 0;
  picture->reply.stored_max = first->sgnd != 0 ? half - 1 : 2.0 * half - 1;
  take_samples (&channels, picture);
  if (channels.multiplied && shape.type != ODL_SAMPLE_F32)
    odl_picture_divide_by_opacity (picture);
  odl_picture_warn_of_samples (picture, (int) image->numcomps - count_shown (&channels));
  return true;
}

bool
odl_decode_jpeg2000 (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  const OdlOpjFlags boxes = is_boxed (input) ? ODL_OPJ_BOXES : 0;
  g_autofree char *message = NULL;
  OdlCodestream stream;

  if (!read_header (input, &stream, error))
    return false;
  opj_image_t *image
      = odl_opj_decode (input->data, input->size, boxes | ODL_OPJ_STRICT, &message);
  const bool ends_early = image == NULL;
  if (image == NULL)
    image = odl_opj_decode (input->data, input->size, boxes, &message);
  const bool done = image != NULL && image->numcomps > 0;
  if (!done)
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("its compressed pixels are damaged (%s)"),
                 message != NULL ? message : "OpenJPEG");
  const bool taken = done && take_picture (image, picture, error);
  if (taken) {
    if (ends_early)
      odl_picture_incomplete (picture, _ ("the image data is damaged or ends too early"));
    odl_picture_set_format (picture, _ ("JPEG 2000, %s, %d bit"),
                            stream.lossless ? _ ("lossless") : _ ("lossy"),
                            stream.precision);
    odl_picture_detail (picture, "bits", "%d", stream.precision);
    odl_picture_note_profile (picture, image->icc_profile_buf, image->icc_profile_len);
  }
  g_clear_pointer (&image, opj_image_destroy);
  return taken;
}
