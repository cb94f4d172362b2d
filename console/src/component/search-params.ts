/** The part of an address behind `?`, as flat texts: `?q=van&sort=-speed`. */
export type SearchParams = Record<string, string | undefined>;

const MAX_CHARS = 500;

/** Reads the part of an address behind `?`; longer values are cut. */
export function parseSearch(text: string): SearchParams {
  return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, value.slice(0, MAX_CHARS)]));
}

export function stringifySearch(search: SearchParams): string {
  const present = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(present).toString();
  return text ? `?${text}` : "";
}

/** The state in a link to another page. Links are typed by routes that declare theirs, and these declare none. */
export function linkSearch(search: SearchParams) {
  return (() => search) as never; // the router's type for them
}
