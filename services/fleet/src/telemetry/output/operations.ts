import * as z from "zod";
import { text } from "#shared/operation/fields.ts";
import { operation } from "../../operation.ts";
import { BoundedTrackerIds, requireBounded } from "../../tracker/bounded-ids.ts";
import { requireAllUsable, requireOriginal, requireUsable, selectUsable } from "../../tracker/origin-queries.ts";
import { type Output, selectOutputs, upsertOutput } from "./queries.ts";

const TrackerOutput = z.object({ number: z.int().min(1).max(16), title: text(100).min(1) });

export const getOutputs = operation("/tracker/get_outputs", {
  summary: "The names of a tracker's outputs",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ result: z.array(TrackerOutput) }),
  errors: [201, 208],
  async run({ tracker_id }, { db, principal }) {
    const { trackers, outputs } = await selectOutputs(db, principal, [tracker_id]);
    requireUsable(trackers, 201);
    return { result: outputs.map(toOutput) };
  },
});

export const batchGetOutputs = operation("/tracker/batch_get_outputs", {
  summary: "The names of the outputs of up to 500 trackers",
  reads: true,
  input: z.object({ trackers: BoundedTrackerIds }),
  output: z.object({ result: z.record(z.string(), z.array(TrackerOutput)) }),
  errors: [217, 221],
  async run(input, { db, principal }) {
    const ids = requireBounded(input.trackers);
    const { trackers, outputs } = await selectOutputs(db, principal, ids);
    const byFeed = Map.groupBy(outputs, ({ tracker_id }) => tracker_id);
    const outputsById = requireAllUsable(trackers, ids).map(({ tracker_id, feed_id }) => {
      return [tracker_id, (byFeed.get(feed_id) ?? []).map(toOutput)];
    });
    return { result: Object.fromEntries(outputsById) };
  },
});

export const updateOutput = operation("/tracker/output/update", {
  summary: "Names one of a tracker's outputs",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), tracker_output: TrackerOutput }),
  output: z.object({}),
  errors: [201, 208, 219],
  async run({ tracker_id, tracker_output }, { db, principal, actor }) {
    requireOriginal(await selectUsable(db, principal, [tracker_id]), 201);
    await upsertOutput(db, principal, tracker_id, tracker_output, actor);
    return {};
  },
});

export const operations = [getOutputs, batchGetOutputs, updateOutput];

function toOutput({ number, title }: Output): Output {
  return { number, title };
}
