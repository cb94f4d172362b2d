import type { FieldErrors } from "../component/field-errors.ts";
import type { Texts } from "../text/texts.ts";
import { isGiven, type JsonSchema, type Parameter, toParameters } from "./parameters.ts";
import type { NewRule, Rule, RuleType } from "./rule.ts";
import { type Interval, splitSchedule, toIntervals } from "./schedule.ts";

export type Values = Record<string, unknown>;
/** Values of a tracker of its own, by the tracker's id. */
export type TrackerValues = Record<number, Values>;

/** A rule while it is edited. What other types need stays, so that a change of the type loses nothing. */
export type RuleDraft = {
  type: Rule["type"];
  name: string;
  description: string;
  primaryText: string;
  secondaryText: string;
  param: number | "";
  zoneIds: number[];
  trackers: number[];
  values: Values;
  perTracker: TrackerValues;
  hasSchedule: boolean;
  hours: ReadonlySet<number>;
  otherIntervals: Interval[];
  alerts: Rule["alerts"];
  suspended: boolean;
};

/** Parameters that say what a rule watches, where it is the same on all of its trackers. */
const WATCHED = ["sensor_id", "virtual_sensor_id", "state_field"];

export function newDraft(): RuleDraft {
  return {
    ...{ type: "inoutzone", name: "", description: "", primaryText: "", secondaryText: "", param: "" },
    ...{ zoneIds: [], trackers: [], values: {}, perTracker: {}, suspended: false },
    ...{ hasSchedule: false, hours: new Set(), otherIntervals: [] },
    alerts: { push_enabled: true, emails: [], sms_phones: [], phones: [], emergency: false },
  };
}

export function toDraft(rule: Rule): RuleDraft {
  const { tracker_params, ...values } = rule.extended_params;
  const { hours, others } = splitSchedule(rule.schedule);
  const rows = (tracker_params ?? []).flatMap(({ tracker_id, ...row }) =>
    tracker_id ? [[tracker_id, row] as const] : rule.trackers.map((id) => [id, row] as const),
  );
  return {
    ...{ type: rule.type, name: rule.name, description: rule.description, param: rule.param },
    ...{ primaryText: rule.primary_text, secondaryText: rule.secondary_text },
    ...{ zoneIds: rule.zone_ids, trackers: rule.trackers, values, perTracker: Object.fromEntries(rows) },
    ...{ hasSchedule: rule.schedule.length > 0, hours, otherIntervals: others },
    ...{ alerts: rule.alerts, suspended: rule.suspended },
  };
}

export function parametersOf({ extended_params }: RuleType, { values, perTracker }: RuleDraft): Parameter[] {
  const isForAll = Object.keys(perTracker).length === 0 && WATCHED.some((name) => isGiven(values[name]));
  return toParameters(extended_params as JsonSchema, isForAll); // as the operation describes it
}

/** The rule as the API takes it: of the values only those that its type has. */
export function toNewRule(draft: RuleDraft, type: RuleType): NewRule {
  const schedule = draft.hasSchedule ? [...toIntervals(draft.hours), ...draft.otherIntervals] : [];
  return {
    ...{ type: draft.type, name: draft.name.trim(), description: draft.description },
    ...{ primary_text: draft.primaryText, secondary_text: type.secondary_event ? draft.secondaryText : "" },
    ...{ param: type.param && draft.param !== "" ? draft.param : 0, trackers: draft.trackers },
    zone_ids: type.zones === "none" ? [] : draft.zoneIds,
    ...{ alerts: draft.alerts, suspended: draft.suspended, schedule },
    extended_params: Object.fromEntries(
      parametersOf(type, draft)
        .map((parameter) => [parameter.name, valueIn(parameter, draft)] as const)
        .filter(([, value]) => isGiven(value)),
    ),
  };
}

/** Finds values that are missing or out of range; the server checks everything else. */
export function checkDraft(draft: RuleDraft, type: RuleType, { rule: words }: Texts): FieldErrors {
  const errors: FieldErrors = {};
  if (!draft.name.trim()) errors.name = words.errors.required;
  if (type.zones === "required" && draft.zoneIds.length === 0) errors.zone_ids = words.errors.zones;
  if (draft.hasSchedule && draft.hours.size + draft.otherIntervals.length === 0)
    errors.schedule = words.errors.schedule;
  const { param } = type;
  if (param && (draft.param === "" || draft.param < param.min || draft.param > param.max))
    errors.param = words.errors.range(param.min, param.max);
  for (const parameter of parametersOf(type, draft)) {
    const value = valueIn(parameter, draft);
    const isMissing = !isGiven(value) || (Array.isArray(value) && value.length === 0);
    if (isMissing && parameter.isRequired) errors[`extended_params.${parameter.name}`] = words.errors.required;
    if (parameter.kind === "perTracker" && isMissing)
      errors[`extended_params.${parameter.name}`] = words.errors.perTracker;
  }
  return errors;
}

function valueIn(parameter: Parameter, { values, perTracker, trackers }: RuleDraft): unknown {
  if (parameter.kind !== "perTracker") return values[parameter.name];
  const names = parameter.members.map(({ name }) => name);
  return trackers.flatMap((tracker_id) => {
    const row = Object.entries(perTracker[tracker_id] ?? {}).filter(
      ([name, value]) => names.includes(name) && isGiven(value),
    );
    const isComplete = parameter.members.every(
      (member) => !member.isRequired || row.some(([name]) => name === member.name),
    );
    return row.length > 0 && isComplete ? [{ tracker_id, ...Object.fromEntries(row) }] : [];
  });
}
