/** The distance along GPS points, in meters. */
type Distance = "meters";
/** `a:<attribute>`: the sum of an attribute's increases; decreases do not count. */
type Rise = `rise ${string}`;
/**
 * Hours weighted by an attribute's value (`a:<attribute>`), or during which an input (`i:<number>`) or a virtual sensor
 * (`v:<JSON of [attribute, rule]>`) was on.
 */
type Hours = `hours ${string}`;
/** Something that adds up along a tracker's points, by name. */
export type Quantity = Distance | Rise | Hours;

/** A part of a counter's source: `times` of the counter's units for one of the quantity. */
export type Term = { of: Quantity; times: number };

/** Quantities at some moments, in the order of the request; `last` is the time of the last point. */
export type MeterValues = { last: number | null; values: number[][] };

/** Moments, and the quantities to compute at each. Virtual sensors are evaluated from `since` on. */
export type MeterSearch = { times: number[]; of: Quantity[]; since: number };

/** A range, and the quantities to compute at moments within it. */
export type MarkSearch = { from: number; to: number; of: Quantity[]; since: number };

/** Moments within a range, at most one per hour, and the quantities at each. */
export type MeterMarks = { times: number[]; values: number[][] };
