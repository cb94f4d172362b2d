import type { Sheet } from "../layout/sheet.ts";

/** `head` is for the title page and the table of contents; null: neither. */
export type ReportFile = { head: { title: string; subtitle: string } | null; title: string; sheets: Sheet[] };
