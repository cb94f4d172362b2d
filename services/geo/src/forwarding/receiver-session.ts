import type { Point } from "../point/point.ts";

/** Called when the receiver has acknowledged the next `count` points; `refused` is its reason for refusing them. */
export type Acknowledge = (count: number, refused?: string) => void;

/** A connection to a receiver, which delivers points in order. */
export type ReceiverSession = {
  /** The most points of one call of `deliver`. */
  maxPoints: number;
  deliver(points: Point[], acknowledge: Acknowledge): Promise<void>;
  close(): void;
};
