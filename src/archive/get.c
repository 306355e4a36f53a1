// SPDX-License-Identifier: MIT
#include "archive/get.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "archive/arrival.h"
#include "archive/classes.h"
#include "archive/mover.h"
#include "archive/watch.h"
#include "base/error.h"
#include "base/text.h"
#include "decoder/dicom/syntax.h"

#define USUAL_MOST 100000
#define USUAL_SECONDS (4 * 3600)
#define USUAL_IDLE_SECONDS 60
#define MOST_SAID 1000 // sentences; a node may give cause for any number
#define INSTANCE_BYTES ((guint64) 4 << 30)

#define IMPLICIT "1.2.840.10008.1.2"
#define EXPLICIT "1.2.840.10008.1.2.1"
#define STUDY_ROOT_GET "1.2.840.10008.5.1.4.1.2.2.3"
#define STUDY_ROOT_MOVE "1.2.840.10008.5.1.4.1.2.2.2"

// One that the node has.
typedef struct {
  char *values[ODL_N_KEYS]; // UIDs, and of the patient
  gint there; // atomic
} Item;

typedef struct {
  const OdlGetParams *params;
  OdlGot *got;
  GCancellable *cancellable;
  char *address;
  GPtrArray *items;
  GHashTable *by_uid; // of the items
  GPtrArray *classes; // that are proposed, as many as fit at a time; borrowed texts
  guint first, last; // of these, in this association
  OdlPeer *peer; // NULL: there is no association
  OdlPeer *waiting; // started for the first one, while it is asked what there is
  bool packed; // nothing that is not compressed is proposed
  bool hopeless; // there is none to be had any more
  bool counted; // so far the node has counted what it did not send, too
  bool refused; // it has no C-GET
  OdlWatch *moving; // the time that it may be silent while it moves; NULL: it does not
  gint n_calls; // that came then; atomic, as the next one
  gint n_open; // of these, associations that have not ended
  GRecMutex mutex; // of what is told, then also in other threads
  GHashTable *said; // sentences
  GPtrArray *reasons; // sentences about what lacks, if something does at the end
  GError *no_file; // why there is none for the next picture; NULL: there is one
  GError *error; // why it was given up
} Getting;

static void
free_item (void *data)
{
  Item *item = data;

  for (int i = 0; i < ODL_N_KEYS; i++)
    g_free (item->values[i]);
  g_free (item);
}

// ---- What is told ----

// Once. Takes the text.
static void
say (Getting *self, char *text)
{
  g_rec_mutex_lock (&self->mutex);
  if (g_hash_table_size (self->said) < MOST_SAID
      || g_hash_table_contains (self->said, text)) {
    if (g_hash_table_add (self->said, text))
      self->params->told (&(OdlGetNews){ .event = ODL_GET_SAID, .text = text },
                          self->params->data);
  } else {
    g_free (text);
  }
  g_rec_mutex_unlock (&self->mutex);
}

static bool
is_there (const Item *item)
{
  return g_atomic_int_get (&item->there) != 0;
}

static OdlNetworkFacts
facts_of (const Item *item)
{
  OdlNetworkFacts facts = { 0 };

  g_strlcpy (facts.study, item->values[ODL_KEY_STUDY], sizeof facts.study);
  g_strlcpy (facts.series, item->values[ODL_KEY_SERIES], sizeof facts.series);
  g_strlcpy (facts.instance, item->values[ODL_KEY_INSTANCE], sizeof facts.instance);
  return facts;
}

// ---- What there is ----

static void
found_cb (OdlValues values, void *data)
{
  static const OdlKey kept[]
      = { ODL_KEY_STUDY,     ODL_KEY_SERIES,   ODL_KEY_INSTANCE,
          ODL_KEY_SOP_CLASS, ODL_KEY_MODALITY, ODL_KEY_PATIENT_ID };
  Getting *self = data;
  Item *item = g_new0 (Item, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (kept); i++)
    item->values[kept[i]] = g_strdup (values[kept[i]]);
  g_ptr_array_add (self->items, item);
  g_hash_table_insert (self->by_uid, item->values[ODL_KEY_INSTANCE], item);
}

static guint
most_of (const OdlGetParams *params)
{
  return params->most > 0 ? params->most : USUAL_MOST;
}

static bool
find (Getting *self, GError **error)
{
  const OdlGetParams *params = self->params;
  // Orthanc reads each file for its class, which takes longer than all else.
  const OdlFindParams what = { .link = params->link,
                               .level = ODL_LEVEL_IMAGE,
                               .query = params->query,
                               .no_classes = params->level < ODL_LEVEL_IMAGE,
                               .most = most_of (params),
                               .told = found_cb,
                               .data = self };

  return odl_find (&what, &self->got->found, self->cancellable, error)
         && (self->items->len > 0
             || odl_error_set (error, ODL_ERROR_IO,
                               _ ("it has no pictures that were asked for")));
}

static void
class_cb (OdlValues values, void *data)
{
  const Getting *self = data;
  Item *item = g_hash_table_lookup (self->by_uid, values[ODL_KEY_INSTANCE]);

  if (item != NULL && item->values[ODL_KEY_SOP_CLASS] == NULL)
    item->values[ODL_KEY_SOP_CLASS] = g_strdup (values[ODL_KEY_SOP_CLASS]);
}

// Where the node does not say, they stay unknown.
static void
find_classes (Getting *self)
{
  const OdlGetParams *params = self->params;
  const OdlFindParams what = { .link = params->link,
                               .level = ODL_LEVEL_IMAGE,
                               .query = params->query,
                               .most = most_of (params),
                               .told = class_cb,
                               .data = self };
  OdlFound found;

  odl_find (&what, &found, self->cancellable, NULL);
}

// ---- What comes ----

// NULL: it was not asked for, which `why` says.
static Item *
item_of (Getting *self, const OdlNetworkFacts *facts, char **why)
{
  Item *item = g_hash_table_lookup (self->by_uid, facts->instance);

  if (item == NULL)
    *why = g_strdup (_ ("it was not asked for"));
  else if (!g_str_equal (facts->study, item->values[ODL_KEY_STUDY])
           || !g_str_equal (facts->series, item->values[ODL_KEY_SERIES]))
    *why = g_strdup (_ ("it is of another study or series than the one asked for"));
  return *why == NULL ? item : NULL;
}

// Whether both are known and differ; numbers that are not ASCII may be in different
// character sets.
static bool
is_of_another_patient (const Item *item, const OdlNetworkFacts *facts)
{
  const char *asked = item->values[ODL_KEY_PATIENT_ID];
  g_autofree char *has = g_strstrip (g_strdup (facts->patient));

  return asked != NULL && *has != '\0' && g_str_is_ascii (asked) && g_str_is_ascii (has)
         && !g_str_equal (asked, has);
}

static void
tell_kept (Getting *self,
           Item *item,
           const OdlNetworkFacts *facts,
           OdlKept kept,
           const char *path)
{
  OdlGot *got = self->got;

  got->n_more += is_there (item);
  g_atomic_int_set (&item->there, 1);
  got->n_kept += kept == ODL_KEPT_NEW;
  got->n_again += kept == ODL_KEPT_AGAIN || kept == ODL_KEPT_ALIKE;
  got->n_apart += kept == ODL_KEPT_APART;
  self->params->told (&(OdlGetNews){ .event = ODL_GET_KEPT, .path = path, .kept = kept },
                      self->params->data);
  if (!is_of_another_patient (item, facts))
    return;
  g_autofree char *has = odl_text_in_one_line (facts->patient);
  got->n_others++;
  say (self, g_strdup_printf (_ ("%s is of another patient: its file says “%s”, and the "
                                 "node “%s”"),
                              path, has, item->values[ODL_KEY_PATIENT_ID]));
}

// It may come more than once, also as another one each time.
static bool
is_news (const Item *item, OdlKept kept)
{
  return !is_there (item) || kept == ODL_KEPT_APART;
}

static int
next_file (Getting *self)
{
  g_clear_error (&self->no_file);
  return odl_instances_new_file (self->params->instances, &self->no_file);
}

// Returns the status of the answer.
static guint32
keep (Getting *self, const OdlNetworkReport *report, int file, char **why)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  OdlKept kept;
  const guint32 status = odl_arrival_check (
      report, self->no_file != NULL ? self->no_file->message : NULL, why);

  if (status != ODL_STATUS_SUCCESS)
    return status;
  Item *item = item_of (self, &report->facts, why);
  if (item == NULL)
    return ODL_STATUS_NOT_AUTHORISED;
  if (!odl_instances_keep (self->params->instances, file, &report->facts, &kept, &path,
                           &error)) {
    *why = g_strdup (error->message);
    return ODL_STATUS_NO_RESOURCES;
  }
  if (is_news (item, kept))
    tell_kept (self, item, &report->facts, kept, path);
  return ODL_STATUS_SUCCESS;
}

// `*file` is that of the next one afterwards.
static bool
take_instance (Getting *self, const OdlNetworkReport *report, int *file, GError **error)
{
  g_autofree char *why = NULL;
  OdlNetworkOrder status = { .kind = ODL_NETWORK_STATUS };

  status.value = keep (self, report, *file, &why);
  g_strlcpy (status.comment, odl_arrival_comment (status.value), sizeof status.comment);
  if (why != NULL) {
    g_autofree char *what = odl_text_in_one_line (report->facts.instance);
    say (self, g_strdup_printf (_ ("instance %s was not kept: %s"), what, why));
  }
  if (*file >= 0)
    close (*file);
  *file = next_file (self);
  return odl_peer_order (self->peer, &status, NULL, *file, error);
}

// ---- Associations ----

static guint
seconds_of (const OdlGetParams *params)
{
  return params->seconds > 0 ? params->seconds : USUAL_SECONDS;
}

static void
hang_up (Getting *self, bool release)
{
  if (self->peer != NULL && release)
    odl_link_release (self->peer, self->cancellable);
  odl_peer_end (self->peer);
  self->peer = NULL;
}

static void
give_up (Getting *self, const char *why)
{
  if (!self->hopeless)
    say (self, g_strdup_printf (_ ("the association with %s was %s"),
                                self->params->link.to->title, why));
  self->hopeless = true;
}

static bool
is_wanted (const Getting *self, const OdlDicomSyntax *syntax, const char *sop_class)
{
  return syntax->codec != ODL_DICOM_REFUSED
         && (syntax->codec != ODL_DICOM_NATIVE || !self->packed)
         && (syntax->codec != ODL_DICOM_VIDEO || odl_class_may_be_video (sop_class))
         && !g_str_equal (syntax->uid, EXPLICIT);
}

// Each class in every transfer syntax that the program reads, so that the node need not
// convert anything; nodes that do take the first one. False: there is no room for all.
static bool
add_class (const Getting *self, OdlProposal *proposal, const char *sop_class)
{
  const guint before = proposal->n;
  bool room = self->packed || odl_proposal_add (proposal, sop_class, EXPLICIT, true);

  for (size_t i = 0; room && i < odl_dicom_n_syntaxes; i++)
    if (is_wanted (self, &odl_dicom_syntaxes[i], sop_class))
      room = odl_proposal_add (proposal, sop_class, odl_dicom_syntaxes[i].uid, true);
  if (!room)
    proposal->n = before;
  return room;
}

// The classes from `first` on that fit into one association.
static void
propose (Getting *self, OdlProposal *proposal)
{
  proposal->n = 0;
  odl_proposal_add (proposal, self->moving != NULL ? STUDY_ROOT_MOVE : STUDY_ROOT_GET,
                    IMPLICIT, false);
  self->last = self->first;
  while (self->last < self->classes->len
         && add_class (self, proposal, self->classes->pdata[self->last]))
    self->last++;
}

// Unless there is an association.
static bool
connect_to (Getting *self)
{
  g_autofree OdlProposal *proposal = g_new0 (OdlProposal, 1);
  g_autofree char *end = NULL;
  OdlLinkParams link = self->params->link;

  if (self->peer != NULL || self->hopeless)
    return !self->hopeless;
  propose (self, proposal);
  // While pictures come by another association, this one may have nothing to say.
  if (self->moving != NULL)
    link.idle_seconds = seconds_of (self->params);
  OdlPeer *waiting = g_steal_pointer (&self->waiting);
  self->peer = waiting != NULL
                   ? odl_link_connect (&link, waiting, self->address, proposal,
                                       self->cancellable, &end)
                   : odl_link_open (&link, ODL_NETWORK_ASK, INSTANCE_BYTES, self->address,
                                    proposal, self->cancellable, &end);
  if (self->peer == NULL) {
    give_up (self, end);
  } else if (!odl_proposal_is_taken (proposal, 0)) {
    say (self, g_strdup_printf (self->moving != NULL
                                    ? _ ("%s moves nothing to others (C-MOVE)")
                                    : _ ("%s lets nobody get anything (C-GET)"),
                                link.to->title));
    self->refused = self->moving == NULL;
    self->hopeless = true;
    hang_up (self, true);
  }
  return self->peer != NULL;
}

// ---- Asking ----

static guint
count_lacking (const Getting *self)
{
  guint n = 0;

  for (guint i = 0; i < self->items->len; i++)
    n += !is_there (self->items->pdata[i]);
  return n;
}

// What the node says at the end of an answer.
static void
take_count (Getting *self, const OdlNetworkReport *report, guint n_asked)
{
  const OdlNetworkCounts *counts = &report->counts;
  const guint n = counts->completed + counts->failed + counts->warnings;

  self->counted = self->counted && n >= n_asked;
  if (report->status == ODL_STATUS_SUCCESS || report->status == ODL_STATUS_SOME_FAILED) {
    if (n < n_asked)
      g_ptr_array_add (
          self->reasons,
          g_strdup_printf (_ ("%s says that it is done, and counts %u of %u"),
                           self->params->link.to->title, n, n_asked));
    return;
  }
  g_ptr_array_add (self->reasons, odl_link_status_to_text (report));
  // It will not move parts either.
  self->hopeless = self->hopeless || (self->moving != NULL && n == 0);
}

static void
take_end (Getting *self, const OdlNetworkReport *report)
{
  g_autofree char *text = odl_peer_end_to_text (report);

  self->counted = false;
  if (report->end == ODL_NETWORK_SILENT || report->end == ODL_NETWORK_CLOSED)
    give_up (self, text);
  else
    say (self, g_strdup_printf (_ ("the association with %s was %s"),
                                self->params->link.to->title, text));
  hang_up (self, false);
}

static bool
is_pending (const OdlNetworkReport *report)
{
  return report->kind == ODL_NETWORK_COUNTED
         && (report->status == ODL_STATUS_PENDING
             || report->status == ODL_STATUS_PENDING_WITHOUT_SOME);
}

static guint
idle_of (const OdlGetParams *params)
{
  return params->link.idle_seconds > 0 ? params->link.idle_seconds : USUAL_IDLE_SECONDS;
}

static void
still_moves (Getting *self)
{
  // Who calls us may not be silent either (OdlNodeLimits).
  if (self->moving != NULL)
    odl_watch_extend (self->moving, g_atomic_int_get (&self->n_open) > 0
                                        ? seconds_of (self->params)
                                        : idle_of (self->params));
}

// All that the node sends for one request.
static bool
converse (Getting *self, guint n_asked, int *file, GError **error)
{
  OdlNetworkReport report;

  for (;;) {
    if (!odl_peer_receive (self->peer, &report, NULL, 0, self->cancellable, error))
      return false;
    still_moves (self);
    if (report.kind == ODL_NETWORK_STORED) {
      if (!take_instance (self, &report, file, error))
        return false;
    } else if (report.kind == ODL_NETWORK_COUNTED && !is_pending (&report)) {
      take_count (self, &report, n_asked);
      return true;
    } else if (!is_pending (&report)) {
      take_end (self, &report);
      return true;
    }
  }
}

static const char *
move_title (const OdlGetParams *params)
{
  return params->move.title != NULL ? params->move.title : params->link.calling;
}

// Asks for what an item is of; `n_asked` pictures should come.
static void
ask (Getting *self, OdlLevel level, const Item *of, guint n_asked)
{
  g_autoptr (GByteArray) keys = odl_query_build_unique (level, (OdlValues) of->values);
  OdlNetworkOrder order
      = { .kind = self->moving != NULL ? ODL_NETWORK_MOVE : ODL_NETWORK_GET,
          .value = 1,
          .n_bytes = keys->len };
  g_autoptr (GError) error = NULL;

  if (!connect_to (self))
    return;
  if (self->moving != NULL)
    g_strlcpy (order.destination, move_title (self->params), sizeof order.destination);
  int file = next_file (self);
  if (!odl_peer_order (self->peer, &order, keys->data, file, &error)
      || !converse (self, n_asked, &file, &error)) {
    self->counted = false;
    hang_up (self, false);
    if (self->moving != NULL && odl_watch_is_late (self->moving)) {
      const OdlNetworkReport silent = { .end = ODL_NETWORK_SILENT };
      g_autofree char *text = odl_peer_end_to_text (&silent);
      give_up (self, text);
    } else if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED)) {
      self->hopeless = true;
      g_clear_error (&self->error);
      self->error = g_steal_pointer (&error);
    } else {
      give_up (self, error->message);
    }
  }
  if (file >= 0)
    close (file);
}

// Whether what an item is may be among the classes of this association.
static bool
is_proposed (const Getting *self, const Item *item)
{
  const char *sop_class = item->values[ODL_KEY_SOP_CLASS];

  for (guint i = self->first; i < self->last && sop_class != NULL; i++)
    if (g_str_equal (self->classes->pdata[i], sop_class))
      return true;
  return sop_class == NULL || self->moving != NULL;
}

// Items that lack, of the series of one of them.
static guint
count_of_series (const Getting *self, const Item *of)
{
  guint n = 0;

  for (guint i = 0; i < self->items->len; i++) {
    const Item *item = self->items->pdata[i];
    n += g_str_equal (item->values[ODL_KEY_SERIES], of->values[ODL_KEY_SERIES]);
  }
  return n;
}

// Asks for each series or picture that lacks.
static void
ask_each (Getting *self, OdlLevel level)
{
  g_autoptr (GHashTable) asked = g_hash_table_new (g_str_hash, g_str_equal);
  const OdlKey key = level == ODL_LEVEL_SERIES ? ODL_KEY_SERIES : ODL_KEY_INSTANCE;

  for (guint i = 0; i < self->items->len && !self->hopeless; i++) {
    const Item *item = self->items->pdata[i];
    if (!is_there (item) && is_proposed (self, item)
        && g_hash_table_add (asked, item->values[key]))
      ask (self, level, item,
           level == ODL_LEVEL_SERIES ? count_of_series (self, item) : 1);
  }
}

// In as many associations as the classes need. `level`: what is asked for where one does.
static void
ask_in_turn (Getting *self, OdlLevel level)
{
  g_autofree OdlProposal *proposal = g_new0 (OdlProposal, 1);

  for (self->first = 0; self->first < self->classes->len && !self->hopeless;
       self->first = self->last) {
    propose (self, proposal);
    const bool one = self->first == 0 && self->last == self->classes->len;
    if (one && level < ODL_LEVEL_SERIES)
      ask (self, level, self->items->pdata[0], self->items->len);
    else
      ask_each (self, MAX (level, ODL_LEVEL_SERIES));
    hang_up (self, true);
  }
}

// ---- Which kinds ----

static void
add_once (GPtrArray *classes, const char *sop_class)
{
  if (!g_ptr_array_find_with_equal_func (classes, sop_class, g_str_equal, NULL))
    g_ptr_array_add (classes, (void *) sop_class);
}

// `others`: those that were not tried for items whose class the node does not say.
static void
collect_classes (Getting *self, bool others)
{
  g_ptr_array_set_size (self->classes, 0);
  for (guint i = 0; i < self->items->len; i++) {
    const Item *item = self->items->pdata[i];
    const char *sop_class = item->values[ODL_KEY_SOP_CLASS];
    const char *modality = item->values[ODL_KEY_MODALITY];
    if (is_there (item) || (others && sop_class != NULL))
      continue;
    if (sop_class != NULL) {
      add_once (self->classes, sop_class);
      continue;
    }
    g_autofree const char **usual
        = odl_classes_of (modality != NULL ? modality : "OT", others);
    for (int k = 0; usual[k] != NULL; k++)
      add_once (self->classes, usual[k]);
  }
}

// ---- Moving ----

static char *
refuse_cb (const OdlNetworkFacts *facts, void *data)
{
  char *why = NULL;

  item_of (data, facts, &why);
  return why;
}

static void
node_told_cb (const OdlNodeNews *news, void *data)
{
  Getting *self = data;
  g_autofree char *what = NULL;
  Item *item;

  if (news->event == ODL_NODE_BEGAN || news->event == ODL_NODE_TURNED_AWAY)
    g_atomic_int_inc (&self->n_calls);
  if (news->event == ODL_NODE_BEGAN)
    g_atomic_int_inc (&self->n_open);
  else if (news->event == ODL_NODE_ENDED)
    g_atomic_int_add (&self->n_open, -1);
  still_moves (self);
  switch (news->event) {
  case ODL_NODE_KEPT:
    item = g_hash_table_lookup (self->by_uid, news->facts->instance);
    g_rec_mutex_lock (&self->mutex);
    if (item != NULL && is_news (item, news->kept))
      tell_kept (self, item, news->facts, news->kept, news->path);
    g_rec_mutex_unlock (&self->mutex);
    return;
  case ODL_NODE_NOT_KEPT:
    what = odl_text_in_one_line (news->facts->instance);
    say (self, g_strdup_printf (_ ("instance %s was not kept: %s"), what, news->text));
    return;
  case ODL_NODE_ENDED:
    if (news->n_kept + news->n_again + news->n_apart == 0)
      say (self, g_strdup_printf ("%s: %s", news->caller, news->text));
    return;
  case ODL_NODE_TURNED_AWAY:
    say (self, g_strdup_printf ("%s: %s", news->caller, news->text));
    return;
  case ODL_NODE_LISTENS:
  case ODL_NODE_BEGAN:
  case ODL_NODE_COMES:
    return;
  }
}

// Study, series, pictures: what lacks is asked for once more where the node does not
// count it.
static void
move_by_level (Getting *self)
{
  OdlLevel level = self->params->level;

  self->counted = true;
  ask (self, level, self->items->pdata[0], self->items->len);
  for (level++; level <= ODL_LEVEL_IMAGE && !self->counted && !self->hopeless; level++) {
    self->counted = true;
    ask_each (self, level);
  }
  hang_up (self, true);
}

static void
move_to (Getting *self, OdlNodeParams *node)
{
  const OdlGetParams *params = self->params;
  GCancellable *given = self->cancellable;
  OdlWatch *idle = odl_watch_start (given, idle_of (params));
  g_autoptr (GError) error = NULL;

  self->moving = idle;
  self->cancellable = odl_watch_cancellable (idle);
  OdlMover *mover = odl_mover_start (node, &error);
  if (mover != NULL)
    move_by_level (self);
  else
    say (self, g_strdup (error->message));
  if (mover != NULL && g_atomic_int_get (&self->n_calls) == 0 && count_lacking (self) > 0)
    g_ptr_array_add (
        self->reasons,
        g_strdup_printf (_ ("%s called nobody at %s, port %u; it has to know "
                            "“%s” there to move anything to it"),
                         params->link.to->title, node->address, odl_mover_port (mover),
                         node->title));
  odl_mover_end (mover);
  self->moving = NULL;
  self->cancellable = given;
  odl_watch_end (idle, &self->error);
}

// To a node of ours, which lets in the other one alone and takes what was asked for.
static bool
move_all (Getting *self, GError **error)
{
  const OdlGetParams *params = self->params;
  const OdlMoveParams *move = &params->move;
  const char *wanted = move->callers;
  g_autofree char *usual
      = g_strdup_printf ("%s@%s", params->link.to->title, self->address);
  g_autoptr (OdlCallers) callers
      = odl_callers_parse (wanted != NULL ? wanted : usual, error);
  g_autofree char *address = g_strdup (move->address);

  if (callers != NULL && address == NULL)
    address = odl_mover_own_address (self->address, error);
  if (callers == NULL || address == NULL)
    return false;
  if (params->link.tls != NULL && !odl_peer_tls_check (params->link.tls, true, error))
    return false;
  OdlNodeParams node = { .title = move_title (params),
                         .address = address,
                         .port = move->port > 0 ? move->port : ODL_GET_USUAL_PORT,
                         .callers = callers,
                         .instances = params->instances,
                         .tls = params->link.tls,
                         .limits = { .seconds = seconds_of (params),
                                     .idle_seconds = params->link.idle_seconds },
                         .refuse = refuse_cb,
                         .told = node_told_cb,
                         .data = self };
  self->hopeless = false;
  move_to (self, &node);
  return true;
}

// ---- All of it ----

static bool
knows_classes (const Getting *self)
{
  for (guint i = 0; i < self->items->len; i++) {
    const Item *item = self->items->pdata[i];
    if (!is_there (item) && item->values[ODL_KEY_SOP_CLASS] == NULL)
      return false;
  }
  return true;
}

// With the classes that are usual for the modalities, if they fit into one association;
// false: they do not, or something lacks then.
static bool
get_usual (Getting *self)
{
  g_autofree OdlProposal *proposal = g_new0 (OdlProposal, 1);

  collect_classes (self, false);
  self->first = 0;
  propose (self, proposal);
  if (self->last < self->classes->len)
    return false;
  ask_in_turn (self, self->params->level);
  return self->hopeless || count_lacking (self) == 0;
}

static void
get_all (Getting *self)
{
  if (!knows_classes (self)) {
    if (get_usual (self))
      return;
    find_classes (self);
  }
  for (OdlLevel level = self->params->level; level <= ODL_LEVEL_IMAGE; level++) {
    // Some nodes end at the first picture that they cannot send.
    self->counted = true;
    collect_classes (self, false);
    ask_in_turn (self, level);
    if (self->counted)
      break;
  }
  // Others convert all to the first transfer syntax that they have accepted, or fail to.
  for (int others = 0; others < 2; others++) {
    self->packed = false;
    collect_classes (self, others != 0);
    if (others != 0)
      ask_in_turn (self, ODL_LEVEL_SERIES);
    self->packed = true;
    collect_classes (self, others != 0);
    ask_in_turn (self, ODL_LEVEL_IMAGE);
  }
}

static void
tell_missing (Getting *self)
{
  if (count_lacking (self) > 0)
    for (guint i = 0; i < self->reasons->len; i++)
      say (self, g_strdup (self->reasons->pdata[i]));
  for (guint i = 0; i < self->items->len; i++) {
    const Item *item = self->items->pdata[i];
    const OdlNetworkFacts facts = facts_of (item);
    g_autofree char *path = odl_instances_path (&facts);
    if (is_there (item))
      continue;
    self->got->n_missing++;
    self->params->told (&(OdlGetNews){ .event = ODL_GET_MISSING, .path = path },
                        self->params->data);
  }
}

static bool
get (Getting *self, GError **error)
{
  const OdlGetParams *params = self->params;

  self->address = odl_link_resolve (params->link.to, self->cancellable, error);
  if (self->address == NULL)
    return false;
  if (!params->move.only)
    self->waiting = odl_link_start (&params->link, ODL_NETWORK_ASK, INSTANCE_BYTES, NULL);
  if (!find (self, error))
    return false;
  if (!params->move.only)
    get_all (self);
  if (self->error == NULL && (self->refused || params->move.only))
    move_all (self, &self->error);
  tell_missing (self);
  if (self->error == NULL)
    return true;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return false;
}

bool
odl_get (const OdlGetParams *params,
         OdlGot *got,
         GCancellable *cancellable,
         GError **error)
{
  OdlWatch *watch = odl_watch_start (cancellable, seconds_of (params));
  Getting self = { .params = params,
                   .got = got,
                   .cancellable = odl_watch_cancellable (watch),
                   .items = g_ptr_array_new_with_free_func (free_item),
                   .by_uid = g_hash_table_new (g_str_hash, g_str_equal),
                   .classes = g_ptr_array_new (),
                   .said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                   .reasons = g_ptr_array_new_with_free_func (g_free) };
  GError *given = NULL;

  *got = (OdlGot){ 0 };
  g_rec_mutex_init (&self.mutex);
  const bool done = get (&self, &given);
  hang_up (&self, false);
  odl_peer_end (self.waiting);
  odl_watch_end (watch, &given);
  if (given != NULL)
    g_propagate_error (error, given);
  g_rec_mutex_clear (&self.mutex);
  g_clear_error (&self.no_file);
  g_ptr_array_unref (self.reasons);
  g_hash_table_unref (self.said);
  g_ptr_array_unref (self.classes);
  g_hash_table_unref (self.by_uid);
  g_ptr_array_unref (self.items);
  g_free (self.address);
  return done;
}
