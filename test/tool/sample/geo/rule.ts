import type { Account } from "../../call/account.ts";
import { RANGE } from "../range.ts";
import type { Sample, World } from "../sample.ts";

export const RULE_SAMPLES: Record<string, Sample[]> = {
  "/tracker/rule/list": [{ parameters: () => ({}) }, { parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/rule/type/list": [{ parameters: () => ({}) }],
  "/tracker/rule/create": [{ parameters: (world) => ({ rule: ruleOf(world) }) }],
  "/tracker/rule/update": [{ parameters: (world) => ({ rule: { ...ruleOf(world), id: world.rule_id } }) }],
  "/tracker/rule/try": [{ parameters: (world) => ({ rule: ruleOf(world), trackers: [world.tracker_id], ...RANGE }) }],
  "/zone/visit/list": [{ parameters: ({ tracker_id, zone_id }) => ({ zone_id, trackers: [tracker_id], ...RANGE }) }],
  "/tracker/rule/delete": [{ parameters: ({ rule_id }) => ({ rule_id }), before: newRule }],
  "/tracker/rule/bind": [
    { parameters: ({ rule_id, tracker_id }) => ({ rule_id, trackers: [tracker_id] }), before: newRule },
  ],
  "/tracker/rule/unbind": [
    {
      parameters: ({ rule_id, tracker_id }) => ({ rule_id, trackers: [tracker_id] }),
      before: async (account) => {
        const { list } = await account.must("/tracker/list");
        return newRule(account, { trackers: [list[0].id] });
      },
    },
  ],
};

/** A rule that names a thing of every kind that a rule can name. */
function ruleOf({ tracker_id, zone_id, sensor_id, status_id }: World) {
  const sensors = { sensor_id, virtual_sensor_id: sensor_id };
  const time = { weekday: 1, time: "08:00:00" };
  return {
    ...{ type: "sensor_range", name: "Cold", primary_text: "Too warm", zone_ids: [zone_id], trackers: [tracker_id] },
    schedule: [{ type: "weekly", from: time, to: { ...time, weekday: 7 } }],
    extended_params: {
      ...{ ...sensors, min: 2, max: 8, status_ids: [status_id], observed_trackers: [tracker_id] },
      tracker_params: [{ tracker_id, ...sensors, min: 2, max: 8 }],
    },
  };
}

export async function newRule(account: Account, given: object = {}) {
  const rule = { type: "speedup", name: "Speed", param: 90, primary_text: "Too fast", ...given };
  const { id } = await account.must("/tracker/rule/create", { rule });
  return { rule_id: Number(id) };
}
