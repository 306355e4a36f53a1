// SPDX-License-Identifier: MIT
// Makes derived objects of received instances by the rules of a node, with `process` of
// the command line, several at a time, so that its start and its choice of an engine cost
// little. What is to be done lies in a folder, so that it survives a kill: an instance is
// noted before its sender hears of success.
//
//     STATE/todo/RULE/NAME.dcm    refers to the received file
//     STATE/derived/NAME.dcm      complete, not handed on yet
//     STATE/secret                from which identifiers are made
#pragma once

#include "archive/rules.h"

typedef struct _OdlEnhancer OdlEnhancer;

typedef struct {
  const char *program; // the command line
  const char *state; // folder
  const OdlRules *rules;
  // Takes a complete derived file away. False: it stays, and is offered again at the next
  // start. In the thread of the enhancer, as below.
  bool (*made) (const char *path, const char *name, void *data);
  // Something cannot be done; the received file stays what it is.
  void (*failed) (const char *name, const char *text, void *data);
  void *data;
} OdlEnhancerParams;

// ODL_ERROR_IO. `params` and what it points to stay until it is closed.
OdlEnhancer *odl_enhancer_open (const OdlEnhancerParams *params, GError **error);
// What was not done stays noted.
void odl_enhancer_close (OdlEnhancer *self);

// Notes a received file, of which `path` is absolute. ODL_ERROR_IO. Any thread.
bool odl_enhancer_note (OdlEnhancer *self,
                        const OdlRule *rule,
                        const char *path,
                        GError **error);
