import type { PreviousPoint } from "../point/measured.ts";

/** The last point before a range, from which meters and speeds are continued. */
export type Anchor = PreviousPoint & { meters: number };

export type OpenPoints = {
  /** Points in raw form that are not in the database yet. */
  points: Uint8Array;
  /** The last point before the range, with the meters since the tracker's first point; null: none. */
  anchor: Anchor | null;
};
