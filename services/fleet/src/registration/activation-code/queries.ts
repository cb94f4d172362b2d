import { and, asc, count, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { ActivationCodeSearch, NewActivationCodes } from "#shared/contract/tracker/stock.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { activationCode } from "../../table/registration/activation-code.ts";
import { tariff } from "../../table/registration/tariff.ts";

export async function insertCodes(
  db: Database,
  { dealer_id }: Principal,
  { count, tariff_id, bonus_amount, free_days }: NewActivationCodes,
  now: number,
) {
  const codes = JSON.stringify(Array.from({ length: count }, generateCode));
  const inserted = await db
    .insert(activationCode)
    .select(
      sql`SELECT NULL, ${dealer_id}, value, ${tariff.id}, ${bonus_amount}, ${free_days}, ${now}, NULL, NULL, NULL
        FROM ${tariff}, json_each(${codes}) WHERE ${tariff.id} = ${tariff_id} AND ${tariff.dealer_id} = ${dealer_id}`,
    )
    .returning({ id: activationCode.id });
  if (inserted.length === 0) throw new ApiError(201);
  return inserted.length;
}

export async function selectCodes(
  db: Database,
  { dealer_id }: Principal,
  { used, offset, limit }: ActivationCodeSearch,
) {
  const state = used === null ? undefined : used ? isNotNull(activationCode.used) : isNull(activationCode.used);
  const listed = and(eq(activationCode.dealer_id, dealer_id), state);
  const { rows, counted } = await read(db, {
    rows: db.select().from(activationCode).where(listed).orderBy(asc(activationCode.id)).limit(limit).offset(offset),
    counted: db.select({ count: count() }).from(activationCode).where(listed),
  });
  const list = rows.map(({ dealer_id, source_id, account_id, ...row }) => ({ ...row, user_id: account_id }));
  return { list, count: onlyRow(counted).count };
}

/** Condition: the code belongs to the dealer and is not used yet. */
export function isUnusedCode({ dealer_id }: Pick<Principal, "dealer_id">, code: string) {
  return and(eq(activationCode.code, code), eq(activationCode.dealer_id, dealer_id), isNull(activationCode.used));
}

/** The stored form of a typed code: upper case, without spaces and hyphens. */
export function normalizeCode(code: string) {
  return code.toUpperCase().replace(/[\s-]/g, "");
}

/** A code of 80 random bits, in letters and digits that cannot be confused. */
function generateCode() {
  const random = crypto.getRandomValues(new Uint8Array(CODE_CHARACTERS));
  return Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

const CODE_CHARACTERS = 16;
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
