// SPDX-License-Identifier: MIT
// What breaks a chain, for whoever writes a filter: sizes, engines, extremes, chance, and
// what depends on where a sample lies.
#include "cli/verb.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "engine/choice.h"
#include "engine/gl/platform/headless.h"
#include "engine/received.h"
#include "filter/library.h"
#include "filter/measure.h"
#include "filter/own/own.h"
#include "image/compare.h"
#include "image/volume/volume.h"
#include "source/operand.h"
#include "wavelet/border.h"
#include "work/rehearsal.h"

#define MOST_SIDE 67
#define WIDTH 67
#define HEIGHT 53
#define DEPTH 5 // of volumes, for filters with dimensions=3
#define MOST_DEPTH 8
#define MARGIN 32
// Of full scale: what engines may differ by, and what a place may change.
#define BOUND 1e-3
#define PLACE_BOUND 1e-5

typedef enum { CHANCE, BLACK, WHITE, STEPS, POINT, HOLES, N_LOOKS } Look;

typedef struct {
  OdlRecipe recipe;
  OdlGlHeadless *headless; // NULL: none yet
  OdlImage *wanted[2]; // of the first engine, grey and in colours; NULL: none yet
  const char *first; // its name
  const OdlEngineClass *only; // engine that was asked for; NULL: all
  int failures;
} Verify;

// ---- pictures ------------------------------------------------------------------------

typedef struct {
  int width, height, depth, channels;
  Look look;
  int margin; // by which the picture is continued on all sides of a slice
} Wanted;

// The same at each place, whatever the size is.
static float
chance (int x, int y, int z, int c)
{
  guint32 n = (guint32) x * 374761393u + (guint32) y * 668265263u
              + (guint32) z * 2246822519u + (guint32) c * 97u;

  n = (n ^ (n >> 13)) * 1274126177u;
  return (float) ((n ^ (n >> 16)) & 0xffffff) / 16777215.0f;
}

static float
hole (int x, int y)
{
  static const float holes[] = { NAN, INFINITY, -INFINITY };
  const int place = (x + 3 * y) % 11;

  return place < (int) G_N_ELEMENTS (holes) ? holes[place] : 0.5f;
}

static float
sample (const Wanted *wanted, int x, int y, int z, int c)
{
  switch (wanted->look) {
  case WHITE:
    return 1;
  case STEPS:
    return (float) ((x / 3 + y / 2 + z) % 2);
  case POINT:
    return x == wanted->width / 2 && y == wanted->height / 2 && z == wanted->depth / 2;
  case CHANCE:
    return chance (x, y, z, c);
  case HOLES:
    return hole (x + z, y);
  default:
    return 0;
  }
}

static OdlImage *
make_picture (const Wanted *wanted, GError **error)
{
  const int margin = wanted->margin;
  const OdlImageInfo info = { .extent = { wanted->width + 2 * margin,
                                          wanted->height + 2 * margin, wanted->depth, 1 },
                              .channels = wanted->channels,
                              .type = ODL_SAMPLE_F32 };
  void *samples;
  OdlImage *image = odl_image_alloc_unset (&info, &samples, error);
  float *to = samples;

  for (int z = 0; image != NULL && z < info.extent.z; z++)
    for (int y = 0; y < info.extent.y; y++)
      for (int x = 0; x < info.extent.x; x++)
        for (int c = 0; c < info.channels; c++)
          *to++ = sample (wanted, odl_border_fold (x - margin, wanted->width),
                          odl_border_fold (y - margin, wanted->height), z, c);
  return image;
}

// Kernels are read; in the place of second pictures are those of the same size.
static OdlOperands *
make_operands (const Verify *verify, const Wanted *wanted, GError **error)
{
  g_autoptr (OdlOperands) operands = odl_operands_new ();

  for (int i = 0; i < verify->recipe.n_items; i++) {
    const OdlRecipeItem *item = &verify->recipe.items[i];
    const char *file = odl_recipe_operand (&verify->recipe, i);
    if (file == NULL || odl_operands_find (operands, file) != NULL)
      continue;
    const bool is_picture = odl_filter_file (item->filter) != NULL;
    Wanted other = *wanted;
    other.look = STEPS;
    other.depth = odl_recipe_item_dimensions (item) > 2 ? wanted->depth : 1;
    g_autoptr (OdlImage) image = is_picture ? make_picture (&other, error)
                                            : odl_operand_read_kernel (file, NULL, error);
    if (image == NULL || !odl_operands_add (operands, file, image, error))
      return NULL;
  }
  return g_steal_pointer (&operands);
}

// ---- one run -------------------------------------------------------------------------

static OdlPlan *
make_plan (const Verify *verify, OdlImage *image, OdlOperands *operands, GError **error)
{
  OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe = verify->recipe;

  geometry.operands = operands;
  odl_measure_recipe (&recipe, &(OdlMeasured){ .image = image, .operands = operands });
  return odl_plan_new (&recipe, &geometry, error);
}

static OdlImage *
run (const Verify *verify, OdlEngine *engine, const Wanted *wanted, GError **error)
{
  g_autoptr (OdlImage) image = make_picture (wanted, error);
  g_autoptr (OdlOperands) operands
      = image != NULL ? make_operands (verify, wanted, error) : NULL;
  g_autoptr (OdlPlan) plan
      = operands != NULL ? make_plan (verify, image, operands, error) : NULL;

  engine->moment = (OdlMoment){ 0 };
  return plan != NULL ? odl_engine_process (engine, plan, image, error) : NULL;
}

// ---- what is said --------------------------------------------------------------------

static void
say (const char *engine, const char *check, const char *text)
{
  g_print ("%-12s %-9s %s\n", engine, check, text);
}

static void
fail (Verify *verify, const char *engine, const char *check, const char *text)
{
  verify->failures++;
  say (engine, check, text);
}

// ---- checks --------------------------------------------------------------------------

// Filters that take all slices are tried with volumes.
static int
depth_of (const Verify *verify)
{
  return odl_recipe_is_volumetric (&verify->recipe) ? DEPTH : 1;
}

static bool
check_size (Verify *verify, OdlEngine *engine, const char *name, int width, int height)
{
  const int depth = depth_of (verify) > 1 ? 2 + width % (MOST_DEPTH - 1) : 1;
  const Wanted wanted = { width, height, depth, 1, CHANCE, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) result = run (verify, engine, &wanted, &error);

  if (result != NULL && odl_image_count_non_finite (result) == 0)
    return true;
  const char *reason = result == NULL
                           ? error->message
                           : _ ("there are samples that are no finite numbers");
  g_autofree char *text
      = depth > 1 ? g_strdup_printf (_ ("%d × %d × %d: %s"), width, height, depth, reason)
                  : g_strdup_printf (_ ("%d × %d: %s"), width, height, reason);
  fail (verify, name, "sizes", text);
  return false;
}

static void
check_sizes (Verify *verify, OdlEngine *engine, const char *name)
{
  for (int n = 1; n <= MOST_SIDE; n++)
    if (!check_size (verify, engine, name, n, n)
        || !check_size (verify, engine, name, n, MOST_SIDE + 1 - n))
      return;
  say (name, "sizes",
       depth_of (verify) > 1
           ? _ ("1 to 67, each with each other, and 2 to 8 slices: a result")
           : _ ("1 to 67, each with each other: a result"));
}

static bool
has_mark (const OdlImage *marks, int c, int y, int z)
{
  float row[WIDTH];

  odl_image_scaled_row (marks, c, y, z, 0, row);
  for (int x = 0; x < MIN (odl_image_info (marks)->extent.x, WIDTH); x++)
    if (row[x] > 0.5f)
      return true;
  return false;
}

// Engines store no number as 0 and what has no end as a large one, so results are finite;
// of code of one's own a twin tells.
static bool
has_none (const Verify *verify, OdlEngine *engine, const Wanted *wanted, int item)
{
  Verify twin = *verify;
  OdlRecipeItem *last = &twin.recipe.items[item];

  if (last->filter->code == NULL || !odl_recipe_item_acts (last))
    return false;
  last->filter = &odl_own_twin (last->filter->code, ODL_OWN_TWIN_NUMBERS)->filter;
  twin.recipe.n_items = item + 1;
  g_autoptr (OdlImage) marks = run (&twin, engine, wanted, NULL);
  const OdlImageInfo *info = marks != NULL ? odl_image_info (marks) : NULL;

  for (int z = 0; info != NULL && z < info->extent.z; z++)
    for (int c = 0; c < info->channels; c++)
      for (int y = 0; y < info->extent.y; y++)
        if (has_mark (marks, c, y, z))
          return true;
  return false;
}

static bool
makes_numbers (const Verify *verify, OdlEngine *engine, const Wanted *wanted)
{
  g_autoptr (OdlImage) result = run (verify, engine, wanted, NULL);

  if (result == NULL || odl_image_count_non_finite (result) > 0)
    return false;
  for (int i = 0; i < verify->recipe.n_items; i++)
    if (has_none (verify, engine, wanted, i))
      return false;
  return true;
}

static void
check_extremes (Verify *verify, OdlEngine *engine, const char *name)
{
  static const char *const names[N_LOOKS]
      = { N_ ("chance"), N_ ("black"),     N_ ("white"),
          N_ ("steps"),  N_ ("one point"), N_ ("holes") };

  for (int look = 0; look < N_LOOKS; look++) {
    const Wanted wanted = { WIDTH, HEIGHT, depth_of (verify), 3, (Look) look, 0 };
    if (makes_numbers (verify, engine, &wanted))
      continue;
    g_autofree char *text = g_strdup_printf (
        // Translators: the name of a picture: “black”, “one point”.
        _ ("samples of “%s” become no finite numbers, or there is no result"),
        _ (names[look]));
    fail (verify, name, "NaN", text);
    return;
  }
  say (name, "NaN",
       _ ("none, of black, white, steps, a point, chance, and holes: no number and no "
          "end"));
}

// Slice by slice.
static double
distance (OdlImage *a, OdlImage *b)
{
  double most = 0;

  if (a == NULL || b == NULL)
    return INFINITY;
  for (int z = 0; z < odl_image_info (a)->extent.z; z++) {
    g_autoptr (OdlImage) one = odl_volume_slice (a, z);
    g_autoptr (OdlImage) other = odl_volume_slice (b, z);
    OdlComparison found;
    if (one == NULL || other == NULL || !odl_compare (one, other, &found, NULL))
      return INFINITY;
    most = MAX (most, found.max_abs);
  }
  return most;
}

// Code that runs in processes is given to another one.
static Verify
anew (const Verify *verify)
{
  Verify twin = *verify;

  for (int i = 0; i < twin.recipe.n_items; i++) {
    const OdlOwnCode *code = twin.recipe.items[i].filter->code;
    if (code != NULL && code->language == ODL_OWN_PYTHON)
      twin.recipe.items[i].filter = &odl_own_twin (code, ODL_OWN_TWIN_AGAIN)->filter;
  }
  return twin;
}

static void
check_chance (Verify *verify, OdlEngine *engine, const char *name)
{
  const Wanted wanted = { WIDTH, HEIGHT, depth_of (verify), 3, CHANCE, 0 };
  const Verify again = anew (verify);
  OdlEngineChoice choice;

  if (!odl_engine_choice_parse (name, &choice, NULL))
    return;
  g_autoptr (OdlImage) one = run (verify, engine, &wanted, NULL);
  g_autoptr (OdlImage) two = run (verify, engine, &wanted, NULL);
  OdlEngine *fresh = odl_engine_open_choice (choice, NULL);
  g_autoptr (OdlImage) three = fresh ? run (&again, fresh, &wanted, NULL) : NULL;
  const double most = MAX (distance (one, two), distance (one, three));
  g_clear_pointer (&fresh, odl_engine_close);
  g_autofree char *text = g_strdup_printf (
      _ ("the same picture is filtered in two ways, up to %.2g apart"), most);

  if (most > 0)
    fail (verify, name, "again", text);
  else
    say (name, "again", _ ("the same result, bit by bit"));
}

static void
check_agreement (Verify *verify, OdlEngine *engine, const char *name)
{
  double most = 0;

  for (int i = 0; i < 2; i++) {
    const Wanted wanted = { WIDTH, HEIGHT, depth_of (verify), i == 0 ? 1 : 3, CHANCE, 0 };
    OdlImage *result = run (verify, engine, &wanted, NULL);
    if (verify->wanted[i] == NULL)
      verify->wanted[i] = result;
    else {
      most = MAX (most, distance (result, verify->wanted[i]));
      g_clear_pointer (&result, odl_image_unref);
    }
  }
  if (verify->first == NULL) {
    verify->first = name;
    return;
  }
  g_autofree char *text
      // Translators: the name of an engine, and a share of full scale.
      = g_strdup_printf (_ ("%s differs by up to %.2g"), verify->first, most);
  if (most <= BOUND)
    say (name, "engines", text);
  else
    fail (verify, name, "engines", text);
}

// Samples beyond a border are mirrored: a picture that is continued so is filtered alike
// in its middle. Wavelets and blocks lie on a grid, so this is no failure.
static void
check_place (Verify *verify, OdlEngine *engine, const char *name)
{
  const int depth = depth_of (verify);
  const Wanted plain = { WIDTH, HEIGHT, depth, 1, CHANCE, 0 };
  const Wanted wider = { WIDTH, HEIGHT, depth, 1, CHANCE, MARGIN };
  g_autoptr (OdlImage) a = run (verify, engine, &plain, NULL);
  g_autoptr (OdlImage) b = run (verify, engine, &wider, NULL);
  float one[WIDTH], two[WIDTH + 2 * MARGIN];
  double most = 0;

  if (a == NULL || b == NULL || odl_image_info (a)->extent.x != WIDTH
      || odl_image_info (a)->extent.y != HEIGHT
      || odl_image_info (b)->extent.x != WIDTH + 2 * MARGIN)
    return;
  for (int row = 0; row < depth * HEIGHT; row++) {
    odl_image_scaled_row (a, 0, row % HEIGHT, row / HEIGHT, 0, one);
    odl_image_scaled_row (b, 0, row % HEIGHT + MARGIN, row / HEIGHT, 0, two);
    for (int x = 0; x < WIDTH; x++)
      most = MAX (most, fabs ((double) one[x] - (double) two[x + MARGIN]));
  }
  g_autofree char *text = g_strdup_printf (
      _ ("a sample depends on where it lies, on other borders than mirrored ones, or on "
         "samples further than %d away: up to %.2g"),
      MARGIN, most);
  say (name, "borders",
       most <= PLACE_BOUND ? _ ("mirrored; a sample does not depend on where it lies")
                           : text);
}

static void
check_loops (Verify *verify, const char *name)
{
  for (int i = 0; i < verify->recipe.n_items; i++) {
    const OdlOwnCode *code = verify->recipe.items[i].filter->code;
    if (code == NULL || !odl_own_loops_are_ended (code))
      continue;
    g_autofree char *text = g_strdup_printf (
        _ ("%s: a loop was ended by its counter, after 16000 turns for one sample"),
        code->name);
    fail (verify, name, "loops", text);
  }
}

// ---- engines -------------------------------------------------------------------------

// Whether the engine has what the chain needs; else says why not.
static bool
may_run (Verify *verify, const OdlEngineClass *klass)
{
  const Wanted wanted = { WIDTH, HEIGHT, depth_of (verify), 1, CHANCE, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = make_picture (&wanted, &error);
  g_autoptr (OdlOperands) operands
      = image != NULL ? make_operands (verify, &wanted, &error) : NULL;
  g_autoptr (OdlPlan) plan
      = operands != NULL ? make_plan (verify, image, operands, &error) : NULL;

  if (plan != NULL && klass->needs_gl && verify->headless == NULL)
    verify->headless = odl_gl_headless_new (&error);
  const bool here = plan != NULL && (!klass->needs_gl || verify->headless != NULL);
  if (here && odl_engine_can_run (klass, plan, &error)
      && (!klass->needs_gl || odl_rehearse (plan, klass->name, &error)))
    return true;
  const bool lacks = g_error_matches (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED) || !here;
  if (lacks && plan != NULL)
    say (klass->name, _ ("left out"), error->message);
  else
    fail (verify, klass->name, "runs", error->message);
  return false;
}

// Whether it ran.
static bool
check_engine (Verify *verify, const OdlEngineClass *klass)
{
  g_autoptr (GError) error = NULL;

  if (!may_run (verify, klass))
    return false;
  OdlEngine *engine = odl_engine_open (klass, &error);
  if (engine == NULL) {
    fail (verify, klass->name, "runs", error->message);
    return false;
  }
  check_sizes (verify, engine, klass->name);
  check_extremes (verify, engine, klass->name);
  check_chance (verify, engine, klass->name);
  check_place (verify, engine, klass->name);
  check_agreement (verify, engine, klass->name);
  if (klass->needs_gl)
    check_loops (verify, klass->name);
  odl_engine_close (engine);
  return true;
}

static int
check_all (Verify *verify)
{
  int ran = 0;

  for (size_t i = 0; i < odl_engine_count (); i++)
    if (verify->only == NULL || odl_engine_at (i) == verify->only)
      ran += check_engine (verify, odl_engine_at (i));
  g_clear_pointer (&verify->wanted[0], odl_image_unref);
  g_clear_pointer (&verify->wanted[1], odl_image_unref);
  g_clear_pointer (&verify->headless, odl_gl_headless_free);
  if (ran == 0) {
    g_print ("%s\n", _ ("No engine runs these filters here."));
    return ODL_EXIT_FAILED;
  }
  g_print (verify->failures == 0
               ? ngettext ("Nothing broke, on %d engine.\n",
                           "Nothing broke, on %d engines.\n", (gulong) ran)
               : ngettext ("What broke stands above, on %d engine.\n",
                           "What broke stands above, on %d engines.\n", (gulong) ran),
           ran);
  return verify->failures == 0 ? ODL_EXIT_DONE : ODL_EXIT_FAILED;
}

static bool
read_recipe (OdlRecipe *recipe, const char *file, char **filters, GError **error)
{
  if (file != NULL && !odl_recipe_load_or_preset (recipe, file, error))
    return false;
  for (int i = 0; filters != NULL && filters[i] != NULL; i++)
    if (!odl_recipe_parse (recipe, filters[i], error))
      return false;
  recipe->view = ODL_VIEW_SYNTHESIS;
  if (odl_recipe_is_identity (recipe))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("Name filters that do something, with --filter or "
                             "--recipe."));
  return true;
}

static int
verify (int argc, char **argv)
{
  g_auto (GStrv) filters = NULL, rest = NULL;
  g_autofree char *file = NULL, *engine = NULL;
  gboolean trusts = FALSE;
  const GOptionEntry entries[] = {
    { "filter", 'f', 0, G_OPTION_ARG_STRING_ARRAY, &filters,
      N_ ("NAME[:key=value,…], one of “list filters”; repeat it for a chain"), "FILTER" },
    { "recipe", 0, 0, G_OPTION_ARG_FILENAME, &file,
      N_ ("Begin with the filters of a preset or of a preset file"), "FILE" },
    { "engine", 'e', 0, G_OPTION_ARG_STRING, &engine,
      N_ ("One of “list engines”; default: all that run the filters"), "ENGINE" },
    { "trust-code", 0, 0, G_OPTION_ARG_NONE, &trusts,
      N_ ("Run code of your own, which “glsl”, “python” or a recipe names; look at the "
          "file first"),
      NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rest, NULL, NULL },
    { NULL },
  };
  g_autoptr (GError) error = NULL;
  Verify check = { 0 };

  if (!odl_verb_parse (&odl_verb_verify, entries, NULL, argc, argv))
    return ODL_EXIT_USAGE;
  if (rest != NULL && rest[0] != NULL) {
    odl_report_usage (_ ("“verify” makes its own pictures: leave out “%s”."), rest[0]);
    return ODL_EXIT_USAGE;
  }
  OdlEngineChoice choice = { NULL, NULL };
  if (engine != NULL && !odl_engine_choice_parse (engine, &choice, &error)) {
    odl_report_error (NULL, error);
    return odl_report_status (error);
  }
  check.only = choice.klass;
  odl_recipe_init (&check.recipe);
  check.recipe.trusts_code = trusts;
  if (!read_recipe (&check.recipe, file, filters, &error)) {
    odl_report_error (NULL, error);
    return odl_report_status (error);
  }
  return check_all (&check);
}

const OdlVerb odl_verb_verify = {
  .name = "verify",
  .arguments = "--filter FILTER",
  .summary = N_ ("Tell who writes a filter what breaks: sizes, engines, borders, numbers "
                 "that are none."),
  .run = verify,
};
