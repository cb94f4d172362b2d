import type { Texts } from "../text/texts.ts";
import type { RuleType } from "./rule.ts";

/** Kinds whose events do not follow from points: a trial finds none. */
const WITHOUT_POINTS = ["task_status_change", "work_status_change", "distance_control", "offline"];

/** The name of a kind of rule; that of its events where it has none of its own. */
export function nameOfKind({ type, primary_event, secondary_event }: RuleType, { rule, eventNames }: Texts): string {
  const names: Partial<Record<string, string>> = rule.kinds;
  const ofEvents = [eventNames[primary_event], secondary_event && eventNames[secondary_event]].filter(Boolean);
  return names[type] ?? ofEvents.join(" / ");
}

export function hintOfKind(type: string, { rule }: Texts): string | undefined {
  const hints: Partial<Record<string, string>> = rule.kindHints;
  return hints[type];
}

export function dependsOnPoints(type: string): boolean {
  return !WITHOUT_POINTS.includes(type);
}

/** The kinds in the groups of a select, by their names. */
export function toKindOptions(types: RuleType[], texts: Texts) {
  const optionsOf = (isReported: boolean) =>
    types
      .filter(({ reported }) => reported === isReported)
      .map((type) => ({ value: type.type, label: nameOfKind(type, texts) }))
      .toSorted((one, other) => one.label.localeCompare(other.label));
  const { platform, device } = texts.rule.kindGroups;
  return [
    { group: platform, items: optionsOf(false) },
    { group: device, items: optionsOf(true) },
  ];
}
