import type * as z from "zod";
import type { Clock } from "../time/clock.ts";
import { writerOf } from "./parameters.ts";

/** A page of a list; `next` reads the following one, undefined on the last. */
export type Page<Item> = { items: Item[]; next?: () => Promise<Page<Item>> };

/** The offset to read from, and the number of items still wanted; undefined: all. */
export type ListWindow = { limit?: number; offset: number };
/** Reads a list by offset, at most `size` rows at a time. */
type ListSource<Row, Item> = { size: number; read(window: ListWindow): Promise<Row[]>; toItem(row: Row): Item };
/** `candidates`: the number of rows before some were left out because of their bytes. */
type ListRow = object & { candidates?: number };

/** The rows as a page whose `next` reads on. */
export function pageAt<Row extends ListRow, Item>(
  rows: Row[],
  { limit, offset }: ListWindow,
  source: ListSource<Row, Item>,
): Page<Item> {
  const left = limit === undefined ? undefined : limit - rows.length;
  const rest = { limit: left, offset: offset + rows.length };
  const next = async () => pageAt(await source.read(rest), rest, source);
  const hasNext = left !== 0 && mayHaveMore(rows, source.size);
  return { items: rows.map(source.toItem), next: hasNext ? next : undefined };
}

/** Whether more rows may follow this page. */
export function mayHaveMore(rows: ListRow[], size: number): boolean {
  const candidates = rows[0]?.candidates ?? rows.length;
  return rows.length < candidates || candidates >= size;
}

/** Reads a list by id, at most `size` rows at a time; `next` continues behind the last id. */
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
 * The answer of a list: an object when it fits one page, else a stream. The first page was read before, so that a
 * failing query is still answered as an error.
 */
export function listAnswer<Item, Head extends object>(
  head: Head,
  first: Page<Item>,
): (Head & { list: Item[] }) | Response {
  if (!first.next) return { ...head, list: first.items };
  return streamList(head, first, "list");
}

/** Streams a list of several pages as the member `name`. */
export function streamList<Item>(head: object, first: Page<Item>, name: string): Response {
  return streamResponse(piecesOf(JSON.stringify({ success: true, ...head }), { [name]: first }));
}

/** Pages with times in the caller's format: streamed items bypass the output schema. */
export function serializePages<Item>(schema: z.ZodType<Item>, { items, next }: Page<Item>, clock: Clock): Page<Item> {
  const write = writerOf(schema);
  return {
    // A writer changes nothing but times, and leaves texts as they are.
    items: write ? items.map((item) => write(item, clock) as Item) : items,
    next: next && (async () => serializePages(schema, await next(), clock)),
  };
}

/** Several lists as members of `result`. */
export function resultAnswer<Name extends string, Item>(
  lists: Record<Name, Page<Item>>,
): { result: Record<Name, Item[]> } | Response {
  const pages = Object.entries<Page<Item>>(lists);
  if (pages.some(([, { next }]) => next)) return streamResponse(wrapInResult(piecesOf("{}", lists)));
  // The names are those of `lists`.
  return { result: Object.fromEntries(pages.map(([name, { items }]) => [name, items])) as Record<Name, Item[]> };
}

/** The text of the object with the lists as further members. */
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

/** A stream that makes its pieces on demand. */
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
