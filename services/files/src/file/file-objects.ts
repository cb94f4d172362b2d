import type { FileObject } from "#shared/contract/file/file-object.ts";
import type { FileContent, FileSearch } from "#shared/contract/file/file-ticket.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import type { FileRow } from "../table/file.ts";
import { createDownloadUrl, createPreviewUrls } from "./download.ts";
import { selectLive } from "./queries.ts";

/** Files in the order of the ids; those that the account does not have, or has no more, are left out. */
export async function readFileObjects(env: FilesEnv, { account_id, ids, base_url }: FileSearch): Promise<FileObject[]> {
  const rows = await selectLive(openDatabase(env), account_id, ids, nowMs(env));
  const shown = await Promise.all(rows.map((row) => toFileObject(row, base_url, env)));
  const files = new Map(shown.map((file) => [file.id, file]));
  return ids.flatMap((id) => files.get(id) ?? []);
}

async function toFileObject(row: FileRow, base_url: string | null, env: FilesEnv): Promise<FileObject> {
  const { id, user_id, type, created, uploaded, state, metadata, preview_state } = row;
  const { name, size, mime_type } = toFileContent(row);
  return {
    ...{ id, storage_id: STORAGE_ID, user_id, type, created, uploaded, name, size, mime_type },
    metadata,
    state,
    download_url:
      state === "uploaded" && base_url !== null ? await createDownloadUrl(base_url, { id, name }, env) : null,
    previews: base_url === null ? null : await createPreviewUrls(row, base_url, env),
    preview_state: preview_state ?? undefined,
  };
}

export function toFileContent({
  filename,
  size,
  mime_type,
}: Pick<FileRow, "filename" | "size" | "mime_type">): FileContent {
  return { name: filename ?? "", size, mime_type: mime_type ?? "application/octet-stream" };
}

const STORAGE_ID = 1;
