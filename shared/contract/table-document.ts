/** What the renderer makes a file of: one table, its rows in groups. */
export type TableDocument = {
  title: string;
  /** A line below the title: of what and when. */
  subtitle: string;
  columns: Column[];
  groups: Group[];
  /** Below the table; XLS has none. Into an XLSX they go as they are: no higher than 200 pixels. */
  pictures?: Picture[];
};

export type Picture = { caption: string; jpeg: Uint8Array };
/** Of a document: some megabytes. */
export const MAX_PICTURES = 60;

/** `text` is broken into lines where it is long; the others are as wide as their longest value. */
export type Column = { title: string; kind: "text" | "short" | "number" };

/** `total` is a row below the others, set off from them. */
export type Group = { heading: string | null; rows: Cell[][]; total?: Cell[] };
export type Cell = string | number | null;

export const TABLE_FORMATS = ["pdf", "xls", "xlsx"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];
export type FileFormat = TableFormat | "csv";

/** More are laid out in no file that somebody pages through: nobody reads them, and it would take a Worker's memory and time. */
export const MAX_ROWS = 20_000;
