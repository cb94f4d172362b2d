import { expect, test } from "vitest";
import { WORKERS } from "../workers.ts";
import { KEYS_OF } from "./bindings.ts";
import { newSecrets, requireKeys } from "./secrets.ts";

test("requireKeys accepts keys of newSecrets, and lists of keys where a list may be", () => {
  const secrets = newSecrets();
  requireKeys(secrets);
  requireKeys({ ...secrets, TOKEN_KEY: `${secrets.TOKEN_KEY},${secrets.ENCRYPTION_KEY}` });
});

test.each([
  ["CREDENTIAL_KEY", "short"],
  ["CREDENTIAL_KEY", "0e".repeat(31)],
  ["TOKEN_KEY", ""],
  ["TOKEN_KEY", `${"0e".repeat(32)},`],
  ["ENCRYPTION_KEY", "zz".repeat(32)],
  ["VAPID_PRIVATE_KEY", "abc"],
  ["RECORD_KEY", "abc"],
  ["RECORD_KEY", ""],
])("requireKeys refuses a %s of %j by its name, without showing its value", (name, value) => {
  const refused = () => requireKeys({ ...newSecrets(), [name]: value });
  expect(refused).toThrow(name);
  if (value) expect(refused).not.toThrow(value);
});

test("KEYS_OF gives each Worker the keys that it works with, and every key to some Worker", () => {
  expect(KEYS_OF.tasks).toEqual(["RECORD_KEY"]);
  expect(KEYS_OF.files).toEqual(["TOKEN_KEY"]);
  const used = WORKERS.flatMap((worker) => KEYS_OF[worker]);
  expect(new Set(used)).toEqual(new Set(Object.keys(newSecrets())));
});
