/** What texts for people are written in. */
export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Of a locale such as `de_AT` where we write it, else English. */
export function languageOf(locale: string): Language {
  const [language = ""] = locale.split("_");
  return language === "de" ? "de" : "en";
}
