import { invalid } from "#shared/error/api-error.ts";
import { firstOf } from "./fields.ts";
import type { IngestRequest } from "./message.ts";
import { isStorableText, MAX_TEXT } from "./text.ts";

/** The first candidate that is not empty; devices also write their id as a number. */
export function readDeviceId(parameter: string, ...candidates: unknown[]): string {
  const first = candidates.find((candidate) => candidate !== undefined && candidate !== null && candidate !== "");
  const id = Number.isSafeInteger(first) ? String(first) : first;
  if (typeof id === "string" && PRINTABLE.test(id)) return id;
  throw invalid(parameter, "must be 1 to 64 printable characters");
}

/** The ingest key of a request, null without one. The feed checks it. */
export function keyOf({ query, form, header }: IngestRequest): string | null {
  const key = firstOf(form, "key") || firstOf(query, "key") || header("X-Ingest-Key") || null;
  if (key === null || (key.length <= MAX_TEXT && isStorableText(key))) return key;
  throw invalid("key", `must be a text of at most ${MAX_TEXT} characters`);
}

const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u;
