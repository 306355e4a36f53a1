// SPDX-License-Identifier: MIT
#include "engine/gl/compute/stores.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/platform/device_buffer.h"

// Of volumes, whose slices work groups of eight rows load one below the other: every
// driver has 65535 groups.
#define MOST_ROWS (8.0 * 65535)

struct _OdlGlStores {
  int n_slots;
  OdlGlStore *slots;
  GLuint staging; // 0: not yet
  size_t staging_bytes;
};

static OdlGlStore
store_of (const OdlPlan *plan, int index)
{
  const OdlSlot *slot = &plan->slots[index];
  const bool in_bands = slot->kind == ODL_SLOT_HALF || slot->kind == ODL_SLOT_BANDS
                        || slot->kind == ODL_SLOT_OCTANTS;
  const int columns = in_bands ? odl_low_count (slot->width) : slot->width;
  const int rows = in_bands ? 4 * odl_low_count (slot->height) : slot->height;
  const int pitch = (columns + 3) / 4;

  return (OdlGlStore){
    .precision = slot->precision,
    .pitch = pitch,
    .plane = pitch * rows,
    .planes = index == plan->source ? MAX (plan->geometry.channels, slot->channels)
                                    : slot->channels,
    .slices = MAX (slot->depth, 1),
  };
}

size_t
odl_gl_store_bytes (const OdlGlStore *store)
{
  return (size_t) store->planes * store->slices * store->plane * 4 * store->precision / 8;
}

static bool
check_size (const OdlGlCaps *caps,
            const OdlSlot *slot,
            const OdlPlan *plan,
            GError **error)
{
  // Sides of pictures beyond the texture limit would overflow the number of quads, too.
  const int slices = MAX (slot->depth, 1);
  const double bytes = 4.0 * slot->channels * slot->width * slot->height * slices;

  if ((slot->kind == ODL_SLOT_NUMBERS
       || MAX (slot->width, slot->height) <= caps->max_side)
      && bytes * 1.05 < caps->max_storage
      && (slices == 1 || (double) slot->height * slices < MOST_ROWS))
    return true;
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("the image of %d × %d pixels exceeds what a compute shader of "
                           "this graphics driver (%s) can reach; choose the CPU engine"),
                        plan->geometry.width, plan->geometry.height, caps->renderer);
}

static bool
create_buffer (const OdlGlCaps *caps, OdlGlStore *store, GError **error)
{
  odl_gl_forget_errors ();
  const size_t bytes = odl_gl_store_bytes (store);
  store->buffer = store->slices > 1 ? odl_gl_volume_buffer_new (caps, bytes)
                                    : odl_gl_device_buffer_new (caps, bytes);
  return odl_gl_check (_ ("preparing the filter"), error);
}

OdlGlStores *
odl_gl_stores_new (const OdlGlCaps *caps,
                   const OdlPlan *plan,
                   const bool *stored,
                   size_t *created,
                   GError **error)
{
  OdlGlStores *stores = g_new0 (OdlGlStores, 1);

  stores->n_slots = plan->n_slots;
  stores->slots = g_new0 (OdlGlStore, plan->n_slots);
  for (int i = 0; i < plan->n_slots; i++) {
    if (!check_size (caps, &plan->slots[i], plan, error)) {
      odl_gl_stores_free (stores);
      return NULL;
    }
    stores->slots[i] = store_of (plan, i);
    if (!stored[i])
      continue;
    if (!create_buffer (caps, &stores->slots[i], error)) {
      odl_gl_stores_free (stores);
      return NULL;
    }
    *created += 1;
  }
  return stores;
}

void
odl_gl_stores_free (OdlGlStores *stores)
{
  if (stores == NULL)
    return;
  for (int i = 0; i < stores->n_slots; i++)
    glDeleteBuffers (1, &stores->slots[i].buffer);
  glDeleteBuffers (1, &stores->staging);
  g_free (stores->slots);
  g_free (stores);
}

const OdlGlStore *
odl_gl_stores_at (const OdlGlStores *stores, int slot)
{
  return &stores->slots[slot];
}

GLuint
odl_gl_stores_staging (OdlGlStores *stores, size_t bytes)
{
  if (stores->staging_bytes < bytes) {
    if (stores->staging == 0)
      glGenBuffers (1, &stores->staging);
    glBindBuffer (GL_COPY_WRITE_BUFFER, stores->staging);
    glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) bytes, NULL, GL_STREAM_READ);
    stores->staging_bytes = bytes;
  }
  return stores->staging;
}

char *
odl_gl_precision_defines (const OdlGlCaps *caps,
                          const OdlGlStore *source,
                          int target_precision)
{
  return g_strconcat (source != NULL && source->precision == 16 ? "#define SOURCE_HALF\n"
                                                                : "",
                      target_precision == 16 ? "#define TARGET_HALF\n" : "",
                      caps->pack_rounds ? "#define PACK_ROUNDS\n" : "", NULL);
}
