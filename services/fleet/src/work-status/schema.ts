import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { color, printableText } from "#shared/operation/fields.ts";

export const NewStatus = z.object({ label: printableText(1, 100), color: color() });
export type NewStatus = z.output<typeof NewStatus>;

export const ChangedStatus = changesOf(NewStatus).extend({ id: z.int() });
export type ChangedStatus = z.output<typeof ChangedStatus>;

export const Status = NewStatus.extend({ id: z.int() });
export type Status = z.output<typeof Status>;
