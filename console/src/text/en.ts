import { frame, list, period, refusal } from "./en/frame.ts";
import { map } from "./en/map.ts";
import { place } from "./en/place.ts";
import { session, settings } from "./en/session.ts";
import { tracker } from "./en/tracker.ts";
import { drawing, zone } from "./en/zone.ts";

/** All texts in English. The other languages have the type of this object, so that a missing text does not compile. */
export const en = { frame, refusal, list, period, map, session, settings, tracker, zone, drawing, place };
