// SPDX-License-Identifier: MIT
#include "widgets/panels/filter_chain.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "filter/inside.h"
#include "filter/normalisation.h"
#include "widgets/find.h"
#include "widgets/names.h"
#include "widgets/panels/filter_card.h"
#include "widgets/panels/keys_ahead.h"
#include "widgets/panels/overview_row.h"

// How often, and how many times, a search looks whether its card is on screen: the panel
// may have to be unfolded.
#define SEARCH_MS 20
#define SEARCH_TRIES 150

// As much of a card that was touched is brought into sight, from its name on.
#define SIGHT 150.0

struct _OdlFilterChain {
  GtkWidget parent_instance;
  OdlSession *session;
  GtkListBox *overview;
  GtkBox *cards; // one is visible
  OdlRecipe shown;
  int selected;
  bool folded; // its card is not seen
  guint click_id; // a click on a row has selected it; 0: none is going on
  guint rebuild_id;
  int moved_by; // by a button of the selected card; 0: not
  bool updating;
  int sought; // filters, with the one that a search added; 0: none is going on
  OdlKeysAhead *ahead; // of a search whose list is not open yet; NULL: none
  guint search_id;
  int tries;
  bool opened; // the list was told to
};

G_DEFINE_FINAL_TYPE (OdlFilterChain, odl_filter_chain, GTK_TYPE_WIDGET)

enum { SELECTED, N_SIGNALS };

static guint signals[N_SIGNALS];

// ---- what is selected ----------------------------------------------------------------

static GtkWidget *
nth_child (GtkWidget *box, int n)
{
  GtkWidget *child = n < 0 ? NULL : gtk_widget_get_first_child (box);
  for (int i = 0; child && i < n; i++)
    child = gtk_widget_get_next_sibling (child);
  return child;
}

GtkWidget *
odl_filter_chain_card (OdlFilterChain *self, int item)
{
  return nth_child (GTK_WIDGET (self->cards), item);
}

GtkWidget *
odl_filter_chain_row (OdlFilterChain *self, int item)
{
  return GTK_WIDGET (gtk_list_box_get_row_at_index (self->overview, item));
}

int
odl_filter_chain_selected (const OdlFilterChain *self)
{
  return self->selected;
}

static bool
does_the_same (const OdlRecipeItem *a, const OdlRecipeItem *b)
{
  return a->filter == b->filter && a->file == b->file && a->at == b->at
         && memcmp (a->values, b->values, sizeof a->values) == 0;
}

// The filter that a change was about: what came, what changed alone, or what is in the
// place of what went; else the one that was `selected`. Switches select nothing.
static int
find_touched (const OdlRecipe *before, const OdlRecipe *now, int selected)
{
  const int both = MIN (before->n_items, now->n_items);
  int first = both, last = -1;
  for (int i = both; i-- > 0;)
    if (!does_the_same (&before->items[i], &now->items[i])) {
      first = i;
      last = MAX (last, i);
    }
  if (now->n_items == before->n_items)
    return first == last ? first : selected;
  const int grown = now->n_items - before->n_items;
  return CLAMP (grown > 1 ? 0 : first, 0, MAX (now->n_items - 1, 0));
}

static bool
has_focus_inside (OdlFilterChain *self, GtkWidget *part)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  return focus && part && gtk_widget_is_ancestor (focus, part);
}

static void
show_selected (OdlFilterChain *self)
{
  const bool several = odl_session_recipe (self->session)->n_items > 1;
  const bool had_focus = has_focus_inside (self, GTK_WIDGET (self->cards));
  GtkWidget *row = odl_filter_chain_row (self, self->selected);
  GtkWidget *chosen = odl_filter_chain_card (self, self->selected);
  self->updating = true;
  gtk_widget_set_visible (GTK_WIDGET (self->overview), several);
  gtk_list_box_select_row (self->overview, row ? GTK_LIST_BOX_ROW (row) : NULL);
  for (GtkWidget *card = odl_filter_chain_card (self, 0); card;
       card = gtk_widget_get_next_sibling (card))
    gtk_widget_set_visible (card, card == chosen && !(several && self->folded));
  for (int i = 0; odl_filter_chain_row (self, i); i++)
    odl_overview_row_set_unfolded (ODL_OVERVIEW_ROW (odl_filter_chain_row (self, i)),
                                   i == self->selected && !self->folded);
  if (had_focus && !has_focus_inside (self, chosen) && row)
    gtk_widget_grab_focus (row);
  self->updating = false;
  g_signal_emit (self, signals[SELECTED], 0);
}

void
odl_filter_chain_select (OdlFilterChain *self, int item)
{
  self->selected = item;
  self->folded = false;
  show_selected (self);
}

bool
odl_filter_chain_is_folded (const OdlFilterChain *self)
{
  return self->folded;
}

static gboolean
clicked_cb (void *data)
{
  ((OdlFilterChain *) data)->click_id = 0;
  return G_SOURCE_REMOVE;
}

static void
selected_cb (OdlFilterChain *self, GtkListBoxRow *row)
{
  if (self->updating || !row)
    return;
  if (!self->click_id)
    self->click_id = g_idle_add (clicked_cb, self);
  odl_filter_chain_select (self, gtk_list_box_row_get_index (row));
}

// The click that selects a row activates it, too, in the same turn of the main loop.
static void
activated_cb (OdlFilterChain *self, GtkListBoxRow *row)
{
  if (self->click_id)
    return;
  self->folded = !self->folded;
  show_selected (self);
}

// ---- focus and sight -----------------------------------------------------------------

// Which child of which child of `card` has the focus, outermost first: an int each.
static GArray *
focus_path (GtkWidget *card)
{
  GArray *path = g_array_new (FALSE, FALSE, sizeof (int));
  for (GtkWidget *widget = gtk_root_get_focus (gtk_widget_get_root (card));
       widget != card; widget = gtk_widget_get_parent (widget)) {
    int index = 0;
    for (GtkWidget *before = gtk_widget_get_prev_sibling (widget); before;
         before = gtk_widget_get_prev_sibling (before))
      index++;
    g_array_prepend_val (path, index);
  }
  return path;
}

static bool
focus_at (GtkWidget *widget, const GArray *path)
{
  for (guint i = 0; widget && i < path->len; i++)
    widget = nth_child (widget, g_array_index (path, int, i));
  return widget && gtk_widget_grab_focus (widget);
}

// Where the focus was before the cards were made anew.
typedef struct {
  const OdlFilter *filter; // of the card that had it; NULL: it was in no card
  GArray *path;
  bool in_overview;
} Focus;

static Focus
take_focus (OdlFilterChain *self)
{
  for (GtkWidget *card = odl_filter_chain_card (self, 0); card;
       card = gtk_widget_get_next_sibling (card))
    if (has_focus_inside (self, card))
      return (Focus){ .filter = odl_filter_card_filter (ODL_FILTER_CARD (card)),
                      .path = focus_path (card) };
  return (Focus){ .in_overview = has_focus_inside (self, GTK_WIDGET (self->overview)) };
}

// In a card that was made anew because it has more rows, where it was; in that of another
// filter on its name, where no key changes anything by itself.
static void
give_focus (OdlFilterChain *self, const Focus *before)
{
  GtkWidget *card = odl_filter_chain_card (self, self->selected);
  GtkWidget *row = odl_filter_chain_row (self, self->selected);
  if (self->moved_by)
    odl_filter_card_focus_mover (ODL_FILTER_CARD (card), self->moved_by);
  else if (before->in_overview && row)
    gtk_widget_grab_focus (row);
  else if (before->filter
           && (odl_filter_card_filter (ODL_FILTER_CARD (card)) != before->filter
               || !focus_at (card, before->path)))
    odl_filter_card_focus_chooser (ODL_FILTER_CARD (card));
  self->moved_by = 0;
}

// What was made just now has its place after the next layout.
static gboolean
reveal_cb (GtkWidget *part, GdkFrameClock *clock, void *data)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (part, GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t place;
  if (!gtk_widget_get_visible (part))
    return G_SOURCE_REMOVE;
  if (gtk_widget_get_height (part) == 0)
    return G_SOURCE_CONTINUE;
  if (!scroller || !gtk_widget_compute_bounds (part, scroller, &place))
    return G_SOURCE_REMOVE;
  GtkAdjustment *at
      = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  const double top = gtk_adjustment_get_value (at) + place.origin.y;
  gtk_adjustment_clamp_page (at, top, top + MIN ((double) place.size.height, SIGHT));
  return G_SOURCE_REMOVE;
}

// The card that a change was about.
static void
reveal (OdlFilterChain *self)
{
  GtkWidget *card = odl_filter_chain_card (self, self->selected);
  if (card && odl_session_recipe (self->session)->n_items > 0)
    gtk_widget_add_tick_callback (card, reveal_cb, NULL, NULL);
}

// ---- cards and rows ------------------------------------------------------------------

static void
remove_all (OdlFilterChain *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->cards))))
    gtk_box_remove (self->cards, child);
  while ((child = odl_filter_chain_row (self, 0)))
    gtk_list_box_remove (self->overview, child);
}

static void
rebuild (OdlFilterChain *self)
{
  const int n = MAX (odl_session_recipe (self->session)->n_items, 1);
  const Focus focus = take_focus (self);
  g_autoptr (GArray) path = focus.path;
  g_clear_handle_id (&self->rebuild_id, g_source_remove);
  self->updating = true;
  remove_all (self);
  for (int i = 0; i < n; i++) {
    gtk_box_append (self->cards, odl_filter_card_new (self->session, i));
    if (n > 1)
      gtk_list_box_append (self->overview, odl_overview_row_new (self->session, i));
  }
  self->selected = CLAMP (self->selected, 0, n - 1);
  show_selected (self);
  give_focus (self, &focus);
  reveal (self);
}

static gboolean
rebuild_cb (void *data)
{
  OdlFilterChain *self = data;
  self->rebuild_id = 0;
  rebuild (self);
  return G_SOURCE_REMOVE;
}

static void
update_cards (OdlFilterChain *self)
{
  const int n = MAX (odl_session_recipe (self->session)->n_items, 1);
  bool fits = odl_filter_chain_card (self, n - 1) != NULL;
  for (GtkWidget *card = odl_filter_chain_card (self, 0); card;
       card = gtk_widget_get_next_sibling (card))
    fits = odl_filter_card_update (ODL_FILTER_CARD (card)) && fits;
  for (int i = 0; odl_filter_chain_row (self, i); i++)
    odl_overview_row_update (ODL_OVERVIEW_ROW (odl_filter_chain_row (self, i)));
  // Postponed, because a control of the old cards may be emitting a signal.
  if (!fits && !self->rebuild_id)
    self->rebuild_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, rebuild_cb, self, NULL);
}

static void
recipe_cb (OdlFilterChain *self)
{
  const OdlRecipe *now = odl_session_recipe (self->session);
  const int touched = find_touched (&self->shown, now, self->selected);
  const bool other = touched != self->selected;
  self->shown = *now;
  self->selected = touched;
  self->folded = self->folded && !other;
  update_cards (self);
  if (other && !self->rebuild_id) {
    show_selected (self);
    reveal (self);
  }
}

// ---- changes to the chain ------------------------------------------------------------

void
odl_filter_chain_add (OdlFilterChain *self, const OdlFilter *filter)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (!odl_recipe_append_fresh (&recipe, filter))
    return;
  odl_recipe_enclose (&recipe, recipe.n_items - 1);
  odl_session_set_recipe (self->session, &recipe, NULL);
  for (int i = 0; i < self->shown.n_items; i++)
    if (self->shown.items[i].filter == filter)
      self->selected = i;
}

void
odl_filter_chain_move (OdlFilterChain *self, int from, int to, bool by_button)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  OdlRecipeItem *items = recipe.items;
  if (to == from || to < 0 || to >= recipe.n_items || from < 0 || from >= recipe.n_items)
    return;
  const OdlRecipeItem moved = items[from];
  if (to > from)
    memmove (&items[from], &items[from + 1], (size_t) (to - from) * sizeof *items);
  else
    memmove (&items[to + 1], &items[to], (size_t) (from - to) * sizeof *items);
  items[to] = moved;
  self->moved_by = by_button ? to - from : 0;
  odl_session_set_recipe (self->session, &recipe, NULL);
  // Also past a filter of its own kind, where no card is made anew.
  const bool had_focus = has_focus_inside (self, GTK_WIDGET (self));
  odl_filter_chain_select (self, to);
  if (!self->rebuild_id && had_focus)
    give_focus (self, &(Focus){ .in_overview = true });
  reveal (self);
}

// ---- search --------------------------------------------------------------------------

// Whether the last card is the one that was added for the search, without a choice.
static bool
is_sought (OdlFilterChain *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  return recipe->n_items == self->sought
         && recipe->items[self->sought - 1].filter == odl_filter_find ("pass-through");
}

static GtkWidget *
last_card (OdlFilterChain *self)
{
  return gtk_widget_get_last_child (GTK_WIDGET (self->cards));
}

// The card that was added for the search goes again if nothing was chosen; else it and
// the choice become one step.
static gboolean
searched_cb (void *data)
{
  OdlFilterChain *self = data;
  const int sought = self->session ? self->sought : 0;
  if (sought > 0 && is_sought (self)) {
    odl_session_undo (self->session);
  } else if (sought > 0 && odl_session_recipe (self->session)->n_items >= sought) {
    const OdlRecipe chosen = *odl_session_recipe (self->session);
    odl_session_undo (self->session);
    if (is_sought (self)) {
      odl_session_undo (self->session);
      odl_session_set_recipe (self->session, &chosen, NULL);
      odl_filter_card_focus_chooser (ODL_FILTER_CARD (last_card (self)));
    } else {
      odl_session_redo (self->session);
    }
  }
  self->sought = 0;
  return G_SOURCE_REMOVE;
}

static void
closed_cb (OdlFilterChain *self)
{
  g_idle_add_full (G_PRIORITY_LOW, searched_cb, g_object_ref (self), g_object_unref);
}

static void
end_search (OdlFilterChain *self)
{
  g_clear_handle_id (&self->search_id, g_source_remove);
  g_clear_pointer (&self->ahead, odl_keys_ahead_free);
}

// Also when somebody closes it before what was typed ahead is handed over.
static void
list_closed_cb (OdlFilterChain *self)
{
  end_search (self);
  closed_cb (self);
}

// The list of the last card.
static void
open_list (OdlFilterChain *self, GtkWidget *list)
{
  GtkWidget *card = last_card (self);
  odl_filter_card_focus_chooser (ODL_FILTER_CARD (card));
  if (!has_focus_inside (self, card))
    return;
  self->opened = true;
  g_signal_connect_object (list, "closed", G_CALLBACK (list_closed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_activate (gtk_root_get_focus (gtk_widget_get_root (card)));
}

// Opens the list, and when it is on screen hands over what was typed ahead. False: it is
// not there yet.
static bool
go_on (OdlFilterChain *self)
{
  GtkWidget *card = last_card (self);
  GtkWidget *list = odl_find_inside (card, GTK_TYPE_POPOVER);
  GtkWidget *entry = odl_find_inside (card, GTK_TYPE_SEARCH_ENTRY);
  if (!gtk_widget_get_mapped (card) || !list || !entry)
    return false;
  if (!self->opened)
    open_list (self, list);
  if (!gtk_widget_get_mapped (list))
    return false;
  odl_keys_ahead_hand_over (self->ahead, GTK_EDITABLE (entry));
  return true;
}

static gboolean
search_cb (void *data)
{
  OdlFilterChain *self = data;
  const bool given_up
      = odl_keys_ahead_given_up (self->ahead) || ++self->tries > SEARCH_TRIES;
  if (!given_up && !go_on (self))
    return G_SOURCE_CONTINUE;
  if (given_up)
    closed_cb (self);
  self->search_id = 0;
  end_search (self);
  return G_SOURCE_REMOVE;
}

void
odl_filter_chain_search (OdlFilterChain *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  const OdlFilter *none = odl_filter_find ("pass-through");
  if (self->ahead || !gtk_widget_get_root (GTK_WIDGET (self)))
    return;
  self->ahead = odl_keys_ahead_new (GTK_WIDGET (self));
  if (recipe->n_items > 0 && recipe->items[recipe->n_items - 1].filter != none) {
    odl_filter_chain_add (self, none);
    self->sought = odl_session_recipe (self->session)->n_items;
  }
  odl_filter_chain_select (self,
                           MAX (odl_session_recipe (self->session)->n_items, 1) - 1);
  self->tries = 0;
  self->opened = false;
  // Later than a menu that is closing, which gives the focus back.
  self->search_id = g_timeout_add_full (G_PRIORITY_LOW, SEARCH_MS, search_cb, self, NULL);
}

// ---- life ----------------------------------------------------------------------------

void
odl_filter_chain_set_up (OdlFilterChain *self, OdlSession *session)
{
  g_set_object (&self->session, session);
  self->shown = *odl_session_recipe (session);
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (recipe_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (odl_names_of (session), "changed", G_CALLBACK (update_cards),
                           self, G_CONNECT_SWAPPED);
  rebuild (self);
}

static void
odl_filter_chain_dispose (GObject *object)
{
  OdlFilterChain *self = ODL_FILTER_CHAIN (object);
  GtkWidget *child;
  end_search (self);
  g_clear_handle_id (&self->rebuild_id, g_source_remove);
  g_clear_handle_id (&self->click_id, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_filter_chain_parent_class)->dispose (object);
}

static void
odl_filter_chain_class_init (OdlFilterChainClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = odl_filter_chain_dispose;
  signals[SELECTED]
      = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass),
                                            GTK_TYPE_BOX_LAYOUT);
}

static void
odl_filter_chain_init (OdlFilterChain *self)
{
  GtkWidget *overview = gtk_list_box_new ();
  GtkWidget *cards = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));
  self->overview = GTK_LIST_BOX (overview);
  self->cards = GTK_BOX (cards);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 12);
  gtk_widget_add_css_class (overview, "boxed-list");
  gtk_list_box_set_selection_mode (self->overview, GTK_SELECTION_BROWSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (overview),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Filters in order"),
                                  -1);
  g_signal_connect_object (overview, "row-selected", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (overview, "row-activated", G_CALLBACK (activated_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_set_parent (overview, GTK_WIDGET (self));
  gtk_widget_set_parent (cards, GTK_WIDGET (self));
}
