// SPDX-License-Identifier: MIT
#include "output/surface.h"

#include "base/text.h"

// Text is written in pieces of about this size.
#define PIECE 65536
#define LINE_NUMBERS 8 // of a continued statement

// Gathers text; the first failure stays.
typedef struct {
  OdlOutput *output;
  GString *text;
  bool good;
  GError **error;
} Writer;

static void
flush (Writer *writer)
{
  writer->good = writer->good
                 && odl_output_write (writer->output, writer->text->str,
                                      writer->text->len, writer->error);
  g_string_truncate (writer->text, 0);
}

// Ends a line.
static void
end_line (Writer *writer)
{
  g_string_append_c (writer->text, '\n');
  if (writer->text->len >= PIECE)
    flush (writer);
}

// As many digits as the float or the double needs.
static void
add_float (Writer *writer, float value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (writer->text, ' ');
  g_string_append (writer->text,
                   g_ascii_formatd (number, sizeof number, "%.9g", (double) value));
}

static void
add_double (Writer *writer, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (writer->text, ' ');
  g_string_append (writer->text, g_ascii_dtostr (number, sizeof number, value));
}

static void
add_vector (Writer *writer, const char *name, const float *vector)
{
  g_string_append (writer->text, name);
  for (int c = 0; c < 3; c++)
    add_float (writer, vector[c]);
}

// Lines of a long statement end with a backslash.
static void
continue_line (Writer *writer, size_t i)
{
  if (i % LINE_NUMBERS != 0 || i == 0)
    return;
  g_string_append (writer->text, " \\");
  end_line (writer);
}

static void
begin (Writer *writer, OdlOutput *output, const char *description, GError **error)
{
  g_autofree char *line = odl_text_in_one_line (description);

  *writer = (Writer){ output, g_string_new ("# "), true, error };
  g_string_append (writer->text, line);
  end_line (writer);
}

static bool
finish (Writer *writer)
{
  flush (writer);
  g_string_free (writer->text, TRUE);
  return writer->good;
}

bool
odl_surface_name_is_known (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".obj");
}

bool
odl_surface_write (OdlOutput *output,
                   const OdlSurface *surface,
                   const float *points,
                   const char *description,
                   GError **error)
{
  const OdlSurfaceShape *shape = &surface->shape;
  const size_t n = (size_t) shape->points[0] * (size_t) shape->points[1];
  Writer writer;

  begin (&writer, output, description, error);
  for (size_t i = 0; i < n; i++) {
    add_vector (&writer, "v", points + 3 * i);
    if (surface->weights != NULL)
      add_double (&writer, surface->weights[i]);
    end_line (&writer);
  }
  g_string_append_printf (writer.text, "cstype %sbspline\ndeg %d %d\nsurf",
                          shape->rational ? "rat " : "", shape->degree[0],
                          shape->degree[1]);
  for (int d = 0; d < ODL_SURFACE_DIRECTIONS; d++)
    for (int i = 0; i < 2; i++)
      add_double (&writer, surface->range[d][i]);
  for (size_t i = 0; i < n; i++) {
    continue_line (&writer, i + LINE_NUMBERS);
    g_string_append_printf (writer.text, " %zu", i + 1);
  }
  end_line (&writer);
  for (int d = 0; d < ODL_SURFACE_DIRECTIONS; d++) {
    g_string_append (writer.text, d == ODL_SURFACE_U ? "parm u" : "parm v");
    for (int i = 0; i < shape->points[d] + shape->degree[d] + 1; i++) {
      continue_line (&writer, (size_t) i);
      add_double (&writer, surface->knots[d][i]);
    }
    end_line (&writer);
  }
  g_string_append (writer.text, "end\n");
  return finish (&writer);
}

// Corners in the order that makes the normal point to who sees them anticlockwise.
static void
add_faces (Writer *writer, const OdlMesh *mesh)
{
  const size_t columns = (size_t) mesh->columns;

  for (size_t y = 0; y + 1 < (size_t) mesh->rows; y++)
    for (size_t x = 0; x + 1 < columns; x++) {
      const size_t at = y * columns + x + 1;
      const size_t corners[] = { at, at + 1, at + columns + 1, at + columns };
      g_string_append_c (writer->text, 'f');
      for (size_t k = 0; k < G_N_ELEMENTS (corners); k++)
        g_string_append_printf (writer->text, " %zu//%zu", corners[k], corners[k]);
      end_line (writer);
    }
}

bool
odl_surface_write_mesh (OdlOutput *output,
                        const OdlSurface *surface,
                        const float *points,
                        const char *description,
                        GError **error)
{
  g_autoptr (OdlMesh) mesh = odl_mesh_new (surface, points);
  const size_t n = (size_t) mesh->columns * (size_t) mesh->rows;
  Writer writer;

  begin (&writer, output, description, error);
  for (size_t i = 0; i < n; i++) {
    add_vector (&writer, "v", mesh->positions + 3 * i);
    end_line (&writer);
  }
  for (size_t i = 0; i < n; i++) {
    add_vector (&writer, "vn", mesh->normals + 3 * i);
    end_line (&writer);
  }
  add_faces (&writer, mesh);
  return finish (&writer);
}
