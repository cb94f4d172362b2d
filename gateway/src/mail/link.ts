import type { ReadRequest } from "#shared/operation/declaration.ts";
import { DAY_MS } from "#shared/time/duration.ts";

/** The link for a mail. Its page uses the hash only when a button is pressed, because mail scanners open links. */
export function toMailedLink({ base_url }: Pick<ReadRequest, "base_url">, hash: string) {
  return `${base_url}/activate?hash=${hash}`;
}

/** How long the hashes in links are valid. */
export const ACTIVATION_LIFE_MS = 7 * DAY_MS;
export const RESTORE_LIFE_MS = DAY_MS;
