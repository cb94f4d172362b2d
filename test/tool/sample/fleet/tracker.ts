import { randomInt } from "node:crypto";
import { FEATURES } from "#shared/contract/tracker/tariff.ts";
import { type Account, type Accounts, newImei } from "../../call/account.ts";
import { newPicture } from "../../document/pictures.ts";
import type { Sample } from "../sample.ts";

export const TRACKER_SAMPLES: Record<string, Sample[]> = {
  "/tracker/register": [
    {
      parameters: ({ group_id }) => ({ label: "Van", model: "generic_gps", plugin_id: 44, group_id }),
      before: async () => ({ device_id: newImei() }),
    },
    {
      parameters: () => ({ label: "Van", model: "generic_gps", plugin_id: 37, group_id: 0, device_id: newImei() }),
      before: newActivationCode,
    },
  ],
  "/tracker/register_quick": [{ parameters: ({ group_id }) => ({ label: "Van", group_id }), before: newBundle }],
  "/plugin/list": [{ parameters: () => ({}) }],
  "/tariff/list": [{ parameters: () => ({}) }],
  "/tariff/tracker/change": [
    { parameters: ({ tracker_id }, { plan_id }) => ({ tracker_id, tariff_id: plan_id }), before: newChoice },
  ],
  "/tracker/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/list": [{ parameters: () => ({}) }, { parameters: ({ tracker_label }) => ({ labels: [tracker_label] }) }],
  "/tracker/settings/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/avatar/upload": [{ parameters: ({ tracker_id }) => ({ tracker_id, file: newPicture() }) }],
  "/tracker/settings/update": [
    { parameters: ({ tracker_id, group_id }) => ({ tracker_id, label: "Renamed", group_id }), before: newTracker },
  ],
  "/tracker/delete": [{ parameters: ({ tracker_id }) => ({ tracker_id }), before: newClone }],
  "/tracker/list_models": [{ parameters: () => ({}) }],
  "/tracker/tags/set": [
    { parameters: ({ tracker_id, tag_id }) => ({ tracker_id, tag_bindings: [{ tag_id, ordinal: 1 }] }) },
  ],
  "/tracker/group/list": [{ parameters: () => ({}) }],
  "/tracker/group/create": [{ parameters: () => ({ title: "North", color: "27A9E3" }) }],
  "/tracker/group/update": [{ parameters: ({ group_id: id }) => ({ id, title: "South", color: "27A9E3" }) }],
  "/tracker/group/delete": [
    { parameters: ({ group_id: id }) => ({ id }), before: async (account) => ({ id: await newTrackerGroup(account) }) },
  ],
  "/tracker/group/assign": [{ parameters: ({ group_id: id, tracker_id }) => ({ id, trackers: [tracker_id] }) }],
};

async function newBundle(_: Account, { must, operatorHash }: Accounts) {
  const imei = newImei();
  await must("/panel/tracker/bundle/import", { hash: await operatorHash(), imeis: [imei], equip_id: 1 });
  return { imei };
}

async function newActivationCode({ plan_id }: Account, { must, operatorHash }: Accounts) {
  const hash = await operatorHash();
  await must("/panel/dealer/activation_code/create", { hash, count: 1, tariff_id: plan_id });
  const { list } = await must("/panel/dealer/activation_code/list", { hash, used: false });
  return { activation_code: String(list.at(-1).code) };
}

/** Makes a device whose plan was not changed yet, and another plan. */
async function newChoice(account: Account, { must, operatorHash }: Accounts) {
  const tariff = { name: `Plan ${randomInt(1e12)}`, features: FEATURES };
  const { id: tariff_id } = await must("/panel/tariff/create", { hash: await operatorHash(), tariff });
  return { ...(await newTracker(account)), tariff_id: Number(tariff_id) };
}

export async function newTrackerGroup(account: Account) {
  const { id } = await account.must("/tracker/group/create", { title: "North", color: "27A9E3" });
  return Number(id);
}

export async function newTracker(account: Account) {
  const { id } = await account.newTracker();
  return { tracker_id: id };
}

/** Makes a clone of a tracker, in an account of its own. */
async function newClone(account: Account, { newAccount, must, operatorHash }: Accounts) {
  const original = await account.newTracker();
  const viewer = await newAccount();
  const given = { tracker_id: original.id, user_id: viewer.id, label: "Clone" };
  const { id } = await must("/panel/tracker/clone", { hash: await operatorHash(), ...given });
  return { hash: viewer.hash, tracker_id: Number(id) };
}
