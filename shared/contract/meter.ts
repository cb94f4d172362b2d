/**
 * What runs up in a tracker's points, by name:
 * `meters`: along its GPS points;
 * `rise a:<attribute>`: by which the attribute rose, falls left out;
 * `hours a:<attribute>`: the attribute's value times the hours that it stood;
 * `hours i:<number>`: for which a digital input was on;
 * `hours v:<JSON of [attribute, rule]>`: for which a virtual sensor of that rule was on.
 */
export type Quantity = "meters" | `${"rise" | "hours"} ${string}`;

/** A part of a counter's source: so many of its units to one of the quantity. */
export type Term = { of: Quantity; times: number };

/** Quantities at some moments, in the order in which both were asked for; `last` is the last point's time. */
export type Metered = { last: number | null; values: number[][] };

/** Moments, and the quantities to be told of each. Rules are followed from `since` on: before, nobody asks for them. */
export type MeterSearch = { times: number[]; of: Quantity[]; since: number };

/** The moments of a range, and the quantities to be told of them. */
export type MarkSearch = { from: number; to: number; of: Quantity[]; since: number };

/** Moments within a range, at the most one for each hour, and the quantities then. */
export type MeterMarks = { times: number[]; values: number[][] };
