import { expect, test } from "vitest";
import { evaluateRules, eventTimes, pointAt, ruleOf } from "../../../../../test/tool/point/rules.ts";
import { RULE_TYPES, type RuleType } from "../../table/rule/rule.ts";
import { RULE_KINDS } from "./rule-kinds.ts";

/** Types of rules with the reported events, and the minimum seconds between two of them. */
const REPORTED: [RuleType, number, string, string?][] = [
  ["over_speed_reported", 60, "over_speed_reported"],
  ["idling", 0, "idle_start", "idle_end"],
  ["auto_geofence", 60, "auto_geofence_out"],
  ["harsh_driving", 10, "harsh_driving"],
  ["crash_alarm", 60, "crash_alarm"],
  ["g_sensor", 30, "g_sensor"],
  ["no_movement", 60, "no_movement"],
  ["sos", 30, "sos"],
  ["parking", 300, "parking"],
  ["backup_battery_low", 60, "backup_battery_low"],
  ["lowpower", 1800, "lowpower"],
  ["call_button_pressed", 60, "call_button_pressed"],
  ["alarmcontrol", 300, "alarmcontrol"],
  ["check_engine_light", 86_400, "check_engine_light"],
  ["antenna_disconnect", 300, "antenna_disconnect"],
  ["gps_damp", 300, "gps_damp"],
  ["gsm_damp", 300, "gsm_damp"],
  ["location_response", 60, "location_response"],
  ["detach", 60, "detach"],
  ["poweron", 60, "poweron"],
  ["door_alarm", 0, "door_alarm"],
  ["hood_alarm", 0, "hood_alarm"],
  ["ignition", 0, "ignition"],
  ["cruise_control", 600, "cruise_control_on", "cruise_control_off"],
  ["driver_enter_absence", 10, "driver_absence", "driver_enter"],
  ["driver_distraction", 10, "driver_distraction_started", "driver_distraction_finished"],
  ["fatigue_driving", 5, "fatigue_driving", "fatigue_driving_finished"],
  ["driver_identification", 5, "driver_identified", "driver_not_identified"],
  ["proximity_violation", 10, "proximity_violation_start", "proximity_violation_end"],
  ["battery_off", 300, "battery_off", "battery_on"],
  ["bracelet", 180, "bracelet_open", "bracelet_close"],
  ["case_intrusion", 60, "case_opened", "case_closed"],
  ["obd_plug_unplug", 300, "obd_plug_in", "obd_unplug"],
  ["external_device_connection", 0, "external_device_connected", "external_device_disconnected"],
  ["gps_lost_recover", 10, "gps_lost", "gps_recover"],
  ["light_sensor", 0, "light_sensor_bright", "light_sensor_dark"],
  ["locking_unlocking", 60, "lock_opened", "lock_closed"],
  ["strap_bolt", 0, "strap_bolt_cut", "strap_bolt_ins"],
  ["on_off", 10, "poweroff", "poweron"],
  ["vibration", 60, "vibration_start", "vibration_end"],
];

/** Types of rules for which devices report several events. */
const GROUPS: [RuleType, string[]][] = [
  [
    "driver_assistance",
    [
      ...["lane_departure", "forward_collision_warning", "headway_warning"],
      ...["peds_in_danger_zone", "peds_collision_warning", "tsr_warning"],
    ],
  ],
  [
    "autocontrol",
    [
      ...["alarmcontrol", "battery_off", "door_alarm", "hood_alarm"],
      ...["ignition", "parking", "gsm_damp", "security_control"],
    ],
  ],
];

test("the samples in this file cover every type of rule that devices report", () => {
  const types = [...REPORTED, ...GROUPS].map(([type]) => type);
  expect(types.toSorted()).toEqual(RULE_TYPES.filter((type) => RULE_KINDS[type].isReported).toSorted());
});

test.each(REPORTED)(
  "a rule of type %s gives the event that the device reports, and the next one after %i s",
  (type, seconds, primary, secondary = primary) => {
    const events = (given: string[], apart: number) =>
      eventTimes(
        evaluateRules(
          [ruleOf({ type })],
          given.map((event, index) => pointAt(index * apart, 50, 8, { attributes: { event } })),
        ),
      );
    expect(events(["odometer_set", primary, "odometer_set", secondary], seconds + 1)).toEqual([
      [primary, seconds + 1],
      [secondary, 3 * (seconds + 1)],
    ]);
    const again = [primary, secondary, primary];
    const [near, apart] = [seconds === 0 ? 1 : seconds / 2 + 0.5, Math.max(seconds, 1)];
    const all = (step: number) => again.map((event, index) => [event, index * step]);
    expect(events(again, apart)).toEqual(all(apart));
    if (seconds > 1) expect(events(again, near)).toEqual(all(near).filter((_, index) => index !== 1));
  },
);

test.each(GROUPS)("a rule of type %s gives an event for each of its alarms that is enabled", (type, names) => {
  const points = [...names, "sos"].map((event, index) => pointAt(index * 60, 50, 8, { attributes: { event } }));
  const enabled = (name: string, is: boolean) =>
    type === "autocontrol" ? [name, { enabled: is }] : [MEMBERS[name] ?? name, is];
  const heard = (chosen: (name: string) => boolean) => {
    const extended = Object.fromEntries(names.map((name) => enabled(name, chosen(name))));
    return evaluateRules([ruleOf({ type, extended })], points).map(({ event }) => event);
  };
  expect(heard(() => true)).toEqual(names);
  for (const name of names) expect(heard((one) => one !== name)).toEqual(names.filter((one) => one !== name));
});

const MEMBERS: Record<string, string> = {
  lane_departure: "lane_departure_enabled",
  forward_collision_warning: "forward_collision_enabled",
  headway_warning: "headway_warning_enabled",
  peds_in_danger_zone: "peds_in_danger_zone_enabled",
  peds_collision_warning: "peds_collision_warning_enabled",
  tsr_warning: "traffic_sign_recognition_enabled",
};
