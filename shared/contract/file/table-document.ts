/** A table to render: rows in groups. */
export type TableDocument = {
  title: string;
  /** A line below the title with subject and date. */
  subtitle: string;
  columns: Column[];
  groups: Group[];
  /** Pictures below the table; XLS has none. XLSX shows them unscaled: at most 200 pixels high. */
  pictures?: Picture[];
};

export type Picture = { caption: string; jpeg: Uint8Array };
/** Pictures of a document take some megabytes. */
export const MAX_PICTURES = 60;

/** `text` columns wrap; the others are as wide as their longest value. */
export type Column = { title: string; kind: "text" | "short" | "number" };

/** `total` is a row below the others, set off from them. */
export type Group = { heading: string | null; rows: Cell[][]; total?: Cell[] };
export type Cell = string | number | null;

export const TABLE_FORMATS = ["pdf", "xls", "xlsx"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];
export type FileFormat = TableFormat | "csv";

/** Longer tables are refused: laying them out would exceed a Worker's memory and time. */
export const MAX_ROWS = 20_000;
