import { randomBytes } from "node:crypto";
import { openDatabase } from "#shared/database/open.ts";
import { isTaken } from "#shared/error/failure.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { TasksEnv } from "../env.ts";
import type { RecordRow } from "../table/record.ts";
import { contentHash, type Digests, filesOfThings, type Link, linkText, sha256 } from "./content.ts";
import { signed } from "./key.ts";
import { insertRecords, selectWaiting } from "./queries.ts";

/**
 * Records what waits for it, in parts. Each goes on with its account's chain as it was read; who comes second stores nothing,
 * and what waits is taken up by the next.
 */
export async function sealRecords(env: TasksEnv): Promise<void> {
  for (let part = 0; part < MOST_PARTS; part++) {
    if (!(await sealPart(env))) return;
  }
}

/** False: nothing waits, or somebody else is at it. */
async function sealPart(env: TasksEnv): Promise<boolean> {
  const db = openDatabase(env);
  const { waiting, last, ...things } = await selectWaiting(db);
  if (waiting.length === 0) return false;
  const files = filesOfThings(things);
  const digests: Digests = files.length > 0 ? await env.FILES.digestsOf(files) : {};
  const ends = new Map(last.map(({ account_id, place, hash }) => [account_id, { place, hash }]));
  const records: Omit<RecordRow, "id">[] = [];
  for (const { account_id, kind, thing_id } of waiting) {
    const content = contentHash({ kind, thing_id }, things, digests);
    if (!content) continue; // it has gone before its turn came
    const before = ends.get(account_id);
    const place = (before?.place ?? 0) + 1;
    const link: Link = { account_id, place, kind, thing_id, content, previous: before?.hash ?? null, made: nowMs(env) };
    const text = linkText(link);
    const hash = sha256(text);
    ends.set(account_id, { place, hash });
    const signature = await signed(text, env.RECORD_KEY);
    records.push({ ...link, hash, signature, token: randomBytes(16).toString("hex") });
  }
  const ids = waiting.map(({ id }) => id);
  try {
    await insertRecords(db, records, ids);
    return true;
  } catch (thrown) {
    if (isTaken(thrown)) return false;
    throw thrown;
  }
}

/** A sweep's: the next goes on. */
const MOST_PARTS = 20;
