import { syncItemTable } from "#shared/database/sync-item.ts";

export const syncItem = syncItemTable();
