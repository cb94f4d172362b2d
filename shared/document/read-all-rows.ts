import { MAX_ROWS } from "../contract/file/table-document.ts";
import { invalid } from "../error/api-error.ts";
import type { Page } from "../operation/list-answer.ts";

/** All items of a list for a document; 7 naming `parameter` when there are too many. */
export async function readAllRows<Item>(first: Page<Item>, parameter: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let page: Page<Item> | undefined = first; page; page = await page.next?.()) {
    items.push(...page.items);
    if (items.length > MAX_ROWS) throw invalid(parameter, `must be such that no more than ${MAX_ROWS} are found`);
  }
  return items;
}
