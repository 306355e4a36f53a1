// SPDX-License-Identifier: MIT
#include "engine/gl/platform/planes.h"

#include <string.h>

#define PLANE_ALIGNMENT 16

static int
halvings (int n, int shift)
{
  return (n + (1 << shift) - 1) >> shift;
}

static OdlSampleType
type_of (const OdlImageInfo *info, int component)
{
  return info->ycbcr.used && component > 0 && info->type == ODL_SAMPLE_F32
             ? info->ycbcr.chroma_type
             : info->type;
}

// The plane that component `c` would have by itself.
static OdlGlPlane
own_plane (const OdlImageInfo *info, int c)
{
  const bool difference = info->ycbcr.used && c > 0;
  const int across = halvings (info->extent.x, difference ? info->ycbcr.shift_x : 0);
  const size_t size = odl_sample_size (type_of (info, c));

  return (OdlGlPlane){
    .data = info->planes[c].data,
    .type = type_of (info, c),
    .stride_bytes = info->planes[c].row_stride_bytes,
    .samples = (across - 1) * (int) (info->planes[c].sample_stride_bytes / size) + 1,
    .rows = halvings (info->extent.y, difference ? info->ycbcr.shift_y : 0),
  };
}

// Whether rows of both are the same ones.
static bool
share_rows (const OdlGlPlane *a, const OdlGlPlane *b)
{
  const intptr_t apart = (intptr_t) b->data - (intptr_t) a->data;

  return a->type == b->type && a->rows == b->rows && a->stride_bytes == b->stride_bytes
         && (size_t) ABS (apart) < a->stride_bytes
         && apart % (intptr_t) odl_sample_size (a->type) == 0;
}

static void
join (OdlGlPlane *plane, const OdlGlPlane *other)
{
  const size_t size = odl_sample_size (plane->type);
  const uint8_t *first = MIN (plane->data, other->data);
  const int end = (int) ((size_t) (plane->data - first) / size) + plane->samples;
  const int other_end = (int) ((size_t) (other->data - first) / size) + other->samples;

  plane->data = first;
  plane->samples = MAX (end, other_end);
}

// Where each plane goes in a buffer of their own.
static void
lay_out (OdlGlPlanes *planes)
{
  size_t at = 0;

  for (int i = 0; i < planes->n; i++) {
    OdlGlPlane *plane = &planes->planes[i];
    const size_t size = odl_sample_size (plane->type);
    const size_t tight = (plane->samples * size + 3) / 4 * 4;
    // Copying a little padding between rows is faster than skipping it.
    const bool keeps
        = plane->stride_bytes % size == 0 && plane->stride_bytes <= tight + tight / 8;
    plane->row_bytes = keeps ? plane->stride_bytes : tight;
    plane->offset_bytes = at;
    at += plane->row_bytes * plane->rows;
    at = (at + PLANE_ALIGNMENT - 1) / PLANE_ALIGNMENT * PLANE_ALIGNMENT;
  }
  planes->size = at;
}

bool
odl_gl_planes_init (OdlGlPlanes *planes, const OdlImageInfo *info)
{
  *planes = (OdlGlPlanes){ 0 };
  if (info->channels != 3)
    return false;
  for (int c = 0; c < 3; c++) {
    const OdlGlPlane own = own_plane (info, c);
    const size_t size = odl_sample_size (own.type);
    int k = 0;
    if (info->planes[c].sample_stride_bytes % size != 0)
      return false;
    while (k < planes->n && !share_rows (&planes->planes[k], &own))
      k++;
    if (k < planes->n)
      join (&planes->planes[k], &own);
    else
      planes->planes[planes->n++] = own;
    planes->components[c].plane = k;
    planes->components[c].step = (int) (info->planes[c].sample_stride_bytes / size);
  }
  for (int c = 0; c < 3; c++) {
    const OdlGlPlane *plane = &planes->planes[planes->components[c].plane];
    const uint8_t *data = info->planes[c].data;
    planes->components[c].offset
        = (int) ((size_t) (data - plane->data) / odl_sample_size (plane->type));
  }
  lay_out (planes);
  return true;
}

bool
odl_gl_planes_same_shape (const OdlGlPlanes *a, const OdlGlPlanes *b)
{
  if (a->n != b->n || a->size != b->size
      || memcmp (a->components, b->components, sizeof a->components) != 0)
    return false;
  for (int i = 0; i < a->n; i++)
    if (a->planes[i].type != b->planes[i].type
        || a->planes[i].samples != b->planes[i].samples
        || a->planes[i].rows != b->planes[i].rows)
      return false;
  return true;
}

void
odl_gl_planes_pack (const OdlGlPlanes *planes, uint8_t *buffer)
{
  for (int i = 0; i < planes->n; i++) {
    const OdlGlPlane *plane = &planes->planes[i];
    const size_t row = plane->samples * odl_sample_size (plane->type);
    uint8_t *to = buffer + plane->offset_bytes;
    if (plane->row_bytes == plane->stride_bytes)
      memcpy (to, plane->data, plane->row_bytes * (plane->rows - 1) + row);
    else
      for (int y = 0; y < plane->rows; y++)
        memcpy (to + y * plane->row_bytes, plane->data + y * plane->stride_bytes, row);
  }
}

bool
odl_gl_planes_lie_at (OdlGlPlanes *planes, const OdlImageInfo *info, size_t offset_bytes)
{
  OdlGlPlanes moved = *planes;

  for (int i = 0; i < moved.n; i++) {
    OdlGlPlane *plane = &moved.planes[i];
    const size_t size = odl_sample_size (plane->type);
    const intptr_t at = (intptr_t) offset_bytes
                        + ((intptr_t) plane->data - (intptr_t) info->planes[0].data);
    if (at < 0 || (size_t) at % size != 0 || plane->stride_bytes % size != 0)
      return false;
    plane->offset_bytes = (size_t) at;
    plane->row_bytes = plane->stride_bytes;
  }
  *planes = moved;
  return true;
}

char *
odl_gl_planes_defines (const OdlImageInfo *info)
{
  const OdlYcbcr *ycbcr = &info->ycbcr;

  if (!ycbcr->used)
    return g_strdup ("");
  return g_strdup_printf ("#define YCBCR\n#define SHIFT_X %d\n#define SHIFT_Y %d\n%s",
                          ycbcr->shift_x, ycbcr->shift_y,
                          ycbcr->centred_x ? "#define CENTRED_X\n" : "");
}

void
odl_gl_planes_set (const OdlGlPlanes *planes,
                   const OdlImageInfo *info,
                   bool bytes,
                   OdlGlUniforms *uniforms)
{
  const OdlYcbcr *ycbcr = &info->ycbcr;

  for (int c = 0; c < 3; c++) {
    const OdlGlPlane *plane = &planes->planes[planes->components[c].plane];
    const int unit = bytes ? (int) odl_sample_size (plane->type) : 1;
    uniforms->places[c][0] = planes->components[c].step * unit;
    uniforms->places[c][1]
        = planes->components[c].offset * unit + (bytes ? (int) plane->offset_bytes : 0);
    uniforms->plane_rows[MIN (c, 1)] = (int) plane->row_bytes;
  }
  if (!ycbcr->used)
    return;
  uniforms->ranges[0] = (float) ycbcr->luma_offset;
  uniforms->ranges[1] = (float) (1 / ycbcr->luma_range);
  uniforms->ranges[2] = (float) ycbcr->chroma_offset;
  uniforms->ranges[3] = (float) (1 / ycbcr->chroma_range);
  odl_ycbcr_mixing (ycbcr, uniforms->mixing);
  uniforms->chroma_size[0] = halvings (info->extent.x, ycbcr->shift_x);
  uniforms->chroma_size[1] = halvings (info->extent.y, ycbcr->shift_y);
}
