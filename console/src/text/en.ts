import { event } from "./en/event.ts";
import { eventNames } from "./en/event-names.ts";
import { frame, list, period, refusal } from "./en/frame.ts";
import { journey } from "./en/journey.ts";
import { map } from "./en/map.ts";
import { notification } from "./en/notification.ts";
import { place } from "./en/place.ts";
import { registration } from "./en/registration.ts";
import { retranslator } from "./en/retranslator.ts";
import { rule } from "./en/rule.ts";
import { sensor } from "./en/sensor.ts";
import { session, settings } from "./en/session.ts";
import { telemetry } from "./en/telemetry.ts";
import { tracker } from "./en/tracker.ts";
import { drawing, zone } from "./en/zone.ts";

/** All texts in English. The other languages have the type of this object, so that a missing text does not compile. */
export const en = {
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
