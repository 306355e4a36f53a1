// SPDX-License-Identifier: MIT
// Plans by property, and their text against tests/golden/plans.
#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "plan/flow.h"
#include "plan/group.h"
#include "plan/plan.h"
#include "../../helpers/images.h"

static OdlPlan *
make (const char *text, int width, int height, int channels, int bits, GError **error)
{
  const OdlGeometry geometry = { width, height, channels, bits };
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  if (!odl_recipe_parse (&recipe, text, error))
    return NULL;
  return odl_plan_new (&recipe, &geometry, error);
}

static const struct {
  const char *name;
  const char *recipe;
  int width, height, channels, bits;
} golden[] = {
  { "empty", "", 512, 512, 1, 8 },
  { "gaussian", "gaussian:sigma=1.5", 64, 48, 3, 8 },
  { "chain", "gaussian sharpen soft-threshold gaussian", 33, 65, 1, 16 },
  { "soft-threshold", "soft-threshold precision=16", 512, 512, 1, 8 },
  { "shrinkage-luma", "shrinkage colour=luma", 511, 333, 4, 8 },
  { "analysis", "shrinkage view=analysis", 100, 75, 1, 8 },
  { "integer", "soft-threshold:wavelet=int53,levels=1 border=periodic precision=16", 64,
    48, 1, 8 },
  { "stationary", "shrinkage:levels=2,transform=stationary", 37, 50, 1, 8 },
  { "stationary-analysis",
    "hard-threshold:wavelet=haar,levels=1,transform=stationary view=filtered-analysis "
    "border=zero",
    37, 50, 1, 8 },
  { "dual-tree", "shrinkage:levels=2,transform=dual-tree", 37, 50, 1, 8 },
  { "dual-tree-analysis",
    "soft-threshold:wavelet=haar,levels=1,transform=dual-tree view=analysis border=zero",
    37, 50, 1, 8 },
  { "inside",
    "transform:levels=2 median:at=approximation soft-threshold:threshold=0.1 sobel "
    "inverse sharpen",
    37, 51, 1, 8 },
  { "residual", "gaussian:sigma=1 view=residual colour=luma", 100, 75, 3, 8 },
  { "filtered-analysis", "gaussian hard-threshold sharpen view=filtered-analysis", 100,
    75, 3, 8 },
};

static void
test_golden (gconstpointer data)
{
  const int i = GPOINTER_TO_INT (data);
  g_autofree char *file = g_strconcat (golden[i].name, ".txt", NULL);
  g_autofree char *path
      = g_test_build_filename (G_TEST_DIST, "golden", "plans", file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlPlan) plan = make (golden[i].recipe, golden[i].width, golden[i].height,
                                   golden[i].channels, golden[i].bits, &error);
  g_assert_no_error (error);

  g_autofree char *got = odl_plan_to_text (plan);
  g_autofree char *want = NULL;
  if (g_getenv ("ODL_TEST_UPDATE") != NULL)
    g_assert_true (g_file_set_contents (path, got, -1, NULL));
  if (!g_file_get_contents (path, &want, NULL, &error))
    g_error ("%s", error->message);
  g_assert_cmpstr (got, ==, want);
}

// Every slot is written before it is read, with the shape that the step needs.
static void
check_flow (const OdlPlan *plan)
{
  g_autofree bool *written = g_new0 (bool, plan->n_slots);

  for (int s = 0; s < plan->n_steps; s++) {
    const OdlStep *step = &plan->steps[s];
    for (int r = 0; r < ODL_STEP_MOST_READS; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT) {
        g_assert_true (written[step->reads[r]]);
        g_assert_cmpint (step->reads[r], !=, step->writes);
      }
    g_assert_true (s == 0 || step->writes != plan->source);
    written[step->writes] = true;
  }
  g_assert_true (written[plan->result]);
  g_assert_cmpint (plan->slots[plan->result].width, ==, plan->geometry.width);
  g_assert_cmpint (plan->slots[plan->result].height, ==, plan->geometry.height);
}

static void
test_flow (void)
{
  static const char *const recipes[]
      = { "",
          "pass-through",
          "gaussian",
          "sharpen gaussian sharpen gaussian sharpen",
          "soft-threshold:levels=16",
          "shrinkage hard-threshold soft-threshold",
          "gaussian shrinkage sharpen",
          "shrinkage view=analysis",
          "hard-threshold gaussian shrinkage sharpen view=filtered-analysis",
          "transform soft-threshold median bayes-shrink box:at=coarsest gaussian",
          "transform:levels=16 sobel:at=approximation inverse view=filtered-analysis",
          "transform:transform=stationary gaussian hard-threshold box:at=coarsest" };
  static const char *const colours[] = { "colour=channels", "colour=luma" };

  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++)
    for (int size = 1; size <= 67; size += size < 5 ? 1 : 13)
      for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1)
        for (int c = 0; c < 2; c++) {
          g_autofree char *text = g_strjoin (" ", recipes[r], colours[c], NULL);
          g_autoptr (GError) error = NULL;
          g_autoptr (OdlPlan) plan = make (text, size, 68 - size, channels, 8, &error);
          g_assert_no_error (error);
          check_flow (plan);
          g_autoptr (OdlPlan) tiny = make (text, 1, 1, channels, 8, &error);
          g_assert_no_error (error);
          check_flow (tiny);
        }
}

static void
test_structure (void)
{
  static const struct {
    const char *a, *b;
    bool same;
  } cases[] = {
    { "soft-threshold:threshold=0.1", "soft-threshold:threshold=0.2", true },
    { "soft-threshold:threshold=0.1", "hard-threshold:threshold=0.1", true },
    { "gaussian:sigma=1", "gaussian:sigma=5", true },
    { "sharpen:neighbours=4", "sharpen:neighbours=8,amount=2", true },
    { "soft-threshold:levels=3", "soft-threshold:levels=4", false },
    { "soft-threshold:wavelet=cdf97", "soft-threshold:wavelet=cdf53", false },
    { "soft-threshold", "soft-threshold border=periodic", false },
    { "soft-threshold", "soft-threshold border=symmetric", true },
    { "soft-threshold", "soft-threshold view=analysis", false },
    { "soft-threshold precision=16", "soft-threshold precision=32", false },
    { "gaussian", "gaussian gaussian", false },
    { "", "pass-through", true },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlPlan) a = make (cases[i].a, 64, 64, 1, 8, NULL);
    g_autoptr (OdlPlan) b = make (cases[i].b, 64, 64, 1, 8, NULL);
    if (odl_plan_same_structure (a, b) != cases[i].same)
      g_error ("“%s” and “%s”", cases[i].a, cases[i].b);
  }
}

static void
test_notes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlPlan) small = make ("soft-threshold:levels=9", 8, 5, 1, 8, &error);
  g_assert_nonnull (strstr (small->note, "3 of 9 levels"));
  g_autoptr (OdlPlan) deep = make ("soft-threshold precision=16", 64, 64, 1, 16, &error);
  g_assert_cmpint (deep->precision, ==, 32);
  g_assert_nonnull (strstr (deep->note, "32-bit precision"));
  g_autoptr (OdlPlan) plain = make ("soft-threshold precision=16", 64, 64, 1, 8, &error);
  g_assert_cmpint (plain->precision, ==, 16);
  g_assert_null (plain->note);
  g_autoptr (OdlPlan) level
      = make ("soft-threshold:levels=2 precision=16 view=level:3", 64, 64, 1, 8, &error);
  g_assert_cmpint (level->precision, ==, 32);
  g_assert_nonnull (strstr (level->note, "level 2 in the place of level 3"));
  const char *const missing[] = { "gaussian view=analysis", "gaussian view=level:1",
                                  "soft-threshold:bypass=yes view=level:1" };
  for (size_t i = 0; i < G_N_ELEMENTS (missing); i++) {
    g_assert_null (make (missing[i], 64, 64, 1, 8, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
    g_clear_error (&error);
  }
  g_assert_null (make ("gaussian:bypass=yes view=residual", 64, 64, 1, 8, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
}

static void
test_borders (void)
{
  static const struct {
    const char *recipe;
    OdlBorder border;
    bool note;
  } cases[] = {
    { "soft-threshold:wavelet=cdf97", ODL_BORDER_WHOLE_SAMPLE, false },
    { "soft-threshold:wavelet=cdf97 border=periodic", ODL_BORDER_PERIODIC, false },
    { "soft-threshold:wavelet=cdf97 border=zero", ODL_BORDER_WHOLE_SAMPLE, true },
    { "soft-threshold:wavelet=haar", ODL_BORDER_PERIODIC, false },
    { "soft-threshold:wavelet=haar border=zero", ODL_BORDER_ZERO, false },
    { "soft-threshold:wavelet=haar border=symmetric", ODL_BORDER_PERIODIC, true },
    { "soft-threshold:wavelet=int53 border=periodic", ODL_BORDER_WHOLE_SAMPLE, true },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlPlan) plan = make (cases[i].recipe, 64, 64, 1, 8, NULL);
    g_assert_cmpint (plan->steps[1].border, ==, cases[i].border);
    g_assert_true ((plan->note != NULL) == cases[i].note);
  }
}

// What is bypassed leaves no trace: engines keep their buffers and what they remember.
static void
test_bypass (void)
{
  g_autoptr (OdlPlan) plan
      = make ("sharpen:bypass=yes gaussian soft-threshold:bypass=yes recursive-average",
              64, 64, 3, 8, NULL);
  g_autoptr (OdlPlan) without = make ("gaussian recursive-average", 64, 64, 3, 8, NULL);
  g_autoptr (OdlPlan) nothing = make ("sharpen:bypass=yes", 64, 64, 1, 8, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (odl_plan_same_structure (plan, without));
  g_assert_cmpint (plan->steps[1].item, ==, 1);
  g_assert_cmpint (nothing->result, ==, nothing->source);
  g_assert_null (make ("soft-threshold:bypass=yes view=analysis", 64, 64, 1, 8, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
}

// Every field that a row names makes another step: of the structure, or of the
// parameters.
static void
test_fields_are_compared (void)
{
  for (OdlStepKind kind = 0; kind < ODL_N_STEP_KINDS; kind++)
    for (const OdlStepField *f = odl_step_row (kind)->fields; f->name != NULL; f++) {
      const OdlStep step = { .kind = kind };
      OdlStep other = step;
      if (f->type == ODL_FIELD_INT)
        *(int *) (void *) ((char *) &other + f->offset) = 5;
      else
        *(double *) (void *) ((char *) &other + f->offset) = 5;
      const bool structural = odl_step_field_is_structural (f);
      g_assert_cmpfloat (odl_step_field_value (&other, f), ==, 5);
      g_assert_true (odl_step_same_structure (&step, &other) == !structural);
      g_assert_true (odl_step_same_parameters (&step, &other) == structural);
    }
}

// A hard threshold decides alike in every engine about what equals it; a soft one has
// nothing to decide.
static void
test_hard_thresholds (void)
{
  g_autoptr (OdlPlan) hard = make ("hard-threshold:threshold=0.1", 64, 64, 1, 8, NULL);
  g_autoptr (OdlPlan) soft = make ("soft-threshold:threshold=0.1", 64, 64, 1, 8, NULL);
  g_autoptr (OdlPlan) none = make ("hard-threshold:threshold=0", 64, 64, 1, 8, NULL);
  const int step = 7; // load, three levels of two axes

  g_assert_cmpint (hard->steps[step].kind, ==, ODL_STEP_THRESHOLD);
  g_assert_cmpfloat (hard->steps[step].parameters.thresholds[0], >, 0.1 + 1e-6);
  g_assert_cmpfloat (hard->steps[step].parameters.thresholds[2], <, 0.1 + 1e-5);
  g_assert_cmpfloat (soft->steps[step].parameters.thresholds[1], ==, 0.1);
  g_assert_cmpfloat (none->steps[step].parameters.thresholds[0], ==, 0);
}

// Soft and hard ones share programs; other rules have their own, and are steps by
// themselves. The hyperbolic one wants single precision.
static void
test_rules (void)
{
  g_autoptr (OdlPlan) soft
      = make ("shrinkage:rule=soft precision=16", 64, 64, 1, 8, NULL);
  g_autoptr (OdlPlan) hard
      = make ("shrinkage:rule=hard precision=16", 64, 64, 1, 8, NULL);
  g_autoptr (OdlPlan) firm
      = make ("shrinkage:rule=firm precision=16", 64, 64, 1, 8, NULL);
  g_autoptr (OdlPlan) steep
      = make ("shrinkage:rule=hyperbolic precision=16", 64, 64, 1, 8, NULL);
  const int step = 7; // load, three levels of two axes

  g_assert_true (odl_plan_same_structure (soft, hard));
  g_assert_false (odl_plan_same_structure (soft, firm));
  g_assert_cmpint (odl_step_shrinking (&soft->steps[step]), ==, ODL_SHRINK_SOFT);
  g_assert_cmpint (odl_step_shrinking (&hard->steps[step]), ==, ODL_SHRINK_HARD);
  g_assert_cmpint (odl_step_shrinking (&firm->steps[step]), ==, ODL_SHRINK_FIRM);
  g_assert_true (odl_plan_is_fused_threshold (hard, step));
  g_assert_false (odl_plan_is_fused_threshold (firm, step));
  g_assert_cmpint (firm->precision, ==, 16);
  g_assert_cmpint (steep->precision, ==, 32);
  g_assert_nonnull (strstr (steep->note, "hyperbolic"));
}

// A step for each turn, whose pictures take turns in a few slots.
static void
test_iterations (void)
{
  static const char *const recipes[] = { "diffusion:steps=400", "srad:steps=400" };

  for (size_t i = 0; i < G_N_ELEMENTS (recipes); i++) {
    g_autoptr (OdlPlan) plan = make (recipes[i], 64, 64, 1, 8, NULL);
    g_assert_cmpint (plan->n_steps, ==, 401);
    g_assert_cmpint (plan->n_slots, <=, 3);
    for (int s = 1; s < plan->n_steps; s++) {
      g_assert_cmpint (plan->steps[s].reads[0], ==, plan->steps[s - 1].writes);
      g_assert_cmpint (plan->steps[s].reads[0], !=, plan->steps[s].writes);
    }
  }
  g_autoptr (OdlPlan) none = make ("diffusion:steps=0", 64, 64, 1, 8, NULL);
  g_assert_cmpint (none->n_steps, ==, 1);
}

// Whole numbers are those of the samples; half floats would not hold them all.
static void
test_quantum (void)
{
  static const struct {
    int bits;
    double quantum;
  } cases[] = { { 8, 1 / 255.0 }, { 16, 1 / 65535.0 }, { 32, 1 / 65535.0 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlPlan) plan = make ("soft-threshold:wavelet=int53 precision=16", 64, 64,
                                     1, cases[i].bits, NULL);
    g_assert_cmpfloat (plan->steps[1].quantum, ==, cases[i].quantum);
    g_assert_cmpint (plan->precision, ==, 32);
    g_assert_nonnull (strstr (plan->note, "32-bit precision"));
  }
  g_autoptr (OdlPlan) plain = make ("soft-threshold:wavelet=cdf53", 64, 64, 1, 8, NULL);
  g_assert_cmpfloat (plain->steps[1].quantum, ==, 0);

  // What a scanner stores in 16 bits has 12 of them.
  const OdlGeometry scan = { 64, 64, 1, 16, .steps = 4095 };
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "soft-threshold:wavelet=int53", NULL));
  g_autoptr (OdlPlan) twelve = odl_plan_new (&recipe, &scan, NULL);
  g_assert_cmpfloat (twelve->steps[1].quantum, ==, 1 / 4095.0);
}

// σ = 1 gives the kernel of Nielsen 2007: 0.383, 0.242, 0.061, 0.006.
static void
test_gaussian_kernel (void)
{
  static const double thesis[] = { 0.383, 0.242, 0.061, 0.006 };
  g_autoptr (OdlPlan) plan = make ("gaussian:sigma=1", 64, 64, 1, 8, NULL);

  g_assert_cmpint (plan->steps[1].parameters.radius, ==, 3);
  for (int k = 0; k <= 3; k++)
    g_assert_cmpfloat_with_epsilon (plan->steps[1].parameters.taps[k], thesis[k], 6e-4);
  g_autoptr (OdlPlan) none = make ("gaussian:sigma=0", 64, 64, 1, 8, NULL);
  g_assert_cmpint (none->steps[1].parameters.radius, ==, 0);
  g_assert_cmpfloat (none->steps[1].parameters.taps[0], ==, 1);
}

// A picture with a second one, which may be missing or of another size.
static OdlPlan *
make_mix (int channels, OdlImage *second, GError **error)
{
  g_autoptr (OdlOperands) operands = odl_operands_new ();
  const OdlGeometry geometry = { 64, 48, channels, 8, .operands = operands };
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (
      odl_recipe_parse (&recipe, "gaussian mix:with=second precision=16", NULL));
  if (second != NULL)
    g_assert_true (odl_operands_add (operands, "second", second, NULL));
  return odl_plan_new (&recipe, &geometry, error);
}

static OdlImage *
make_second (int width, int channels, OdlSampleType type)
{
  void *samples;

  return odl_test_image (width, 48, channels, type, &samples);
}

static int
count_kind (const OdlPlan *plan, OdlStepKind kind)
{
  int n = 0;

  for (int i = 0; i < plan->n_steps; i++)
    n += plan->steps[i].kind == kind;
  return n;
}

static void
test_operands (void)
{
  g_autoptr (OdlImage) grey = make_second (64, 1, ODL_SAMPLE_U8);
  g_autoptr (OdlImage) other = make_second (64, 1, ODL_SAMPLE_U8);
  g_autoptr (OdlImage) colour = make_second (64, 4, ODL_SAMPLE_U16);
  g_autoptr (OdlImage) narrow = make_second (32, 1, ODL_SAMPLE_U8);
  g_autoptr (GError) missing = NULL;
  g_autoptr (GError) another = NULL;

  g_assert_null (make_mix (1, NULL, &missing));
  g_assert_error (missing, ODL_ERROR, ODL_ERROR_IO);
  g_assert_nonnull (strstr (missing->message, "second"));
  g_assert_null (make_mix (1, narrow, &another));
  g_assert_error (another, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (another->message, "32 × 48"));
  g_assert_nonnull (strstr (another->message, "64 × 48"));

  // Another picture is another parameter, other channels are another structure.
  g_autoptr (OdlPlan) first = make_mix (1, grey, NULL);
  g_autoptr (OdlPlan) second = make_mix (1, other, NULL);
  g_autoptr (OdlPlan) luma = make_mix (1, colour, NULL);
  g_autoptr (OdlPlan) colours = make_mix (3, colour, NULL);
  check_flow (first);
  check_flow (luma);
  g_assert_true (odl_plan_same_structure (first, second));
  g_assert_false (odl_plan_same_structure (first, luma));
  g_assert_cmpint (first->steps[3].kind, ==, ODL_STEP_LOAD);
  g_assert_cmpint (first->steps[3].input, ==, 1);
  g_assert_true (first->steps[3].parameters.operand == grey);
  g_assert_false (odl_step_same_parameters (&first->steps[3], &second->steps[3]));
  g_assert_false (odl_step_same_structure (&first->steps[0], &first->steps[3]));
  g_assert_cmpint (count_kind (luma, ODL_STEP_LUMA), ==, 1);
  g_assert_cmpint (count_kind (colours, ODL_STEP_LUMA), ==, 0);
  g_assert_cmpint (first->precision, ==, 16);
  g_assert_cmpint (luma->precision, ==, 32); // of 16 bits
}

static void
check_step (const OdlPlan *plan, int at, OdlStepKind kind, OdlAxis axis, int level)
{
  g_assert_cmpint (at, >=, 0);
  g_assert_cmpint (plan->steps[at].kind, ==, kind);
  g_assert_cmpint (plan->steps[at].axis, ==, axis);
  g_assert_cmpint (plan->steps[at].level, ==, level);
}

// All five steps of each level, connected by what they read and write.
static void
check_group (const OdlPlan *plan, const OdlGroup *group)
{
  const OdlStep *steps = plan->steps;

  for (int l = 1; l <= group->levels; l++) {
    const OdlGroupLevel *level = &group->level[l - 1];
    check_step (plan, level->forward_x, ODL_STEP_FORWARD, ODL_AXIS_X, l);
    check_step (plan, level->forward_y, ODL_STEP_FORWARD, ODL_AXIS_Y, l);
    check_step (plan, level->threshold, ODL_STEP_THRESHOLD, ODL_AXIS_NONE, l);
    check_step (plan, level->inverse_y, ODL_STEP_INVERSE, ODL_AXIS_Y, l);
    check_step (plan, level->inverse_x, ODL_STEP_INVERSE, ODL_AXIS_X, l);
    g_assert_cmpint (steps[level->forward_y].reads[0], ==,
                     steps[level->forward_x].writes);
    g_assert_cmpint (steps[level->threshold].reads[0], ==,
                     steps[level->forward_y].writes);
    g_assert_cmpint (steps[level->inverse_y].reads[1], ==,
                     steps[level->threshold].writes);
    g_assert_cmpint (steps[level->inverse_x].reads[0], ==,
                     steps[level->inverse_y].writes);
    g_assert_cmpint (odl_plan_group_reader (plan, level->forward_x), ==,
                     level->forward_y);
    g_assert_cmpint (odl_plan_group_reader (plan, level->inverse_y), ==,
                     level->inverse_x);
    g_assert_cmpint (odl_plan_group_reader (plan, level->inverse_x), ==,
                     l > 1 ? group->level[l - 2].inverse_y : -1);
    g_assert_cmpint (odl_plan_group_level (plan, level->threshold).forward_x, ==,
                     level->forward_x);
  }
}

static void
test_groups (void)
{
  static const struct {
    int item, levels;
    bool plain;
  } want[] = { { 1, 3, true }, { 3, 2, false }, { 4, 0, false }, { 5, 1, true } };
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlPlan) plan
      = make ("gaussian soft-threshold:levels=3 sharpen bayes-shrink:levels=2 "
              "shrinkage:levels=2,transform=stationary hard-threshold:levels=1",
              50, 37, 3, 8, &error);

  g_assert_no_error (error);
  g_assert_cmpint (plan->n_groups, ==, G_N_ELEMENTS (want));
  for (int g = 0; g < plan->n_groups; g++) {
    const OdlGroup group = odl_plan_group (plan, g);
    g_assert_cmpint (group.levels, ==, want[g].levels);
    g_assert_cmpint (odl_group_is_plain (&group), ==, want[g].plain);
    for (int i = 0; i < plan->n_steps; i++)
      g_assert_cmpint (plan->steps[i].group == g, ==,
                       plan->steps[i].item == want[g].item);
    check_group (plan, &group);
  }
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].group < 0) {
      g_assert_cmpint (odl_plan_group_level (plan, i).forward_x, ==, -1);
      g_assert_cmpint (odl_plan_group_reader (plan, i), ==, -1);
    }
}

// Analysis without synthesis is no filter that a fused program could do.
static void
test_groups_of_views (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlPlan) plan
      = make ("soft-threshold:levels=3 view=filtered-analysis", 50, 37, 1, 8, &error);
  const OdlGroup group = odl_plan_group (plan, 0);

  g_assert_no_error (error);
  g_assert_cmpint (plan->n_groups, ==, 1);
  g_assert_cmpint (group.levels, ==, 3);
  g_assert_cmpint (group.level[0].inverse_x, ==, -1);
  g_assert_false (odl_group_is_plain (&group));
}

static int
expected_precision (const OdlSlot *slot, bool sharpens)
{
  return slot->kind == ODL_SLOT_NUMBERS
                 || (sharpens && slot->kind == ODL_SLOT_PICTURE && slot->level == 0)
             ? 32
             : 16;
}

static void
test_precisions (void)
{
  static const char *const recipes[]
      = { "shrinkage:levels=2 gaussian", "bayes-shrink:levels=2",
          "shrinkage:levels=2 sharpen colour=luma", "sharpen bayes-shrink:levels=2" };

  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
    g_autofree char *text = g_strconcat (recipes[r], " precision=16", NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlPlan) plan = make (text, 50, 37, 3, 8, &error);
    g_autoptr (OdlPlan) deep = make (recipes[r], 50, 37, 3, 16, &error);
    g_assert_no_error (error);
    for (int i = 0; i < plan->n_slots; i++)
      g_assert_cmpint (
          plan->slots[i].precision, ==,
          expected_precision (&plan->slots[i], strstr (recipes[r], "sharpen") != NULL));
    for (int i = 0; i < deep->n_slots; i++)
      g_assert_cmpint (deep->slots[i].precision, ==, 32);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (golden); i++) {
    g_autofree char *path = g_strconcat ("/plan/golden/", golden[i].name, NULL);
    g_test_add_data_func (path, GINT_TO_POINTER (i), test_golden);
  }
  g_test_add_func ("/plan/borders-suit-the-wavelet", test_borders);
  g_test_add_func ("/plan/bypassed-filters-leave-no-trace", test_bypass);
  g_test_add_func ("/plan/fields-of-steps-are-compared", test_fields_are_compared);
  g_test_add_func ("/plan/groups-hold-the-steps-of-a-filter", test_groups);
  g_test_add_func ("/plan/groups-of-views-have-no-synthesis", test_groups_of_views);
  g_test_add_func ("/plan/slots-state-their-precision", test_precisions);
  g_test_add_func ("/plan/hard-thresholds-have-no-ties", test_hard_thresholds);
  g_test_add_func ("/plan/rules-have-their-steps", test_rules);
  g_test_add_func ("/plan/iterations-take-turns-in-few-slots", test_iterations);
  g_test_add_func ("/plan/quantum-is-the-step-of-the-samples", test_quantum);
  g_test_add_func ("/plan/slots-are-written-before-they-are-read", test_flow);
  g_test_add_func ("/plan/parameters-do-not-change-the-structure", test_structure);
  g_test_add_func ("/plan/changes-are-noted", test_notes);
  g_test_add_func ("/plan/second-pictures-are-read-or-refused", test_operands);
  g_test_add_func ("/plan/gaussian-kernel-is-the-published-one", test_gaussian_kernel);
  return g_test_run ();
}
