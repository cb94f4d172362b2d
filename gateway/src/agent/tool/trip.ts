import * as z from "zod";
import { agentTool, cursor, localTime } from "./agent-tool.ts";
import { offsetOf, toAnswerPage } from "./answer-page.ts";

export const trips = agentTool("trips", {
  description:
    "The trips of a tracker in a time range: start and end with address, kilometers, average and highest speed in km/h.",
  input: z.object({ tracker_id: z.int(), from: localTime(), to: localTime(), cursor: cursor() }),
  async run({ tracker_id, from, to, cursor }, caller) {
    const offset = offsetOf(cursor);
    const { list, limit_exceeded } = await caller.read("/track/list", { tracker_id, from, to }, Tracks);
    const shown = list
      .slice(offset)
      .map(({ start_date, start_address, end_date, end_address, length, avg_speed, max_speed }) => ({
        from: start_date,
        from_address: start_address,
        to: end_date,
        to_address: end_address,
        km: length,
        average_kmh: avg_speed,
        highest_kmh: max_speed,
      }));
    // Ranges beyond the tariff's storage period are answered in part.
    return { ...toAnswerPage(shown, offset, false), ...(limit_exceeded ? { older_points_are_not_stored: true } : {}) };
  },
});

/** Single reports have a start alone. */
const Tracks = z.object({
  limit_exceeded: z.boolean(),
  list: z.array(
    z.object({
      start_date: z.string(),
      start_address: z.string(),
      end_date: z.string().optional(),
      end_address: z.string().optional(),
      length: z.number().optional(),
      avg_speed: z.number().optional(),
      max_speed: z.number().optional(),
    }),
  ),
});
