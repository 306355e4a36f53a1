// SPDX-License-Identifier: MIT
// Where the pictures of a series lie: whether they are a volume, or several over time,
// which of them are missing, and which way the archive counts them.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "source/dicom/series_slice.h"

// When the pictures of a series were taken: what order they have at one place.

// Volumes may come so much too late or too early (fraction of the time between them).
#define SAME_INTERVAL 0.1
#define DAY_S 86400

static double
number_of (const OdlPictureHeader *header, const char *key)
{
  double number;

  return odl_number_from_text (odl_picture_header_text (header, key), &number) ? number
                                                                               : NAN;
}

// Of DICOM: HHMMSS and a fraction, which may be missing.
static double
seconds_of (const char *time)
{
  double number;

  if (!odl_number_from_text (time, &number) || strcspn (time, ".") != 6 || number < 0)
    return NAN;
  return fmod (number, 100) + 60 * fmod (floor (number / 100), 100)
         + 3600 * floor (number / 10000);
}

void
odl_series_read_time (OdlSeriesSlice *slice, const OdlPictureHeader *header)
{
  slice->number = number_of (header, "instance-number");
  slice->position = number_of (header, "temporal-position");
  slice->taken_s = number_of (header, "trigger-time") / 1000;
  if (isnan (slice->taken_s))
    slice->taken_s = seconds_of (odl_picture_header_text (header, "acquisition-time"));
}

void
odl_series_keep_common_times (GPtrArray *stack)
{
  bool positions = true, times = true;
  double least = INFINITY, most = -INFINITY;

  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    positions = positions && !isnan (slice->position);
    times = times && !isnan (slice->taken_s);
    least = fmin (least, slice->taken_s);
    most = fmax (most, slice->taken_s);
  }
  for (guint i = 0; i < stack->len; i++) {
    OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    slice->position = positions ? slice->position : NAN;
    slice->taken_s = times ? slice->taken_s : NAN;
    // Past midnight.
    if (most - least > DAY_S / 2 && slice->taken_s < DAY_S / 2)
      slice->taken_s += DAY_S;
  }
}

// Of volumes, whose first slices tell: whether what `at` them rises, and evenly. The
// step, on average; 0: it does not rise.
static double
find_step (const GPtrArray *stack, int volumes, gsize at, bool *even)
{
  const guint n = stack->len / (guint) volumes;
  g_autofree double *values = g_new (double, volumes);

  for (int i = 0; i < volumes; i++)
    values[i] = G_STRUCT_MEMBER (double, g_ptr_array_index (stack, (guint) i * n), at);
  const double step = (values[volumes - 1] - values[0]) / (volumes - 1);
  *even = true;
  for (int i = 1; i < volumes; i++) {
    const double here = values[i] - values[i - 1];
    if (!(here > 0))
      return 0;
    *even = *even && fabs (here - step) <= SAME_INTERVAL * step;
  }
  return step;
}

// Whether the volumes of a sorted stack follow each other in time, and how far apart.
static void
odl_series_find_times (OdlSeriesSpace *space, const GPtrArray *stack)
{
  bool even_positions, even_times;

  if (space->volumes < 2)
    return;
  const double step = find_step (
      stack, space->volumes, G_STRUCT_OFFSET (OdlSeriesSlice, position), &even_positions);
  const double seconds = find_step (
      stack, space->volumes, G_STRUCT_OFFSET (OdlSeriesSlice, taken_s), &even_times);
  space->in_time = step > 0 || seconds > 0;
  space->uneven_times = (step > 0 && !even_positions) || (seconds > 0 && !even_times);
  if (seconds > 0 && even_times)
    space->interval_s = seconds;
}

// Directions that differ by less are the same (cosines): a corner is a thousand times as
// far away as a pixel.
#define SAME_DIRECTION_OF_VOLUME 1e-4
// Pixels that differ by less are of one size (fraction).
#define SAME_SPACING 1e-4
// Distances may differ from whole steps by this fraction of one.
#define SAME_STEP 0.02
// So many pictures must be there for each that is missing.
#define THERE_FOR_MISSING 3

// As many pictures at every place as at the first one. They are put in the order of
// volumes: the first of each place, then the second of each. 1: they are not.
static int
sort_volumes (GPtrArray *stack)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  guint n = 0;

  while (first->has_place && n < stack->len
         && ((OdlSeriesSlice *) g_ptr_array_index (stack, n))->along == first->along)
    n++;
  if (n < 2 || stack->len % n != 0 || stack->len == n)
    return 1;
  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const OdlSeriesSlice *here = g_ptr_array_index (stack, i / n * n);
    const OdlSeriesSlice *before = i >= n ? g_ptr_array_index (stack, i - n) : NULL;
    if (slice->along != here->along || (before != NULL && before->along == slice->along))
      return 1;
  }
  g_autofree void **by_place = g_memdup2 (stack->pdata, stack->len * sizeof (void *));
  const guint places = stack->len / n;
  for (guint i = 0; i < stack->len; i++)
    stack->pdata[i % n * places + i / n] = by_place[i];
  return (int) n;
}

OdlSeriesSpace
odl_series_find_space (GPtrArray *stack)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  OdlSeriesSpace space = { .stack.flaw = ODL_STACK_TOO_FEW };

  space.volumes = sort_volumes (stack);
  odl_series_find_times (&space, stack);
  const int n = (int) stack->len / space.volumes;
  if (!first->has_place)
    return space;
  g_autofree double *places = g_new (double, 3 * (gsize) n);
  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const OdlSeriesSlice *same = g_ptr_array_index (stack, i % (guint) n);
    for (int k = 0; k < 3; k++) {
      if (i < (guint) n)
        places[3 * i + (guint) k] = slice->place[k];
      // In the plane, too.
      if (fabs (slice->place[k] - same->place[k]) > ODL_SERIES_SAME_PLACE)
        space.unlike_pixels = true;
    }
    for (int k = 0; k < 6; k++)
      if (fabs (slice->direction[k] - first->direction[k]) > SAME_DIRECTION_OF_VOLUME)
        space.unlike_pixels = true;
    for (int k = 0; k < 2; k++)
      if (fabs (slice->spacing_mm[k] - first->spacing_mm[k])
          > SAME_SPACING * first->spacing_mm[k])
        space.unlike_pixels = true;
  }
  space.stack = odl_stack_of (places, n, first->direction);
  return space;
}

// ---- The order of instance numbers ----

static int
compare_instances (const void *a, const void *b)
{
  const OdlSeriesSlice *left = *(OdlSeriesSlice *const *) a,
                       *right = *(OdlSeriesSlice *const *) b;

  return (left->number > right->number) - (left->number < right->number);
}

// The pictures of a volume that are there, by their numbers, if these differ and fall
// along the normal. NULL: they do not. Transfer container.
static GPtrArray *
find_falling (void *const *volume, guint n)
{
  g_autoptr (GPtrArray) there = g_ptr_array_new ();
  bool falls = false;

  for (guint i = 0; i < n; i++) {
    OdlSeriesSlice *slice = volume[i];
    if (*slice->path != '\0')
      g_ptr_array_add (there, slice);
  }
  g_ptr_array_sort (there, compare_instances);
  for (guint i = 0; i < there->len; i++) {
    const OdlSeriesSlice *slice = there->pdata[i];
    const OdlSeriesSlice *before = there->pdata[MAX (i, 1) - 1];
    if (isnan (slice->number) || slice->along > before->along
        || (i > 0 && slice->number == before->number))
      return NULL;
    falls = falls || slice->along < before->along;
  }
  return falls ? g_steal_pointer (&there) : NULL;
}

void
odl_series_follow_numbers (GPtrArray *stack, OdlSeriesSpace *space)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  const guint n = stack->len / (guint) space->volumes;
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  if (!first->has_place)
    return;
  for (guint at = 0; at < stack->len; at += n) {
    g_autoptr (GPtrArray) falling = find_falling (stack->pdata + at, n);
    if (falling == NULL)
      return;
    // Missing ones have no numbers, but places, of which each is there once.
    const bool whole = falling->len == n;
    for (guint i = 0; i < n; i++)
      g_ptr_array_add (order, whole ? falling->pdata[i] : stack->pdata[at + n - 1 - i]);
  }
  memcpy (stack->pdata, order->pdata, stack->len * sizeof *stack->pdata);
  for (int k = 0; k < 3; k++)
    space->stack.step_mm[k] = -space->stack.step_mm[k];
}

// ---- Missing pictures ----

static int
compare_doubles (const void *a, const void *b)
{
  const double left = *(const double *) a, right = *(const double *) b;

  return (left > right) - (left < right);
}

// How many steps each picture of a sorted stack lies behind the first one, where a step
// is the usual distance. False: there are other distances.
static bool
number_places (const GPtrArray *stack, int *numbers)
{
  g_autofree double *gaps = g_new (double, stack->len);
  g_autofree double *steps = g_new (double, stack->len);
  guint n = 0;

  for (guint i = 1; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const OdlSeriesSlice *before = g_ptr_array_index (stack, i - 1);
    steps[i] = slice->along - before->along;
    if (steps[i] > 0)
      gaps[n++] = steps[i];
  }
  if (n == 0)
    return false;
  qsort (gaps, n, sizeof *gaps, compare_doubles);
  const double usual = gaps[(n - 1) / 2];
  numbers[0] = 0;
  for (guint i = 1; i < stack->len; i++) {
    const double whole = rint (steps[i] / usual);
    if (fabs (steps[i] - whole * usual) > fmax (SAME_STEP * usual, 1)
        || (steps[i] > 0 && whole < 1) || whole > stack->len)
      return false;
    numbers[i] = numbers[i - 1] + (int) whole;
  }
  return true;
}

// Which volume each picture belongs to, by when it was taken, if the fullest place has
// one of each time; else pictures are there twice. The number of volumes; 0: cannot be
// told.
static int
number_volumes (const GPtrArray *stack, const int *numbers, int *volumes)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  const gsize at = !isnan (first->position) ? G_STRUCT_OFFSET (OdlSeriesSlice, position)
                                            : G_STRUCT_OFFSET (OdlSeriesSlice, taken_s);
  g_autofree double *times = g_new (double, stack->len);
  int most = 1, here = 1, n = 0;
  guint doubled = 0;

  for (guint i = 0; i < stack->len; i++) {
    times[i] = G_STRUCT_MEMBER (double, g_ptr_array_index (stack, i), at);
    here = i > 0 && numbers[i] == numbers[i - 1] ? here + 1 : 1;
    doubled += here > 1;
    most = MAX (most, here);
  }
  if (most > 1 && !isnan (times[0])) {
    qsort (times, stack->len, sizeof *times, compare_doubles);
    for (guint i = 0; i < stack->len; i++)
      if (n == 0 || times[i] > times[n - 1])
        times[n++] = times[i];
  }
  for (guint i = 0; i < stack->len; i++) {
    const double time = G_STRUCT_MEMBER (double, g_ptr_array_index (stack, i), at);
    volumes[i] = 0;
    while (n == most && times[volumes[i]] < time)
      volumes[i]++;
  }
  // Where nearly all places have several, they are volumes over time.
  return n == most ? n : doubled <= stack->len / 3 ? 1 : 0;
}

// The first pixel of each place, of missing ones between their neighbours. False:
// pictures at one place are shifted against each other.
static bool
find_places (const GPtrArray *stack, const int *numbers, double *places)
{
  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const int before = i > 0 ? numbers[i - 1] : numbers[i];
    double *here = places + 3 * (gsize) numbers[i];
    for (int axis = 0; axis < 3; axis++) {
      if (i > 0 && numbers[i] == before
          && fabs (here[axis] - slice->place[axis]) > ODL_SERIES_SAME_PLACE)
        return false;
      if (i == 0 || numbers[i] > before)
        here[axis] = slice->place[axis];
      const double from = places[3 * (gsize) before + (gsize) axis];
      for (int k = before + 1; k < numbers[i]; k++)
        places[3 * (gsize) k + (gsize) axis]
            = from + (here[axis] - from) * (k - before) / (numbers[i] - before);
    }
  }
  return true;
}

// Stands for a picture that is not there: without a file.
static OdlSeriesSlice *
missing_slice (const OdlSeriesSlice *like, const double place[3])
{
  OdlSeriesSlice *slice = g_memdup2 (like, sizeof *like);
  char **texts[] = { &slice->path, &slice->instance, &slice->time, &slice->type };
  double normal[3] = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    *texts[i] = g_strdup ("");
  slice->name = g_strdup (like->name);
  slice->key = g_strdup (like->key);
  slice->person = g_strdup (like->person);
  slice->group = g_strdup (like->group);
  slice->series = g_strdup (like->series);
  slice->shape = g_strdup (like->shape);
  slice->laterality = g_strdup (like->laterality);
  slice->sides = g_strdup (like->sides);
  slice->frame_of_reference = g_strdup (like->frame_of_reference);
  slice->lossy = false;
  slice->along = 0;
  odl_stack_normal (like->direction, normal);
  for (int i = 0; i < 3; i++) {
    slice->place[i] = place[i];
    slice->along += normal[i] * place[i] / ODL_SERIES_SAME_PLACE;
  }
  return slice;
}

// Finds when the volumes are taken, by any picture of each.
static void
find_times (OdlSeriesSpace *space, void *const *cells, int n)
{
  g_autoptr (GPtrArray) any = g_ptr_array_new ();

  for (int t = 0; t < space->volumes; t++)
    for (int k = 0; k < n && any->len == (guint) t; k++)
      if (cells[t * n + k] != NULL)
        g_ptr_array_add (any, cells[t * n + k]);
  odl_series_find_times (space, any);
}

GPtrArray *
odl_series_fill (const GPtrArray *stack, GPtrArray *owner, OdlSeriesSpace *space)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  g_autofree int *numbers = g_new (int, stack->len);
  g_autofree int *volumes = g_new (int, stack->len);

  if (!first->has_place || space->unlike_pixels || space->stack.flaw == ODL_STACK_REGULAR
      || !number_places (stack, numbers))
    return NULL;
  const int n = numbers[stack->len - 1] + 1;
  const int n_volumes = number_volumes (stack, numbers, volumes);
  const gint64 n_cells = (gint64) n_volumes * n;
  if (n_volumes == 0 || n_cells > 2 * (gint64) stack->len)
    return NULL;
  g_autofree double *places = g_new (double, 3 * (gsize) n);
  if (!find_places (stack, numbers, places))
    return NULL;
  const OdlStack regular = odl_stack_of (places, n, first->direction);
  if (regular.flaw != ODL_STACK_REGULAR)
    return NULL;
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  g_ptr_array_set_size (cells, (int) n_cells);
  int doubled = 0;
  for (guint i = 0; i < stack->len; i++) {
    void **cell = &cells->pdata[volumes[i] * n + numbers[i]];
    doubled += *cell != NULL;
    if (*cell == NULL)
      *cell = g_ptr_array_index (stack, i);
  }
  const int there = (int) stack->len - doubled, missing = (int) n_cells - there;
  if (missing * THERE_FOR_MISSING > there)
    return NULL;
  *space = (OdlSeriesSpace){
    .stack = regular, .volumes = n_volumes, .missing = missing, .doubled = doubled
  };
  find_times (space, cells->pdata, n);
  for (int i = 0; i < n_cells; i++)
    if (cells->pdata[i] == NULL) {
      cells->pdata[i] = missing_slice (first, places + 3 * (gsize) (i % n));
      g_ptr_array_add (owner, cells->pdata[i]);
    }
  return g_steal_pointer (&cells);
}
