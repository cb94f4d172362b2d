/** Languages of texts that the system writes. */
export type Language = "en" | "de";

/** The language of a locale such as `de_AT`; English when we have no texts in it. */
export function languageOf(locale: string): Language {
  const [language = ""] = locale.split("_");
  return language === "de" ? "de" : "en";
}
