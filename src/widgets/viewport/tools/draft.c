// SPDX-License-Identifier: MIT
// The annotation in the making: dropped, or stored in the session.
#include <glib/gi18n-lib.h>

#include "widgets/viewport/private.h"

void
odl_viewport_drop_draft (OdlViewport *self)
{
  self->annotating.drafting = false;
  odl_viewport_annotation_changed (self);
}

// Stores it in the session, as one step to undo.
void
odl_viewport_store_draft (OdlViewport *self)
{
  OdlAnnotating *annotating = &self->annotating;
  const OdlAnnotation draft = annotating->draft;
  OdlAnnotations *before = odl_session_annotations (self->session);
  const OdlAnnotation *old = odl_annotations_find (before, draft.id);
  annotating->drafting = false;
  // The annotation may have been undone meanwhile.
  const bool gone = draft.id != 0 && !old;
  if (!gone && !odl_annotation_is_empty (&draft)
      && !(old && odl_annotation_is_same (old, &draft))) {
    odl_session_annotate (self->session, &draft);
    OdlAnnotations *after = odl_session_annotations (self->session);
    const int last = odl_annotations_count (after) - 1;
    annotating->selected = draft.id ? draft.id : odl_annotations_at (after, last)->id;
    if (draft.kind == &odl_annotation_profile && draft.id == 0)
      gtk_widget_activate_action (GTK_WIDGET (self), "win.profile-plot", NULL);
  }
  odl_viewport_annotation_changed (self);
}

// Words that were typed and do not say what they have to.
static void
refuse_words (OdlViewport *self)
{
  const OdlAnnotation *draft = &self->annotating.draft;
  if (!*draft->words || !draft->kind->has_sense || draft->kind->has_sense (draft))
    return;
  // Translators: what somebody typed as a length.
  g_autofree char *text = g_strdup_printf (
      _ ("“%s” is no length. Type one such as 25 mm or 2.5 cm."), draft->words);
  g_signal_emit_by_name (self, "message", text);
}

void
odl_viewport_keep_draft (OdlViewport *self)
{
  const OdlAnnotating *annotating = &self->annotating;
  const unsigned id = annotating->draft.id;
  if (!annotating->drafting)
    return;
  refuse_words (self);
  if (id != 0 && odl_annotation_is_empty (&annotating->draft)) {
    odl_viewport_drop_draft (self);
    odl_session_remove_annotation (self->session, id);
  } else {
    odl_viewport_store_draft (self);
  }
}
