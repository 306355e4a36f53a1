// SPDX-License-Identifier: MIT
#include "work/sweep/search.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/progress.h"

#define COARSE 5 // values of a range
#define COARSE_LEAST 2
#define MOST_COARSE_POINTS 4096.0
#define MOST_STARTS 8
#define MOST_ROUNDS 50
#define GOLDEN 0.6180339887498949

typedef struct {
  const OdlTrial *trial;
  const OdlSearchParams *params;
  OdlProgress progress; // only whether it is stopped
  GHashTable *known; // metric of each point that was computed
  OdlSearchResult best;
  double metric; // of the best one
  guint number; // of the recipe whose points are searched
  guint here[ODL_AXES_MOST]; // where the descent is
  double metric_here;
  guint coarse[ODL_AXES_MOST]; // how many values of each axis the coarse grid has
  GError *refusal; // the last one
  GError *failure; // ends the search
} Search;

static guint
n_axes (const Search *search)
{
  return search->trial->axes->varied->len;
}

// Whether the axis only says which recipe it is.
static bool
is_of_recipes (const Search *search, guint axis)
{
  return search->trial->axes->has_filters && axis == 0;
}

// How many values there are to choose from.
static guint
length_of (const Search *search, guint axis)
{
  const OdlAxes *axes = search->trial->axes;

  return is_of_recipes (search, axis) || !odl_axes_recipe_has (axes, search->number, axis)
             ? 1
             : odl_axes_at (axes, axis)->count;
}

static bool
is_of_words (const Search *search, guint axis)
{
  return isnan (odl_varied_number (odl_axes_at (search->trial->axes, axis), 0));
}

// The metric at a point; NaN where there is none, and after a failure.
static double
metric_at (Search *search, const guint *indices)
{
  const OdlTrial *trial = search->trial;
  const gint64 point = odl_axes_point (trial->axes, indices);
  const double *known = g_hash_table_lookup (search->known, &point);
  OdlGridResult result = { .point = point, .scores = odl_scores_none () };
  const int64_t begin_ns = odl_clock_now_ns ();
  g_autoptr (GError) error = NULL;

  if (known != NULL || search->failure != NULL)
    return known != NULL ? *known : NAN;
  if (odl_progress_stopped (&search->progress)) {
    odl_error_set (&search->failure, ODL_ERROR_CANCELLED, _ ("cancelled"));
    return NAN;
  }
  const OdlRecipe recipe = odl_trial_recipe (trial, indices);
  if (!odl_trial_run (trial, search->params->runner, &recipe, &result.scores, NULL,
                      &error)) {
    result.scores = odl_scores_none ();
    if (!g_error_matches (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED)
        && !g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE)) {
      search->failure = g_steal_pointer (&error);
      return NAN;
    }
    g_clear_error (&search->refusal);
    search->refusal = g_steal_pointer (&error);
    result.refusal = search->refusal->message;
  }
  result.seconds = (double) (odl_clock_now_ns () - begin_ns) / 1e9;
  const double metric = result.scores.values[trial->metric];
  g_hash_table_insert (search->known, g_memdup2 (&point, sizeof point),
                       g_memdup2 (&metric, sizeof metric));
  search->best.evaluated++;
  if (odl_trial_better (trial, metric, search->metric)) {
    search->metric = metric;
    search->best.scores = result.scores;
    memcpy (search->best.indices, indices, sizeof search->best.indices);
  }
  if (search->params->found != NULL)
    search->params->found (&result, search->params->data);
  return metric;
}

// A point of the coarse grid.
typedef struct {
  guint indices[ODL_AXES_MOST];
  double metric;
} Start;

// ---- the coarse grid -----------------------------------------------------------------

static double
coarse_points (const Search *search)
{
  double points = 1;

  for (guint i = 0; i < n_axes (search); i++)
    points *= search->coarse[i];
  return points;
}

// Fewer values of ranges where there are many parameters.
static void
choose_coarse (Search *search)
{
  for (guint values = COARSE; values >= COARSE_LEAST; values--) {
    for (guint i = 0; i < n_axes (search); i++)
      search->coarse[i] = is_of_words (search, i) ? length_of (search, i)
                                                  : MIN (length_of (search, i), values);
    if (coarse_points (search) <= MOST_COARSE_POINTS)
      return;
  }
}

static guint
coarse_index (const Search *search, guint axis, guint k)
{
  const guint n = search->coarse[axis];

  return n < 2 ? 0
               : (guint) (((guint64) k * (length_of (search, axis) - 1) + (n - 1) / 2)
                          / (n - 1));
}

// Elements are Start.
static GArray *
try_coarse (Search *search)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (Start));
  const gint64 points = (gint64) coarse_points (search);

  for (gint64 point = 0; point < points && search->failure == NULL; point++) {
    Start start = { .metric = NAN };
    gint64 rest = point;
    for (guint i = n_axes (search); i-- > 0;) {
      start.indices[i]
          = is_of_recipes (search, i)
                ? search->number
                : coarse_index (search, i, (guint) (rest % search->coarse[i]));
      rest /= search->coarse[i];
    }
    start.metric = metric_at (search, start.indices);
    g_array_append_val (starts, start);
  }
  return starts;
}

static int
compare_starts (const void *a, const void *b, void *trial)
{
  const double first = ((const Start *) a)->metric, second = ((const Start *) b)->metric;

  return (int) odl_trial_better (trial, second, first)
         - (int) odl_trial_better (trial, first, second);
}

// Whether the descent from one would soon pass the other.
static bool
are_on_a_line (const Search *search, const Start *a, const Start *b)
{
  guint words = 0, ranges = 0;

  for (guint i = 0; i < n_axes (search); i++)
    if (a->indices[i] != b->indices[i])
      *(is_of_words (search, i) || length_of (search, i) <= COARSE ? &words : &ranges)
          += 1;
  return words == 0 && ranges <= 1;
}

// Leaves the best ones, apart from each other.
static void
choose_starts (const Search *search, GArray *starts)
{
  guint n = 0;

  g_array_sort_with_data (starts, compare_starts, (void *) search->trial);
  for (guint i = 0; i < starts->len && n < MOST_STARTS; i++) {
    const Start start = g_array_index (starts, Start, i);
    bool apart = !isnan (start.metric);
    for (guint k = 0; k < n && apart; k++)
      apart = !are_on_a_line (search, &g_array_index (starts, Start, k), &start);
    if (apart)
      g_array_index (starts, Start, n++) = start;
  }
  g_array_set_size (starts, n);
}

// ---- along one parameter -------------------------------------------------------------

static double
metric_along (Search *search, guint *indices, guint axis, guint value)
{
  indices[axis] = value;
  const double metric = metric_at (search, indices);
  if (odl_trial_better (search->trial, metric, search->metric_here)) {
    search->metric_here = metric;
    memcpy (search->here, indices, sizeof search->here);
  }
  return metric;
}

// Between the neighbours in the coarse grid.
static void
try_range (Search *search, guint axis)
{
  const guint last = length_of (search, axis) - 1;
  const guint gap = MAX (last / MAX (search->coarse[axis] - 1, 1) + 1, 1);
  guint indices[ODL_AXES_MOST];

  memcpy (indices, search->here, sizeof indices);
  const guint centre = indices[axis];
  guint from = centre > gap ? centre - gap : 0, to = MIN (last, centre + gap);
  while (to - from > 3 && search->failure == NULL) {
    const guint inner = (guint) ((to - from) * GOLDEN + 0.5);
    const guint low = to - inner, high = from + inner;
    if (odl_trial_better (search->trial, metric_along (search, indices, axis, low),
                          metric_along (search, indices, axis, high)))
      to = high;
    else
      from = low;
  }
  for (guint value = from; value <= to && search->failure == NULL; value++)
    metric_along (search, indices, axis, value);
  // No neighbour of the best one shall be better.
  const guint found = search->here[axis];
  if (found > 0)
    metric_along (search, indices, axis, found - 1);
  if (found < last)
    metric_along (search, indices, axis, found + 1);
}

static void
try_words (Search *search, guint axis)
{
  guint indices[ODL_AXES_MOST];

  memcpy (indices, search->here, sizeof indices);
  for (guint i = 0; i < length_of (search, axis) && search->failure == NULL; i++)
    metric_along (search, indices, axis, i);
}

static void
descend (Search *search, const Start *start)
{
  memcpy (search->here, start->indices, sizeof search->here);
  search->metric_here = start->metric;
  for (int round = 0; round < MOST_ROUNDS && search->failure == NULL; round++) {
    const double before = search->metric_here;
    for (guint i = 0; i < n_axes (search); i++)
      if (length_of (search, i) < 2)
        continue;
      else if (is_of_words (search, i))
        try_words (search, i);
      else
        try_range (search, i);
    if (!odl_trial_better (search->trial, search->metric_here, before))
      return;
  }
}

static bool
check (Search *search, GError **error)
{
  const OdlAxes *axes = search->trial->axes;
  const double points = odl_axes_points (axes);
  double coarse = 0;

  for (search->number = 0; search->number < axes->n_recipes; search->number++) {
    choose_coarse (search);
    coarse += coarse_points (search);
  }

  if (points > ODL_SEARCH_MOST_POINTS)
    return odl_usage_error (
        error, _ ("This grid has %.3g points, more than can be computed. Vary less."),
        points);
  return coarse <= 1e6
         || odl_usage_error (
             error, _ ("These are too many parameters and words to search. Vary less."));
}

// Each recipe by itself: what is good for one says nothing of another.
static void
run (Search *search)
{
  const guint n = search->trial->axes->n_recipes;

  for (search->number = 0; search->number < n && search->failure == NULL;
       search->number++) {
    choose_coarse (search);
    g_autoptr (GArray) starts = try_coarse (search);
    choose_starts (search, starts);
    for (guint i = 0; i < starts->len; i++)
      descend (search, &g_array_index (starts, Start, i));
  }
}

static void
cancelled_cb (GCancellable *cancellable, void *data)
{
  odl_progress_stop (data);
}

// Until somebody gives it up.
static void
run_watched (Search *search)
{
  GCancellable *cancellable = search->trial->params->cancellable;

  if (cancellable == NULL) {
    run (search);
    return;
  }
  const gulong id = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb),
                                           &search->progress, NULL);
  odl_runner_set_progress (search->params->runner, &search->progress);
  run (search);
  odl_runner_set_progress (search->params->runner, NULL);
  g_cancellable_disconnect (cancellable, id);
}

bool
odl_search_run (const OdlSearchParams *params, OdlSearchResult *result, GError **error)
{
  Search search = { .trial = params->trial, .params = params, .metric = NAN };

  if (!check (&search, error))
    return false;
  odl_progress_begin (&search.progress);
  search.known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  run_watched (&search);
  g_hash_table_unref (search.known);
  *result = search.best;
  if (search.failure != NULL)
    g_propagate_error (error, search.failure);
  else if (isnan (search.metric) && search.refusal != NULL)
    g_propagate_error (error, g_steal_pointer (&search.refusal));
  else if (isnan (search.metric))
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("The metric has no value for any of the results."));
  g_clear_error (&search.refusal);
  return search.failure == NULL && !isnan (search.metric);
}
