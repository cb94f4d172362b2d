import { MAX_ROWS } from "../contract/table-document.ts";
import { invalid } from "../error/api-error.ts";
import type { Page } from "../operation/list-answer.ts";

/** What a document is made of, whole; the parameter could have asked for less. */
export async function readAllRows<Item>(first: Page<Item>, parameter: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let page: Page<Item> | undefined = first; page; page = await page.next?.()) {
    items.push(...page.items);
    if (items.length > MAX_ROWS) throw invalid(parameter, `must be such that no more than ${MAX_ROWS} are found`);
  }
  return items;
}
