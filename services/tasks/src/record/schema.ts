import { z } from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import { RECORD_KINDS, type RecordRow } from "../table/record/record.ts";

/** A record as its account sees it. */
export const RecordLink = z.object({
  /** Which of the account's records, from 1. */
  place: z.int(),
  hash: z.string(),
  /** The hash of the one before; null: there was none. */
  previous: z.string().nullable(),
  made: dateTime(),
  /** By which anybody may check it. */
  token: z.string(),
  /** The page that says what it proves. */
  url: z.string(),
});

export function toRecordLink({ place, hash, previous, made, token }: RecordRow, base_url: string) {
  return { place, hash, previous, made, token, url: `${base_url}/checkin/verify?record=${token}&format=html` };
}

/** What a record proves. */
export const Verdict = z.object({
  /** All of the three behind it. */
  valid: z.boolean(),
  /** What is stored, its files too, is what was recorded. */
  unchanged: z.boolean(),
  is_signed: z.boolean(),
  /** It goes on where the account's record before it ended. */
  is_chained: z.boolean(),
  kind: z.enum(RECORD_KINDS),
  place: z.int(),
  hash: z.string(),
  previous: z.string().nullable(),
  /** The record as a JWS (ES256), and the public key of it as a JWK. */
  signature: z.string(),
  key: z.record(z.string(), z.unknown()).nullable(),
  made: dateTime(),
  /** What the device said; null: it is no more. `received` is when a check-in came, as far as that is known. */
  told: z
    .object({
      time: dateTime(),
      received: dateTime().nullable(),
      location: z.object({ lat: z.number(), lng: z.number(), address: z.string() }).nullable(),
    })
    .nullable(),
  /** SHA-256 of each file. */
  files: z.array(z.string()),
});
export type Verdict = z.output<typeof Verdict>;
