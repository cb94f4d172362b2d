import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { call, must, newAccount, operator } from "#test/tool/call/account.ts";
import { stack } from "#test/tool/system/stack.ts";

const PATH = "/dealer/get_ui_config";

/** Gives the dealer a random domain, which it keeps until the next test changes it. */
async function newDomain() {
  const domain = `fleet-${randomInt(1e12)}.example.com`;
  await operator.must("/panel/dealer/settings/service/update", { domain });
  return domain;
}

test("dealer/get_ui_config with a hash gives the settings of the user's dealer and the installation's limits", async () => {
  const account = await newAccount();
  const [config, info] = [await account.must(PATH), await account.must("/user/get_info")];
  expect(config).toEqual({
    success: true,
    dealer: { id: 1, ui_domain: info.paas_settings.domain, company_url: null },
    settings: info.paas_settings,
    demo_ends: null,
    premium_gis: false,
    features: [],
    platform: {
      iso_datetime_support: true,
      "history.max_limit": 1000,
      "report.max_time_span": "P90D",
      "stats.max_allowed_trackers": 128,
      "stats.max_time_span": "P31D",
      "proposals.max_time_span": "P366D",
      "file_storage.hard_max_file_size": 16_777_216,
      "push.vapid_public_key": await vapidKey(),
      "password.policy": "standard",
      "form.max_fields_count": 128,
      "form.file_field.max_file_size": 16_777_216,
      "form.file_field.max_files_per_field": 6,
      "form.file_field.max_count": 16,
    },
  });
});

test("dealer/get_ui_config with a domain gives its dealer's settings without a hash, whatever the domain's case", async () => {
  const domain = await newDomain();
  for (const written of [domain, domain.toUpperCase()]) {
    expect(await must(PATH, { domain: written })).toMatchObject({
      dealer: { id: 1, ui_domain: domain },
      settings: { domain, service_title: expect.any(String) },
    });
  }
});

test("dealer/get_ui_config refuses a domain that no dealer has (12)", async () => {
  expect((await call(PATH, { domain: "nobody.example.com" })).status.code).toBe(12);
});

test("dealer/get_ui_config takes exactly one of domain and hash", async () => {
  const account = await newAccount();
  for (const reply of [
    await call(PATH),
    await account.call(PATH, { domain: "fleet.example.com" }),
    await call(PATH, { domain: "fleet.example.com" }, { Authorization: `FMS ${account.hash}` }),
    await call(PATH, { domain: "" }),
  ]) {
    expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "domain" }] });
  }
  await must(PATH, {}, { Authorization: `FMS ${account.hash}` });
});

test("dealer/get_ui_config refuses a hash in the wrong form (3) and an ended one (4)", async () => {
  expect((await call(PATH, { hash: "x" })).status.code).toBe(3);
  expect((await call(PATH, { hash: "0".repeat(32) })).status.code).toBe(4);
});

/** Requests the key without a hash, as browsers do, and checks that it is a point of the curve. */
async function vapidKey(): Promise<string> {
  const reply = await fetch(`${stack.baseUrl}/push/vapid`);
  const { value }: { value: string } = await reply.json();
  await crypto.subtle.importKey(
    "raw",
    Buffer.from(value, "base64url"),
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    [],
  );
  return value;
}
