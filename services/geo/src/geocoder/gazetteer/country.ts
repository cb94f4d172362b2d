import { foldText } from "#shared/text/fold.ts";

/** The country's name in a language; the code itself if unknown. */
export function countryName(code: string, lang: string): string {
  return namesIn(lang).of(code) ?? code;
}

/** Codes of countries with this folded name, in the language, in English, or abbreviated. */
export function codesOf(name: string, lang: string): string[] {
  if (name === "") return [];
  const codes = [codesByName(lang).get(name), codesByName("en").get(name), ABBREVIATIONS.get(name)];
  return [...new Set(codes.filter((code) => code !== undefined))];
}

const codesByLanguage = new Map<string, Map<string, string>>();
/** Built on demand, which takes up to half a second, and cached for a few languages. */
function codesByName(lang: string): Map<string, string> {
  const cached = codesByLanguage.get(lang);
  if (cached) return cached;
  if (codesByLanguage.size >= MAX_LANGUAGES) codesByLanguage.clear();
  const codes = new Map<string, string>();
  for (const code of allCodes()) {
    const name = namesIn(lang).of(code);
    if (name && name !== code)
      codes.set(
        foldText(name)
          .match(/[\p{L}\p{N}]+/gu)
          ?.join(" ") ?? "",
        code,
      );
  }
  codesByLanguage.set(lang, codes);
  return codes;
}

function* allCodes() {
  for (let first = 65; first <= 90; first++)
    for (let second = 65; second <= 90; second++) yield String.fromCharCode(first, second);
}

const namesByLanguage = new Map<string, Intl.DisplayNames>();
/** Cached, because constructing Intl.DisplayNames takes longer than a search. */
function namesIn(lang: string): Intl.DisplayNames {
  const cached = namesByLanguage.get(lang);
  if (cached) return cached;
  if (namesByLanguage.size >= MAX_LANGUAGES) namesByLanguage.clear();
  const names = new Intl.DisplayNames([lang, "en"], { type: "region", fallback: "none" });
  namesByLanguage.set(lang, names);
  return names;
}

/** Abbreviations that people write in addresses. */
const ABBREVIATIONS = new Map([
  ["usa", "US"],
  ["us", "US"],
  ["uk", "GB"],
  ["uae", "AE"],
]);
const MAX_LANGUAGES = 20;
