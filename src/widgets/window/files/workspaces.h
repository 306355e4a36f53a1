// SPDX-License-Identifier: MIT
// Saves what the window shows as a workspace, and brings one back; keeps the one of now,
// so that it comes back after the end of the program, however that came. Main thread.
//
// Actions: open-workspace, save-workspace, reopen-workspace.
#pragma once

#include "session/save/workspace.h"
#include "widgets/window/window.h"

typedef struct _OdlWorkspaces OdlWorkspaces;

// Offers the workspace of a program that was killed.
OdlWorkspaces *odl_workspaces_new (const OdlWindowParts *parts);
// The window is closing, with its panes still there.
void odl_workspaces_close (OdlWorkspaces *workspaces);
// It is disposed.
void odl_workspaces_stop (OdlWorkspaces *workspaces);

// Lays out the panes and opens their sources. False: something is recorded or presented,
// which the user is told.
bool odl_workspaces_bring (const OdlWindowParts *parts, const OdlWorkspace *workspace);
