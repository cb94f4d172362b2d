import * as z from "zod";
import { operation } from "../../operation.ts";
import { setTags } from "./queries.ts";

const Bindings = z
  .array(z.object({ tag_id: z.int(), ordinal: z.int().min(1).max(5) }))
  .max(5)
  .refine((bindings) => isUnique(bindings.map(({ tag_id }) => tag_id)), { error: "must name each tag once" })
  .refine((bindings) => isUnique(bindings.map(({ ordinal }) => ordinal)), { error: "must use each ordinal once" });

export const setTrackerTags = operation("/tracker/tags/set", {
  summary: "Replaces the tags of a tracker, in the given order",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), tag_bindings: Bindings }),
  output: z.object({}),
  errors: [201, 208],
  async run({ tracker_id, tag_bindings }, { db, principal, actor }) {
    await setTags(db, principal, tracker_id, tag_bindings, actor);
    return {};
  },
});

export const operations = [setTrackerTags];

function isUnique(values: number[]) {
  return new Set(values).size === values.length;
}
