import type { EventName } from "#shared/contract/event/event.ts";
import { eventPlugin } from "./event-report.ts";

const CAR: EventName[] = [
  ...(["alarmcontrol", "security_control", "door_alarm", "hood_alarm"] as const),
  ...(["ignition", "battery_off", "parking", "gsm_damp"] as const),
];
const ALARMS: EventName[] = [
  ...CAR,
  ...(["sos", "call_button_pressed", "detach", "crash_alarm", "g_sensor", "vibration_start", "vibration_end"] as const),
  ...(["case_opened", "case_closed", "lock_opened", "lock_closed", "strap_bolt_cut", "strap_bolt_ins"] as const),
  ...(["bracelet_open", "bracelet_close", "gps_damp", "antenna_disconnect", "battery_on", "lowpower"] as const),
  ...(["backup_battery_low", "obd_plug_in", "obd_unplug"] as const),
];

export const carSecurity = eventPlugin(15, ["Car security", "Fahrzeugsicherheit"], CAR);
export const sosButton = eventPlugin(16, ["SOS button", "Notruftaste"], ["sos"]);
/** Always empty: no device reports falls. */
export const falls = eventPlugin(17, ["Fall detection", "Sturzerkennung"], []);
export const detaching = eventPlugin(18, ["Tracker detach", "Gerät entfernt"], ["detach"]);
export const switching = eventPlugin(23, ["Device on and off", "Gerät ein und aus"], ["poweron", "poweroff"]);
export const connection = eventPlugin(13, ["GSM connection lost", "Verbindung verloren"], ["offline", "online"]);
export const locations = eventPlugin(
  20,
  ["SMS locations", "Standorte auf Anfrage"],
  ["location_response", "force_location_request"],
);

export const SECURITY_EVENTS = ALARMS;
