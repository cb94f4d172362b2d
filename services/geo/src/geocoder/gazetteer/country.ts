import { foldText } from "#shared/text/fold.ts";

/** The country's name in a language; the code itself where nothing is known. */
export function countryName(code: string, lang: string): string {
  return namesIn(lang).of(code) ?? code;
}

/** The codes of countries that the folded name stands for, in the language, in English or shortened. */
export function codesOf(name: string, lang: string): string[] {
  if (name === "") return [];
  const codes = [codesByName(lang).get(name), codesByName("en").get(name), SHORT.get(name)];
  return [...new Set(codes.filter((code) => code !== undefined))];
}

const books = new Map<string, Map<string, string>>();
/** Made when it is needed, and for few languages. */
function codesByName(lang: string): Map<string, string> {
  const made = books.get(lang);
  if (made) return made;
  if (books.size >= MOST_LANGUAGES) books.clear();
  const book = new Map<string, string>();
  for (const code of allCodes()) {
    const name = namesIn(lang).of(code);
    if (name && name !== code)
      book.set(
        foldText(name)
          .match(/[\p{L}\p{N}]+/gu)
          ?.join(" ") ?? "",
        code,
      );
  }
  books.set(lang, book);
  return book;
}

function* allCodes() {
  for (let first = 65; first <= 90; first++)
    for (let second = 65; second <= 90; second++) yield String.fromCharCode(first, second);
}

const displays = new Map<string, Intl.DisplayNames>();
/** To make one takes longer than to find a place. */
function namesIn(lang: string): Intl.DisplayNames {
  const made = displays.get(lang);
  if (made) return made;
  if (displays.size >= MOST_LANGUAGES) displays.clear();
  const names = new Intl.DisplayNames([lang, "en"], { type: "region", fallback: "none" });
  displays.set(lang, names);
  return names;
}

/** What people write in addresses instead of a name. */
const SHORT = new Map([
  ["usa", "US"],
  ["us", "US"],
  ["uk", "GB"],
  ["uae", "AE"],
]);
const MOST_LANGUAGES = 20;
