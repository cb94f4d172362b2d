import { z } from "zod";

/** Times as `HH:MM:SS` instead of `HH:MM`. */
export const SECONDS = { show_seconds: z.boolean().default(false) };
/** Things of which there is nothing to show are left out. */
export const TABS = { hide_empty_tabs: z.boolean().default(false) };
export const SUMMARY = {
  include_summary_sheet: z.boolean().default(true),
  include_summary_sheet_only: z.boolean().default(false),
};
/** The smart filter: short trips are left out. */
export const FILTER = { filter: z.boolean().default(true) };
