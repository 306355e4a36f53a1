// SPDX-License-Identifier: MIT
// Grids of control points: the first NURBS surface of a Wavefront OBJ file (Advanced
// Visualizer Manual, appendix B1: cstype, deg, surf, parm). What else such files hold is
// passed over.
#include <glib.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "decoder/formats.h"

// The text of a Wavefront OBJ file as statements and words. Words are slices of the text;
// a backslash at its end continues a line, # begins a comment.

typedef struct {
  const char *at, *end;
  int line; // of `at`, from 1
} OdlStatements;

typedef struct {
  const char *text; // not terminated
  size_t length;
} OdlWord;

// No number is longer.
#define LONGEST 64

static bool
ends_line (char c)
{
  return c == '\n' || c == '\r';
}

// Over a line's end: \n, \r or \r\n.
static void
skip_end (OdlStatements *self)
{
  const char first = *self->at++;

  if (first == '\r' && self->at < self->end && *self->at == '\n')
    self->at++;
  self->line++;
}

// A backslash before a line's end, possibly with blanks between them.
static bool
continues (const OdlStatements *self)
{
  const char *at = self->at + 1;

  while (at < self->end && (*at == ' ' || *at == '\t'))
    at++;
  return *self->at == '\\' && at < self->end && ends_line (*at);
}

// To the next word or the end of the statement.
static void
skip_blanks (OdlStatements *self)
{
  while (self->at < self->end && !ends_line (*self->at)) {
    if (continues (self)) {
      while (!ends_line (*self->at))
        self->at++;
      skip_end (self);
    } else if (*self->at == '#') {
      while (self->at < self->end && !ends_line (*self->at))
        self->at++;
    } else if (*self->at == ' ' || *self->at == '\t' || *self->at == '\0') {
      self->at++;
    } else {
      return;
    }
  }
}

// The next word of the current statement; false: it has no more.
static bool
odl_statements_word (OdlStatements *self, OdlWord *word)
{
  skip_blanks (self);
  word->text = self->at;
  while (self->at < self->end && strchr (" \t\r\n#", *self->at) == NULL
         && !continues (self))
    self->at++;
  word->length = (size_t) (self->at - word->text);
  return word->length > 0;
}

// The first word of the next statement; skips what is left of the current one. False: the
// text is at its end.
static bool
odl_statements_next (OdlStatements *self, OdlWord *word)
{
  OdlWord rest;

  if (word->text != NULL)
    while (odl_statements_word (self, &rest))
      ;
  while (!odl_statements_word (self, word)) {
    if (self->at >= self->end)
      return false;
    skip_end (self);
  }
  return true;
}

static bool
odl_word_is (const OdlWord *word, const char *text)
{
  return word->length == strlen (text) && memcmp (word->text, text, word->length) == 0;
}

// False: it is too long.
static bool
terminate (const OdlWord *word, char text[LONGEST])
{
  const size_t length = MIN (word->length, LONGEST - 1);

  memcpy (text, word->text, length);
  text[length] = '\0';
  return length == word->length;
}

static bool
refuse (const OdlStatements *self, const char *text, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("line %d: “%s” is not a number that fits there"), self->line,
                        valid);
}

// The whole word as a finite number. ODL_ERROR_CORRUPT names the line.
static bool
odl_statements_number (const OdlStatements *self,
                       const OdlWord *word,
                       double *number,
                       GError **error)
{
  char text[LONGEST], *end = NULL;
  const bool whole = terminate (word, text);

  *number = g_ascii_strtod (text, &end);
  return (whole && end != text && *end == '\0' && isfinite (*number))
         || refuse (self, text, error);
}

// The next word of the statement as such a number; a statement that ends is an error,
// too.
static bool
odl_statements_next_number (OdlStatements *self, double *number, GError **error)
{
  OdlWord word;

  if (odl_statements_word (self, &word))
    return odl_statements_number (self, &word, number, error);
  return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("line %d ends too early"),
                        self->line);
}

// A whole number, also one before a slash (“12/3/4”). ODL_ERROR_CORRUPT.
static bool
odl_statements_integer (const OdlStatements *self,
                        const OdlWord *word,
                        gint64 *number,
                        GError **error)
{
  char text[LONGEST], *end = NULL;
  const bool whole = terminate (word, text);

  *number = g_ascii_strtoll (text, &end, 10);
  return (whole && end != text && (*end == '\0' || *end == '/'))
         || refuse (self, text, error);
}

#define MOST_POINTS (ODL_SURFACE_MAX_SIDE * ODL_SURFACE_MAX_SIDE)
#define MOST_KNOTS (ODL_SURFACE_MAX_SIDE + ODL_SURFACE_MAX_DEGREE + 1)
#define MOST_COORDINATE 1e15

typedef struct {
  float at[3];
  double weight;
} Vertex;

typedef struct {
  OdlStatements text;
  size_t memory;
  GArray *vertices; // Vertex
  bool bspline, rational; // the current type
  char type[24]; // its name
  gint64 degree[2];
  GArray *corners; // guint32: vertices of the surface
  GArray *knots[2]; // double
  double range[4];
  int n_surfaces;
  bool open; // between surf and end of the first one
  bool trimmed;
} Reading;

static bool
too_large (GError **error)
{
  return odl_error_set (
      error, ODL_ERROR_TOO_LARGE,
      _ ("it has more control points or knots than are supported, %d × %d"),
      ODL_SURFACE_MAX_SIDE, ODL_SURFACE_MAX_SIDE);
}

// Whether one more fits, while the array may be copied to one of twice its size.
static bool
has_room (const Reading *reading, const GArray *array, guint most, GError **error)
{
  const size_t bytes
      = 3 * (size_t) array->len * g_array_get_element_size ((GArray *) array);

  return (array->len < most && bytes < reading->memory) || too_large (error);
}

// v x y z [w]; more than four numbers are a colour.
static bool
read_vertex (Reading *reading, GError **error)
{
  Vertex vertex = { .weight = 1 };
  double number;
  OdlWord word, rest;

  for (int c = 0; c < 3; c++) {
    if (!odl_statements_next_number (&reading->text, &number, error))
      return false;
    if (fabs (number) > MOST_COORDINATE)
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("line %d: a coordinate is %g; at most %g is supported"),
                            reading->text.line, number, MOST_COORDINATE);
    vertex.at[c] = (float) number;
  }
  if (odl_statements_word (&reading->text, &word)
      && !odl_statements_word (&reading->text, &rest)
      && !odl_statements_number (&reading->text, &word, &vertex.weight, error))
    return false;
  if (!has_room (reading, reading->vertices, MOST_POINTS, error))
    return false;
  g_array_append_val (reading->vertices, vertex);
  return true;
}

static void
read_type (Reading *reading)
{
  OdlWord word;

  reading->rational = reading->bspline = false;
  reading->type[0] = '\0';
  while (odl_statements_word (&reading->text, &word)) {
    if (odl_word_is (&word, "rat")) {
      reading->rational = true;
      continue;
    }
    reading->bspline = odl_word_is (&word, "bspline");
    const size_t length = MIN (word.length, sizeof reading->type - 1);
    memcpy (reading->type, word.text, length);
    reading->type[length] = '\0';
  }
}

static bool
read_degrees (Reading *reading, GError **error)
{
  OdlWord word;

  reading->degree[0] = reading->degree[1] = 0;
  for (int d = 0; d < 2 && odl_statements_word (&reading->text, &word); d++)
    if (!odl_statements_integer (&reading->text, &word, &reading->degree[d], error))
      return false;
  return true;
}

// Numbers of vertices count from 1, or backwards from the last one.
static bool
add_corner (Reading *reading, const OdlWord *word, GError **error)
{
  const gint64 n = reading->vertices->len;
  gint64 number;

  if (!odl_statements_integer (&reading->text, word, &number, error)
      || !has_room (reading, reading->corners, MOST_POINTS, error))
    return false;
  if (number == 0 || number > n || number < -n)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("line %d: there is no vertex %" PRId64 "; %u come before"),
                          reading->text.line, number, reading->vertices->len);
  const guint32 corner = (guint32) (number > 0 ? number - 1 : n + number);
  g_array_append_val (reading->corners, corner);
  return true;
}

// surf u0 u1 v0 v1 VERTEX …
static bool
read_surface (Reading *reading, GError **error)
{
  OdlWord word;

  if (reading->n_surfaces++ > 0)
    return true;
  reading->open = true;
  if (!reading->bspline) {
    g_autofree char *type = g_utf8_make_valid (reading->type, -1);
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its surface is of the type “%s”; only B-splines, bspline "
                             "and rat bspline, are supported"),
                          type);
  }
  for (int i = 0; i < 4; i++)
    if (!odl_statements_next_number (&reading->text, &reading->range[i], error))
      return false;
  while (odl_statements_word (&reading->text, &word))
    if (!add_corner (reading, &word, error))
      return false;
  return true;
}

// parm u|v KNOT …
static bool
read_knots (Reading *reading, GError **error)
{
  OdlWord word;
  double knot;

  if (!reading->open || !odl_statements_word (&reading->text, &word))
    return true;
  GArray *knots = reading->knots[odl_word_is (&word, "v") ? 1 : 0];
  while (odl_statements_word (&reading->text, &word)) {
    if (!odl_statements_number (&reading->text, &word, &knot, error)
        || !has_room (reading, knots, MOST_KNOTS, error))
      return false;
    g_array_append_val (knots, knot);
  }
  return true;
}

static bool
read_statement (Reading *reading, const OdlWord *word, GError **error)
{
  if (odl_word_is (word, "v"))
    return reading->n_surfaces > 0 || read_vertex (reading, error);
  if (odl_word_is (word, "surf"))
    return read_surface (reading, error);
  if (odl_word_is (word, "parm"))
    return read_knots (reading, error);
  if (odl_word_is (word, "end"))
    reading->open = false;
  else if (reading->n_surfaces == 0 && odl_word_is (word, "cstype"))
    read_type (reading);
  else if (reading->n_surfaces == 0 && odl_word_is (word, "deg"))
    return read_degrees (reading, error);
  else if (reading->open && (odl_word_is (word, "trim") || odl_word_is (word, "hole")))
    reading->trimmed = true;
  return true;
}

// The size of the grid follows from knots and degrees.
static bool
find_shape (const Reading *reading, OdlSurfaceShape *shape, GError **error)
{
  bool good = true;

  for (int d = 0; d < 2; d++) {
    shape->degree[d] = (int) CLAMP (reading->degree[d], -1, G_MAXINT / 2);
    shape->points[d] = MAX ((int) reading->knots[d]->len - shape->degree[d] - 1, 0);
    good = good && shape->degree[d] >= 1 && shape->degree[d] <= ODL_SURFACE_MAX_DEGREE;
  }
  // Why a degree is not good is said by odl_surface_new.
  if (!good || (guint64) shape->points[0] * shape->points[1] == reading->corners->len)
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its surface names %u control points, and its knots (parm) "
                           "and degrees (deg) are those of %d × %d"),
                        reading->corners->len, shape->points[0], shape->points[1]);
}

static OdlSurface *
make_surface (const Reading *reading, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  OdlSurfaceShape shape = { .rational = reading->rational };

  if (!find_shape (reading, &shape, error))
    return NULL;
  for (int d = 0; d < 2; d++)
    g_array_append_vals (numbers, reading->knots[d]->data, reading->knots[d]->len);
  g_array_append_vals (numbers, reading->range, 4);
  for (guint i = 0; reading->rational && i < reading->corners->len; i++) {
    const guint32 corner = g_array_index (reading->corners, guint32, i);
    g_array_append_val (numbers,
                        g_array_index (reading->vertices, Vertex, corner).weight);
  }
  return odl_surface_new (&shape, (const double *) (const void *) numbers->data, error);
}

static bool
make_picture (const Reading *reading, OdlPicture *picture, GError **error)
{
  g_autoptr (OdlSurface) surface = make_surface (reading, error);

  if (surface == NULL)
    return false;
  const OdlSurfaceShape *grid = &surface->shape;
  const OdlPictureShape shape
      = { (uint32_t) grid->points[0], (uint32_t) grid->points[1], 3, ODL_SAMPLE_F32 };
  float *samples = odl_picture_allocate (picture, &shape, 0, error);
  if (samples == NULL)
    return false;
  for (guint i = 0; i < reading->corners->len; i++) {
    const guint32 corner = g_array_index (reading->corners, guint32, i);
    memcpy (samples + 3 * (size_t) i,
            g_array_index (reading->vertices, Vertex, corner).at, 3 * sizeof *samples);
  }
  OdlNumberRange range;
  odl_number_range_init (&range, picture);
  odl_number_range_add (&range, samples, 3 * (size_t) reading->corners->len);
  odl_picture_finish_floats (picture, (double[]){ range.least[0], range.most[0] });
  odl_picture_set_surface (picture, surface);
  odl_picture_set_format (picture, _ ("OBJ, control points of a NURBS surface"));
  odl_picture_detail (picture, "degree", "%d×%d", grid->degree[0], grid->degree[1]);
  odl_picture_detail (picture, "rational", "%s", grid->rational ? "yes" : "no");
  if (reading->n_surfaces > 1)
    odl_picture_warn (picture, _ ("it holds %d surfaces; the first is shown"),
                      reading->n_surfaces);
  if (reading->trimmed)
    odl_picture_warn (picture, "%s", _ ("its surface is trimmed, which is not shown"));
  return true;
}

static bool
read_text (Reading *reading, GError **error)
{
  OdlWord word = { 0 };

  while (odl_statements_next (&reading->text, &word))
    if (!read_statement (reading, &word, error))
      return false;
  if (reading->n_surfaces > 0)
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("it holds no NURBS surface (cstype bspline, deg, surf, parm); "
                           "meshes and curves are not supported"));
}

bool
odl_decode_grid (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  const char *text = (const char *) input->data;
  Reading reading = { .text = { text, text + input->size, 1 },
                      .memory = input->memory,
                      .vertices = g_array_new (FALSE, FALSE, sizeof (Vertex)),
                      .corners = g_array_new (FALSE, FALSE, sizeof (guint32)) };

  for (int d = 0; d < 2; d++)
    reading.knots[d] = g_array_new (FALSE, FALSE, sizeof (double));
  const bool good
      = read_text (&reading, error) && make_picture (&reading, picture, error);
  g_array_unref (reading.vertices);
  g_array_unref (reading.corners);
  for (int d = 0; d < 2; d++)
    g_array_unref (reading.knots[d]);
  return good;
}
