import { isOn, type NearZone, type ZoneIndex, type WatchedRule } from "../../object/watched-rule.ts";
import { contains } from "../../zone/contains.ts";
import { zonesOfRule } from "./presence.ts";
import { isScheduled } from "./schedule.ts";

type Position = { lat: number; lng: number };
type TimedPosition = Position & { time: number };

/** Whether the rule acts then and there. */
export function isRuleActive(rule: WatchedRule, at: TimedPosition, zoneIndex: ZoneIndex): boolean {
  return isScheduled(rule.schedule, at.time, rule.time_zone) && isWithinLimits(rule, at, zoneIndex);
}

/** Of a rule that zones limit, those that the position is in. */
export function limitingZonesAt(rule: WatchedRule, position: Position, zoneIndex: ZoneIndex): NearZone[] {
  if (!rule.isZoned) return [];
  return zonesOfRule(rule, zoneIndex.at(position)).filter((zone) => contains(zone, position));
}

/** Of a rule that zones limit, whether the position is within its limits. */
function isWithinLimits(rule: WatchedRule, position: Position, zoneIndex: ZoneIndex): boolean {
  if (!rule.isZoned) return true;
  const inside = zonesOfRule(rule, zoneIndex.at(position)).some((zone) => contains(zone, position));
  return inside !== isOn(rule, "zone_limit_inverted");
}
