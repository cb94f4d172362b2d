import * as z from "zod";

/** A position on the earth. */
export const Position = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) });
export type Position = z.output<typeof Position>;

export const Bounds = z.object({ nw: Position, se: Position });
