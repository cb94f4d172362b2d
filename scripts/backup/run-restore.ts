// npm run restore -- <folder>: fills the empty folder DATA_DIR with a backup.
import { runWithFolder } from "./program.ts";
import { restoreBackup } from "./restore.ts";

await runWithFolder(
  "DATA_DIR=/srv/fleet npm run restore -- /backups/monday",
  "dataDir",
  async ({ folder, dataDir }) => {
    const { created, files } = await restoreBackup(folder, dataDir);
    return `${dataDir} holds the backup of ${created}, ${files.length} files.`;
  },
);
