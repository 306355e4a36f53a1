// SPDX-License-Identifier: MIT
// Second pictures that come, go and change while the frame stays: what an engine keeps of
// one must never be taken for another, and a moved slider uploads nothing.
#include "../helpers/plans.h"
#include "../helpers/ycbcr.h"
#include "image/area.h"
#include "proof.h"

#define WIDTH 37
#define HEIGHT 26

static OdlPlan *
plan_with (const char *text, const OdlImage *frame, OdlImage *first, OdlImage *second)
{
  OdlGeometry geometry = odl_geometry_of (frame);
  g_autoptr (OdlOperands) operands = geometry.operands = odl_operands_new ();
  const OdlRecipe recipe = odl_test_recipe (text);
  g_autoptr (GError) error = NULL;

  g_assert_true (odl_operands_add (operands, "first", first, &error));
  g_assert_true (odl_operands_add (operands, "second", second, &error));
  return odl_test_plan_of (&recipe, &geometry);
}

static void
check (Proof *proof, OdlPlan *plan, OdlImage *frame, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (!odl_engine_can_run (proof->engine->klass, plan, NULL)
      && odl_proof_may_lack (proof->engine->klass, plan))
    return;
  g_autoptr (OdlImage) got = odl_engine_process (proof->engine, plan, frame, &error);
  if (got == NULL)
    g_error ("%s, %s: %s", proof->name, text, error->message);
  g_autoptr (OdlImage) wanted
      = odl_engine_process (proof->reference, plan, frame, &error);
  g_assert_no_error (error);
  const double distance = odl_proof_distance (got, wanted);
  if (!(distance <= 1e-5))
    g_error ("%s, %s: %g", proof->name, text, distance);
  proof->compared++;
}

// The same frame again and again, so that engines that can go on do.
static void
change_pictures (Proof *proof, OdlImage *frame)
{
  static const char *const texts[] = {
    "mix:with=first,weight=0.3",
    "mix:with=first,weight=0.8", // a moved slider
    "mix:with=second,weight=0.8", // another picture, of another shape
    "mix:with=first,weight=0.8",
    "gaussian mix:with=first sharpen mix:with=second,weight=0.1",
    "gaussian mix:with=first sharpen mix:with=second,weight=0.9",
    "gaussian mix:with=second sharpen mix:with=first,weight=0.9",
    "gaussian mix:with=second,bypass=yes sharpen mix:with=first,weight=0.9",
    "soft-threshold:levels=2 mix:with=first,weight=0.5 shrinkage:levels=2",
    "soft-threshold:levels=2 mix:with=first,weight=0.6 shrinkage:levels=2",
    "mix:with=second,weight=0.6 colour=luma",
    "mix:with=first,weight=0.6 colour=luma",
    "soft-threshold:levels=2 mix:with=first colour=luma",
    "stylise:with=first,levels=3,second=2",
    "stylise:with=first,levels=3,second=0.5:1:2/3,first=1:0:3/2", // moved sliders
    "stylise:with=second,levels=3,rule=sum,first-base=0.5,second-base=0.5",
    "stylise:with=second,levels=2 decouple mix:with=first stylise:with=first colour=luma",
    "stylise:with=second,levels=2 view=filtered-analysis",
    "sharpen",
  };
  static const OdlSampleType types[] = { ODL_SAMPLE_U8, ODL_SAMPLE_U16 };

  proof->engine->moment.take++;
  proof->engine->moment.serial = 1;
  proof->reference->moment = proof->engine->moment;
  for (int shape = 0; shape < 4; shape++) {
    g_autoptr (OdlImage) first
        = odl_proof_noise (WIDTH, HEIGHT, shape % 2 == 0 ? 1 : 3, types[shape / 2], 2);
    g_autoptr (OdlImage) second
        = odl_proof_noise (WIDTH, HEIGHT, shape % 2 == 0 ? 4 : 1, ODL_SAMPLE_F32, 3);
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
      g_autoptr (OdlPlan) plan = plan_with (texts[i], frame, first, second);
      check (proof, plan, frame, texts[i]);
    }
  }
}

static void
move_slider (Proof *proof)
{
  g_autoptr (OdlImage) frame = odl_proof_noise (WIDTH, HEIGHT, 1, ODL_SAMPLE_U8, 4);
  g_autoptr (OdlImage) operand = odl_proof_noise (WIDTH, HEIGHT, 3, ODL_SAMPLE_U8, 5);
  OdlEngineCounters before = { 0 };

  for (int i = 0; i <= 10; i++) {
    g_autofree char *text = g_strdup_printf ("mix:with=first,weight=%g", i / 16.0);
    g_autoptr (OdlPlan) plan = plan_with (text, frame, operand, operand);
    check (proof, plan, frame, text);
    if (i == 1)
      before = proof->engine->counters;
  }
  g_assert_cmpuint (proof->engine->counters.allocations, ==, before.allocations);
  g_assert_cmpuint (proof->engine->counters.programs, ==, before.programs);
  g_assert_cmpuint (proof->engine->counters.textures, ==, before.textures);
}

// The left half, and a sample within the right one.
static OdlOperands *
half (void)
{
  OdlOperands *operands = odl_operands_new ();
  const OdlImageInfo like
      = { .extent = { WIDTH, HEIGHT }, .channels = 1, .type = ODL_SAMPLE_U8 };
  void *inside, *outside;
  g_autoptr (OdlImage) mask = odl_image_alloc (&like, &inside, NULL);
  g_autoptr (OdlImage) rest = odl_image_alloc (&like, &outside, NULL);

  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    ((guint8 *) inside)[i] = i % WIDTH < WIDTH / 2 || i == 5 * WIDTH + 30 ? 255 : 0;
    ((guint8 *) outside)[i] = (guint8) ~((guint8 *) inside)[i];
  }
  g_assert_true (odl_operands_add (operands, ODL_AREA_INSIDE, mask, NULL));
  g_assert_true (odl_operands_add (operands, ODL_AREA_OUTSIDE, rest, NULL));
  return operands;
}

// What each engine leaves of a picture, and what it makes of it everywhere, is there bit
// by bit.
static void
check_area (Proof *proof, OdlImage *frame, const char *text)
{
  g_autoptr (OdlOperands) operands = half ();
  g_autoptr (GError) error = NULL;
  OdlGeometry geometry = odl_geometry_of (frame);
  OdlRecipe recipe = odl_test_recipe (text);
  g_autoptr (OdlPlan) everywhere = odl_test_plan_of (&recipe, &geometry);
  geometry.operands = operands;
  g_autoptr (OdlPlan) plan = odl_test_plan_of (&recipe, &geometry);
  OdlRecipe nothing;
  odl_recipe_init (&nothing);
  odl_recipe_parse (&nothing, "gaussian:sigma=0", NULL);
  nothing.precision = recipe.precision;
  g_autoptr (OdlPlan) as_it_came = odl_test_plan_of (&nothing, &geometry);

  check (proof, plan, frame, text);
  if (!odl_engine_can_run (proof->engine->klass, plan, NULL))
    return;
  OdlEngine *engine = proof->engine;
  g_autoptr (OdlImage) got = odl_engine_process (engine, plan, frame, &error);
  g_autoptr (OdlImage) all = odl_engine_process (engine, everywhere, frame, &error);
  g_autoptr (OdlImage) came = odl_engine_process (engine, as_it_came, frame, &error);
  g_assert_no_error (error);
  const OdlImageInfo *info = odl_image_info (got);
  for (int y = 0; y < HEIGHT; y++)
    for (int c = 0; c < info->channels; c++) {
      float rows[3][WIDTH];
      odl_image_scaled_row (got, c, y, 0, 0, rows[0]);
      odl_image_scaled_row (all, c, y, 0, 0, rows[1]);
      odl_image_scaled_row (came, c, y, 0, 0, rows[2]);
      for (int x = 0; x < WIDTH; x++) {
        const bool inside = x < WIDTH / 2 || (x == 30 && y == 5);
        if (rows[0][x] != rows[inside ? 1 : 2][x])
          g_error ("%s, %s: %g at %d, %d instead of %g", proof->name, text,
                   (double) rows[0][x], x, y, (double) rows[inside ? 1 : 2][x]);
      }
    }
}

static void
act_inside (Proof *proof, OdlImage *frame)
{
  static const char *const texts[] = {
    "gaussian",
    "sharpen median",
    "soft-threshold:levels=3,threshold=0.1",
    "soft-threshold:levels=3,threshold=0.1 colour=luma",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    check_area (proof, frame, texts[i]);
}

void
odl_proof_second_pictures (Proof *proof)
{
  g_autoptr (OdlImage) grey = odl_proof_noise (WIDTH, HEIGHT, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlImage) colour = odl_proof_noise (WIDTH, HEIGHT, 3, ODL_SAMPLE_U8, 1);
  // Of a video, whose luma engines take where it lies; that of a second picture is made.
  g_autoptr (OdlImage) video = odl_test_ycbcr (
      &odl_test_layouts[0], &odl_test_matrices[0], false, WIDTH, HEIGHT, 1);

  change_pictures (proof, grey);
  change_pictures (proof, colour);
  change_pictures (proof, video);
  move_slider (proof);
  act_inside (proof, grey);
  act_inside (proof, colour);
}
