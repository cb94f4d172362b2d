import type { Point } from "../point/point.ts";

/**
 * Called for as many of the points, from the first that is left on, as the receiver has acknowledged; `refused` is why it
 * does not want them.
 */
export type Acknowledge = (count: number, refused?: string) => void;

/** A conversation with a receiver, in which points are delivered in their order. */
export type ReceiverSession = {
  /** How many points it takes at a time at the most. */
  maxPoints: number;
  deliver(points: Point[], acknowledge: Acknowledge): Promise<void>;
  close(): void;
};
