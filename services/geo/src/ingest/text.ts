import { invalid } from "#shared/error/api-error.ts";

/** Longest text that a device may send in one value. */
export const MAX_TEXT = 255;

/** Databases cut a text at NUL, and a lone surrogate has no UTF-8. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Undefined if the sender left it out or sent an empty text. */
export function optionalText(value: unknown, parameter: string): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" && value.length <= MAX_TEXT && isStorableText(value)) return value;
  throw invalid(parameter, `must be a text of at most ${MAX_TEXT} characters`);
}
