// SPDX-License-Identifier: MIT
#include "session/archive/search.h"

#include <glib/gi18n-lib.h>

#include "archive/notes.h"
#include "base/error.h"

// For how long a node that is tested may be silent.
#define TEST_IDLE_SECONDS 20

// ---- A query -------------------------------------------------------------------------

typedef struct {
  OdlArchiveNode *node;
  OdlLevel level;
  OdlQuery query;
  OdlArchiveWork *work; // in its thread
  void (*found) (const GPtrArray *some, void *data);
  void (*ended) (const GError *error, const GPtrArray *notes, void *data);
  void *data;
  GPtrArray *notes;
  GError *error;
} Search;

static void
search_free (void *data)
{
  Search *self = data;

  odl_archive_node_free (self->node);
  odl_query_clear (&self->query);
  g_ptr_array_unref (self->notes);
  g_clear_error (&self->error);
  g_free (self);
}

static void
told_cb (OdlValues values, void *data)
{
  Search *self = data;

  odl_archive_work_tell (self->work, odl_archive_found_new (self->level, values));
}

static void
say_cb (const char *text, void *data)
{
  g_ptr_array_add (data, g_strdup (text));
}

static void
search_run (OdlArchiveWork *work, void *job)
{
  Search *self = job;
  OdlArchiveLink link;
  OdlFound found;

  self->work = work;
  odl_archive_link_init (&link, self->node);
  const OdlFindParams params = { .link = link.link,
                                 .level = self->level,
                                 .query = &self->query,
                                 .told = told_cb,
                                 .data = self };
  const bool done
      = odl_find (&params, &found, odl_archive_work_cancellable (work), &self->error);
  odl_archive_work_explain (work, &self->error);
  odl_found_say (&found, done, say_cb, self->notes);
}

static void
search_took (GPtrArray *told, void *job)
{
  const Search *self = job;

  self->found (told, self->data);
}

static void
search_ended (void *job)
{
  const Search *self = job;

  self->ended (self->error, self->notes, self->data);
}

// What the field is called where something wrong was typed into it.
static const char *
title_of (OdlKey key)
{
  switch (key) {
  case ODL_KEY_DATE:
    return _ ("“Date”");
  case ODL_KEY_PATIENT_NAME:
    return _ ("“Name”");
  case ODL_KEY_PATIENT_ID:
    return _ ("“Number”");
  case ODL_KEY_MODALITIES:
    return _ ("“Modality”");
  case ODL_KEY_STUDY_DESCRIPTION:
    return _ ("“Description”");
  default:
    return odl_keys[key].name;
  }
}

OdlArchiveWork *
odl_archive_search_start (const OdlArchiveSearchParams *params, GError **error)
{
  static const OdlArchiveWorkClass klass
      = { search_run, search_took, search_ended, search_free, g_object_unref };
  Search *self = g_new0 (Search, 1);
  bool good = odl_archive_node_check (params->node, error);

  *self = (Search){ .node = odl_archive_node_copy (params->node),
                    .level = params->level,
                    .found = params->found,
                    .ended = params->ended,
                    .data = params->data,
                    .notes = g_ptr_array_new_with_free_func (g_free) };
  for (int i = 0; good && i < ODL_N_KEYS; i++)
    good = odl_query_set (&self->query, i, title_of (i), params->wanted[i], error);
  if (good)
    return odl_archive_work_start (&klass, self, error);
  search_free (self);
  return NULL;
}

// ---- A test --------------------------------------------------------------------------

#define IMPLICIT "1.2.840.10008.1.2"
#define VERIFICATION "1.2.840.10008.1.1"
#define STUDY_ROOT_FIND "1.2.840.10008.5.1.4.1.2.2.1"
#define STUDY_ROOT_GET "1.2.840.10008.5.1.4.1.2.2.3"
#define SECONDARY_CAPTURE "1.2.840.10008.5.1.4.1.1.7"

// A study that there is nowhere (PS3.5 B.2: UIDs of a UUID, here of zeros).
#define NO_STUDY "2.25.0"

enum {
  FINDS,
  GIVES,
  TAKES,
};

typedef struct {
  OdlArchiveNode *node;
  OdlArchiveTested tested;
  void *data;
  bool good;
  char *text;
} Test;

static void
test_free (void *data)
{
  Test *self = data;

  odl_archive_node_free (self->node);
  g_free (self->text);
  g_free (self);
}

static void
nothing_cb (OdlValues values, void *data)
{
}

// What it agreed to is no promise: some nodes abort a stranger who asks.
static bool
asks_well (const OdlLinkParams *link, GCancellable *cancellable, GError **error)
{
  char *study = (char *) NO_STUDY;
  OdlQuery query = { { NULL } };
  OdlFound found;

  query.wanted[ODL_KEY_STUDY] = study;
  const OdlFindParams params
      = { .link = *link, .level = ODL_LEVEL_STUDY, .query = &query, .told = nothing_cb };
  return odl_find (&params, &found, cancellable, error);
}

static char *
words_of (const OdlProposal *proposal)
{
  const char *const words[] = {
    odl_proposal_is_taken (proposal, FINDS) ? _ ("answers queries (C-FIND)")
                                            : _ ("answers no queries"),
    odl_proposal_is_taken (proposal, GIVES) ? _ ("gives pictures (C-GET)")
                                            : _ ("gives no pictures (C-GET)"),
    odl_proposal_is_taken (proposal, TAKES) ? _ ("takes pictures (C-STORE)")
                                            : _ ("takes no pictures"),
    NULL,
  };

  return g_strjoinv (", ", (char **) words);
}

static void
test_run (OdlArchiveWork *work, void *job)
{
  Test *self = job;
  GCancellable *cancellable = odl_archive_work_cancellable (work);
  g_autofree OdlProposal *proposal = g_new0 (OdlProposal, 1);
  g_autoptr (GError) error = NULL;
  g_autofree char *end = NULL;
  OdlArchiveLink link;

  odl_archive_link_init (&link, self->node);
  link.link.idle_seconds = TEST_IDLE_SECONDS;
  odl_proposal_add (proposal, STUDY_ROOT_FIND, IMPLICIT, false);
  odl_proposal_add (proposal, STUDY_ROOT_GET, IMPLICIT, false);
  odl_proposal_add (proposal, SECONDARY_CAPTURE, IMPLICIT, false);
  odl_proposal_add (proposal, VERIFICATION, IMPLICIT, false);
  g_autofree char *address = odl_link_resolve (&link.name, cancellable, &error);
  if (address == NULL) {
    self->text = g_strdup (error->message);
    return;
  }
  OdlPeer *peer = odl_link_open (&link.link, ODL_NETWORK_ASK, ODL_NETWORK_MAX_DATA,
                                 address, proposal, cancellable, &end);
  if (peer == NULL) {
    self->text
        = g_strdup_printf (_ ("the association with %s was %s"), self->node->title, end);
    return;
  }
  odl_link_release (peer, cancellable);
  odl_peer_end (peer);
  if (odl_proposal_is_taken (proposal, FINDS)
      && !asks_well (&link.link, cancellable, &error)) {
    self->text = g_strdup (error->message);
    return;
  }
  g_autofree char *words = words_of (proposal);
  self->good = true;
  self->text = g_strdup_printf (_ ("It is there: %s."), words);
}

static void
test_took (GPtrArray *told, void *job)
{
}

static void
test_ended (void *job)
{
  const Test *self = job;

  self->tested (self->good, self->text, self->data);
}

OdlArchiveWork *
odl_archive_test_start (const OdlArchiveNode *node,
                        OdlArchiveTested tested,
                        void *data,
                        GError **error)
{
  static const OdlArchiveWorkClass klass
      = { test_run, test_took, test_ended, test_free, g_free };

  if (!odl_archive_node_check (node, error))
    return NULL;
  Test *self = g_new0 (Test, 1);
  self->node = odl_archive_node_copy (node);
  self->tested = tested;
  self->data = data;
  return odl_archive_work_start (&klass, self, error);
}
