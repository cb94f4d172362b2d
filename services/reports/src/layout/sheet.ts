import type { Position } from "#shared/geometry/position.ts";
/** The sheet of one tracker or employee, as `retrieve` answers it and as files are made from it. */
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

/** The rows of one group, usually of a day. */
export type RowGroup = { header: string; rows: Rows; total?: Total; sources?: RowSources; total_source?: Source };
/** A source per row; or, if each row is a point, the name of the field with its time and position. */
export type RowSources = Source[] | { point: string };
/**
 * The evidence of a value: ids of its tracks and records, its time range, and the number of its points, some of which
 * are listed. `cells` has the evidence by field when it differs within a row.
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
/** An array, or an object that is read like one. */
export type Rows = Iterable<Row> & { length: number; slice(from: number, to: number): Row[] };
export type Row = Record<string, Cell>;
export type Total = { text: string } & Record<string, Cell | string>;

/** A value as text for people, and as a number: UTC milliseconds, seconds of a duration, kilometers, km/h. */
export type Cell = { v: string; raw: number; type: "value"; location?: Position };

/** Pairs of a name and a value; durations are in minutes. */
export type NamedValues = { type: "map_table"; header: string; rows: NamedValue[] };
export type NamedValue = { name: string; v: string; raw: number; highlight: boolean; source?: Source };
