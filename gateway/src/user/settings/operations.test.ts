import { expect, test } from "vitest";
import { call, must, newAccount } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";

test("user/settings/read gives a new account's defaults", async () => {
  const account = await newAccount();
  expect(await account.must("/user/settings/read")).toEqual({
    success: true,
    settings: {
      ...{ time_zone: "Europe/Berlin", locale: "en_US", measurement_system: "metric", date_format: null },
      ...{ hour_mode: null, geocoder: "osm", route_provider: "osrm", translit: false, second_factor: "none" },
    },
    file_storage_settings: { auto_overwrite: false },
    balance_alert_settings: { emails: [] },
    first_user_balance_warning_period: "7d",
    second_user_balance_warning_period: "2d",
  });
});

test("user/settings/update changes the given members and leaves the others", async () => {
  const account = await newAccount();
  const settings = {
    ...{ locale: "de_DE", measurement_system: "imperial", date_format: "dMMMy", hour_mode: "TWELVE_HOURS" },
    ...{ geocoder: "google", route_provider: "google", translit: true },
  };
  const alerts = { balance_alert_settings: { emails: ["billing@example.com"] } };
  await account.must("/user/settings/update", { ...settings, ...alerts });
  await account.must("/user/settings/update", {});
  await account.must("/user/settings/file_storage/update", { file_storage_settings: { auto_overwrite: true } });
  expect(await account.must("/user/settings/read")).toMatchObject({
    settings: { ...settings, time_zone: "Europe/Berlin" },
    file_storage_settings: { auto_overwrite: true },
    ...alerts,
  });
  await account.must("/user/settings/update", { date_format: null, file_storage_settings: { auto_overwrite: false } });
  const read = await account.must("/user/settings/read");
  expect([read.settings.date_format, read.settings.hour_mode]).toEqual([null, "TWELVE_HOURS"]);
  expect(read.file_storage_settings).toEqual({ auto_overwrite: false });
});

test("user/settings/update sets the time zone for the next call of each of the user's sessions and keys", async () => {
  const account = await newAccount();
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  const zoneOf = async (hash: string) => {
    const { user_info } = await must("/user/get_info", { hash }, { "FMS-ISO-DateTime": "true" });
    return user_info.creation_date.slice(-6);
  };
  await Promise.all([zoneOf(account.hash), zoneOf(key.hash)]);
  await account.must("/user/settings/update", { time_zone: "Asia/Tokyo" });
  expect(await Promise.all([zoneOf(account.hash), zoneOf(key.hash)])).toEqual(["+09:00", "+09:00"]);
});

test("a sub-user has settings of its own, but none of the account's", async () => {
  const account = await newAccount();
  const { hash } = await newSubUser(account);
  await must("/user/settings/update", { hash, time_zone: "Asia/Tokyo" });
  const { settings, file_storage_settings, balance_alert_settings } = await must("/user/settings/read", { hash });
  expect([settings.time_zone, file_storage_settings, balance_alert_settings]).toEqual([
    "Asia/Tokyo",
    undefined,
    undefined,
  ]);
  expect((await account.must("/user/settings/read")).settings.time_zone).toBe("Europe/Berlin");
  const storage = { file_storage_settings: { auto_overwrite: true } };
  for (const [path, given] of [
    ["/user/settings/update", storage],
    ["/user/settings/update", { balance_alert_settings: { emails: [] } }],
    ["/user/settings/file_storage/update", storage],
  ] as const) {
    expect((await call(path, { hash, ...given })).status.code).toBe(13);
  }
});

test("user/settings/ui keeps a sub-user's texts apart from the master's", async () => {
  const account = await newAccount();
  const { hash } = await newSubUser(account);
  await account.must("/user/settings/ui/update", { key: "zoom", value: "12" });
  expect((await call("/user/settings/ui/read", { hash, key: "zoom" })).status.code).toBe(201);
});

test("a demo account refuses a second step, which would lock others out", async () => {
  const demo = await newAccount({ user: { demo: true } });
  expect((await demo.call("/user/settings/update", { second_factor: "email" })).status.code).toBe(101);
  expect((await demo.call("/user/settings/second_factor/totp/create")).status.code).toBe(101);
  await demo.must("/user/settings/update", { locale: "de" });
});

test.each([
  [{ time_zone: "Mars/Base" }, "time_zone"],
  [{ locale: "german" }, "locale"],
  [{ measurement_system: "cubits" }, "measurement_system"],
  [{ date_format: "yyyy" }, "date_format"],
  [{ geocoder: "x" }, "geocoder"],
  [{ translit: "perhaps" }, "translit"],
  [{ second_factor: "sms" }, "second_factor"],
  [{ balance_alert_settings: { emails: ["nobody"] } }, "balance_alert_settings.emails.0"],
  [{ file_storage_settings: {} }, "file_storage_settings.auto_overwrite"],
])("user/settings/update refuses %j by naming the parameter %s, and changes nothing", async (wrong, parameter) => {
  const account = await newAccount();
  const before = await account.must("/user/settings/read");
  const reply = await account.call("/user/settings/update", { hour_mode: "TWELVE_HOURS", ...wrong });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  expect(await account.must("/user/settings/read")).toEqual(before);
});

test("user/settings/ui/update stores a text of up to 8192 characters under a key, for its user alone", async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const put = (key: string, value: string) => account.call("/user/settings/ui/update", { key, value });
  const kept = async (key: string) => (await account.call("/user/settings/ui/read", { key })).value;
  expect((await account.call("/user/settings/ui/read", { key: "map_zoom-1" })).status.code).toBe(201);
  for (const value of ["first", "", "ä".repeat(8192)]) {
    expect(await put("map_zoom-1", value)).toEqual({ success: true });
    expect(await kept("map_zoom-1")).toBe(value);
  }
  expect((await other.call("/user/settings/ui/read", { key: "map_zoom-1" })).status.code).toBe(201);
  expect((await put("map_zoom-1", "x".repeat(8193))).errors).toMatchObject([{ parameter: "value" }]);
  for (const key of ["", "a b", "a.b", "x".repeat(51)]) {
    expect((await put(key, "x")).errors).toMatchObject([{ parameter: "key" }]);
  }
  expect(await put("x".repeat(50), "x")).toEqual({ success: true });
});

test("user/settings/ui/update stores 500 keys per user, also when they come at once, and still changes known ones", async () => {
  const account = await newAccount();
  const put = (key: string) => account.call("/user/settings/ui/update", { key, value: "x" });
  const rows = "SELECT ?1, ?1, 'known-' || key, value FROM json_each(?2)";
  const values = JSON.stringify(Array(450).fill("x"));
  await stack.change("gateway", `INSERT INTO ui_setting (account_id, user_id, key, value) ${rows}`, account.id, values);
  const replies = await Promise.all(Array.from({ length: 60 }, (_, index) => put(`key-${index}`)));
  expect(replies.filter(({ success }) => success)).toHaveLength(50);
  expect(replies.filter(({ status }) => status?.code === 268)).toHaveLength(10);
  expect(await put("known-0")).toEqual({ success: true });
});

test("user/personal_info/update changes the given members, and user/get_info shows them", async () => {
  const account = await newAccount();
  const info = { last_name: "Smith", phone: "49123", post_city: "Munich", tin: "12", legal_type: "sole_trader" };
  await account.must("/user/personal_info/update", { ...info, okpo_code: "1234567890", state_reg_num: "x".repeat(15) });
  await account.must("/user/personal_info/update", {});
  expect((await account.must("/user/get_info")).user_info).toMatchObject({ ...info, first_name: "Ann" });
});

test.each([
  [{ phone: "1".repeat(16) }, "phone"],
  [{ phone: "+49" }, "phone"],
  [{ state_reg_num: "x".repeat(16) }, "state_reg_num"],
  [{ okpo_code: "x".repeat(11) }, "okpo_code"],
  [{ legal_type: "club" }, "legal_type"],
  [{ first_name: "x".repeat(101) }, "first_name"],
])("user/personal_info/update refuses %j by naming the parameter %s", async (wrong, parameter) => {
  const reply = await (await newAccount()).call("/user/personal_info/update", wrong);
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
});
