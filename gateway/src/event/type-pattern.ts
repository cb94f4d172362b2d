import { EVENT_TYPES, type EventType } from "./catalogue.ts";

/** True for the type itself, for `*`, and for `<entity>.*` if the type belongs to the entity. */
export function matchesType(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1));
}

/** The types that match one of the patterns. */
export function typesOf(patterns: string[]): EventType[] {
  return EVENT_TYPES.filter((type) => patterns.some((pattern) => matchesType(pattern, type)));
}
