// SPDX-License-Identifier: MIT
#include "work/saver.h"

#include <sys/stat.h>

#include "output/picture/png.h"
#include "output/sequence.h"
#include "output/movie/strip.h"

struct _OdlSaver {
  char *pattern; // of numbered files; NULL: a video
  char *description;
  OdlMovie *movie; // NULL: numbered files
  OdlStrip *strip; // below pictures of a video; NULL: none
  OdlSaverStrip when;
  int bits; // of a sample of numbered files; 0: as the input has
  int64_t bytes; // of numbered files
};

OdlSaver *
odl_saver_open (const OdlSaverParams *params, GError **error)
{
  g_autoptr (OdlSaver) saver = g_new0 (OdlSaver, 1);

  saver->description = g_strdup (params->description);
  if (params->movie == NULL) {
    saver->pattern = g_strdup (params->path);
    saver->bits = params->bits;
    return g_steal_pointer (&saver);
  }
  OdlMovieParams movie = *params->movie;
  movie.description = params->description;
  saver->when = params->strip;
  if (saver->when != ODL_SAVER_STRIP_NONE)
    saver->strip = odl_strip_new ();
  saver->movie = odl_movie_new (params->path, &movie, error);
  return saver->movie != NULL ? g_steal_pointer (&saver) : NULL;
}

void
odl_saver_describe (OdlSaver *saver, const char *description)
{
  odl_movie_describe (saver->movie, description);
}

const char *
odl_saver_note (const OdlSaver *saver)
{
  return saver->movie != NULL ? odl_movie_note (saver->movie) : NULL;
}

int
odl_saver_bits (const OdlSaver *saver, int channels, bool deep)
{
  if (saver->bits > 0 || !deep)
    return saver->bits > 0 ? saver->bits : 8;
  return saver->movie != NULL ? odl_movie_bits (saver->movie, channels) : 16;
}

static bool
write_png (OdlSaver *saver, const OdlSavedPicture *picture, GError **error)
{
  g_autofree char *path = odl_sequence_name (saver->pattern, picture->index + 1);
  g_autofree char *description = g_strdup_printf ("%s; at %.3f s", saver->description,
                                                  (double) picture->time_ns / 1e9);
  OdlOutput output;
  struct stat status;
  if (!odl_output_open_new (NULL, path, &output, error))
    return false;
  if (!odl_png_encode (&output, picture->shown, description, picture->mark, error)) {
    odl_output_abandon (&output);
    return false;
  }
  if (fstat (output.fd, &status) == 0)
    saver->bytes += status.st_size;
  return odl_output_commit (&output, error);
}

static bool
write_frame (OdlSaver *saver, const OdlSavedPicture *picture, GError **error)
{
  const bool strip = picture->shown && saver->strip
                     && (picture->title || saver->when == ODL_SAVER_STRIP_ALWAYS);
  g_autoptr (OdlImage) marked = NULL;
  if (strip) {
    marked = odl_strip_add (saver->strip, picture->shown, picture->title, picture->marks,
                            error);
    if (!marked)
      return false;
  }
  return odl_movie_write (saver->movie, marked ? marked : picture->shown,
                          picture->time_ns, picture->duration_ns, error);
}

bool
odl_saver_write (OdlSaver *saver, const OdlSavedPicture *picture, GError **error)
{
  return saver->movie ? write_frame (saver, picture, error)
                      : write_png (saver, picture, error);
}

int64_t
odl_saver_bytes (OdlSaver *saver)
{
  return saver->movie ? odl_movie_bytes (saver->movie) : saver->bytes;
}

bool
odl_saver_finish (OdlSaver *saver, GError **error)
{
  const bool done
      = !saver->movie || odl_movie_finish (g_steal_pointer (&saver->movie), error);
  odl_saver_abandon (saver);
  return done;
}

void
odl_saver_abandon (OdlSaver *saver)
{
  if (!saver)
    return;
  odl_movie_abandon (saver->movie);
  odl_strip_free (saver->strip);
  g_free (saver->pattern);
  g_free (saver->description);
  g_free (saver);
}
