import { awaitAll } from "#shared/background/await-all.ts";
import type { FileOwner } from "#shared/contract/file/file-ticket.ts";
import type { FileKeeper } from "#shared/contract/files.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { FilesEnv } from "../env.ts";
import type { FileRow } from "../table/file.ts";
import { toFileContent } from "./file-objects.ts";
import { markDelivered, selectUndelivered } from "./queries.ts";
import { computeKeptUntil } from "./retention.ts";

type FinishedUpload = Pick<FileRow, "id" | "filename" | "size" | "mime_type"> & { uploaded: number };

/** The keeper of a file: the service whose things have files of this owner. */
export function keeperOf(env: FilesEnv, owner: FileOwner): FileKeeper {
  return owner === "service_task" ? env.FLEET : env.TASKS;
}

/** Reports finished uploads to the service that issued their tickets; answers the ids of the uploads that it knows. */
export function deliverToKeeper(env: FilesEnv, keeper: FileKeeper, uploads: FinishedUpload[]): Promise<number[]> {
  return keeper.filesUploaded(
    uploads.map((upload) => ({
      id: upload.id,
      kept_until: computeKeptUntil(env, upload.uploaded),
      ...toFileContent(upload),
    })),
  );
}

/** Retries undelivered uploads. A failing service does not keep the others from getting theirs. */
export async function deliverUploads(env: FilesEnv) {
  const db = openDatabase(env);
  const uploads = await selectUndelivered(db, MAX_UPLOADS_PER_DELIVERY);
  const byKeeper = Map.groupBy(uploads, ({ owner }) => keeperOf(env, owner));
  await awaitAll([...byKeeper].map(([keeper, own]) => deliverBatch(env, keeper, own)));
}

async function deliverBatch(env: FilesEnv, keeper: FileKeeper, uploads: FinishedUpload[]) {
  const accepted = await deliverToKeeper(env, keeper, uploads);
  const ids = uploads.map(({ id }) => id);
  await markDelivered(openDatabase(env), ids, accepted);
}

const MAX_UPLOADS_PER_DELIVERY = 500;
