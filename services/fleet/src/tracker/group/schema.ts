import * as z from "zod";
import { color, printableText } from "#shared/operation/fields.ts";

export const NewTrackerGroup = z.object({ title: printableText(1, 60), color: color() });
export type NewTrackerGroup = z.output<typeof NewTrackerGroup>;

export const TrackerGroup = NewTrackerGroup.extend({ id: z.int() });
export type TrackerGroup = z.output<typeof TrackerGroup>;
