import { event } from "./de/event.ts";
import { eventNames } from "./de/event-names.ts";
import { frame, list, period, refusal } from "./de/frame.ts";
import { journey } from "./de/journey.ts";
import { map } from "./de/map.ts";
import { notification } from "./de/notification.ts";
import { place } from "./de/place.ts";
import { registration } from "./de/registration.ts";
import { retranslator } from "./de/retranslator.ts";
import { rule } from "./de/rule.ts";
import { sensor } from "./de/sensor.ts";
import { session, settings } from "./de/session.ts";
import { telemetry } from "./de/telemetry.ts";
import { tracker } from "./de/tracker.ts";
import { drawing, zone } from "./de/zone.ts";
import type { Texts } from "./texts.ts";

/** All texts in German. */
export const de: Texts = {
  frame,
  refusal,
  list,
  period,
  journey,
  map,
  notification,
  session,
  settings,
  tracker,
  event,
  eventNames,
  rule,
  retranslator,
  registration,
  telemetry,
  sensor,
  zone,
  drawing,
  place,
};
