import { frame, list, period, refusal } from "./de/frame.ts";
import { journey } from "./de/journey.ts";
import { map } from "./de/map.ts";
import { session, settings } from "./de/session.ts";
import { tracker } from "./de/tracker.ts";
import type { Texts } from "./texts.ts";

/** All texts in German. */
export const de: Texts = { frame, refusal, list, period, journey, map, session, settings, tracker };
