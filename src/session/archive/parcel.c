// SPDX-License-Identifier: MIT
#include "session/archive/parcel.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/keep_file.h"
#include "archive/queue.h"
#include "archive/send.h"
#include "archive/waiting.h"
#include "base/error.h"
#include "base/text.h"

// ---- Whose they are ------------------------------------------------------------------

typedef struct {
  char **paths;
  OdlArchiveOwners owners;
  void *data;
  GPtrArray *persons;
  guint n_unknown;
} Owners;

static void
person_free (void *data)
{
  OdlArchivePerson *person = data;

  g_free (person->name);
  g_free (person->number);
  g_free (person->birth);
  g_free (person);
}

static void
owners_free (void *data)
{
  Owners *self = data;

  g_strfreev (self->paths);
  g_ptr_array_unref (self->persons);
  g_free (self);
}

// One number and names that may be one, however they are written; without a number all
// must be the same.
static bool
is_that_person (const OdlArchivePerson *person, const OdlNetworkFacts *facts)
{
  if (!g_str_equal (person->number, facts->number))
    return false;
  return *facts->number != '\0' ? odl_archive_may_be_one (person->name, person->birth,
                                                          facts->name, facts->birth)
                                : g_str_equal (person->name, facts->name)
                                      && g_str_equal (person->birth, facts->birth);
}

static void
add_person (GPtrArray *persons, const OdlNetworkFacts *facts)
{
  for (guint i = 0; i < persons->len; i++) {
    OdlArchivePerson *person = persons->pdata[i];
    if (is_that_person (person, facts)) {
      person->n_files++;
      return;
    }
  }
  OdlArchivePerson *person = g_new (OdlArchivePerson, 1);
  *person = (OdlArchivePerson){ odl_text_in_one_line (facts->name),
                                odl_text_in_one_line (facts->number),
                                odl_text_in_one_line (facts->birth), 1 };
  g_ptr_array_add (persons, person);
}

static bool
names_somebody (OdlPeer **peer, const char *path, OdlNetworkReport *report)
{
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  const bool looked = fd >= 0 && odl_look_at_file (peer, fd, report, NULL);

  if (fd >= 0)
    close (fd);
  return looked && (*report->facts.name != '\0' || *report->facts.number != '\0');
}

// Reports, states and whatever else goes to an archive are somebody's, too.
static void
owners_run (OdlArchiveWork *work, void *job)
{
  Owners *self = job;
  GCancellable *cancellable = odl_archive_work_cancellable (work);
  OdlPeer *peer = NULL;
  OdlNetworkReport report;

  for (guint i = 0; self->paths[i] != NULL && !g_cancellable_is_cancelled (cancellable);
       i++)
    if (names_somebody (&peer, self->paths[i], &report))
      add_person (self->persons, &report.facts);
    else
      self->n_unknown++;
  odl_peer_end (peer);
}

static void
owners_took (GPtrArray *told, void *job)
{
}

static void
owners_ended (void *job)
{
  const Owners *self = job;

  self->owners (self->persons, self->n_unknown, self->data);
}

OdlArchiveWork *
odl_archive_owners_start (const char *const *paths,
                          OdlArchiveOwners owners,
                          void *data,
                          GError **error)
{
  static const OdlArchiveWorkClass klass
      = { owners_run, owners_took, owners_ended, owners_free, g_free };
  Owners *self = g_new (Owners, 1);

  *self = (Owners){ .paths = g_strdupv ((char **) paths),
                    .owners = owners,
                    .data = data,
                    .persons = g_ptr_array_new_with_free_func (person_free) };
  return odl_archive_work_start (&klass, self, error);
}

// ---- Whether two are one -------------------------------------------------------------

static int
compare_words (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

// The words of the first way of writing a name, in order, in small letters: those beyond
// ASCII without their accents, or none of them, as nodes leave them out.
static char *
plain_words (const char *name, bool leaves_out)
{
  g_autofree char *first = g_strndup (name, strcspn (name, "="));
  g_autofree char *folded = g_utf8_casefold (first, -1);
  g_autofree char *ascii = leaves_out ? NULL : g_str_to_ascii (folded, NULL);
  GString *kept = g_string_new (NULL);

  for (const char *at = ascii != NULL ? ascii : folded; *at != '\0'; at++)
    if (g_ascii_isalnum (*at))
      g_string_append_c (kept, *at);
    else if ((guchar) *at < 0x80 && *at != '?')
      g_string_append_c (kept, ' ');
  g_autofree char *text = g_string_free (kept, FALSE);
  g_auto (GStrv) words = g_strsplit (g_strstrip (text), " ", -1);
  qsort (words, g_strv_length (words), sizeof *words, compare_words);
  g_autofree char *joined = g_strjoinv (" ", words);
  return g_strdup (g_strstrip (joined));
}

static bool
has_same_words (const char *name, const char *other, bool leaves_out)
{
  g_autofree char *a = plain_words (name, leaves_out);
  g_autofree char *b = plain_words (other, leaves_out);

  return g_str_equal (a, b);
}

bool
odl_archive_may_be_one (const char *name,
                        const char *birth,
                        const char *other_name,
                        const char *other_birth)
{
  if (*birth != '\0' && *other_birth != '\0' && !g_str_equal (birth, other_birth))
    return false;
  return *name == '\0' || *other_name == '\0' || has_same_words (name, other_name, false)
         || has_same_words (name, other_name, true);
}

// ---- The queue -----------------------------------------------------------------------

// Bytes of the time before the name of a file, and the hyphen.
#define TIME_BYTES 17

// Between two looks whether another one is done.
#define LOCK_US 100000

guint
odl_archive_n_waiting (const OdlArchiveNode *node)
{
  g_autofree char *address = odl_archive_node_address (node);
  g_autoptr (OdlWaiting) waiting = odl_waiting_of (address);

  return waiting->n_files;
}

// ---- Sending -------------------------------------------------------------------------

typedef struct {
  OdlArchiveNode *node;
  char **paths;
  bool waits_for_others;
  void (*sent) (const OdlArchiveSent *sent, void *data);
  void (*ended) (const OdlArchiveSendCounts *counts, const GError *error, void *data);
  void *data;
  OdlArchiveWork *work; // in its thread
  OdlWaiting *waiting;
  char *why; // that the last one was not sent; NULL: none was tried in vain
  OdlArchiveSendCounts counts;
  GError *error;
} Sending;

static void
sending_free (void *data)
{
  Sending *self = data;

  odl_archive_node_free (self->node);
  g_strfreev (self->paths);
  odl_waiting_free (self->waiting);
  g_free (self->why);
  g_clear_error (&self->error);
  g_free (self);
}

static void
sent_free (void *data)
{
  OdlArchiveSent *sent = data;

  g_free (sent->name);
  g_free (sent->text);
  g_free (sent);
}

static void
tell (Sending *self, const char *name, const char *text, bool taken)
{
  OdlArchiveSent *sent = g_new (OdlArchiveSent, 1);

  *sent = (OdlArchiveSent){ g_filename_display_name (name), g_strdup (text), taken };
  self->counts.n_sent += taken;
  self->counts.n_failed += !taken;
  odl_archive_work_tell (self->work, sent);
}

static void
told_cb (const OdlSendNews *news, void *data)
{
  Sending *self = data;
  g_autofree char *base = g_path_get_basename (news->path);

  tell (self, strlen (base) > TIME_BYTES ? base + TIME_BYTES : base, news->text,
        news->taken);
  if (news->taken || news->hopeless) {
    g_unlink (news->path);
  } else {
    g_free (self->why);
    self->why = g_strdup (news->text);
  }
}

static void
put_all (Sending *self)
{
  GCancellable *cancellable = odl_archive_work_cancellable (self->work);

  for (guint i = 0; self->paths[i] != NULL && !g_cancellable_is_cancelled (cancellable);
       i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *base = g_path_get_basename (self->paths[i]);
    if (!odl_queue_put (self->waiting->folder, self->paths[i], &error))
      tell (self, base, error->message, false);
  }
}

// What was put there now is not to be sent any more.
static void
take_back (const Sending *self, const char *const *before)
{
  g_auto (GStrv) paths = odl_queue_list (self->waiting->folder, NULL, 0);

  for (guint i = 0; paths[i] != NULL; i++)
    if (!g_strv_contains (before, paths[i]))
      g_unlink (paths[i]);
}

static void
send_all (Sending *self)
{
  GCancellable *cancellable = odl_archive_work_cancellable (self->work);
  g_auto (GStrv) before = odl_queue_list (self->waiting->folder, NULL, 0);
  OdlArchiveLink link;

  put_all (self);
  odl_waiting_note (self->waiting, self->waiting->why, &self->error);
  g_auto (GStrv) paths = odl_queue_list (self->waiting->folder, NULL, 0);
  odl_archive_link_init (&link, self->node);
  const OdlSendParams params = {
    .link = link.link, .paths = (const char *const *) paths, .told = told_cb, .data = self
  };
  if (!g_cancellable_is_cancelled (cancellable))
    odl_send (&params, cancellable);
  if (g_cancellable_is_cancelled (cancellable)) {
    self->counts.was_cancelled = true;
    take_back (self, (const char *const *) before);
  }
}

// For the next try, and for who asks why.
static void
note (Sending *self)
{
  OdlWaiting *waiting = self->waiting;

  if (self->counts.was_cancelled) {
    odl_waiting_note (waiting, waiting->why, NULL);
    return;
  }
  waiting->n_tries = self->why != NULL ? waiting->n_tries + 1 : 0;
  waiting->tried_s = g_get_real_time () / G_USEC_PER_SEC;
  odl_waiting_note (waiting, self->why, self->error == NULL ? &self->error : NULL);
}

// −1: as odl_waiting_lock, or it was cancelled.
static int
lock (Sending *self)
{
  GCancellable *cancellable = odl_archive_work_cancellable (self->work);
  int fd = odl_waiting_lock (self->waiting, &self->error);

  while (fd < 0 && self->waits_for_others
         && g_error_matches (self->error, ODL_ERROR, ODL_ERROR_BUSY)
         && !g_cancellable_is_cancelled (cancellable)) {
    g_usleep (LOCK_US);
    g_clear_error (&self->error);
    fd = odl_waiting_lock (self->waiting, &self->error);
  }
  odl_archive_work_explain (self->work, &self->error);
  return fd;
}

static void
sending_run (OdlArchiveWork *work, void *job)
{
  Sending *self = job;
  g_autofree char *address = odl_archive_node_address (self->node);

  self->work = work;
  self->waiting = odl_waiting_of (address);
  const int fd = lock (self);
  if (fd < 0)
    return;
  // It may have changed in the meantime.
  odl_waiting_free (self->waiting);
  self->waiting = odl_waiting_of (address);
  send_all (self);
  note (self);
  self->counts.n_waiting = odl_archive_n_waiting (self->node);
  close (fd);
}

static void
sending_took (GPtrArray *told, void *job)
{
  const Sending *self = job;

  for (guint i = 0; i < told->len; i++)
    self->sent (told->pdata[i], self->data);
}

static void
sending_ended (void *job)
{
  const Sending *self = job;

  self->ended (&self->counts, self->error, self->data);
}

OdlArchiveWork *
odl_archive_send_start (const OdlArchiveSendParams *params, GError **error)
{
  static const OdlArchiveWorkClass klass
      = { sending_run, sending_took, sending_ended, sending_free, sent_free };

  if (!odl_archive_node_check (params->node, error))
    return NULL;
  Sending *self = g_new0 (Sending, 1);
  *self = (Sending){ .node = odl_archive_node_copy (params->node),
                     .paths = g_strdupv ((char **) params->paths),
                     .waits_for_others = params->waits_for_others,
                     .sent = params->sent,
                     .ended = params->ended,
                     .data = params->data };
  return odl_archive_work_start (&klass, self, error);
}
