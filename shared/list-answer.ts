/** A part of a list, and how to get the part behind it; undefined at the end. */
export type Page<Item> = { items: Item[]; next?: () => Promise<Page<Item>> };

/**
 * The answer of a list: an object when one page holds it all, else a stream that is never whole in memory. The first
 * page is there already, so that a failure of the query is still answered as one.
 */
export function listAnswer<Item, Head extends object>(
  head: Head,
  first: Page<Item>,
): (Head & { list: Item[] }) | Response {
  if (!first.next) return { ...head, list: first.items };
  let page: Page<Item> | undefined = first;
  const encoder = new TextEncoder();
  const opening = JSON.stringify({ success: true, ...head, list: [] }).slice(0, -2);
  let separator = opening;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!page) {
        controller.enqueue(encoder.encode("]}"));
        controller.close();
        return;
      }
      const { items, next } = page;
      if (items.length > 0) {
        controller.enqueue(encoder.encode(separator + JSON.stringify(items).slice(1, -1)));
        separator = ",";
      }
      page = next && (await next());
    },
  });
  return new Response(body, { headers: { "Content-Type": "application/json" } });
}
