// SPDX-License-Identifier: MIT
// Where a slice was opened whose series cannot be seen, as in a sandbox, a line above the
// picture offers to open the folder, once for each folder and series. Main thread.
#pragma once

#include "widgets/window/window.h"

typedef struct _OdlFolderOffer OdlFolderOffer;

OdlFolderOffer *odl_folder_offer_new (const OdlWindowParts *parts);

// The series of the slice that is shown was asked for: looks whether it can be seen.
void odl_folder_offer_look (OdlFolderOffer *offer);

// A folder is about to be opened, which ends the offer. The SOP Instance UID of the slice
// that it is about; NULL: none is shown. Transfer full.
char *odl_folder_offer_take (OdlFolderOffer *offer);
