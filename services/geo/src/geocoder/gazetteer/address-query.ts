import { foldText } from "#shared/text/fold.ts";
import { codesOf } from "./country.ts";

/** An address parsed for a search in the gazetteer. */
export type AddressQuery = {
  /** Parts that may name a place, in the order of the address. */
  names: NameQuery[];
  /** The number of parts of the address. */
  parts: number;
  /** True if the address has a house number, which the gazetteer does not know. */
  hasHouse: boolean;
};
/**
 * Full-text queries for the beginning of a name, and for the whole name; countries and provinces that the other parts
 * of the address may name.
 */
export type NameQuery = { part: number; begins: string; whole: string; countries: string[]; provinces: string[] };

/** Parses an address. Numbers of four digits or more are postcodes and ignored; other numbers are house numbers. */
export function parseAddress(address: string, lang: string): AddressQuery {
  const parts = address
    .split(/[,;\n]/)
    .slice(0, MAX_PARTS)
    .map(splitWords);
  const tokens = parts.map((words) => words.filter((word) => !/\d/.test(word)));
  const partNames = tokens.map((words) => words.join(" "));
  const countries = partNames.map((name) => codesOf(name, lang));
  const candidates = partNames.flatMap((name, part) => {
    // Next to other parts, a country's name is not the name of a place.
    if (name === "" || (countries[part]?.length && partNames.filter(Boolean).length > 1)) return [];
    // A part that names the place does not name its province or country, too: Valencia alone is not in Valencia.
    const isOther = (_: unknown, index: number) => index !== part;
    return {
      ...{ part, begins: toPrefixQuery(name), whole: `"0 ${name} 0"` },
      countries: countries.filter(isOther).flat(),
      provinces: partNames.filter((other, index) => isOther(other, index) && other !== "" && !countries[index]?.length),
    };
  });
  return {
    names: candidates,
    parts: partNames.filter(Boolean).length,
    hasHouse: parts.some((words) => words.some((word) => /\d/.test(word) && !/^\d{4,}$/.test(word))),
  };
}

/** A prefix query if the last word is long enough to match few names, else a query for the whole name. */
function toPrefixQuery(name: string) {
  const last = name.split(" ").at(-1) ?? "";
  return last.length < MIN_PREFIX_CHARACTERS ? `"0 ${name} 0"` : `"0 ${name}"*`;
}

/** Words in the form of the full-text index. */
function splitWords(text: string): string[] {
  return foldText(text.slice(0, MAX_PART_CHARACTERS)).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const MAX_PARTS = 8;
const MAX_PART_CHARACTERS = 100;
const MIN_PREFIX_CHARACTERS = 3;
