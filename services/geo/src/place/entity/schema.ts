import * as z from "zod";
import { text } from "#shared/operation/fields.ts";

const Section = z.object({ label: text(255), field_order: z.array(z.string().max(32)).max(200) });
const Settings = z.object({ layout: z.object({ sections: z.array(Section).min(1).max(50) }) });

export const Entity = z.object({ id: z.int(), type: z.literal("place"), settings: Settings });
export type Entity = z.output<typeof Entity>;

/** The type may be left out: `place` is the only one. */
export const ChangedEntity = Entity.extend({ type: z.literal("place").default("place") });
