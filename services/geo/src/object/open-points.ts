import type { PreviousPoint } from "../point/measured.ts";

/** Where counting of meters and speeds goes on from. */
export type Anchor = PreviousPoint & { meters: number };

export type OpenPoints = {
  /** Raw columns of the points that are not in the database yet. */
  points: Uint8Array;
  /** A point before the range, with the meters since the tracker's first point; null: the range begins before all. */
  anchor: Anchor | null;
};
