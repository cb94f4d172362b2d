import type { TablerIcon } from "@tabler/icons-react";
import type { QueryClient } from "@tanstack/react-query";
import type { CurrentUser } from "../session/user.tsx";
import type { Texts } from "../text/texts.ts";

/** An object that the search found, and the page that shows it. */
export type SearchHit = {
  id: string;
  label: string;
  description?: string;
  to: string;
  params?: Record<string, string>;
};

/** A kind of objects that the search looks through; `find` answers at most a few hits. */
export type SearchSource = {
  id: string;
  icon: TablerIcon;
  label(texts: Texts): string;
  /** Without it every user may search for such objects. */
  isAllowed?(user: CurrentUser): boolean;
  find(text: string, signal: AbortSignal, queries: QueryClient): Promise<SearchHit[]>;
};

export const MAX_HITS_PER_SOURCE = 6;
/** How long a list that the API can only answer as a whole serves further searches. */
export const LIST_FRESH_MS = 60_000;

/** The first of all objects whose name contains the text. */
export function findByName<Item extends { name: string }>(items: Item[], text: string): Item[] {
  const wanted = text.toLocaleLowerCase();
  return items.filter(({ name }) => name.toLocaleLowerCase().includes(wanted)).slice(0, MAX_HITS_PER_SOURCE);
}
