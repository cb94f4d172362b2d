// npm run backup -- <folder>: copies the installation in DATA_DIR, running or not, into a new folder.
import { backUp } from "./back-up.ts";
import { runWithFolder } from "./program.ts";

await runWithFolder("npm run backup -- /backups/monday", "folder", async ({ folder, dataDir }) => {
  const { manifest, pauseMs } = await backUp(dataDir, folder);
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const pause = pauseMs === undefined ? "" : ` Calls waited ${Math.ceil(pauseMs)} ms.`;
  return `${folder}: ${manifest.files.length} files, ${Math.ceil(bytes / 1024 ** 2)} MB.${pause} It holds the keys: keep it as safe as the data folder.`;
});
