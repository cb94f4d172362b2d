import * as z from "zod";

/** A circle to search in. The radius is in meters, at most half of the way around the earth. */
export function searchCircle() {
  return z
    .object({
      lat: z.number().min(-90).max(90),
      lng: z.number().min(-180).max(180),
      radius: z.number().min(0).max(20_100_000),
    })
    .optional();
}
