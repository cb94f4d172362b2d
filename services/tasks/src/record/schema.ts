import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import { RECORD_KINDS, type RecordRow } from "../table/record/record.ts";

/** A record as its own account sees it. */
export const RecordLink = z.object({
  /** Number within the account's chain, from 1. */
  place: z.int(),
  hash: z.string(),
  /** The hash of the record before it; null for the first. */
  previous: z.string().nullable(),
  made: dateTime(),
  /** Anybody who has this token may verify the record. */
  token: z.string(),
  /** The page that shows the verdict. */
  url: z.string(),
});

export function toRecordLink({ place, hash, previous, made, token }: RecordRow, base_url: string) {
  return { place, hash, previous, made, token, url: `${base_url}/checkin/verify?record=${token}&format=html` };
}

/** The verdict on a record. */
export const Verdict = z.object({
  /** True when the three checks below hold. */
  valid: z.boolean(),
  /** The item and its files, as stored now, have the recorded hash. */
  unchanged: z.boolean(),
  is_signed: z.boolean(),
  /** The previous hash is that of the record before it in the account's chain. */
  is_chained: z.boolean(),
  kind: z.enum(RECORD_KINDS),
  place: z.int(),
  hash: z.string(),
  previous: z.string().nullable(),
  /** The record as a JWS (ES256), and the public key that signed it as a JWK. */
  signature: z.string(),
  key: z.record(z.string(), z.unknown()).nullable(),
  made: dateTime(),
  /**
   * The time and place that the device reported; null after the item was deleted. `received` is when a check-in
   * arrived, if known.
   */
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
