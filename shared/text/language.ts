/** What texts for people are written in. */
export type Language = "en" | "de";

/** Of a locale such as `de_AT` where we write it, else English. */
export function languageOf(locale: string): Language {
  const [language = ""] = locale.split("_");
  return language === "de" ? "de" : "en";
}
