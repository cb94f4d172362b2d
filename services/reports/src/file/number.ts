import type { Language } from "#shared/text/language.ts";

/** As it was written for the reader, in the reader's units. */
export function numberOf(v: string, language: Language): number | undefined {
  const plain = language === "de" ? v.replaceAll(".", "").replace(",", ".") : v.replaceAll(",", "");
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}
