import type { Language, Texts } from "./texts.ts";

/** Loads the texts of one language: nobody loads the others. */
export async function loadTexts(language: Language): Promise<Texts> {
  if (language === "de") return (await import("./de.ts")).de;
  return (await import("./en.ts")).en;
}
