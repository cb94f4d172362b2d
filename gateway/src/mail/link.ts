import type { ReadRequest } from "#shared/operation/declaration.ts";
import { DAY_MS } from "#shared/time/duration.ts";

/** Where a mailed link leads: a page that asks before it uses the hash, for mail scanners open links, too. */
export function toMailedLink({ base_url }: Pick<ReadRequest, "base_url">, hash: string) {
  return `${base_url}/activate?hash=${hash}`;
}

/** How long the links work. */
export const ACTIVATION_LIFE_MS = 7 * DAY_MS;
export const RESTORE_LIFE_MS = DAY_MS;
