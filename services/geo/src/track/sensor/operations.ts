import * as z from "zod";
import { storedRange } from "#shared/contract/tracker/stored-range.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { requireSpan } from "#shared/time/span.ts";
import { readPoints } from "../../chunk/read-points.ts";
import { operation } from "../../operation.ts";
import { firstPage } from "../pages.ts";
import { isForward, NOT_FORWARD, RANGE_INPUT } from "../schema.ts";
import { readSamples, type Sample } from "./samples.ts";

export const readSensorData = operation("/tracker/sensor/data/read", {
  summary: "The values of a sensor, point by point",
  reads: true,
  expensive: true,
  input: z
    .object({ ...RANGE_INPUT, sensor_id: z.int(), raw_data: z.boolean().default(false) })
    .refine(isForward, NOT_FORWARD),
  output: z.object({ list: z.array(z.object({ value: z.union([z.number(), z.string()]), get_time: z.string() })) }),
  errors: [201, 208, 211, 228],
  async run({ tracker_id, sensor_id, raw_data, ...wanted }, { env, principal, clock }) {
    requireSpan(wanted, env.MAX_SPANS, "sensors", clock.zone);
    const { feed, store_period, gauge } = await env.FLEET.gaugeOf(principal, tracker_id, sensor_id);
    const { from, to } = storedRange(wanted, [store_period, principal.store_period], clock);
    if (from > to) return { list: [] };
    const samples = readSamples(readPoints(env, feed, from, to), gauge, raw_data);
    return listAnswer({}, await firstPage(writeTimes(samples, clock.write)));
  },
});

export const operations = [readSensorData];

/** Formats times here: streamed answers bypass the formatter of answers. */
async function* writeTimes(pages: AsyncIterable<Sample[]>, write: (ms: number) => string) {
  for await (const samples of pages) yield samples.map(({ value, get_time }) => ({ value, get_time: write(get_time) }));
}
