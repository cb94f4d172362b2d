import { awaitAll } from "#shared/background/await-all.ts";
import type { FileOwner } from "#shared/contract/file-ticket.ts";
import type { FileKeeper } from "#shared/contract/files.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { FilesEnv } from "../env.ts";
import type { FileRow } from "../table/file.ts";
import { keptUntil } from "./life.ts";
import { selectUnreported, settleReported } from "./queries.ts";
import { contentOf } from "./shown.ts";

type Upload = Pick<FileRow, "id" | "filename" | "size" | "mime_type"> & { uploaded: number };

/** Whose Worker has the things that such files are for. */
export function keeperOf(env: FilesEnv, owner: FileOwner): FileKeeper {
  return owner === "service_task" ? env.FLEET : env.TASKS;
}

/** Tells the service whose tickets they were of uploads; which of them it has tickets of. */
export function tellKeeper(env: FilesEnv, keeper: FileKeeper, uploads: Upload[]): Promise<number[]> {
  return keeper.filesUploaded(
    uploads.map((upload) => ({ id: upload.id, kept_until: keptUntil(env, upload.uploaded), ...contentOf(upload) })),
  );
}

/** Again what a service was away for; while one still is, the others hear of theirs. */
export async function tellUnreported(env: FilesEnv) {
  const db = openDatabase(env);
  const uploads = await selectUnreported(db, MOST);
  const byKeeper = Map.groupBy(uploads, ({ owner }) => keeperOf(env, owner));
  await awaitAll([...byKeeper].map(([keeper, own]) => tellAgain(env, keeper, own)));
}

async function tellAgain(env: FilesEnv, keeper: FileKeeper, uploads: Upload[]) {
  const accepted = await tellKeeper(env, keeper, uploads);
  const ids = uploads.map(({ id }) => id);
  await settleReported(openDatabase(env), ids, accepted);
}

/** In one call. */
const MOST = 500;
