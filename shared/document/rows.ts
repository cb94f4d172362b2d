import { MOST_ROWS } from "../contract/table-document.ts";
import { invalid } from "../error/api-error.ts";
import type { Page } from "../operation/list-answer.ts";

/** What a document is made of, whole; the parameter could have asked for less. */
export async function allOf<Item>(first: Page<Item>, parameter: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let page: Page<Item> | undefined = first; page; page = await page.next?.()) {
    items.push(...page.items);
    if (items.length > MOST_ROWS) throw invalid(parameter, `must be such that no more than ${MOST_ROWS} are found`);
  }
  return items;
}
