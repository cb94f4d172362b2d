import { frame, list, period, refusal } from "./de/frame.ts";
import { map } from "./de/map.ts";
import { place } from "./de/place.ts";
import { session, settings } from "./de/session.ts";
import { tracker } from "./de/tracker.ts";
import { drawing, zone } from "./de/zone.ts";
import type { Texts } from "./texts.ts";

/** All texts in German. */
export const de: Texts = { frame, refusal, list, period, map, session, settings, tracker, zone, drawing, place };
