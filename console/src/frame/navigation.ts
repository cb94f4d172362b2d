import type { TablerIcon } from "@tabler/icons-react";
import type { FunctionComponent } from "react";
import type { CurrentUser } from "../session/user.tsx";
import type { Texts } from "../text/texts.ts";

/** A line of the navigation, which also appears in the search. Without `isAllowed` every user sees it. */
export type NavigationEntry = {
  to: string;
  icon: TablerIcon;
  label(texts: Texts): string;
  isAllowed?(user: CurrentUser): boolean;
  /** True for a page that another menu leads to: only the search shows it. */
  isOnlyFound?: boolean;
  /** Stands behind the label in the navigation. */
  Badge?: FunctionComponent;
};

export function allowedEntries(entries: NavigationEntry[], user: CurrentUser): NavigationEntry[] {
  return entries.filter(({ isAllowed }) => isAllowed?.(user) ?? true);
}
