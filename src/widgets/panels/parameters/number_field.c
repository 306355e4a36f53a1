// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/number_field.h"

#include <adwaita.h>

#include "widgets/diagnostics.h"

#define SESSION_KEY "odl-number-field-session"
#define WHOLE_KEY "odl-number-field-whole"
#define EMPTY_KEY "odl-number-field-empty"
#define RANGE_KEY "odl-number-field-range"

static bool
has (GtkSpinButton *field, const char *key)
{
  return g_object_get_data (G_OBJECT (field), key) != NULL;
}

static OdlUnitRange
range_of (GtkSpinButton *field)
{
  const OdlUnitRange *range = g_object_get_data (G_OBJECT (field), RANGE_KEY);

  return range ? *range : (OdlUnitRange){ 0, 1 };
}

static double
to_shown (const OdlUnitRange *range, double value)
{
  return range->zero + value * (range->one - range->zero);
}

static char *
shown_text (GtkSpinButton *field)
{
  const OdlUnitRange range = range_of (field);

  return odl_diagnostics_number (to_shown (&range, gtk_spin_button_get_value (field)));
}

// Shows the message in the window of the field.
static void
say (GtkSpinButton *field, const char *text)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (field));

  if (ADW_IS_PREFERENCES_WINDOW (root)) {
    g_autofree char *markup = g_markup_escape_text (text, -1);
    adw_preferences_window_add_toast (ADW_PREFERENCES_WINDOW (root),
                                      adw_toast_new (markup));
  } else {
    g_signal_emit_by_name (g_object_get_data (G_OBJECT (field), SESSION_KEY), "message",
                           text);
  }
}

static int
input_cb (GtkSpinButton *field, double *value, void *data)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (field));
  g_autofree char *shown = shown_text (field);
  const OdlUnitRange in = range_of (field);
  OdlNumberRange range = { .whole = has (field, WHOLE_KEY) };

  gtk_spin_button_get_range (field, &range.least, &range.most);
  *value = gtk_spin_button_get_value (field);
  // Text that was not edited is not read, since it has fewer digits than the number may
  // have.
  if (has (field, EMPTY_KEY) || g_str_equal (text, shown))
    return TRUE;
  const double least = to_shown (&in, range.least), most = to_shown (&in, range.most);
  double typed = to_shown (&in, *value);
  range.least = MIN (least, most);
  range.most = MAX (least, most);
  g_autofree char *reason = odl_diagnostics_take_number (text, &range, &typed);
  if (reason)
    say (field, reason);
  else
    *value = (typed - in.zero) / (in.one - in.zero);
  return TRUE;
}

static gboolean
output_cb (GtkSpinButton *field, void *data)
{
  g_autofree char *text = has (field, EMPTY_KEY) ? g_strdup ("") : shown_text (field);

  if (!g_str_equal (text, gtk_editable_get_text (GTK_EDITABLE (field))))
    gtk_editable_set_text (GTK_EDITABLE (field), text);
  return TRUE;
}

void
odl_number_field_leave_wheel (GtkWidget *control)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (control);
  for (guint i = g_list_model_get_n_items (controllers); i-- > 0;) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
      gtk_widget_remove_controller (control, controller);
  }
}

void
odl_number_field_set_up (GtkSpinButton *field, OdlSession *session, bool whole)
{
  const bool again = has (field, SESSION_KEY);
  g_object_set_data (G_OBJECT (field), SESSION_KEY, session);
  if (again)
    return;
  odl_number_field_leave_wheel (GTK_WIDGET (field));
  g_object_set_data (G_OBJECT (field), WHOLE_KEY, GINT_TO_POINTER (whole));
  // Every character may be typed; invalid text is reported rather than suppressed.
  gtk_spin_button_set_numeric (field, FALSE);
  g_signal_connect (field, "input", G_CALLBACK (input_cb), NULL);
  g_signal_connect (field, "output", G_CALLBACK (output_cb), NULL);
  output_cb (field, NULL);
}

void
odl_number_field_set_range (GtkSpinButton *field, OdlUnitRange shown)
{
  g_object_set_data_full (G_OBJECT (field), RANGE_KEY, g_memdup2 (&shown, sizeof shown),
                          g_free);
  output_cb (field, NULL);
}

void
odl_number_field_set_empty (GtkSpinButton *field, bool empty)
{
  g_object_set_data (G_OBJECT (field), EMPTY_KEY, GINT_TO_POINTER (empty));
  output_cb (field, NULL);
}

void
odl_number_field_set_hint (GtkSpinButton *field, const char *hint)
{
  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (field));
  gtk_text_set_placeholder_text (GTK_TEXT (text), hint);
}
