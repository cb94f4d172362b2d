import type { Position } from "#shared/geometry/position.ts";
import { isOn, type NearZone, type WatchedRule, type ZoneIndex } from "../../object/watched-rule.ts";
import { contains } from "../../zone/contains.ts";
import { zonesOfRule } from "./presence.ts";
import { isScheduled } from "./schedule.ts";

type TimedPosition = Position & { time: number };

/** Whether the rule applies at the time (schedule) and position (zones). */
export function isRuleActive(rule: WatchedRule, at: TimedPosition, zoneIndex: ZoneIndex): boolean {
  return isScheduled(rule.schedule, at.time, rule.time_zone) && isWithinLimits(rule, at, zoneIndex);
}

/** The zones that limit the rule and contain the position. */
export function limitingZonesAt(rule: WatchedRule, position: Position, zoneIndex: ZoneIndex): NearZone[] {
  if (!rule.isZoned) return [];
  return zonesOfRule(rule, zoneIndex.zonesAt(position)).filter((zone) => contains(zone, position));
}

/** Whether the position is within the rule's zones, or outside if the limit is inverted. */
function isWithinLimits(rule: WatchedRule, position: Position, zoneIndex: ZoneIndex): boolean {
  if (!rule.isZoned) return true;
  const inside = zonesOfRule(rule, zoneIndex.zonesAt(position)).some((zone) => contains(zone, position));
  return inside !== isOn(rule, "zone_limit_inverted");
}
