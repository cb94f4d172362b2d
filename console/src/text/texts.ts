import type { en } from "./en.ts";

/** The texts of a language. */
export type Texts = typeof en;

export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The names of the languages, each in itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", de: "Deutsch" };

/** The language of a locale such as `de_AT` or `de-AT`; English for languages that have no texts. */
export function languageOf(locale: string): Language {
  const [code = ""] = locale.toLowerCase().split(/[-_]/);
  return LANGUAGES.find((language) => language === code) ?? "en";
}
