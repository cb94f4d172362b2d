import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { FilesEnv } from "../env.ts";
import { keeperOf } from "./deliver.ts";
import { insertFile, type NewFileRow, selectOldestUploads } from "./queries.ts";
import { ticketLifeMs } from "./retention.ts";

type OldFile = Awaited<ReturnType<typeof selectOldestUploads>>[number];

/**
 * Inserts a file in place of the fewest oldest files that nothing refers to, and answers its id. 268 if that does not
 * free enough bytes; then all files stay.
 */
export async function insertOverOldFiles(env: FilesEnv, row: NewFileRow, quota: number): Promise<number> {
  const db = openDatabase(env);
  const now = row.created;
  // Files that nothing refers to are removed after this time anyway.
  const uploaded = await selectOldestUploads(
    db,
    row.account_id,
    { since: now - 2 * ticketLifeMs(env), now },
    MAX_FILES_CONSIDERED,
  );
  const [{ held = 0 } = {}] = uploaded;
  const unnamed = new Set(await callKeepers(env, uploaded, "unreferencedFiles"));
  const missing = held + row.size - quota;
  const oldest = takeEnough(
    uploaded.filter(({ id }) => unnamed.has(id)),
    missing,
  );
  // The keepers leave out files that something has begun to refer to meanwhile.
  const released = await callKeepers(env, oldest, "releaseFiles");
  return insertFile(db, row, quota, released);
}

async function callKeepers(env: FilesEnv, files: OldFile[], method: "unreferencedFiles" | "releaseFiles") {
  const byKeeper = Map.groupBy(files, ({ owner }) => keeperOf(env, owner));
  const answers = [...byKeeper].map(([keeper, own]) => {
    const [{ account_id = 0 } = {}] = own;
    return keeper[method](
      account_id,
      own.map(({ id }) => id),
    );
  });
  return (await Promise.all(answers)).flat();
}

function takeEnough(files: OldFile[], bytes: number): OldFile[] {
  let sum = 0;
  const end = files.findIndex(({ size }) => {
    sum += size;
    return sum >= bytes;
  });
  if (end < 0) throw new ApiError(268);
  return files.slice(0, end + 1);
}

const MAX_FILES_CONSIDERED = 1000;
