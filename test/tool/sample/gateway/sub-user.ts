import { randomInt } from "node:crypto";
import { systemNow } from "../../../../shared/time/clock.ts";
import type { Account } from "../../call/account.ts";
import { newPlace } from "../geo/place.ts";
import { newZone } from "../geo/zone.ts";
import type { Sample } from "../sample.ts";

export const SUB_USER_SAMPLES: Record<string, Sample[]> = {
  "/subuser/register": [
    {
      parameters: ({ security_group_id }) => ({
        user: { ...newSubUserOf("x"), security_group_id },
        password: "secret123",
      }),
      before: async () => ({ user: newSubUserOf(`${systemNow()}-${randomInt(1e12)}`) }),
    },
  ],
  "/subuser/update": [
    { parameters: ({ subuser_id, security_group_id }) => ({ user: { id: subuser_id, security_group_id } }) },
    {
      parameters: ({ subuser_id }) => ({ user: { id: subuser_id, activated: false } }),
      before: async (account) => ({ user: { id: (await newSubUser(account)).subuser_id, activated: false } }),
    },
  ],
  "/subuser/list": [{ parameters: () => ({}) }],
  "/subuser/delete": [{ parameters: ({ subuser_id }) => ({ subuser_id }), before: (account) => newSubUser(account) }],
  "/subuser/session/create": [
    { parameters: ({ subuser_id }) => ({ subuser_id }), before: (account) => newSubUser(account) },
  ],
  "/subuser/tracker/bind": [
    {
      parameters: ({ subuser_id, tracker_id }) => ({ subuser_id, trackers: [tracker_id] }),
      before: (account) => newSubUser(account),
    },
  ],
  "/subuser/tracker/unbind": [
    {
      parameters: ({ subuser_id, tracker_id }) => ({ subuser_id, trackers: [tracker_id] }),
      before: async (account) => {
        const [{ subuser_id }, { id }] = [await newSubUser(account), await account.newTracker()];
        await account.must("/subuser/tracker/bind", { subuser_id, trackers: [id] });
        return { subuser_id, trackers: [id] };
      },
    },
  ],
  "/subuser/tracker/list": [{ parameters: ({ subuser_id }) => ({ subuser_id }) }],
  "/subuser/places/bind": [
    {
      parameters: ({ subuser_id, place_id }) => ({ subuser_id, place_ids: [place_id] }),
      before: (account) => newSubUser(account),
    },
    {
      parameters: ({ subuser_id }) => ({ subuser_id, access_to_all: true }),
      before: (account) => newSubUser(account),
    },
  ],
  "/subuser/places/unbind": [
    {
      parameters: ({ subuser_id, place_id }) => ({ subuser_id, place_ids: [place_id] }),
      before: async (account) => {
        const [{ subuser_id }, { place_id }] = [await newSubUser(account), await newPlace(account)];
        await account.must("/subuser/places/bind", { subuser_id, place_ids: [place_id] });
        return { subuser_id, place_ids: [place_id] };
      },
    },
  ],
  "/subuser/places/list_ids": [{ parameters: ({ subuser_id }) => ({ subuser_id }) }],
  "/subuser/places/list": [
    {
      parameters: ({ subuser_id, tag_id }) => ({ subuser_id, filter: "a", tag_ids: [tag_id], order: "assigned_date" }),
    },
  ],
  "/subuser/zones/bind": [
    {
      parameters: ({ subuser_id, zone_id }) => ({ subuser_id, zone_ids: [zone_id] }),
      before: (account) => newSubUser(account),
    },
    {
      parameters: ({ subuser_id }) => ({ subuser_id, access_to_all: true }),
      before: (account) => newSubUser(account),
    },
  ],
  "/subuser/zones/unbind": [
    {
      parameters: ({ subuser_id, zone_id }) => ({ subuser_id, zone_ids: [zone_id] }),
      before: async (account) => {
        const [{ subuser_id }, { zone_id }] = [await newSubUser(account), await newZone(account)];
        await account.must("/subuser/zones/bind", { subuser_id, zone_ids: [zone_id] });
        return { subuser_id, zone_ids: [zone_id] };
      },
    },
  ],
  "/subuser/zones/list_ids": [{ parameters: ({ subuser_id }) => ({ subuser_id }) }],
  "/subuser/zones/list": [
    { parameters: ({ subuser_id, tag_id }) => ({ subuser_id, filter: "a", tag_ids: [tag_id], order: "label" }) },
  ],
  "/subuser/security_group/create": [{ parameters: () => ({ group: GROUP }) }],
  "/subuser/security_group/update": [
    { parameters: ({ security_group_id }) => ({ group: { ...GROUP, id: security_group_id } }) },
  ],
  "/subuser/security_group/delete": [
    { parameters: ({ security_group_id }) => ({ security_group_id }), before: newGroup },
    {
      parameters: ({ security_group_id: id }) => ({ id }),
      before: async (account) => ({ id: (await newGroup(account)).security_group_id }),
    },
  ],
  "/subuser/security_group/list": [{ parameters: () => ({}) }],
  "/subuser/security_group/assign": [
    {
      parameters: ({ subuser_id, security_group_id }) => ({ group_id: security_group_id, subuser_ids: [subuser_id] }),
    },
    {
      parameters: ({ subuser_id }) => ({ group_id: null, subuser_ids: [subuser_id] }),
      before: async (account) => {
        const { subuser_id } = await newSubUser(account, await newGroup(account));
        return { subuser_ids: [subuser_id] };
      },
    },
  ],
};

export const GROUP = { label: "Dispatchers", privileges: { rights: ["vehicle_update"], store_period: "30d" } };

function newSubUserOf(name: string) {
  return { login: `${name}@example.com`, legal_type: "individual", first_name: "Bo" };
}

export async function newSubUser(account: Account, more: object = {}) {
  const user = { ...newSubUserOf(`${systemNow()}-${randomInt(1e12)}`), ...more };
  const { id } = await account.must("/subuser/register", { user, password: "secret123" });
  return { subuser_id: Number(id) };
}

async function newGroup(account: Account) {
  const { id } = await account.must("/subuser/security_group/create", { group: GROUP });
  return { security_group_id: Number(id) };
}
