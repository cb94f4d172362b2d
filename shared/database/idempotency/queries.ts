import { eq, gte, sql } from "drizzle-orm";
import { DAY_MS } from "../../time/duration.ts";
import { idempotencyKey } from "../idempotency-key.ts";
import type { Database } from "../open.ts";
import type { KeyedCall } from "./keyed-call.ts";

export function selectKey(db: Database, { id }: KeyedCall) {
  return db.select().from(idempotencyKey).where(eq(idempotencyKey.id, id)).get();
}
export type KeyRow = NonNullable<Awaited<ReturnType<typeof selectKey>>>;

/** Stores a key whose call made no transaction of this database; false if it is stored already. */
export async function insertKey(db: Database, { id, fingerprint }: KeyedCall, now: number): Promise<boolean> {
  const row = { id, fingerprint, created: now };
  const inserted = await db
    .insert(idempotencyKey)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: idempotencyKey.id });
  return inserted.length > 0;
}

export async function updateAnswer(db: Database, { id }: KeyedCall, answer: string): Promise<void> {
  await db.update(idempotencyKey).set({ answer }).where(eq(idempotencyKey.id, id));
}

/** Frees a key, so that its call runs again. */
export async function deleteKey(db: Database, { id }: KeyedCall): Promise<void> {
  await db.delete(idempotencyKey).where(eq(idempotencyKey.id, id));
}

/**
 * Deletes some keys that are older than a day. Row ids grow with time, which spares each key an index: rows are read up to
 * the first one that stays.
 */
export async function deleteOldKeys(db: Database, now: number): Promise<void> {
  const rowid = sql`rowid`;
  const firstToStay = db
    .select({ rowid })
    .from(idempotencyKey)
    .where(gte(idempotencyKey.created, now - DAY_MS))
    .orderBy(rowid)
    .limit(1);
  const old = db
    .select({ rowid })
    .from(idempotencyKey)
    .where(sql`rowid < coalesce((${firstToStay}), ${Number.MAX_SAFE_INTEGER})`)
    .orderBy(rowid)
    .limit(MAX_ROWS_PER_DELETE);
  await db.delete(idempotencyKey).where(sql`rowid IN (${old})`);
}

const MAX_ROWS_PER_DELETE = 5_000;
