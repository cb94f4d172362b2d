import type { Account } from "../../account.ts";
import type { Sample } from "../sample.ts";
import { newZone } from "./zone.ts";

export const RULE_SAMPLES: Record<string, Sample[]> = {
  "/tracker/rule/list": [{ parameters: () => ({}) }, { parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/rule/create": [
    {
      parameters: ({ tracker_id, zone_id }) => ({ rule: { ...GATE, zone_ids: [zone_id], trackers: [tracker_id] } }),
      before: newZone,
    },
  ],
  "/tracker/rule/update": [
    { parameters: ({ rule_id: id, tracker_id }) => ({ rule: { id, name: "Limit", trackers: [tracker_id] } }) },
  ],
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

const GATE = { type: "inoutzone", name: "Gate", primary_text: "Arrived", secondary_text: "Left" };

export async function newRule(account: Account, given: object = {}) {
  const rule = { type: "speedup", name: "Speed", param: 90, primary_text: "Too fast", ...given };
  const { id } = await account.must("/tracker/rule/create", { rule });
  return { rule_id: Number(id) };
}
