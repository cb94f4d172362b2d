import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { SheetName } from "#shared/contract/files.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { sheet } from "../table/sheet.ts";

type NewSheet = Omit<typeof sheet.$inferInsert, "id">;

/** Inserts a sheet. The user's oldest sheets above `MAX_SHEETS_PER_USER` expire at once. */
export async function insertSheet(db: Database, row: NewSheet, now: number) {
  const ofUser = and(eq(sheet.account_id, row.account_id), eq(sheet.user_id, row.user_id));
  const newest = sql`SELECT ${sheet.id} FROM ${sheet} WHERE ${ofUser} ORDER BY ${sheet.id} DESC LIMIT ${MAX_SHEETS_PER_USER}`;
  await write(db, {
    sheet: db.insert(sheet).values(row),
    expired: db
      .update(sheet)
      .set({ expires: now })
      .where(and(ofUser, gt(sheet.expires, now), sql`${sheet.id} NOT IN (${newest})`)),
  });
}

/** The number of rows of a sheet; undefined if the account has no such sheet, or it has expired. */
export function findSheet(db: Database, { account_id, file_id }: SheetName, now: number) {
  return db
    .select({ rows: sheet.rows })
    .from(sheet)
    .where(and(eq(sheet.account_id, account_id), eq(sheet.file_id, file_id), gt(sheet.expires, now)))
    .get();
}

/** Makes all sheets of the accounts expire; the sweep deletes them. */
export async function expireSheetsOfAccounts(db: Database, accounts: number[], now: number) {
  await db
    .update(sheet)
    .set({ expires: now })
    .where(and(among(sheet.account_id, accounts), gt(sheet.expires, now)));
}

export function selectExpired(db: Database, now: number, limit: number) {
  return db.select().from(sheet).where(lte(sheet.expires, now)).orderBy(asc(sheet.expires)).limit(limit);
}

export async function deleteSheets(db: Database, ids: number[]) {
  await db.delete(sheet).where(among(sheet.id, ids));
}

const MAX_SHEETS_PER_USER = 100;
