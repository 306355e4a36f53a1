// SPDX-License-Identifier: MIT
#include "session/history.h"

static OdlRecipe
threshold (double value)
{
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  odl_recipe_append (&recipe, odl_filter_find ("soft-threshold"));
  odl_recipe_set (&recipe, 0, "threshold", 0, value);
  return recipe;
}

static double
current (const OdlHistory *history)
{
  return odl_recipe_get (odl_history_current (history), 0, "threshold", 0);
}

static void
test_undo_and_redo (void)
{
  OdlHistory history;
  OdlRecipe recipe = threshold (0.1);
  odl_history_init (&history, &recipe, NULL);
  g_assert_false (odl_history_can_undo (&history));
  g_assert_false (odl_history_undo (&history));
  for (int i = 2; i <= 4; i++) {
    recipe = threshold (0.1 * i);
    g_assert_true (odl_history_push (&history, &recipe, NULL, i));
  }
  g_assert_true (odl_history_undo (&history));
  g_assert_true (odl_history_undo (&history));
  g_assert_cmpfloat_with_epsilon (current (&history), 0.2, 1e-9);
  g_assert_true (odl_history_redo (&history));
  g_assert_cmpfloat_with_epsilon (current (&history), 0.3, 1e-9);
  // A new change forgets what could be redone.
  recipe = threshold (0.9);
  g_assert_true (odl_history_push (&history, &recipe, NULL, 9));
  g_assert_false (odl_history_can_redo (&history));
  g_assert_true (odl_history_undo (&history));
  g_assert_cmpfloat_with_epsilon (current (&history), 0.3, 1e-9);
  odl_history_clear (&history);
}

static void
test_equal_is_no_step (void)
{
  OdlHistory history;
  OdlRecipe recipe = threshold (0.1);
  odl_history_init (&history, &recipe, NULL);
  g_assert_false (odl_history_push (&history, &recipe, NULL, 1));
  g_assert_false (odl_history_can_undo (&history));
  odl_history_clear (&history);
}

static void
push (OdlHistory *history, double value, const char *tag, int64_t now_ms)
{
  OdlRecipe recipe = threshold (value);
  odl_history_push (history, &recipe, tag, now_ms);
}

static void
test_drag_is_one_step (void)
{
  OdlHistory history;
  OdlRecipe recipe = threshold (0.1);
  odl_history_init (&history, &recipe, NULL);
  for (int i = 0; i < 50; i++)
    push (&history, 0.2 + 0.01 * i, "0/threshold/0", 20 * i);
  g_assert_cmpfloat_with_epsilon (current (&history), 0.69, 1e-9);
  g_assert_true (odl_history_undo (&history));
  g_assert_cmpfloat_with_epsilon (current (&history), 0.1, 1e-9);
  g_assert_false (odl_history_can_undo (&history));
  odl_history_clear (&history);
}

static void
test_other_drags_are_steps (void)
{
  OdlHistory history;
  OdlRecipe recipe = threshold (0.1);
  odl_history_init (&history, &recipe, NULL);
  push (&history, 0.2, "a", 0);
  push (&history, 0.3, "b", 10); // another slider
  push (&history, 0.4, "b", 10 + ODL_HISTORY_COALESCE_MS + 1); // after a pause
  odl_history_undo (&history);
  g_assert_cmpfloat_with_epsilon (current (&history), 0.3, 1e-9);
  push (&history, 0.5, "b", 20); // after an undo
  odl_history_undo (&history);
  g_assert_cmpfloat_with_epsilon (current (&history), 0.3, 1e-9);
  odl_history_undo (&history);
  g_assert_cmpfloat_with_epsilon (current (&history), 0.2, 1e-9);
  odl_history_clear (&history);
}

static void
test_oldest_steps_go (void)
{
  OdlHistory history;
  OdlRecipe recipe = threshold (0);
  odl_history_init (&history, &recipe, NULL);
  int n = 2 * ODL_HISTORY_MAX_STEPS;
  for (int i = 1; i <= n; i++)
    push (&history, 0.001 * i, NULL, i);
  int steps = 0;
  while (odl_history_undo (&history))
    steps++;
  g_assert_cmpint (steps, ==, ODL_HISTORY_MAX_STEPS);
  g_assert_cmpfloat_with_epsilon (current (&history), 0.001 * (n - steps), 1e-9);
  odl_history_clear (&history);
}

static int
count (const OdlHistory *history)
{
  return odl_annotations_count (odl_history_annotations (history));
}

// In the order in which they were done, each by itself.
static void
test_annotations (void)
{
  OdlHistory history, copy;
  OdlRecipe recipe = threshold (0.1);
  const OdlAnnotation line = { .points = { { 1, 2 }, { 3, 4 } } };
  g_autoptr (OdlAnnotations) none = odl_annotations_new (10, 10);
  g_autoptr (OdlAnnotations) one = odl_annotations_with (none, &line);
  g_autoptr (OdlAnnotations) two = odl_annotations_with (one, &line);
  odl_history_init (&history, &recipe, NULL);
  odl_history_annotate (&history, one, 1);
  push (&history, 0.2, "a", 2);
  odl_history_annotate (&history, two, 3);
  push (&history, 0.3, "a", 4); // after another change: a step
  g_assert_cmpint (count (&history), ==, 2);
  odl_history_copy (&history, &copy);
  g_assert_true (odl_history_undo (&history));
  g_assert_cmpfloat_with_epsilon (current (&history), 0.2, 1e-9);
  g_assert_cmpint (count (&history), ==, 2);
  g_assert_true (odl_history_undo (&history));
  g_assert_cmpfloat_with_epsilon (current (&history), 0.2, 1e-9);
  g_assert_cmpint (count (&history), ==, 1);
  g_assert_true (odl_history_undo (&history));
  g_assert_cmpfloat_with_epsilon (current (&history), 0.1, 1e-9);
  g_assert_cmpint (count (&history), ==, 1);
  g_assert_true (odl_history_undo (&history));
  g_assert_cmpint (count (&history), ==, 0);
  g_assert_false (odl_history_can_undo (&history));
  g_assert_true (odl_history_redo (&history));
  g_assert_cmpint (count (&history), ==, 1);
  odl_history_clear (&history);
  g_assert_cmpint (count (&copy), ==, 2);
  odl_history_clear (&copy);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/undoes-and-redoes", test_undo_and_redo);
  g_test_add_func ("/history/an-equal-recipe-is-no-step", test_equal_is_no_step);
  g_test_add_func ("/history/the-drag-of-a-slider-is-one-step", test_drag_is_one_step);
  g_test_add_func ("/history/other-sliders-and-pauses-are-other-steps",
                   test_other_drags_are_steps);
  g_test_add_func ("/history/the-oldest-steps-go-first", test_oldest_steps_go);
  g_test_add_func ("/history/annotations-are-undone-in-their-turn", test_annotations);
  return g_test_run ();
}
