/** What a plugin makes for one thing, as `retrieve` shows it; whatever writes files reads the same. */
export type Sheet = {
  header: string;
  entity_ids: number[];
  additional_field: string;
  sections: Section[];
};
export type Section = Table | NamedValues | { type: "text"; text: string; style: "small_print" };

export type Table = {
  type: "table";
  header: string;
  column_groups: [];
  columns: Column[];
  data: RowGroup[];
};

export type Column = {
  field: string;
  title: string;
  align: "left" | "right" | "center";
  width: number;
  weight: number;
  highlight_min_max: boolean;
};

/** Rows of a day, as a rule. */
export type RowGroup = { header: string; rows: Rows; total?: Total; sources?: RowSources; total_source?: Source };
/** One for each row; or, where each row is a point, the field of the cell that has its moment and its place. */
export type RowSources = Source[] | { point: string };
/**
 * Of what a value was made: tracks and records by their ids (events, tasks, check-ins, forms, changes, zones, places), a stretch of
 * time, and how many points; some of them stand here. `cells` by the fields of a row, where each has its own.
 */
export type Source = {
  track_ids: number[];
  record_ids: number[];
  from: number;
  to: number;
  point_count: number;
  points: { time: number; lat: number; lng: number }[];
  cells?: Record<string, Source>;
};
/** An array, or what is read like one. */
export type Rows = Iterable<Row> & { length: number; slice(from: number, to: number): Row[] };
export type Row = Record<string, Cell>;
export type Total = { text: string } & Record<string, Cell | string>;

/** As a person reads it, and as a number: milliseconds of a moment, seconds of a duration, kilometers, km/h. */
export type Cell = { v: string; raw: number; type: "value"; location?: { lat: number; lng: number } };

/** Pairs of a name and a value; durations in minutes. */
export type NamedValues = { type: "map_table"; header: string; rows: NamedValue[] };
export type NamedValue = { name: string; v: string; raw: number; highlight: boolean; source?: Source };
