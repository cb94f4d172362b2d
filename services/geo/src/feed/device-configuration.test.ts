import { expect, test } from "vitest";
import type { Device } from "#shared/contract/tracker/device.ts";
import { hashIngestKey } from "../object/ingest-key.ts";
import { isOutdated, refusalOf } from "./device-configuration.ts";

const device: Device = {
  tracker_id: 1,
  account_id: 2,
  source_id: 3,
  device_id: "860000000000017",
  model: "generic_gps",
  blocked: false,
  revision: 2,
};
const sender = { device_id: device.device_id, key: null };
const env = { CREDENTIAL_KEY: "a".repeat(64) };
const secretHash = hashIngestKey("secret", device.tracker_id, env);

test("refusalOf takes the device itself alone, not blocked and with the right key", () => {
  expect(refusalOf(undefined, null, sender, env)).toBe("unknown");
  expect(refusalOf(device, null, { ...sender, device_id: "860000000000018" }, env)).toBe("unknown");
  expect(refusalOf({ ...device, blocked: true }, null, sender, env)).toBe("blocked");
  expect(refusalOf(device, secretHash, sender, env)).toBe("key");
  expect(refusalOf({ ...device, blocked: true }, secretHash, sender, env)).toBe("key");
  expect(refusalOf(device, secretHash, { ...sender, key: "secret" }, env)).toBeNull();
  expect(refusalOf(device, null, { ...sender, key: "superfluous" }, env)).toBeNull();
});

test("refusalOf refuses the stored hash shown as a key, and the hash of the same key for another tracker", () => {
  expect(refusalOf(device, secretHash, { ...sender, key: secretHash }, env)).toBe("key");
  expect(refusalOf({ ...device, tracker_id: 9 }, secretHash, { ...sender, key: "secret" }, env)).toBe("key");
});

test("isOutdated orders device configurations by revision, and those of different devices by their source", () => {
  expect(isOutdated({ ...device, revision: 1 }, device)).toBe(true);
  expect(isOutdated({ ...device, revision: 2 }, device)).toBe(false);
  expect(isOutdated({ ...device, source_id: 4, revision: 1 }, device)).toBe(false);
  expect(isOutdated({ ...device, source_id: 2, revision: 9 }, device)).toBe(true);
  expect(isOutdated(device, undefined)).toBe(false);
});
