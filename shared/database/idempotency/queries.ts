import { and, eq, lt, sql } from "drizzle-orm";
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

/** Deletes some keys that are older than a day. Their row ids grow with time, which spares each key an index. */
export async function deleteOldKeys(db: Database, now: number): Promise<void> {
  const oldest = db.select({ rowid: sql`rowid` }).from(idempotencyKey).orderBy(sql`rowid`).limit(MAX_ROWS_PER_DELETE);
  await db.delete(idempotencyKey).where(and(sql`rowid IN (${oldest})`, lt(idempotencyKey.created, now - DAY_MS)));
}

const MAX_ROWS_PER_DELETE = 5_000;
