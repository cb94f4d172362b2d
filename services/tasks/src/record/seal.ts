import { randomBytes } from "node:crypto";
import { openDatabase } from "#shared/database/open.ts";
import { isTaken } from "#shared/error/failure.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { TasksEnv } from "../env.ts";
import type { RecordRow } from "../table/record/record.ts";
import { type ChainLink, type Digests, fileIdsOf, hashContent, sha256, toLinkText } from "./content.ts";
import { sign } from "./key.ts";
import { insertRecords, selectQueued } from "./queries.ts";

/**
 * Seals records of all queued items, in batches. Each batch extends the chains of its accounts as they were read; when
 * two calls race, the second stores nothing and its items stay queued.
 */
export async function sealRecords(env: TasksEnv): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES_PER_SWEEP; batch++) {
    if (!(await sealBatch(env))) return;
  }
}

/** False when the queue is empty, or when another call is sealing. */
async function sealBatch(env: TasksEnv): Promise<boolean> {
  const db = openDatabase(env);
  const { waiting, last, ...items } = await selectQueued(db);
  if (waiting.length === 0) return false;
  const files = fileIdsOf(items);
  const digests: Digests = files.length > 0 ? await env.FILES.digestsOf(files) : {};
  const ends = new Map(last.map(({ account_id, place, hash }) => [account_id, { place, hash }]));
  const records: Omit<RecordRow, "id">[] = [];
  for (const { account_id, kind, thing_id } of waiting) {
    const content = hashContent({ kind, thing_id }, items, digests);
    if (!content) continue; // it has gone before its turn came
    const before = ends.get(account_id);
    const place = (before?.place ?? 0) + 1;
    const link: ChainLink = {
      account_id,
      place,
      kind,
      thing_id,
      content,
      previous: before?.hash ?? null,
      made: nowMs(env),
    };
    const text = toLinkText(link);
    const hash = sha256(text);
    ends.set(account_id, { place, hash });
    const signature = await sign(text, env.RECORD_KEY);
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

/** Bounds one call; the next sweep goes on. */
const MAX_BATCHES_PER_SWEEP = 20;
