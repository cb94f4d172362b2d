import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { operation } from "../../operation.ts";
import { countTour } from "./count-queries.ts";
import { findShortTour } from "./tour.ts";

const position = { lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) };

export const optimizeTaskRoutePoints = operation("/task/route/points/optimize", {
  summary: "A short order in which to visit positions within their times; nothing is stored",
  right: "task_update",
  reads: true,
  expensive: true,
  input: z.object({
    start_point: z.object({ ...position, departure: dateTime().optional() }),
    route_points: z
      .array(
        z
          .object({ location: z.object(position), from: dateTime(), to: dateTime() })
          .refine(({ from, to }) => from <= to, { path: ["to"], error: "must not be before from" }),
      )
      .min(2)
      .max(49),
  }),
  output: z.object({
    /** Indexes of the points, from 0, in the order in which they are visited. */
    result: z.array(z.int()),
  }),
  errors: [210, 264],
  async run({ start_point, route_points }, { db, principal, clock }) {
    await countTour(db, principal, clock.now());
    const { order, meters } = findShortTour(start_point, route_points);
    if (meters > MAX_TOUR_METERS) throw new ApiError(210);
    return { result: order };
  },
});

export const operations = [optimizeTaskRoutePoints];

const MAX_TOUR_METERS = 5_000_000;
