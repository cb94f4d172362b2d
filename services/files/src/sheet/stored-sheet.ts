import type { SheetName } from "#shared/contract/files.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";
import { toTabSeparated } from "./parse.ts";
import { deleteSheets, findSheet, insertSheet, selectExpired } from "./queries.ts";

/** Under the name that conversions and imports ask for it by. */
export async function storeSheet(env: FilesEnv, account_id: number, rows: string[][]): Promise<string> {
  const [now, text] = [nowMs(env), toTabSeparated(rows)];
  const file_id = crypto.randomUUID().replaceAll("-", "");
  const expires = now + Number(env.SHEET_DAYS) * DAY_MS;
  // First the row: what dies in between leaves nothing in the bucket that the sweep does not find.
  await insertSheet(openDatabase(env), { file_id, account_id, rows: rows.length, expires }, now);
  await env.BUCKET.put(keyOf({ account_id, file_id }), text, { httpMetadata: { contentType: TAB_SEPARATED } });
  return file_id;
}

/** Null where the account has none of this name, or none any more. */
export async function readSheet(env: FilesEnv, name: SheetName): Promise<string | null> {
  if (!(await findSheet(openDatabase(env), name, nowMs(env)))) return null;
  const kept = await env.BUCKET.get(keyOf(name));
  return kept ? kept.text() : null;
}

/** Removes what has expired. */
export async function sweepSheets(env: FilesEnv) {
  const db = openDatabase(env);
  for (let part = 0; part < MAX_BATCHES_PER_SWEEP; part++) {
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

const TAB_SEPARATED = "text/tab-separated-values; charset=utf-8";
/** As many as the bucket removes in one call. */
const MAX_SHEETS_PER_BATCH = 1000;
const MAX_BATCHES_PER_SWEEP = 10;
