import { randomInt } from "node:crypto";
import type { Account } from "../../call/account.ts";
import type { Sample } from "../sample.ts";
import { newTracker } from "./tracker.ts";

export const FORWARDING_SAMPLES: Record<string, Sample[]> = {
  "/retranslator/list": [{ parameters: () => ({}) }],
  "/retranslator/create": [
    {
      parameters: () => ({ retranslator: RETRANSLATOR }),
      before: async () => ({ retranslator: { ...RETRANSLATOR, login: String(randomInt(1e12)) } }),
    },
  ],
  "/retranslator/update": [
    {
      parameters: ({ retranslator_id }) => ({
        retranslator: { ...RETRANSLATOR, id: retranslator_id, password: "pass" },
      }),
    },
  ],
  "/retranslator/delete": [
    { parameters: ({ retranslator_id }) => ({ retranslator_id }), before: (account) => newRetranslator(account) },
  ],
  "/retranslator/status/list": [
    { parameters: () => ({}) },
    { parameters: ({ retranslator_id }) => ({ retranslator_ids: [retranslator_id], with_bindings: true }) },
  ],
  "/retranslator/protocol/list": [{ parameters: () => ({}) }],
  "/retranslator/protocols/list": [{ parameters: () => ({}) }],
  "/tracker/retranslator/bind": [
    { parameters: ({ tracker_id, retranslator_id }) => ({ tracker_id, retranslator_id }) },
    {
      parameters: ({ tracker_id, retranslator_id }) => ({ tracker_id, retranslator_id, fake_device_id: "Van7" }),
    },
  ],
  "/tracker/retranslator/unbind": [
    { parameters: ({ tracker_id, retranslator_id }) => ({ tracker_id, retranslator_id }), before: newBinding },
  ],
  "/tracker/retranslator/list": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
};

/** A retranslator that is switched off: no point is sent to it. */
const RETRANSLATOR = { name: "Partner", protocol_id: 1, address: "gps.example.com", port: 5039, enabled: false };

export async function newRetranslator(account: Account) {
  const given = { ...RETRANSLATOR, login: String(randomInt(1e12)) };
  const { id } = await account.must("/retranslator/create", { retranslator: given });
  return { retranslator_id: Number(id) };
}

async function newBinding(account: Account) {
  const binding = { ...(await newTracker(account)), ...(await newRetranslator(account)) };
  await account.must("/tracker/retranslator/bind", binding);
  return binding;
}
