import { foldText } from "#shared/text/fold.ts";
import { codesOf } from "./country.ts";

/** What an address says, as the gazetteer can be asked. */
export type AddressQuery = {
  /** What may be the name of a place, in the order of the address. */
  names: NameQuery[];
  /** Of the countries and provinces that it may name, beside each name. */
  countries: string[];
  provinces: string[];
  /** Of how many parts it consists. */
  parts: number;
  /** It has a house's number, of which the gazetteer knows nothing. */
  hasHouse: boolean;
};
/** For full-text search: the beginning of a name, and the whole of one. */
export type NameQuery = { part: number; begins: string; whole: string };

/** Postcodes are passed over; what else has a digit belongs to a house. */
export function parseAddress(address: string, lang: string): AddressQuery {
  const parts = address
    .split(/[,;\n]/)
    .slice(0, MAX_PARTS)
    .map(splitWords);
  const tokens = parts.map((words) => words.filter((word) => !/\d/.test(word)));
  const named = tokens.map((words) => words.join(" "));
  const countries = named.map((name) => codesOf(name, lang));
  const candidates = named.flatMap((name, part) => {
    // Where more is said, a country's name is not that of a place.
    if (name === "" || (countries[part]?.length && named.filter(Boolean).length > 1)) return [];
    return { part, begins: toPrefixQuery(name), whole: `"0 ${name} 0"` };
  });
  return {
    names: candidates,
    countries: countries.flat(),
    provinces: named.filter((name, part) => name !== "" && !countries[part]?.length),
    parts: named.filter(Boolean).length,
    hasHouse: parts.some((words) => words.some((word) => /\d/.test(word) && !/^\d{4,}$/.test(word))),
  };
}

/** What a query is for begins with the last word, if that is long enough to tell few names. */
function toPrefixQuery(name: string) {
  const last = name.split(" ").at(-1) ?? "";
  return last.length < MIN_PREFIX_CHARACTERS ? `"0 ${name} 0"` : `"0 ${name}"*`;
}

/** As the full-text index has them. */
function splitWords(text: string): string[] {
  return foldText(text.slice(0, MAX_PART_CHARACTERS)).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const MAX_PARTS = 8;
const MAX_PART_CHARACTERS = 100;
const MIN_PREFIX_CHARACTERS = 3;
