import { getStored } from "#shared/bucket/stored-format.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { SheetName } from "#shared/contract/files.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";
import { toTabSeparated } from "./parse.ts";
import { deleteSheets, findSheet, insertSheet, selectExpired } from "./queries.ts";

/** Stores the rows of a sheet, and answers the random id by which conversions and imports find them. */
export async function storeSheet(
  env: FilesEnv,
  { account_id, user_id }: Pick<Principal, "account_id" | "user_id">,
  rows: string[][],
): Promise<string> {
  const [now, text] = [nowMs(env), toTabSeparated(rows)];
  const file_id = crypto.randomUUID().replaceAll("-", "");
  const expires = now + Number(env.SHEET_DAYS) * DAY_MS;
  // The database row first: if the Worker dies in between, the sweep still finds the object.
  await insertSheet(openDatabase(env), { file_id, account_id, user_id, rows: rows.length, expires }, now);
  await env.BUCKET.put(keyOf({ account_id, file_id }), text, { customMetadata: SHEET_FORMAT });
  return file_id;
}

/** The rows of a stored sheet as tab-separated text; null if the account has no such sheet, or it has expired. */
export async function readSheet(env: FilesEnv, name: SheetName): Promise<string | null> {
  if (!(await findSheet(openDatabase(env), name, nowMs(env)))) return null;
  const object = await getStored(env.BUCKET, keyOf(name), SHEET_FORMAT);
  return object ? object.text() : null;
}

/** Deletes expired sheets and their objects. */
export async function sweepSheets(env: FilesEnv) {
  const db = openDatabase(env);
  for (let batch = 0; batch < MAX_BATCHES_PER_SWEEP; batch++) {
    const expired = await selectExpired(db, nowMs(env), MAX_SHEETS_PER_BATCH);
    if (expired.length === 0) return;
    await env.BUCKET.delete(expired.map(keyOf));
    await deleteSheets(
      db,
      expired.map(({ id }) => id),
    );
  }
}

function keyOf({ account_id, file_id }: SheetName) {
  return `sheet/${account_id}/${file_id}`;
}

/** Tab-separated texts, one row per line. */
const SHEET_FORMAT = { format: "tab-separated-sheet", version: "1" };
/** The most objects that the bucket deletes in one call. */
const MAX_SHEETS_PER_BATCH = 1000;
const MAX_BATCHES_PER_SWEEP = 10;
