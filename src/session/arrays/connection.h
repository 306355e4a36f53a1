// SPDX-License-Identifier: MIT
// A program that has connected: one message after the other, each with its answer. Main
// thread.
#pragma once

#include "session/arrays/ask.h"
#include "session/arrays/server.h"

typedef struct _OdlConnection OdlConnection;

// What a connection needs of its server.
typedef struct {
  const OdlArrayServerClass *klass;
  void *data;
  // Answers, now or later, by odl_connection_done or odl_connection_fail; `file` (−1:
  // none) came beside the message, and is closed by the caller.
  void (*answer) (OdlConnection *connection, OdlAsk *ask, int file);
  void (*ended) (OdlConnection *connection, void *owner); // it was closed
  void *owner;
} OdlConnectionHost;

// Takes ownership of the socket. `host` is kept by the caller, until the connection was
// closed.
OdlConnection *odl_connection_new (int fd, const OdlConnectionHost *host);

// Answers with a sentence, and closes.
void odl_connection_refuse (int fd, const char *why);

// Drops it; `ended` is not called. What is at work for it ends by itself.
void odl_connection_close (OdlConnection *connection);

// No message that could be read has come so far.
bool odl_connection_is_silent (const OdlConnection *connection);

// What was asked is done; `lines` (may be NULL) go with the answer, each ends with a line
// feed. Or it has failed. The next message is read.
void odl_connection_done (OdlConnection *connection, uint32_t number, const char *lines);
void odl_connection_fail (OdlConnection *connection, uint32_t number, const char *why);
// Something has changed, which nobody asked for now.
void odl_connection_tell (OdlConnection *connection, const char *lines);

const OdlConnectionHost *odl_connection_host (const OdlConnection *connection);
// What those who answer keep for it; freed with the connection.
void
odl_connection_keep (OdlConnection *connection, void *kept, GDestroyNotify free_kept);
void *odl_connection_kept (const OdlConnection *connection);

OdlConnection *odl_connection_ref (OdlConnection *connection);
void odl_connection_unref (OdlConnection *connection);
bool odl_connection_is_open (const OdlConnection *connection);
