// SPDX-License-Identifier: MIT
#include "widgets/lab/lab_pane.h"

#include <glib/gi18n-lib.h>

#include "widgets/lab/side.h"
#include "widgets/panels/measures/measure.h"
#include "widgets/panels/parameters/control.h"
#include "widgets/window/parts.h"

// Logical pixels; narrower halves stand below each other.
#define LEAST_HALF 300
#define LEAST_HEIGHT 110

static const OdlLabPage *const pages[] = {
  &odl_lab_bands,       &odl_lab_histograms, &odl_lab_curves,
  &odl_lab_grey_levels, &odl_lab_metrics,    &odl_lab_wavelet,
};

// What a half shows; with other numbers its widget is made anew.
typedef struct {
  OdlLabSide side;
  const OdlFilter *filter; // NULL: there is none to show
  int levels;
} Shown;

struct _OdlLabPane {
  GtkWidget parent_instance;
  const OdlWindowParts *parts;
  OdlSession *session; // that is followed
  OdlFilterChain *chain; // likewise
  GtkWidget *box; // all of it
  GtkWidget *detach;
  GtkMenuButton *tab_menu; // in the place of the tabs, where these have no room
  GtkBox *halves; // beside each other where there is room, else below
  guint turn_id;
  const OdlLabPage *page;
  Shown shown[2];
  int n_shown; // 0: to be made anew
  GtkLabel *headings[2];
  GtkWidget *contents[2]; // what the page made; NULL: there is nothing to see
};

G_DEFINE_FINAL_TYPE (OdlLabPane, odl_lab_pane, GTK_TYPE_WIDGET)

// ---- what is shown -------------------------------------------------------------------

// The filter of a side that the page shows something of: the one that is selected, or
// what stands in its place in the other recipe, else the first one; −1: there is none.
static int
find_item (const OdlLabPane *self, const OdlRecipe *recipe)
{
  const OdlRecipe *own = odl_session_recipe (self->session);
  const int selected = odl_filter_chain_selected (self->chain);
  const OdlFilter *wanted = selected < own->n_items ? own->items[selected].filter : NULL;
  int same = -1, any = -1;
  if (selected < recipe->n_items && recipe->items[selected].filter == wanted
      && self->page->suits (recipe, selected))
    return selected;
  for (int i = recipe->n_items - 1; i >= 0; i--)
    if (self->page->suits (recipe, i)) {
      any = i;
      same = recipe->items[i].filter == wanted ? i : same;
    }
  return same >= 0 ? same : any;
}

static Shown
find_shown (const OdlLabPane *self, bool other)
{
  Shown shown = { .side = { .parts = self->parts,
                            .session = self->session,
                            .chain = self->chain,
                            .other = other,
                            .item = -1 } };
  const OdlRecipe *recipe = odl_lab_side_recipe (&shown.side);
  if (self->page->suits)
    shown.side.item = find_item (self, recipe);
  if (shown.side.item >= 0) {
    shown.filter = recipe->items[shown.side.item].filter;
    shown.levels = odl_lab_side_levels (&shown.side);
  }
  return shown;
}

// A stands left of B, whichever is in force. Returns how many there are.
static int
find_halves (const OdlLabPane *self, Shown halves[2])
{
  const OdlOther *other = odl_session_other (self->session);
  const bool both = other && !self->page->is_whole;
  const bool is_first = both && other->letter > other->other_letter;
  halves[0] = find_shown (self, is_first);
  if (both)
    halves[1] = find_shown (self, !is_first);
  return both ? 2 : 1;
}

static bool
is_same (const Shown *a, const Shown *b)
{
  return a->side.session == b->side.session && a->side.other == b->side.other
         && a->side.item == b->side.item && a->filter == b->filter
         && a->levels == b->levels;
}

// ---- halves --------------------------------------------------------------------------

// “Filters A · 2 Shrinkage”; empty where there is nothing to tell apart.
static char *
heading_of (const OdlLabPane *self, const Shown *shown)
{
  const OdlOther *other = odl_session_other (self->session);
  g_autofree char *letter
      = other && !self->page->is_whole ? g_strdup_printf (
            _ ("Filters %c"), shown->side.other ? other->other_letter : other->letter)
                                       : NULL;
  g_autofree char *filter
      = shown->filter
            ? g_strdup_printf ("%d %s", shown->side.item + 1, _ (shown->filter->label))
            : NULL;
  const char *words[] = { letter ? letter : filter, letter ? filter : NULL, NULL };
  return g_strjoinv (" · ", (char **) words);
}

static GtkWidget *
make_half (OdlLabPane *self, int i)
{
  const Shown *shown = &self->shown[i];
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *heading = gtk_label_new (NULL);
  const bool any = shown->filter || !self->page->suits;
  g_autofree char *words = heading_of (self, shown);
  GtkWidget *content = any ? self->page->make (&shown->side)
                           : odl_measure_text (_ (self->page->nothing));
  self->contents[i] = any ? content : NULL;
  self->headings[i] = GTK_LABEL (heading);
  gtk_label_set_text (self->headings[i], words);
  gtk_label_set_xalign (self->headings[i], 0);
  gtk_label_set_ellipsize (self->headings[i], PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (heading, "caption-heading");
  gtk_widget_set_visible (heading, *words != '\0');
  if (!any)
    gtk_widget_add_css_class (content, "dim-label");
  gtk_widget_set_hexpand (box, TRUE);
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), content);
  return box;
}

static void
remove_halves (OdlLabPane *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->halves))))
    gtk_box_remove (self->halves, child);
  self->contents[0] = self->contents[1] = NULL;
  self->n_shown = 0;
}

static void
add_halves (OdlLabPane *self)
{
  for (int i = 0; i < self->n_shown; i++)
    gtk_box_append (self->halves, make_half (self, i));
}

// Only what is seen is made, so that nothing else works.
static void
update (OdlLabPane *self)
{
  Shown wanted[2];
  if (!self->session || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  const int n = find_halves (self, wanted);
  bool same = n == self->n_shown;
  for (int i = 0; i < n && same; i++)
    same = is_same (&wanted[i], &self->shown[i]);
  if (!same) {
    remove_halves (self);
    memcpy (self->shown, wanted, sizeof wanted);
    self->n_shown = n;
    add_halves (self);
    return;
  }
  for (int i = 0; i < n; i++) {
    g_autofree char *words = heading_of (self, &self->shown[i]);
    if (!g_str_equal (words, gtk_label_get_text (self->headings[i])))
      gtk_label_set_text (self->headings[i], words);
  }
}

void
odl_lab_pane_set_page (OdlLabPane *self, const char *name)
{
  const OdlLabPage *before = self->page;
  self->page = pages[0];
  for (size_t i = 0; i < G_N_ELEMENTS (pages); i++)
    if (g_str_equal (pages[i]->name, name))
      self->page = pages[i];
  if (self->page != before)
    remove_halves (self);
  gtk_menu_button_set_label (self->tab_menu, _ (self->page->title));
  update (self);
}

const char *
odl_lab_pane_page (OdlLabPane *self)
{
  return self->page->name;
}

// ---- taking it away ------------------------------------------------------------------

char *
odl_lab_pane_to_csv (OdlLabPane *self)
{
  const OdlOther *other = odl_session_other (self->session);
  OdlLabTable table = { .text = g_string_new (NULL) };
  for (int i = 0; i < self->n_shown; i++) {
    const Shown *shown = &self->shown[i];
    const char letter[] = { !other || self->page->is_whole ? '\0'
                            : shown->side.other            ? other->other_letter
                                                           : other->letter,
                            '\0' };
    table.filters = letter;
    table.filter = shown->filter ? shown->filter->name : "";
    if (self->contents[i])
      self->page->add_rows (self->contents[i], &table);
  }
  if (table.text->len == 0) {
    g_string_free (table.text, TRUE);
    return NULL;
  }
  g_autofree char *head = g_strdup_printf ("filters,filter,%s\n", self->page->columns);
  g_string_prepend (table.text, head);
  g_string_append_c (table.text, '\n');
  return g_string_free (table.text, FALSE);
}

GtkWidget *
odl_lab_pane_plot (OdlLabPane *self)
{
  return self->contents[0] || self->contents[1] ? GTK_WIDGET (self->halves) : NULL;
}

// ---- which session -------------------------------------------------------------------

static void
leave_session (OdlLabPane *self)
{
  remove_halves (self);
  if (self->session)
    g_signal_handlers_disconnect_by_data (self->session, self);
  if (self->chain)
    g_signal_handlers_disconnect_by_data (self->chain, self);
  g_clear_object (&self->session);
  g_clear_object (&self->chain);
}

void
odl_lab_pane_take_session (OdlLabPane *self)
{
  const OdlWindowParts *parts = self->parts;
  leave_session (self);
  self->session = g_object_ref (parts->session);
  self->chain = g_object_ref (odl_filter_panel_chain (parts->filter_panel));
  g_signal_connect_swapped (self->session, "notify::recipe", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->session, "frame-ready", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->chain, "selected", G_CALLBACK (update), self);
  update (self);
}

// ---- widget --------------------------------------------------------------------------

void
odl_lab_pane_set_detached (OdlLabPane *self, bool detached)
{
  const char *words
      = detached ? _ ("Back below the picture") : _ ("In a window of its own");
  gtk_button_set_icon_name (GTK_BUTTON (self->detach),
                            detached ? "view-restore-symbolic" : "window-new-symbolic");
  gtk_widget_set_tooltip_text (self->detach, words);
  odl_control_name (self->detach, words);
}

static GtkWidget *
make_tabs (void)
{
  GtkWidget *tabs = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (tabs, "linked");
  gtk_widget_add_css_class (tabs, "views");
  for (size_t i = 0; i < G_N_ELEMENTS (pages); i++) {
    GtkWidget *tab = gtk_toggle_button_new_with_label (_ (pages[i]->title));
    gtk_actionable_set_action_target (GTK_ACTIONABLE (tab), "s", pages[i]->name);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (tab), "win.lab-page");
    gtk_box_append (GTK_BOX (tabs), tab);
  }
  return tabs;
}

static GtkWidget *
make_tab_menu (OdlLabPane *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_autofree char *action = g_strconcat ("win.lab-page::", pages[i]->name, NULL);
    g_menu_append (menu, _ (pages[i]->title), action);
  }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  self->tab_menu = GTK_MENU_BUTTON (button);
  gtk_menu_button_set_label (self->tab_menu, _ (self->page->title));
  gtk_widget_set_tooltip_text (button, _ ("Page of the lab bench"));
  return button;
}

static GtkWidget *
make_button (const char *icon, const char *words, const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, words);
  odl_control_name (button, words);
  return button;
}

static GtkWidget *
make_save_menu (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();
  g_menu_append (menu, _ ("Save Numbers (CSV)…"), "win.save-lab::csv");
  g_menu_append (menu, _ ("Save Plot (SVG)…"), "win.save-lab::svg");
  g_menu_append (menu, _ ("Save Plot (PNG)…"), "win.save-lab::png");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "document-save-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Save what the lab bench shows"));
  return button;
}

static GtkWidget *
make_bar (OdlLabPane *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  AdwSqueezer *squeezer = ADW_SQUEEZER (adw_squeezer_new ());
  adw_squeezer_add (squeezer, make_tabs ());
  adw_squeezer_add (squeezer, make_tab_menu (self));
  adw_squeezer_set_homogeneous (squeezer, FALSE);
  adw_squeezer_set_xalign (squeezer, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (squeezer), TRUE);
  self->detach = make_button ("window-new-symbolic", "", "win.detach-lab");
  gtk_widget_add_css_class (bar, "lab-bar");
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (squeezer));
  gtk_box_append (GTK_BOX (bar), make_save_menu ());
  gtk_box_append (GTK_BOX (bar), self->detach);
  gtk_box_append (GTK_BOX (bar), make_button ("window-close-symbolic",
                                              _ ("Hide the lab bench"), "win.show-lab"));
  odl_lab_pane_set_detached (self, false);
  return bar;
}

static GtkWidget *
make_content (OdlLabPane *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *halves = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  self->halves = GTK_BOX (halves);
  gtk_box_set_homogeneous (self->halves, TRUE);
  gtk_widget_add_css_class (halves, "lab");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              LEAST_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), halves);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

// Not while it is laid out.
static gboolean
turn_cb (void *data)
{
  OdlLabPane *self = data;
  const bool narrow = gtk_widget_get_width (GTK_WIDGET (self)) < 2 * LEAST_HALF;
  self->turn_id = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->halves),
                                  narrow ? GTK_ORIENTATION_VERTICAL
                                         : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_homogeneous (self->halves, !narrow);
  return G_SOURCE_REMOVE;
}

static void
odl_lab_pane_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  OdlLabPane *self = ODL_LAB_PANE (widget);
  const bool narrow = width < 2 * LEAST_HALF;
  const bool is_narrow = gtk_orientable_get_orientation (GTK_ORIENTABLE (self->halves))
                         == GTK_ORIENTATION_VERTICAL;
  gtk_widget_allocate (self->box, width, height, baseline, NULL);
  if (narrow != is_narrow && !self->turn_id)
    self->turn_id = g_idle_add (turn_cb, self);
}

static void
odl_lab_pane_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *least,
                      int *natural,
                      int *least_baseline,
                      int *natural_baseline)
{
  gtk_widget_measure (ODL_LAB_PANE (widget)->box, orientation, for_size, least, natural,
                      least_baseline, natural_baseline);
}

static void
odl_lab_pane_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (odl_lab_pane_parent_class)->map (widget);
  update (ODL_LAB_PANE (widget));
}

static void
odl_lab_pane_dispose (GObject *object)
{
  OdlLabPane *self = ODL_LAB_PANE (object);
  g_clear_handle_id (&self->turn_id, g_source_remove);
  if (self->box)
    leave_session (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (odl_lab_pane_parent_class)->dispose (object);
}

static void
odl_lab_pane_class_init (OdlLabPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_lab_pane_dispose;
  widget_class->map = odl_lab_pane_map;
  widget_class->measure = odl_lab_pane_measure;
  widget_class->size_allocate = odl_lab_pane_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "lab-pane");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
odl_lab_pane_init (OdlLabPane *self)
{
  self->page = pages[0];
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), make_bar (self));
  gtk_box_append (GTK_BOX (self->box), make_content (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  odl_control_name (GTK_WIDGET (self), _ ("Lab bench"));
}

GtkWidget *
odl_lab_pane_new (const OdlWindowParts *parts)
{
  OdlLabPane *self = g_object_new (ODL_TYPE_LAB_PANE, NULL);
  self->parts = parts;
  odl_lab_pane_take_session (self);
  return GTK_WIDGET (self);
}
