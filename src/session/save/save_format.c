// SPDX-License-Identifier: MIT
#include "session/save/save_format.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "output/sequence.h"

#define PNG "png"
#define PNG_ENDING ".png"
#define MP4 "mp4"

// By container.
static const char *const endings[] = {
  [ODL_CONTAINER_MATROSKA] = ".mkv",
  [ODL_CONTAINER_MP4] = ".mp4",
};

// The first one of a format is appended and offered.
static const struct {
  const char *ending;
  const char *title; // NULL: not offered
  OdlVolumeFormat format;
  bool packed;
} volumes[] = {
  { ".nii.gz", N_ ("NIfTI volume, packed"), ODL_VOLUME_NIFTI, true },
  { ".nii", N_ ("NIfTI volume"), ODL_VOLUME_NIFTI, false },
  { ".mha", N_ ("MetaImage volume"), ODL_VOLUME_METAIMAGE, false },
  { ".nrrd", N_ ("NRRD volume, packed"), ODL_VOLUME_NRRD, false },
  { ".h5", N_ ("HDF5 volume"), ODL_VOLUME_HDF5, false },
  { ".hdf5", NULL, ODL_VOLUME_HDF5, false },
  { ".stack.tif", N_ ("TIFF stack"), ODL_VOLUME_TIFF, false },
  { ".ome.tif", N_ ("OME-TIFF stack"), ODL_VOLUME_OME, false },
  { ".tif", NULL, ODL_VOLUME_TIFF, false },
  { ".tiff", NULL, ODL_VOLUME_TIFF, false },
};

// Of numbered pictures.
static const struct {
  int bits;
  const char *text; // NULL: the usual one
  const char *title;
} depths[] = {
  { 0, NULL, N_ ("Numbered PNG pictures") },
  { 8, "8", N_ ("Numbered PNG pictures, rounded to 8 bits") },
  { 16, "16", N_ ("Numbered PNG pictures, rounded to 16 bits") },
};

static size_t
depth_row (const OdlSaveFormat *format)
{
  size_t i = 0;
  while (i < G_N_ELEMENTS (depths) - 1 && depths[i].bits != format->bits)
    i++;
  return i;
}

// The first row of a format.
static size_t
volume_row (const OdlSaveFormat *format)
{
  size_t i = 0;
  while (volumes[i].format != format->volume || volumes[i].packed != format->packed)
    i++;
  return i;
}

static const char *
known_codec (const char *name)
{
  for (size_t i = 0; name && i < odl_codec_count (); i++)
    if (g_str_equal (odl_codec_at (i)->name, name))
      return odl_codec_at (i)->name;
  return NULL;
}

OdlSaveFormat
odl_save_format_from_text (const char *text)
{
  OdlSaveFormat format = { .quality = ODL_QUALITY_HIGH };
  g_auto (GStrv) words = g_strsplit (text ? text : "", ":", 3);
  if (!words[0])
    return format;
  for (size_t i = 0; i < G_N_ELEMENTS (volumes); i++)
    if (g_str_equal (words[0], volumes[i].ending + 1)) {
      format.volume = volumes[i].format;
      format.packed = volumes[i].packed;
    }
  format.numbered = g_str_equal (words[0], PNG);
  for (size_t i = 0; format.numbered && i < G_N_ELEMENTS (depths); i++)
    if (g_strcmp0 (words[1], depths[i].text) == 0)
      format.bits = depths[i].bits;
  for (int i = 0; i < ODL_N_QUALITIES; i++)
    if (g_str_equal (words[0], odl_quality_names[i])) {
      format.quality = (OdlQuality) i;
      format.codec = known_codec (words[1]);
      if (format.codec && g_strcmp0 (words[2], MP4) == 0)
        format.container = ODL_CONTAINER_MP4;
    }
  return format;
}

char *
odl_save_format_to_text (const OdlSaveFormat *format)
{
  if (format->volume != ODL_VOLUME_NONE)
    return g_strdup (odl_save_format_ending (format) + 1);
  if (format->numbered)
    return depths[depth_row (format)].text != NULL
               ? g_strconcat (PNG ":", depths[depth_row (format)].text, NULL)
               : g_strdup (PNG);
  const bool mp4 = format->codec && format->container == ODL_CONTAINER_MP4;
  return g_strconcat (odl_quality_names[format->quality], format->codec ? ":" : "",
                      format->codec ? format->codec : "", mp4 ? ":" MP4 : "", NULL);
}

static bool
is_listed (const GArray *list, const OdlSaveFormat *format)
{
  for (guint i = 0; i < list->len; i++) {
    const OdlSaveFormat *other = &g_array_index (list, OdlSaveFormat, i);
    if (other->codec == format->codec && other->quality == format->quality
        && other->container == format->container)
      return true;
  }
  return false;
}

GArray *
odl_save_formats_list (void)
{
  static const OdlQuality order[]
      = { ODL_QUALITY_HIGH, ODL_QUALITY_SMALL, ODL_QUALITY_LOSSLESS };
  // Formats that common players support come first.
  static const OdlContainer containers[] = { ODL_CONTAINER_MP4, ODL_CONTAINER_MATROSKA };
  const size_t n = G_N_ELEMENTS (containers);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (OdlSaveFormat));
  const bool started = odl_codec_start ();
  for (size_t i = 0; started && i < odl_codec_count (); i++) {
    const OdlCodec *codec = odl_codec_at (i);
    for (size_t k = 0; k < G_N_ELEMENTS (order) * n; k++) {
      const OdlSaveFormat format = { .codec = known_codec (codec->name),
                                     .quality = order[k / n],
                                     .container = containers[k % n] };
      if (codec->settings[format.quality] && odl_codec_is_installed (codec)
          && odl_codec_goes_into (codec, format.container) && !is_listed (list, &format))
        g_array_append_val (list, format);
    }
  }
  for (size_t i = 0; i < G_N_ELEMENTS (depths); i++) {
    const OdlSaveFormat png = { .numbered = true, .bits = depths[i].bits };
    g_array_append_val (list, png);
  }
  return list;
}

void
odl_save_formats_add_volumes (GArray *list)
{
  for (size_t i = 0; i < G_N_ELEMENTS (volumes); i++) {
    const OdlSaveFormat format
        = { .volume = volumes[i].format, .packed = volumes[i].packed };
    if (volumes[i].title)
      g_array_append_val (list, format);
  }
}

static bool
ends_with (const char *path, const char *ending)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);
  return g_str_has_suffix (lower, ending);
}

// "name.png" becomes "name-%05d.png".
static char *
pattern_of (const char *path)
{
  if (odl_sequence_is_pattern (path))
    return g_strdup (path);
  const char *dot = strrchr (path, '.');
  return g_strdup_printf ("%.*s-%%05d%s", (int) (dot - path), path, dot);
}

// The container of the file name's extension; −1: none.
static int
container_of (const char *path)
{
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    if (ends_with (path, endings[i]))
      return (int) i;
  return -1;
}

// What the name says goes before what was chosen. Whether it names a volume.
static bool
fit_volume (OdlSaveFormat *format, const char *path)
{
  for (size_t i = 0; i < G_N_ELEMENTS (volumes); i++)
    if (ends_with (path, volumes[i].ending)) {
      *format
          = (OdlSaveFormat){ .volume = volumes[i].format, .packed = volumes[i].packed };
      return true;
    }
  if (container_of (path) >= 0 || ends_with (path, PNG_ENDING))
    format->volume = ODL_VOLUME_NONE;
  return false;
}

char *
odl_save_format_fit (OdlSaveFormat *format, const char *path)
{
  if (fit_volume (format, path))
    return g_strdup (path);
  if (format->volume != ODL_VOLUME_NONE)
    return g_strconcat (path, odl_save_format_ending (format), NULL);
  const int container = container_of (path);
  format->numbered |= ends_with (path, PNG_ENDING);
  if (!format->numbered && container < 0)
    return g_strconcat (path, endings[format->container], NULL);
  if (!format->numbered) {
    format->container = (OdlContainer) container;
    return g_strdup (path);
  }
  const size_t cut = container >= 0 ? strlen (endings[container]) : 0;
  g_autofree char *base = g_strndup (path, strlen (path) - cut);
  g_autofree char *named = ends_with (base, PNG_ENDING)
                               ? g_strdup (base)
                               : g_strconcat (base, PNG_ENDING, NULL);
  return pattern_of (named);
}

const char *
odl_save_format_ending (const OdlSaveFormat *format)
{
  if (format->volume != ODL_VOLUME_NONE)
    return volumes[volume_row (format)].ending;
  return format->numbered ? PNG_ENDING : endings[format->container];
}

char *
odl_save_format_title (const OdlSaveFormat *format)
{
  // Translators: %s is a container and a codec, such as MP4 (H.264).
  static const char *const titles[ODL_N_QUALITIES] = {
    [ODL_QUALITY_HIGH] = N_ ("%s video, best quality"),
    [ODL_QUALITY_SMALL] = N_ ("%s video, small file"),
    [ODL_QUALITY_LOSSLESS] = N_ ("%s video, lossless"),
  };
  static const char *const containers[] = {
    [ODL_CONTAINER_MATROSKA] = "Matroska",
    [ODL_CONTAINER_MP4] = "MP4",
  };
  if (format->volume != ODL_VOLUME_NONE)
    return g_strdup_printf ("%s (%s)", _ (volumes[volume_row (format)].title),
                            volumes[volume_row (format)].ending);
  if (format->numbered)
    return g_strdup (_ (depths[depth_row (format)].title));
  const char *title = "";
  for (size_t i = 0; i < odl_codec_count (); i++)
    if (g_strcmp0 (odl_codec_at (i)->name, format->codec) == 0)
      title = odl_codec_at (i)->title;
  g_autofree char *what
      = g_strdup_printf ("%s (%s)", containers[format->container], title);
  GString *text = g_string_new (_ (titles[format->quality]));
  g_string_replace (text, "%s", what, 1);
  return g_string_free (text, FALSE);
}

char *
odl_save_format_name (const char *path, int64_t first)
{
  if (!odl_sequence_is_pattern (path))
    return g_filename_display_basename (path);
  g_autofree char *name = odl_sequence_name (path, first + 1);
  return g_filename_display_basename (name);
}

OdlSaver *
odl_save_format_open (const OdlSaveFormat *format,
                      const char *path,
                      const char *description,
                      const OdlMovieParams *movie,
                      OdlSaverStrip strip,
                      GError **error)
{
  OdlMovieParams video = *movie;
  const OdlSaverParams params = { .path = path,
                                  .movie = format->numbered ? NULL : &video,
                                  .bits = format->bits,
                                  .description = description,
                                  .strip = strip };

  if (!format->numbered) {
    video.codec
        = odl_codec_find (format->codec, format->quality, format->container, error);
    video.quality = format->quality;
    video.container = format->container;
    video.survives = true;
    if (video.codec == NULL)
      return NULL;
  }
  return odl_saver_open (&params, error);
}
