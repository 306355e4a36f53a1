// SPDX-License-Identifier: MIT
#include "engine/gl/compute/fourier/fourier.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "engine/gl/compute/steps.h"
#include "engine/gl/platform/device_buffer.h"
#include "engine/prices.h"

// Samples of a block along an axis at most, so that many lines go into shared memory.
#define MOST_SIDE 288

// Products that take as long as what a dispatch does for one point of a picture, and of a
// volume, measured on an H200: 17² on 2048² 82 µs in three dispatches, 69 directly, which
// come to 180 products; 7³ and 13³ on 256³ 362 and 367 in five, 358 and 2120 directly,
// 115 to 120; sums in time of 5⁴ and 7⁴ on 128³ 129 and 155, 147 and 414 directly, 104 to
// 132. Volumes go so from 9³ on, banks of them from 7³, sums in time from 5⁴, single
// pictures never.
#define PRODUCTS 155
#define PRODUCTS_OF_VOLUME 115

#define PAIR (2 * sizeof (float))

struct _OdlGlFouriers {
  GArray *all; // OdlGlFourier
  GLuint points, whole;
};

static int
divide_up (int a, int b)
{
  return (a + b - 1) / b;
}

static OdlGlFourierAxis
make_axis (int whole, int side, int blocks)
{
  const OdlGlFourierAxis axis
      = { .own = divide_up (whole, blocks), .blocks = blocks, .radius = side / 2 };

  return axis;
}

static int
points_of (const OdlGlFourierAxis *axis)
{
  return odl_gl_radix_points (odl_gl_radix_for (axis->own + 2 * axis->radius));
}

size_t
odl_gl_fourier_volume (const OdlGlFourier *fourier)
{
  size_t volume = 1;

  for (int a = 0; a < 3; a++)
    volume *= (size_t) points_of (&fourier->axis[a]);
  return volume;
}

// Blocks of similar size, an even number of them along the last axis.
static OdlGlFourier
find_shape (const OdlPlan *plan, const OdlGlStores *stores, int index)
{
  const OdlStep *step = &plan->steps[index];
  const OdlSlot *slot = &plan->slots[step->writes];
  const int slices = odl_gl_stores_at (stores, step->writes)->slices;
  const bool deep = step->kernel_depth > 1;
  const int whole[3] = { slot->width, slot->height, deep ? slices : 1 };
  const int sides[3] = { step->kernel_width, step->kernel_height, step->kernel_depth };
  OdlGlFourier fourier = { .bank = { index, index, 1, 1, { index } },
                           .last = deep ? 2 : 1,
                           .depth = whole[2],
                           .pairs = slot->channels };

  for (int a = 0; a < 3; a++) {
    int blocks = divide_up (whole[a], MOST_SIDE);
    if (a == fourier.last)
      blocks = 2 * divide_up (whole[a], 2 * MOST_SIDE);
    fourier.axis[a] = make_axis (whole[a], sides[a], blocks);
    fourier.pairs *= a == fourier.last ? blocks / 2 : blocks;
  }
  fourier.pairs *= deep ? 1 : slices;
  return fourier;
}

static bool
fits (const OdlGlFourier *fourier, const OdlGlCaps *caps)
{
  double bytes = (double) odl_gl_fourier_volume (fourier) * PAIR * fourier->pairs;
  bool lines = true;

  for (int a = 0; a < 3; a++)
    lines = lines && points_of (&fourier->axis[a]) * (int) PAIR <= caps->max_shared;
  return lines && bytes < caps->max_storage && fourier->pairs <= G_MAXUINT16;
}

// Of a sum, each kernel has one spectrum for all terms.
static bool
fits_sum (const OdlGlFourier *fourier, const OdlGlCaps *caps)
{
  const double spectrum = (double) odl_gl_fourier_volume (fourier) * PAIR;

  return caps->max_buffers > ODL_GL_FOURIER_TERMS
         && spectrum * fourier->bank.terms < caps->max_storage;
}

// How many times as long products take, at these prices.
static double
count_gain (const OdlGlFourier *fourier, const OdlPlan *plan, const OdlGlStores *stores)
{
  const OdlStep *step = &plan->steps[fourier->bank.first];
  const OdlSlot *slot = &plan->slots[step->writes];
  const double samples = (double) slot->width * slot->height * slot->channels
                         * odl_gl_stores_at (stores, step->writes)->slices;
  const OdlBankSum *bank = &fourier->bank;
  const bool whole = bank->count > 1 || bank->terms > 1;
  const double products = samples * step->kernel_width * step->kernel_height
                          * step->kernel_depth * bank->terms;
  // Of a bank the way there is shared; of a sum each frame brings one picture, and of
  // each term frequencies and a spectrum are read.
  const double dispatches
      = fourier->last + 1
        + (double) (whole ? fourier->last + 1 : fourier->last) / bank->count
        + (bank->terms > 1 ? bank->terms / 2.0 : 0);
  const int each = fourier->last == 2 ? PRODUCTS_OF_VOLUME : PRODUCTS;

  return products
         / ((double) odl_gl_fourier_volume (fourier) * fourier->pairs * each
            * dispatches);
}

static bool
is_wanted (const OdlGlCaps *caps,
           const OdlPlan *plan,
           const OdlGlStores *stores,
           OdlGlConvolving convolving,
           OdlEngine *engine,
           const OdlGlFourier *fourier)
{
  const OdlStep *step = &plan->steps[fourier->bank.first];

  if (convolving == ODL_GL_CONVOLVE_DIRECT || !fits (fourier, caps)
      || odl_gl_stores_at (stores, step->reads[0])->precision != 32
      || odl_gl_stores_at (stores, step->writes)->precision != 32)
    return false;
  engine->gain = count_gain (fourier, plan, stores);
  return convolving == ODL_GL_CONVOLVE_FOURIER
         || odl_prices_favour_fourier (&engine->prices, engine->gain, fourier->last == 2);
}

static int
count_coefficients (const OdlStep *step)
{
  return step->kernel_width * step->kernel_height * step->kernel_depth;
}

static void
write_turns (const OdlGlFourierAxis *axis)
{
  const int n = odl_gl_radix_turns (axis->radix);
  g_autofree float *turns = g_new (float, 2 * (gsize) n + 1);

  odl_gl_radix_write_turns (axis->radix, turns);
  glBufferSubData (GL_COPY_WRITE_BUFFER, (GLintptr) (axis->turns * PAIR),
                   (GLsizeiptr) (n * PAIR), turns);
}

// The turns of all axes, room for the kernels, and for their spectra.
static bool
make_buffers (OdlGlFourier *fourier,
              const OdlGlCaps *caps,
              const OdlStep *step,
              GError **error)
{
  int pairs = 0;

  for (int a = 0; a < 3; a++) {
    OdlGlFourierAxis *axis = &fourier->axis[a];
    axis->radix = odl_gl_radix_for (axis->own + 2 * axis->radius);
    axis->turns = pairs;
    pairs += odl_gl_radix_turns (axis->radix);
  }
  fourier->coefficients = pairs;
  fourier->each = divide_up (count_coefficients (step), 2);
  pairs += fourier->bank.count * fourier->bank.terms * fourier->each;
  odl_gl_forget_errors ();
  glGenBuffers (1, &fourier->tables);
  glBindBuffer (GL_COPY_WRITE_BUFFER, fourier->tables);
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) (pairs * PAIR), NULL, GL_DYNAMIC_DRAW);
  for (int a = 0; a < 3; a++)
    write_turns (&fourier->axis[a]);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  fourier->spectra = g_new0 (GLuint, fourier->bank.count);
  for (int k = 0; k < fourier->bank.count; k++)
    fourier->spectra[k] = odl_gl_volume_buffer_new (
        caps, odl_gl_fourier_volume (fourier) * PAIR * (size_t) fourier->bank.terms);
  if (fourier->bank.terms > 1)
    odl_gl_frequencies_make (&fourier->kept, caps, fourier->bank.terms,
                             odl_gl_fourier_volume (fourier) * PAIR
                                 * (size_t) fourier->pairs);
  return odl_gl_check (_ ("preparing the filter"), error);
}

static void
clear (void *data)
{
  OdlGlFourier *fourier = data;

  glDeleteBuffers (1, &fourier->tables);
  if (fourier->spectra != NULL)
    glDeleteBuffers (fourier->bank.count, fourier->spectra);
  odl_gl_frequencies_clear (&fourier->kept);
  g_free (fourier->spectra);
  g_free (fourier->kernels);
}

// A sum of banks, or the bank, that begins with step `index`; count 0: none.
static OdlGlFourier
find_next (const OdlGlCaps *caps,
           const OdlPlan *plan,
           const OdlGlStores *stores,
           OdlGlConvolving convolving,
           bool sums,
           OdlEngine *engine,
           int index)
{
  const OdlBank bank = odl_plan_bank_at (plan, index, plan->n_steps);
  OdlGlFourier fourier = { 0 };

  if (bank.count == 0)
    return fourier;
  fourier = find_shape (plan, stores, index);
  fourier.bank = odl_plan_bank_sum_at (plan, index);
  if (sums && fourier.bank.count > 0 && fits_sum (&fourier, caps)
      && is_wanted (caps, plan, stores, convolving, engine, &fourier))
    return fourier;
  fourier.bank = (OdlBankSum){
    bank.first, bank.first + bank.count - 1, bank.count, 1, { bank.first }
  };
  return fourier;
}

// Those of all convolutions that go so.
static bool
add_all (OdlGlFouriers *fouriers,
         const OdlGlCaps *caps,
         const OdlPlan *plan,
         const OdlGlStores *stores,
         OdlGlConvolving convolving,
         bool sums,
         OdlEngine *engine,
         GError **error)
{
  size_t *created = &engine->counters.allocations, most = 0;
  bool ok = true, banks = false;

  for (int i = 0; i < plan->n_steps && ok; i++) {
    OdlGlFourier fourier = find_next (caps, plan, stores, convolving, sums, engine, i);
    const OdlBankSum *bank = &fourier.bank;
    if (bank->count == 0)
      continue;
    i = bank->last;
    if (!is_wanted (caps, plan, stores, convolving, engine, &fourier))
      continue;
    ok = make_buffers (&fourier, caps, &plan->steps[bank->first], error);
    g_array_append_val (fouriers->all, fourier);
    *created += 1 + (size_t) bank->count + (size_t) fourier.kept.n;
    banks = banks || (bank->count > 1 && bank->terms == 1);
    most = MAX (most, odl_gl_fourier_volume (&fourier)
                          * (size_t) MAX (fourier.pairs, bank->terms));
  }
  if (!ok || most == 0)
    return ok;
  fouriers->points = odl_gl_volume_buffer_new (caps, most * PAIR);
  fouriers->whole = banks ? odl_gl_volume_buffer_new (caps, most * PAIR) : 0;
  *created += banks ? 2 : 1;
  return odl_gl_check (_ ("preparing the filter"), error);
}

OdlGlFouriers *
odl_gl_fouriers_new (const OdlGlCaps *caps,
                     const OdlPlan *plan,
                     const OdlGlStores *stores,
                     OdlGlConvolving convolving,
                     bool sums,
                     OdlEngine *engine,
                     GError **error)
{
  OdlGlFouriers *fouriers = g_new0 (OdlGlFouriers, 1);

  fouriers->all = g_array_new (FALSE, TRUE, sizeof (OdlGlFourier));
  g_array_set_clear_func (fouriers->all, clear);
  const bool ok = add_all (fouriers, caps, plan, stores, convolving, sums, engine, error);
  if (!ok && convolving == ODL_GL_CONVOLVE_FASTEST) {
    g_clear_error (error);
    g_array_set_size (fouriers->all, 0);
  } else if (!ok) {
    g_clear_pointer (&fouriers, odl_gl_fouriers_free);
  }
  return fouriers;
}

void
odl_gl_fouriers_free (OdlGlFouriers *fouriers)
{
  if (fouriers == NULL)
    return;
  g_array_unref (fouriers->all);
  glDeleteBuffers (1, &fouriers->points);
  glDeleteBuffers (1, &fouriers->whole);
  g_free (fouriers);
}

static OdlGlFourier *
find (const OdlGlFouriers *fouriers, int step)
{
  for (guint i = 0; fouriers != NULL && i < fouriers->all->len; i++) {
    OdlGlFourier *fourier = &g_array_index (fouriers->all, OdlGlFourier, i);
    if (step >= fourier->bank.first && step <= fourier->bank.last)
      return fourier;
  }
  return NULL;
}

const OdlGlFourier *
odl_gl_fouriers_at (const OdlGlFouriers *fouriers, int step)
{
  return find (fouriers, step);
}

GLuint
odl_gl_fouriers_points (const OdlGlFouriers *fouriers)
{
  return fouriers->points;
}

GLuint
odl_gl_fouriers_whole (const OdlGlFouriers *fouriers)
{
  return fouriers->whole;
}

// Inverse transforms are sums: the coefficients are divided by the number of points.
bool
odl_gl_fouriers_renew (OdlGlFouriers *fouriers, int index, const OdlPlan *plan)
{
  OdlGlFourier *fourier = find (fouriers, index);
  const OdlBankSum *bank = &fourier->bank;
  const int n = count_coefficients (&plan->steps[bank->first]);
  const int count = bank->count * bank->terms;
  const size_t each = 2 * (size_t) fourier->each;
  const size_t bytes = (size_t) count * each * sizeof (float);
  const double scale = 1 / (double) odl_gl_fourier_volume (fourier);
  float *scaled = g_new0 (float, (size_t) count *each);

  for (int k = 0; k < count; k++)
    for (int i = 0; i < n; i++)
      scaled[k * each + i]
          = (float) (plan->steps[bank->at[k / bank->count] + k % bank->count]
                         .parameters.kernel[i]
                     * scale);
  if (fourier->kernels != NULL && memcmp (fourier->kernels, scaled, bytes) == 0) {
    g_free (scaled);
    return false;
  }
  g_free (fourier->kernels);
  fourier->kernels = scaled;
  glBindBuffer (GL_COPY_WRITE_BUFFER, fourier->tables);
  glBufferSubData (GL_COPY_WRITE_BUFFER, (GLintptr) (fourier->coefficients * PAIR),
                   (GLsizeiptr) bytes, scaled);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  return true;
}

static void
rename_buffers (GArray *dispatches, const OdlGlFrequencies *kept, const GLuint before[])
{
  for (guint i = 0; i < dispatches->len; i++) {
    OdlGlDispatch *dispatch = &g_array_index (dispatches, OdlGlDispatch, i);
    for (int b = 0; b < ODL_GL_DISPATCH_BUFFERS; b++) {
      const GLuint buffer = dispatch->buffers[b];
      for (int t = 0; t < kept->n && buffer != 0; t++)
        if (buffer == before[t])
          dispatch->buffers[b] = kept->buffer[t];
    }
  }
}

void
odl_gl_fouriers_begin (OdlGlFouriers *fouriers,
                       const OdlPlan *plan,
                       OdlImage *input,
                       GArray *dispatches)
{
  for (guint i = 0; fouriers != NULL && i < fouriers->all->len; i++) {
    OdlGlFourier *fourier = &g_array_index (fouriers->all, OdlGlFourier, i);
    OdlLoaded terms[ODL_PLAN_MAX_KERNEL];
    GLuint before[ODL_PLAN_MAX_KERNEL];

    for (int t = 0; t < fourier->kept.n; t++) {
      const int at = fourier->bank.at[t];
      terms[t] = odl_plan_loaded_at (plan, plan->steps[at].reads[0], at, input);
    }
    odl_gl_frequencies_turn (&fourier->kept, terms, before);
    rename_buffers (dispatches, &fourier->kept, before);
  }
}

bool
odl_gl_fouriers_is_due (const OdlGlFouriers *fouriers, int step, int term)
{
  return find (fouriers, step)->kept.due[term];
}

void
odl_gl_fouriers_forget (OdlGlFouriers *fouriers)
{
  for (guint i = 0; fouriers != NULL && i < fouriers->all->len; i++)
    odl_gl_frequencies_forget (&g_array_index (fouriers->all, OdlGlFourier, i).kept);
}

bool
odl_gl_fouriers_have_sums (const OdlGlFouriers *fouriers)
{
  for (guint i = 0; fouriers != NULL && i < fouriers->all->len; i++)
    if (g_array_index (fouriers->all, OdlGlFourier, i).kept.n > 0)
      return true;
  return false;
}
