import * as z from "zod";
import { EVENT_NAMES } from "#shared/contract/event/event.ts";
import { operation } from "../operation.ts";
import { RULE_TYPES, type RuleType } from "../table/rule/rule.ts";
import { needsZones, permitsZones, RULE_KINDS } from "./evaluation/rule-kinds.ts";
import { extendedSchemaOf } from "./extended-params.ts";
import { PARAM_RANGES } from "./schema.ts";

const RuleTypeEntry = z.object({
  type: z.enum(RULE_TYPES),
  /** The event that `primary_text` is for. */
  primary_event: z.enum(EVENT_NAMES),
  /** The event that `secondary_text` is for; null: the type has only one. */
  secondary_event: z.enum(EVENT_NAMES).nullable(),
  /** True: devices report the events. Otherwise they follow from points and from what happens in the account. */
  reported: z.boolean(),
  /** The range of `param`; null: the type does not use it. */
  param: z.object({ min: z.int(), max: z.int() }).nullable(),
  zones: z.enum(["required", "optional", "none"]),
  /** The JSON Schema of `extended_params`. */
  extended_params: z.record(z.string(), z.unknown()),
});

export const listRuleTypes = operation("/tracker/rule/type/list", {
  summary: "The types of rules, each with its events and its parameters",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(RuleTypeEntry) }),
  errors: [],
  async run() {
    entries ??= RULE_TYPES.map(toEntry);
    return { list: entries };
  },
});

export const operations = [listRuleTypes];

/** Made with the first call: it describes some sixty schemas, and never changes. */
let entries: z.output<typeof RuleTypeEntry>[] | undefined;

function toEntry(type: RuleType): z.output<typeof RuleTypeEntry> {
  const { primary, secondary, isReported } = RULE_KINDS[type];
  const [min, max] = PARAM_RANGES[type] ?? [];
  const { $schema, ...extended_params } = z.toJSONSchema(extendedSchemaOf(type), { io: "input" });
  return {
    ...{ type, primary_event: primary, secondary_event: secondary ?? null, reported: isReported ?? false },
    param: min === undefined || max === undefined ? null : { min, max },
    zones: needsZones(type) ? "required" : permitsZones(type) ? "optional" : "none",
    extended_params,
  };
}
