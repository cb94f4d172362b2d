import type { TablerIcon } from "@tabler/icons-react";
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
  find(text: string, signal: AbortSignal): Promise<SearchHit[]>;
};

export const MAX_HITS_PER_SOURCE = 6;
