// SPDX-License-Identifier: MIT
#include "widgets/sweep/sweep_form.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "base/error.h"
#include "widgets/panels/parameters/drop_down.h"
#include "widgets/sweep/sweep_others.h"
#include "widgets/sweep/sweep_varied.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"

typedef enum { SHOWN, ALL_FRAMES, FOLDER } Pictures;

struct _OdlSweepForm {
  const OdlWindowParts *parts;
  GtkWidget *widget;
  AdwComboRow *pictures, *noise, *metric, *way;
  Pictures offered[3]; // in the rows of `pictures`
  guint n_offered;
  GtkEditable *amount, *seed;
  AdwActionRow *reference;
  GtkWidget *forget; // the reference
  char *file; // that one; NULL: none
  AdwPreferencesGroup *group; // of parameters
  AdwPreferencesGroup *pictured; // what is filtered
  GPtrArray *varied; // OdlSweepVaried
  OdlSweepOthers *others;
  char *shape; // of the chain whose parameters these are
  char *location; // of the source
};

// ---- kinds of noise ------------------------------------------------------------------

typedef struct {
  const char *word; // NULL: none
  const char *title; // translatable
  const char *amount; // what its number is, translatable
  const char *value; // that is offered
} NoiseRow;

static const NoiseRow noises[] = {
  { "gaussian", N_ ("Gaussian"), N_ ("σ, a share of full scale"), "25/255" },
  { "speckle", N_ ("Speckle"), N_ ("σ, a share of the value"), "0.2" },
  { "poisson", N_ ("Poisson"), N_ ("Photons at full scale"), "50" },
  { "salt-pepper", N_ ("Salt and pepper"), N_ ("Share of the pixels"), "0.05" },
  { NULL, N_ ("No noise"), N_ ("Amount"), "" },
};

static const NoiseRow *
chosen_noise (const OdlSweepForm *self)
{
  return &noises[adw_combo_row_get_selected (self->noise)];
}

static void
show_reference (OdlSweepForm *self)
{
  g_autofree char *name
      = self->file
            ? odl_names_of_file (odl_names_of (self->parts->session), self->file, NULL)
        : chosen_noise (self)->word ? g_strdup (_ ("The picture without the noise"))
                                    : g_strdup (_ ("None"));
  adw_action_row_set_subtitle (self->reference, name);
  gtk_widget_set_sensitive (self->forget, self->file != NULL);
}

static void
noise_cb (OdlSweepForm *self)
{
  const NoiseRow *row = chosen_noise (self);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->amount), _ (row->amount));
  odl_sweep_name_field (self->amount, _ (row->amount));
  gtk_editable_set_text (self->amount, row->value);
  gtk_widget_set_visible (GTK_WIDGET (self->amount), row->word != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->seed), row->word != NULL);
  show_reference (self);
}

// ---- the reference -------------------------------------------------------------------

static void
set_file (OdlSweepForm *self, const char *file)
{
  g_free (self->file);
  self->file = g_strdup (file);
  show_reference (self);
  if (file)
    adw_combo_row_set_selected (self->noise, G_N_ELEMENTS (noises) - 1);
  else if (!chosen_noise (self)->word)
    adw_combo_row_set_selected (self->noise, 0);
}

// The window may have been closed meanwhile.
static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  GWeakRef *weak = g_object_get_data (G_OBJECT (chooser), "widget");
  g_autoptr (GObject) widget = g_weak_ref_get (weak);
  g_autofree char *path = g_file_get_path (file);
  if (widget && path)
    set_file (g_object_get_data (widget, "form"), path);
}

static void
weak_free (void *data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static void
choose_cb (OdlSweepForm *self)
{
  GtkFileChooser *chooser
      = odl_file_chooser_new (self->parts, _ ("Choose a Clean Picture"),
                              GTK_FILE_CHOOSER_ACTION_OPEN, NULL, chosen_cb, NULL);
  GWeakRef *weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, self->widget);
  g_object_set_data_full (G_OBJECT (chooser), "widget", weak, weak_free);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
forget_cb (OdlSweepForm *self)
{
  set_file (self, NULL);
}

// ---- parameters ----------------------------------------------------------------------

// "soft-threshold:2.levels"
static char *
name_of (const OdlRecipe *recipe, int i, const OdlParameter *parameter)
{
  const OdlFilter *filter = recipe->items[i].filter;
  int n = 1;
  for (int k = 0; k < i; k++)
    n += g_str_equal (recipe->items[k].filter->name, filter->name);
  return n > 1 ? g_strdup_printf ("%s:%d.%s", filter->name, n, parameter->key)
               : g_strdup_printf ("%s.%s", filter->name, parameter->key);
}

// Takes `name`.
static OdlSweepVaried *
add_varied (OdlSweepForm *self, char *name, const char *title, const char *subtitle)
{
  OdlSweepVaried *varied = odl_sweep_varied_new (name, title, subtitle);
  adw_preferences_group_add (self->group, GTK_WIDGET (odl_sweep_varied_row (varied)));
  g_ptr_array_add (self->varied, varied);
  return varied;
}

static void
add_parameter (OdlSweepForm *self,
               const OdlRecipe *recipe,
               int i,
               const OdlParameter *parameter)
{
  const OdlRecipeItem *item = &recipe->items[i];
  OdlSession *session = self->parts->session;
  g_autofree char *subtitle
      = odl_sweep_varied_subtitle (session, item->filter, parameter);
  OdlSweepVaried *varied
      = add_varied (self, name_of (recipe, i, parameter), _ (parameter->label), subtitle);
  odl_sweep_varied_offer (varied, session, item, parameter);
}

// That of the whole chain.
static void
add_strength (OdlSweepForm *self)
{
  OdlSweepVaried *varied
      = add_varied (self, g_strdup ("strength"), _ ("Strength"), _ ("All filters"));
  odl_sweep_varied_offer_range (varied, 0, 2, 0.1);
}

// ---- following the window ------------------------------------------------------------

// What its parameters are named after, and the unit of their numbers. Transfer full.
static char *
shape_of (OdlSession *session, const OdlRecipe *recipe)
{
  GString *shape = g_string_new (odl_units_caption (session));
  g_string_append_c (shape, ' ');
  for (int i = 0; i < recipe->n_items; i++) {
    const OdlRecipeItem *item = &recipe->items[i];
    g_string_append_printf (shape, "%s%s ", item->filter->name,
                            item->bypassed ? "!" : "");
    for (size_t k = 0; k < item->filter->n_parameters; k++) {
      const OdlParameter *parameter = &item->filter->parameters[k];
      if (!item->bypassed && odl_sweep_can_vary (item, parameter)) {
        g_autofree char *name = name_of (recipe, i, parameter);
        const OdlUnitRange range = odl_units_range (session, item->filter, parameter);
        g_string_append_printf (shape, "%s %g %g ", name, range.zero, range.one);
      }
    }
  }
  return g_string_free (shape, FALSE);
}

static void
show_parameters (OdlSweepForm *self, const OdlRecipe *recipe)
{
  for (guint i = 0; i < self->varied->len; i++)
    adw_preferences_group_remove (
        self->group, GTK_WIDGET (odl_sweep_varied_row (self->varied->pdata[i])));
  g_ptr_array_set_size (self->varied, 0);
  for (int i = 0; i < recipe->n_items; i++)
    for (size_t k = 0; k < recipe->items[i].filter->n_parameters; k++) {
      const OdlRecipeItem *item = &recipe->items[i];
      if (!item->bypassed && odl_sweep_can_vary (item, &item->filter->parameters[k]))
        add_parameter (self, recipe, i, &item->filter->parameters[k]);
    }
  if (self->varied->len > 0)
    add_strength (self);
  odl_sweep_others_follow (self->others, recipe);
}

// A single picture among others in its folder.
static bool
is_of_folder (const OdlSourceInfo *info)
{
  return info->n_frames == 1 && g_path_is_absolute (info->location)
         && g_file_test (info->location, G_FILE_TEST_IS_REGULAR);
}

static void
show_pictures (OdlSweepForm *self, const OdlSourceInfo *info)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  gtk_string_list_append (names, _ ("This picture"));
  self->offered[0] = SHOWN;
  self->n_offered = 1;
  if (info->n_frames > 1) {
    gtk_string_list_append (names, _ ("All frames"));
    self->offered[self->n_offered++] = ALL_FRAMES;
  }
  if (is_of_folder (info)) {
    gtk_string_list_append (names, _ ("All pictures of the folder"));
    self->offered[self->n_offered++] = FOLDER;
  }
  adw_combo_row_set_model (self->pictures, G_LIST_MODEL (names));
  gtk_widget_set_visible (GTK_WIDGET (self->pictures), self->n_offered > 1);
}

bool
odl_sweep_form_follow (OdlSweepForm *self)
{
  OdlSession *session = self->parts->session;
  const OdlRecipe *recipe = odl_session_recipe (session);
  const OdlSourceInfo *info = odl_session_info (session);
  g_autofree char *shape = shape_of (session, recipe);
  if (g_strcmp0 (shape, self->shape) != 0) {
    g_free (self->shape);
    self->shape = g_steal_pointer (&shape);
    show_parameters (self, recipe);
  }
  if (g_strcmp0 (info->location, self->location) != 0) {
    g_free (self->location);
    self->location = g_strdup (info->location);
    show_pictures (self, info);
  }
  adw_preferences_group_set_description (
      self->pictured, odl_session_area (session) != ODL_AREA_ALL
                          ? _ ("A sweep filters and measures the whole picture, although "
                               "filters act inside a part of it here.")
                          : NULL);
  return recipe->n_items > 0;
}

// ---- what was asked ------------------------------------------------------------------

void
odl_sweep_asked_clear (OdlSweepAsked *asked)
{
  g_clear_pointer (&asked->params.vary, g_strfreev);
  g_clear_pointer (&asked->params.titles, g_strfreev);
  g_clear_pointer (&asked->texts, g_ptr_array_unref);
}

// Takes `text`.
static const char *
keep (OdlSweepAsked *asked, char *text)
{
  g_ptr_array_add (asked->texts, text);
  return text;
}

static bool
read_parameters (OdlSweepForm *self, OdlSweepAsked *asked, GError **error)
{
  g_autoptr (GStrvBuilder) vary = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) titles = g_strv_builder_new ();
  bool any = odl_sweep_others_has_any (self->others);
  for (guint i = 0; i < self->varied->len; i++) {
    OdlSweepVaried *varied = self->varied->pdata[i];
    if (!odl_sweep_varied_is_on (varied))
      continue;
    g_autofree char *text = odl_sweep_varied_text (varied, error);
    if (!text)
      return false;
    g_strv_builder_add (vary, text);
    g_strv_builder_add (titles, odl_sweep_varied_title (varied));
    any = true;
  }
  if (!odl_sweep_others_read (self->others, vary, titles, error))
    return false;
  asked->params.vary = g_strv_builder_end (vary);
  asked->params.titles = g_strv_builder_end (titles);
  return any
         || odl_usage_error (error, _ ("Switch on at least one parameter, or choose "
                                       "another filter."));
}

static bool
is_regional (const OdlSweepForm *self)
{
  return adw_combo_row_get_selected (self->metric) >= ODL_SCORE_FIRST_REGIONAL;
}

// The first two ellipses that were drawn on the frame: the region, then its background.
static bool
read_regions (OdlSweepForm *self, OdlSweepAsked *asked, GError **error)
{
  OdlSession *session = self->parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  OdlAnnotations *all = odl_session_annotations (session);
  const char *found[2] = { NULL, NULL };
  int n = 0;
  for (int i = 0; i < odl_annotations_count (all) && n < 2; i++) {
    const OdlAnnotation *annotation = odl_annotations_at (all, i);
    if (annotation->kind == &odl_annotation_ellipse && frame
        && odl_annotation_is_on (annotation, frame->index, NULL))
      found[n++] = keep (asked, odl_annotation_to_numbers (annotation));
  }
  asked->params.region = found[0];
  asked->params.background = found[1];
  return n == 2
         || odl_usage_error (
             error,
             _ ("%s is of two regions. Draw two ellipses (M): the region, "
                "then what it stands out from."),
             _ (odl_scores[adw_combo_row_get_selected (self->metric)].label));
}

static bool
read_noise (OdlSweepForm *self, OdlSweepAsked *asked, GError **error)
{
  const NoiseRow *row = chosen_noise (self);
  const char *seed = gtk_editable_get_text (self->seed);
  if (!row->word)
    return self->file || is_regional (self)
           || odl_usage_error (
               error, _ ("There is nothing to measure by. Add noise to a clean "
                         "picture, choose a reference, or a metric of regions."));
  asked->params.noise
      = keep (asked, g_strdup_printf ("%s:%s%s%s", row->word,
                                      gtk_editable_get_text (self->amount),
                                      *seed ? "," : "", seed));
  return true;
}

// "echo.png, frame 3 · Gaussian noise 25/255, seed 7 · compared with the picture without
// the noise".
static void
describe (OdlSweepForm *self, OdlSweepAsked *asked)
{
  OdlNames *names = odl_names_of (self->parts->session);
  const OdlTrialParams *params = &asked->params;
  const NoiseRow *noise = chosen_noise (self);
  const char *seed = gtk_editable_get_text (self->seed);
  g_autofree char *name = odl_names_of_source (self->parts->session);
  g_autoptr (GString) text = g_string_new (name);
  if (adw_combo_row_get_selected (self->pictures) > 0) {
    GtkStringObject *which = adw_combo_row_get_selected_item (self->pictures);
    g_string_append_printf (text, ": %s", gtk_string_object_get_string (which));
  } else if (params->frame > 0) {
    g_autofree char *frame
        // Translators: counted from 1.
        = g_strdup_printf (_ ("frame %" PRId64), params->frame);
    g_string_append_printf (text, ", %s", frame);
  }
  if (noise->word) {
    g_autofree char *added
        // Translators: a kind of noise, how much of it, and the number it begins with.
        = g_strdup_printf (_ ("noise: %s %s, seed %s"), _ (noise->title),
                           gtk_editable_get_text (self->amount), *seed ? seed : "0");
    g_string_append_printf (text, " · %s", added);
  } else
    g_string_append_printf (text, " · %s", _ ("no noise added"));
  if (self->file) {
    g_autofree char *file = odl_names_of_file (names, self->file, NULL);
    // Translators: the name of a file.
    g_autofree char *reference = g_strdup_printf (_ ("compared with %s"), file);
    g_string_append_printf (text, " · %s", reference);
  } else if (noise->word)
    g_string_append_printf (text, " · %s",
                            _ ("compared with the picture without the noise"));
  if (params->region)
    g_string_append_printf (text, " · %s", _ ("two regions"));
  asked->caption = keep (asked, g_strdup (text->str));
}

static void
read_pictures (OdlSweepForm *self, OdlSweepAsked *asked)
{
  const OdlSourceInfo *info = odl_session_info (self->parts->session);
  const OdlFrame *frame = odl_session_frame (self->parts->session);
  const guint selected = adw_combo_row_get_selected (self->pictures);
  OdlTrialParams *params = &asked->params;
  params->input = keep (asked, g_strdup (info->location));
  switch (selected < self->n_offered ? self->offered[selected] : SHOWN) {
  case SHOWN:
    // Of filters over slices all of the volume is filtered, and measured.
    if (info->n_frames != 1 && frame && !odl_recipe_is_volumetric (&params->recipe))
      params->frame = frame->index + 1;
    break;
  case ALL_FRAMES:
    params->frames = "all";
    break;
  case FOLDER: {
    g_autofree char *folder = g_path_get_dirname (info->location);
    params->input = keep (asked, g_strconcat ("sequence:", folder, NULL));
    params->frames = "all";
    break;
  }
  }
}

bool
odl_sweep_form_read (OdlSweepForm *self, OdlSweepAsked *asked, GError **error)
{
  OdlSession *session = self->parts->session;
  const OdlSourceInfo *info = odl_session_info (session);
  *asked = (OdlSweepAsked){ .texts = g_ptr_array_new_with_free_func (g_free) };
  OdlTrialParams *params = &asked->params;
  if (!info->location || info->capture)
    return odl_usage_error (error, _ ("Frames of a camera come once. Save a picture or "
                                      "record a video, and open that."));
  params->recipe = *odl_session_recipe (session);
  params->recipe.view = ODL_VIEW_SYNTHESIS;
  params->recipe.direction = 0;
  params->reference = self->file ? keep (asked, g_strdup (self->file)) : NULL;
  params->metric = odl_scores[adw_combo_row_get_selected (self->metric)].word;
  params->divisions = 1;
  asked->searches = adw_combo_row_get_selected (self->way) == 1;
  read_pictures (self, asked);
  if (!read_parameters (self, asked, error) || !read_noise (self, asked, error)
      || (is_regional (self) && !read_regions (self, asked, error)))
    return false;
  describe (self, asked);
  return true;
}

// ---- rows ----------------------------------------------------------------------------

static AdwPreferencesGroup *
add_group (GtkBox *box, const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  gtk_box_append (box, group);
  return ADW_PREFERENCES_GROUP (group);
}

// `names` up to NULL, translated.
static AdwComboRow *
add_combo (AdwPreferencesGroup *group, const char *title, const char *const *names)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (names);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  odl_combo_row_widen (ADW_COMBO_ROW (row)); // words of some languages are long
  adw_preferences_group_add (group, row);
  return ADW_COMBO_ROW (row);
}

static GtkEditable *
add_entry (AdwPreferencesGroup *group, const char *title, const char *text)
{
  GtkWidget *row = adw_entry_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  odl_sweep_name_field (GTK_EDITABLE (row), title);
  adw_preferences_group_add (group, row);
  return GTK_EDITABLE (row);
}

static GtkWidget *
flat_button (const char *icon, const char *words, GCallback clicked, OdlSweepForm *self)
{
  GtkWidget *button = odl_child_window_button (icon, words, clicked, self);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

static void
add_reference (OdlSweepForm *self, AdwPreferencesGroup *group)
{
  GtkWidget *row = adw_action_row_new ();
  self->reference = ADW_ACTION_ROW (row);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Reference"));
  adw_action_row_set_subtitle_lines (self->reference, 2);
  self->forget = flat_button ("edit-clear-symbolic", _ ("No reference file"),
                              G_CALLBACK (forget_cb), self);
  adw_action_row_add_suffix (self->reference, flat_button ("document-open-symbolic",
                                                           _ ("Choose a clean picture"),
                                                           G_CALLBACK (choose_cb), self));
  adw_action_row_add_suffix (self->reference, self->forget);
  adw_preferences_group_add (group, row);
}

static void
add_pictures (OdlSweepForm *self, GtkBox *box)
{
  AdwPreferencesGroup *group = add_group (box, _ ("Pictures"));
  self->pictured = group;
  const char *names[G_N_ELEMENTS (noises) + 1] = { NULL };
  const char *none[] = { NULL };
  for (gsize i = 0; i < G_N_ELEMENTS (noises); i++)
    names[i] = _ (noises[i].title);
  self->pictures = add_combo (group, _ ("Filtered are"), none);
  self->noise = add_combo (group, _ ("Noise that is added"), names);
  self->amount = add_entry (group, "", "");
  self->seed = add_entry (group, _ ("Seed"), "0");
  add_reference (self, group);
  g_signal_connect_swapped (self->noise, "notify::selected", G_CALLBACK (noise_cb), self);
  noise_cb (self);
  set_file (self, odl_reference_file (self->parts->reference));
}

static void
add_metric (OdlSweepForm *self, GtkBox *box)
{
  AdwPreferencesGroup *group = add_group (box, _ ("What Is Looked For"));
  const char *names[ODL_N_SCORES + 1] = { NULL };
  const char *ways[] = { _ ("All combinations"), _ ("Only the best, by a search"), NULL };
  for (int i = 0; i < ODL_N_SCORES; i++)
    names[i] = _ (odl_scores[i].label);
  self->metric = add_combo (group, _ ("The best by"), names);
  self->way = add_combo (group, _ ("Computed are"), ways);
}

OdlSweepForm *
odl_sweep_form_new (const OdlWindowParts *parts)
{
  OdlSweepForm *self = g_new0 (OdlSweepForm, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  self->parts = parts;
  self->varied = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_sweep_varied_free);
  self->others = odl_sweep_others_new (parts);
  self->widget = gtk_scrolled_window_new ();
  g_object_set_data (G_OBJECT (self->widget), "form", self);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 18);
  self->group = add_group (GTK_BOX (box), _ ("Parameters That Vary"));
  gtk_box_append (GTK_BOX (box), odl_sweep_others_widget (self->others));
  add_metric (self, GTK_BOX (box));
  add_pictures (self, GTK_BOX (box));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->widget), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->widget), box);
  gtk_widget_set_vexpand (self->widget, TRUE);
  return self;
}

GtkWidget *
odl_sweep_form_widget (OdlSweepForm *self)
{
  return self->widget;
}

void
odl_sweep_form_free (OdlSweepForm *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->varied);
  odl_sweep_others_free (self->others);
  g_free (self->file);
  g_free (self->shape);
  g_free (self->location);
  g_free (self);
}
