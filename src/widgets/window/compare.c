// SPDX-License-Identifier: MIT
// Two recipes, A and B, and what the one in force is compared with: the picture as it
// came, the other recipe, or the difference of their results.
#include <glib/gi18n-lib.h>

#include "widgets/window/parts.h"

#define FLICKER_MS 500

typedef enum {
  WITH_ORIGINAL,
  WITH_OTHER,
  WITH_DIFFERENCE,
  N_WITH,
} With;

static const char *const with_names[] = { "original", "other", "difference" };
static const char *const letters[] = { "A", "B" };

// What belongs to a pane.
typedef struct {
  OdlRecipe recipes[G_N_ELEMENTS (letters)];
  bool filled[G_N_ELEMENTS (letters)]; // else it begins as the one in force
  int active; // the one in force
  With with;
} Pair;

typedef struct {
  const OdlWindowParts *parts;
  guint flicker_id; // 0: off
  OdlViewport *flickers; // borrowed
  bool original; // is shown by the flicker
  bool switching;
} Compare;

#define PAIR "odl-pair" // of a session
#define COMPARE "compare" // of the window

static Pair *
pair_in (OdlSession *session)
{
  Pair *pair = g_object_get_data (G_OBJECT (session), PAIR);
  if (!pair) {
    pair = g_new0 (Pair, 1);
    g_object_set_data_full (G_OBJECT (session), PAIR, pair, g_free);
  }
  return pair;
}

// Of the active pane.
static Pair *
pair_of (Compare *self)
{
  return pair_in (self->parts->session);
}

static const OdlRecipe *
other_recipe_in (OdlSession *session)
{
  const Pair *pair = pair_in (session);
  const int other = 1 - pair->active;
  return pair->filled[other] ? &pair->recipes[other] : odl_session_recipe (session);
}

static const OdlRecipe *
other_recipe (Compare *self)
{
  return other_recipe_in (self->parts->session);
}

char *
odl_window_pair_text (const OdlWindowParts *parts, const char *start)
{
  const Pair *pair = g_object_get_data (G_OBJECT (parts->session), PAIR);
  if (!pair || (!pair->filled[1 - pair->active] && pair->with == WITH_ORIGINAL))
    return NULL;
  const char *own = letters[pair->active], *other = letters[1 - pair->active];
  const OdlRecipe *recipe = pair->filled[1 - pair->active]
                                ? &pair->recipes[1 - pair->active]
                                : odl_session_recipe (parts->session);
  g_autofree char *text = odl_recipe_to_text (recipe, " ");
  return g_strdup_printf ("%sfilters %s; filters %s: %s\n", start, own, other, text);
}

static void
set_state (Compare *self, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->parts->window), name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

static void
tell (OdlSession *session)
{
  const Pair *pair = pair_in (session);
  if (pair->with == WITH_ORIGINAL) {
    odl_session_set_other (session, NULL);
    return;
  }
  const OdlOther other = { .recipe = *other_recipe_in (session),
                           .difference = pair->with == WITH_DIFFERENCE,
                           .letter = *letters[pair->active],
                           .other_letter = *letters[1 - pair->active] };
  odl_session_set_other (session, &other);
}

static void
tell_session (Compare *self)
{
  tell (self->parts->session);
}

static void
recipe_cb (Compare *self)
{
  Pair *pair = pair_of (self);
  if (self->switching)
    return;
  pair->recipes[pair->active] = *odl_session_recipe (self->parts->session);
  pair->filled[pair->active] = true;
}

// ---- A and B -------------------------------------------------------------------------

// The one that leaves stays as it is, to come back.
static void
choose_recipe_cb (Compare *self, GVariant *parameter)
{
  const int chosen = g_str_equal (g_variant_get_string (parameter, NULL), letters[1]);
  OdlSession *session = self->parts->session;
  Pair *pair = pair_of (self);
  if (chosen == pair->active)
    return;
  OdlRecipe next = *other_recipe (self);
  const OdlRecipe left = *odl_session_recipe (session);
  next.view = left.view;
  pair->recipes[pair->active] = left;
  pair->filled[pair->active] = true;
  pair->active = chosen;
  self->switching = true;
  odl_session_set_recipe (session, &next, NULL);
  self->switching = false;
  recipe_cb (self);
  set_state (self, "recipe", g_variant_new_string (letters[chosen]));
  tell_session (self);
  g_autofree char *text = g_strdup_printf (_ ("Filters %s"), letters[chosen]);
  odl_messages_say_of_state (self->parts->messages, text);
}

static void
copy_over_cb (Compare *self, GVariant *parameter)
{
  Pair *pair = pair_of (self);
  const int other = 1 - pair->active;
  pair->recipes[other] = *odl_session_recipe (self->parts->session);
  pair->filled[other] = true;
  tell_session (self);
  g_autofree char *text = g_strdup_printf (_ ("Filters %s copied to %s"),
                                           letters[pair->active], letters[other]);
  odl_messages_say_of_state (self->parts->messages, text);
}

// ---- comparing -----------------------------------------------------------------------

static void
set_with (Compare *self, With with)
{
  pair_of (self)->with = with;
  set_state (self, "comparison", g_variant_new_string (with_names[with]));
  tell_session (self);
}

// Why the difference is not shown, but both results, or has nothing to show; NULL: it
// has, or is not asked for.
static const char *
lack (Compare *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->parts->session);
  OdlRecipe other = *other_recipe (self);
  other.view = recipe->view;
  if (pair_of (self)->with != WITH_DIFFERENCE)
    return NULL;
  if (odl_session_shows_difference (self->parts->session))
    return odl_recipe_equal (recipe, &other) ? _ (
               "Filters A and B are equal: there is no difference to see. Shift+A and "
               "Shift+B choose which ones are changed.")
                                             : NULL;
  return odl_recipe_has_view (recipe, ODL_VIEW_RESIDUAL)
                 && odl_recipe_has_view (other_recipe (self), ODL_VIEW_RESIDUAL)
             ? _ ("Volumes have no view of the difference: A and B are compared")
             : _ ("A or B has no filters: both are compared, without their difference");
}

static void
comparison_cb (Compare *self, GVariant *parameter)
{
  for (int i = 0; i < N_WITH; i++)
    if (g_str_equal (with_names[i], g_variant_get_string (parameter, NULL)))
      set_with (self, i);
  const char *missing = lack (self);
  if (missing)
    odl_messages_say_of_state (self->parts->messages, missing);
}

static void
next_comparison_cb (Compare *self, GVariant *parameter)
{
  static const char *const words[N_WITH] = {
    N_ ("Compared with the original: W divides, O shows it while held, J alternates"),
    N_ ("Filters A and B compared: W divides, O shows the other ones while held, J "
        "alternates"),
    N_ ("The difference of filters A and B, about grey and four times as strong"),
  };
  set_with (self, (pair_of (self)->with + 1) % N_WITH);
  const char *missing = lack (self);
  odl_messages_say_of_state (self->parts->messages,
                             missing ? missing : _ (words[pair_of (self)->with]));
}

static gboolean
flicker_cb (void *data)
{
  Compare *self = data;
  self->original = !self->original;
  odl_viewport_set_show_original (self->flickers, self->original);
  return G_SOURCE_CONTINUE;
}

static void
stop_flicker (Compare *self)
{
  if (self->flicker_id == 0)
    return;
  g_clear_handle_id (&self->flicker_id, g_source_remove);
  self->original = false;
  odl_viewport_set_show_original (self->flickers, false);
  odl_window_set_switch (self->parts, "flicker", false);
}

static void
switch_flicker_cb (Compare *self, GVariant *parameter)
{
  if (self->flicker_id > 0) {
    stop_flicker (self);
    return;
  }
  self->flickers = self->parts->viewport;
  self->flicker_id = g_timeout_add (FLICKER_MS, flicker_cb, self);
  odl_window_set_switch (self->parts, "flicker", true);
}

// Both results whole, or as it was before.
static void
side_by_side_cb (Compare *self, GVariant *parameter)
{
  OdlViewport *viewport = self->parts->viewport;
  const bool off = odl_viewport_beside (viewport) && pair_of (self)->with == WITH_OTHER;
  set_with (self, off ? WITH_ORIGINAL : WITH_OTHER);
  odl_viewport_set_beside (viewport, !off);
  if (!off)
    odl_messages_say_of_state (self->parts->messages,
                               _ ("Filters A and B beside each other: Shift+A and "
                                  "Shift+B choose which ones are changed"));
}

// ---- another pane ---------------------------------------------------------------------

// Its recipe may have changed while another pane was active.
static void
pane_cb (Compare *self)
{
  const Pair *pair = pair_of (self);
  stop_flicker (self);
  recipe_cb (self);
  set_state (self, "recipe", g_variant_new_string (letters[pair->active]));
  set_state (self, "comparison", g_variant_new_string (with_names[pair->with]));
}

// ---- workspaces ----------------------------------------------------------------------

void
odl_window_save_pair (OdlSession *session, OdlWorkspacePane *pane)
{
  const Pair *pair = g_object_get_data (G_OBJECT (session), PAIR);
  if (!pair)
    return;
  pane->letter = g_strdup (letters[pair->active]);
  pane->comparison = g_strdup (with_names[pair->with]);
  if (pair->filled[1 - pair->active])
    pane->other = odl_recipe_to_text (&pair->recipes[1 - pair->active], " ");
}

static int
index_of (const char *name, const char *const *names, int n)
{
  for (int i = 0; i < n; i++)
    if (g_strcmp0 (name, names[i]) == 0)
      return i;
  return 0;
}

void
odl_window_restore_pair (const OdlWindowParts *parts,
                         OdlSession *session,
                         const OdlWorkspacePane *pane)
{
  Pair *pair = pair_in (session);
  pair->active = index_of (pane->letter, letters, G_N_ELEMENTS (letters));
  pair->with = (With) index_of (pane->comparison, with_names, N_WITH);
  const int other = 1 - pair->active;
  odl_recipe_init (&pair->recipes[other]);
  pair->filled[other]
      = pane->other && odl_recipe_parse (&pair->recipes[other], pane->other, NULL);
  tell (session);
  if (session == parts->session)
    pane_cb (g_object_get_data (G_OBJECT (parts->window), COMPARE));
}

// ---- life ----------------------------------------------------------------------------

static void
compare_free (void *data)
{
  Compare *self = data;
  g_clear_handle_id (&self->flicker_id, g_source_remove);
  g_free (self);
}

static void
unmap_cb (Compare *self)
{
  g_clear_handle_id (&self->flicker_id, g_source_remove);
}

void
odl_window_add_compare (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "recipe", G_CALLBACK (choose_recipe_cb), "s", "'A'" },
    { "copy-recipe-over", G_CALLBACK (copy_over_cb) },
    { "comparison", G_CALLBACK (comparison_cb), "s", "'original'" },
    { "next-comparison", G_CALLBACK (next_comparison_cb) },
    { "a-beside-b", G_CALLBACK (side_by_side_cb) },
    { "flicker", G_CALLBACK (switch_flicker_cb), NULL, "false" },
  };
  Compare *self = g_new0 (Compare, 1);
  self->parts = parts;
  odl_window_own (parts, COMPARE, self, compare_free);
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), self);
  odl_window_connect (parts, parts->session, "notify::recipe", G_CALLBACK (recipe_cb),
                      self);
  odl_window_connect (parts, parts->window, "pane-changed", G_CALLBACK (pane_cb), self);
  // The canvas goes first.
  odl_window_connect (parts, parts->window, "unmap", G_CALLBACK (unmap_cb), self);
}
