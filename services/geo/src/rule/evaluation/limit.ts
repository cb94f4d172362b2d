import { isOn, type NearZone, type Surroundings, type WatchedRule } from "../../object/watched-rule.ts";
import { contains } from "../../zone/contains.ts";
import { namedBy } from "./presence.ts";
import { isWithin } from "./schedule.ts";

type Place = { lat: number; lng: number };
type When = Place & { time: number };

/** Whether the rule acts then and there. */
export function acts(rule: WatchedRule, when: When, surroundings: Surroundings): boolean {
  return isWithin(rule.schedule, when.time, rule.time_zone) && isInside(rule, when, surroundings);
}

/** Of a rule that zones limit, those that the place is in. */
export function limitsAround(rule: WatchedRule, place: Place, surroundings: Surroundings): NearZone[] {
  if (!rule.isZoned) return [];
  return namedBy(rule, surroundings.at(place)).filter((zone) => contains(zone, place));
}

/** Of a rule that zones limit, whether the place is within its limits. */
function isInside(rule: WatchedRule, place: Place, surroundings: Surroundings): boolean {
  if (!rule.isZoned) return true;
  const inside = namedBy(rule, surroundings.at(place)).some((zone) => contains(zone, place));
  return inside !== isOn(rule, "zone_limit_inverted");
}
