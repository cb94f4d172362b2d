import type { z } from "zod";
import type { Clock } from "../time/clock.ts";
import { writerOf } from "./parameters.ts";

/** A part of a list, and how to get the part behind it; undefined at the end. */
export type Page<Item> = { items: Item[]; next?: () => Promise<Page<Item>> };

/** Where a list is read from, and how many are left of those that were asked for; undefined: all. */
export type ListWindow = { limit?: number; offset: number };
/** How a list is read: at most `size` rows at a time, whatever the limit. */
type ListSource<Row, Item> = { size: number; read(part: ListWindow): Promise<Row[]>; toItem(row: Row): Item };

/** The rows of this part as a page, behind which the next is read when it is asked for. */
export function pageAt<Row, Item>(
  rows: Row[],
  { limit, offset }: ListWindow,
  reading: ListSource<Row, Item>,
): Page<Item> {
  const left = limit === undefined ? undefined : limit - rows.length;
  const rest = { limit: left, offset: offset + rows.length };
  const isLast = rows.length < reading.size || left === 0;
  const next = async () => pageAt(await reading.read(rest), rest, reading);
  return { items: rows.map(reading.toItem), next: isLast ? undefined : next };
}

/** How a list by id is read: at most `size` rows at a time, the next ones behind the last id. */
type IdListSource<Row, Item> = { size: number; toItem(row: Row): Item; next(last: number): Promise<Page<Item>> };

/** The rows as a page of a list by id. */
export function pageAfter<Row extends { id: number }, Item>(
  rows: Row[],
  { size, toItem, next }: IdListSource<Row, Item>,
): Page<Item> {
  const last = rows.at(-1);
  const isFull = rows.length === size && last;
  return { items: rows.map(toItem), next: isFull ? () => next(last.id) : undefined };
}

/**
 * The answer of a list: an object when one page holds it all, else a stream that is never whole in memory. The first
 * page is there already, so that a failure of the query is still answered as one.
 */
export function listAnswer<Item, Head extends object>(
  head: Head,
  first: Page<Item>,
): (Head & { list: Item[] }) | Response {
  if (!first.next) return { ...head, list: first.items };
  return streamList(head, first, "list");
}

/** The answer of more than one page; the list is a member of this name. */
export function streamList<Item>(head: object, first: Page<Item>, name: string): Response {
  return streamResponse(piecesOf(JSON.stringify({ success: true, ...head }), { [name]: first }));
}

/** Pages whose moments are written in the caller's form already: what is streamed passes no schema. */
export function serializePages<Item>(schema: z.ZodType<Item>, { items, next }: Page<Item>, clock: Clock): Page<Item> {
  const write = writerOf(schema);
  return {
    // Only moments differ from the schema's output, and a writer leaves alone what is text.
    items: write ? items.map((item) => write(item, clock) as Item) : items,
    next: next && (async () => serializePages(schema, await next(), clock)),
  };
}

/** The same for several lists, by name in the one member `result`. */
export function resultAnswer<Name extends string, Item>(
  lists: Record<Name, Page<Item>>,
): { result: Record<Name, Item[]> } | Response {
  const pages = Object.entries<Page<Item>>(lists);
  if (pages.some(([, { next }]) => next)) return streamResponse(wrapInResult(piecesOf("{}", lists)));
  // The names are those of the lists.
  return { result: Object.fromEntries(pages.map(([name, { items }]) => [name, items])) as Record<Name, Item[]> };
}

/** The lists as members behind those of the object whose text is given. */
async function* piecesOf<Item>(object: string, lists: Record<string, Page<Item>>) {
  let opening = object === "{}" ? "{" : `${object.slice(0, -1)},`;
  for (const [name, first] of Object.entries(lists)) {
    yield `${opening}${JSON.stringify(name)}:[`;
    opening = "],";
    let separator = "";
    for (let page: Page<Item> | undefined = first; page; page = await page.next?.()) {
      if (page.items.length === 0) continue;
      yield separator + JSON.stringify(page.items).slice(1, -1);
      separator = ",";
    }
  }
  yield "]}";
}

async function* wrapInResult(pieces: AsyncGenerator<string>) {
  yield '{"success":true,"result":';
  yield* pieces;
  yield "}";
}

function streamResponse(pieces: AsyncGenerator<string>): Response {
  return new Response(streamOf(pieces), { headers: { "Content-Type": "application/json" } });
}

/** Text that is never whole in memory: a piece is made when it is asked for. */
export function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
