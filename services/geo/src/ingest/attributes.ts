import { isObject } from "#shared/body/json.ts";
import type { Point } from "../point/point.ts";
import { isStorableText, MAX_TEXT } from "./text.ts";

export type Attributes = NonNullable<Point["attributes"]>;

/** Throws for the attribute `name` of the report at `index`; `name` is "" for the whole object. */
export type Refuse = (index: number, name: string, error: string) => never;

export const MAX_ATTRIBUTES = 64;
export const MAX_NAME = 64;

/**
 * Validates a device's own attributes, which are stored with every point. `refuse` and `index` are separate, so that
 * valid points need no path.
 */
export function readAttributes(json: unknown, index: number, refuse: Refuse): Attributes | null {
  if (json === undefined || json === null) return null;
  if (!isObject(json)) return refuse(index, "", "must be an object");
  const attributes: Attributes = {};
  let count = 0;
  for (const name in json) {
    const value = json[name];
    if (value === null) continue;
    // Assigning `__proto__` would set an object's prototype.
    if (name === "" || name.length > MAX_NAME || name === "__proto__" || !isStorableText(name)) {
      return refuse(index, name, `must have a name of 1 to ${MAX_NAME} characters`);
    }
    if (typeof value === "string" ? value.length > MAX_TEXT || !isStorableText(value) : !isPlain(value)) {
      return refuse(index, name, `must be a text of at most ${MAX_TEXT} characters, a number or a boolean`);
    }
    count += 1;
    attributes[name] = value as string | number | boolean; // by the check before
  }
  if (count > MAX_ATTRIBUTES) return refuse(index, "", `must be at most ${MAX_ATTRIBUTES}`);
  return count === 0 ? null : attributes;
}

/** JSON's 1e999 is parsed as Infinity. */
function isPlain(value: unknown): boolean {
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}
