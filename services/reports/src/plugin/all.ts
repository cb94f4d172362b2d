import { points } from "./points.ts";
import { speeding } from "./speeding.ts";
import { stops } from "./stops.ts";
import { trips } from "./trips.ts";

/** By the ids under which callers know them. */
export const PLUGINS = new Map([trips, stops, speeding, points].map((plugin) => [plugin.id, plugin]));
