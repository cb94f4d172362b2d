import { expect, test } from "vitest";
import { newAccount, newImei, UNKNOWN_ID } from "#test/tool/call/account.ts";

const van = () => ({ label: "Van 7", group_id: 0, model: "generic_gps", plugin_id: 44, device_id: newImei() });

test("tracker/register answers the tracker as tracker/read and tracker/list show it", async () => {
  const account = await newAccount();
  const parameters = { ...van(), phone: undefined };
  const { value } = await account.must("/tracker/register", parameters);
  expect(value).toEqual({
    id: expect.any(Number),
    label: "Van 7",
    clone: false,
    group_id: 0,
    source: {
      id: expect.any(Number),
      device_id: parameters.device_id,
      model: "generic_gps",
      blocked: false,
      tariff_id: account.plan_id,
      status_listing_id: null,
      creation_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      tariff_end_date: null,
      phone: null,
    },
    tag_bindings: [],
  });
  expect((await account.must("/tracker/read", { tracker_id: value.id })).value).toEqual(value);
  expect((await account.must("/tracker/list")).list).toEqual([value]);
});

test.each([
  [{ device_id: "86000000000001" }, 7, "device_id"],
  [{ device_id: undefined }, 7, "device_id"],
  [{ label: "" }, 7, "label"],
  [{ label: "x".repeat(61) }, 7, "label"],
  [{ label: "<b>" }, 7, "label"],
  [{ apn_password: "x".repeat(41) }, 7, "apn_password"],
  [{ phone: "+4915" }, 7, "phone"],
  [{ group_id: 5 }, 204, undefined],
  [{ model: "unheard_of" }, 220, undefined],
  [{ model: "mobile_app" }, 220, undefined],
  [{ plugin_id: 5 }, 222, undefined],
  [{ plugin_id: 37 }, 227, undefined],
  [{ activation_code: "abc" }, 227, undefined],
  [{ activation_code: "x".repeat(65) }, 7, "activation_code"],
])("tracker/register with %j answers error %s", async (wrong, code, parameter) => {
  const account = await newAccount();
  const reply = await account.call("/tracker/register", { ...van(), ...wrong });
  expect(reply.status.code).toBe(code);
  if (parameter) expect(reply.errors).toMatchObject([{ parameter }]);
  expect((await account.must("/tracker/list")).list).toEqual([]);
});

test("tracker/register takes a device id and a phone once, whichever account asks", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const parameters = { ...van(), phone: newImei() };
  const replies = await Promise.all(
    [acme, rival, acme, rival].map((account) => account.call("/tracker/register", parameters)),
  );
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  expect(replies.filter(({ success }) => !success).every(({ status }) => [223, 224].includes(status.code))).toBe(true);
  expect((await rival.call("/tracker/register", { ...parameters, phone: newImei() })).status.code).toBe(224);
  expect((await rival.call("/tracker/register", { ...parameters, device_id: newImei() })).status.code).toBe(223);
});

test("tracker/register makes the device id of a mobile app", async () => {
  const account = await newAccount();
  const { value } = await account.must("/tracker/register", {
    ...van(),
    model: "mobile_app",
    plugin_id: 35,
    device_id: undefined,
  });
  expect(value.source.device_id).toMatch(/^\d{10}$/);
});

test("tracker/register keeps to the tariff's device limit, however many register at once", async () => {
  const account = await newAccount({ plan: { device_limit: 3 } });
  const replies = await Promise.all(Array.from({ length: 10 }, () => account.call("/tracker/register", van())));
  expect(replies.filter(({ success }) => success)).toHaveLength(3);
  expect(replies.filter(({ status }) => status?.code === 221)).toHaveLength(7);
  expect((await account.must("/tracker/list")).list).toHaveLength(3);
});

test("tracker calls answer another account's tracker exactly as an unknown one", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const { id: tracker_id } = await acme.newTracker();
  for (const [path, more] of [
    ["/tracker/read", {}],
    ["/tracker/settings/read", {}],
    ["/tracker/settings/update", { label: "Mine", group_id: 0 }],
  ] as const) {
    const foreign = await rival.call(path, { tracker_id, ...more });
    expect(foreign).toEqual(await rival.call(path, { tracker_id: UNKNOWN_ID, ...more }));
    expect(foreign.status.code).toBe(201);
  }
  expect((await acme.must("/tracker/settings/read", { tracker_id })).settings.label).toBe("Van 7");
  expect((await rival.must("/tracker/list")).list).toEqual([]);
});

test("tracker/list finds trackers by any part of their label, whatever its case and marks", async () => {
  const account = await newAccount();
  for (const label of ["Vän 7", "Truck 50%", "Жук"]) await account.newTracker({ label });
  const labels = async (...texts: string[]) =>
    (await account.must("/tracker/list", { labels: texts })).list.map(({ label }: { label: string }) => label);
  expect(await labels("VAN")).toEqual(["Vän 7"]);
  expect(await labels("50%", "жУ")).toEqual(["Truck 50%", "Жук"]);
  expect(await labels("%")).toEqual(["Truck 50%"]);
  const many = Array.from({ length: 1024 }, (_, index) => `label ${index}`);
  expect(await labels(...many)).toEqual([]);
  expect(await labels(...many.slice(1), "van")).toEqual(["Vän 7"]);
  for (const wrong of [[], [""], ["x".repeat(61)], ["a", "a"], [null], "a", [...many, "van"]]) {
    expect((await account.call("/tracker/list", { labels: wrong })).status.code).toBe(7);
  }
});

test("tracker/settings/update changes label and group, and refuses an unknown group (204)", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  await account.must("/tracker/settings/update", { tracker_id, label: "Van 8 🚐", group_id: 0 });
  expect((await account.must("/tracker/settings/read", { tracker_id })).settings).toEqual({
    label: "Van 8 🚐",
    group_id: 0,
  });
  expect((await account.call("/tracker/settings/update", { tracker_id, label: "x", group_id: 9 })).status.code).toBe(
    204,
  );
});

test("tracker/list_models gives all models, or those of the named codes", async () => {
  const account = await newAccount();
  const { list } = await account.must("/tracker/list_models");
  expect(list.map(({ code }: { code: string }) => code)).toEqual(
    expect.arrayContaining(["generic_gps", "generic_http", "mobile_app"]),
  );
  expect((await account.must("/tracker/list_models", { codes: ["generic_gps"] })).list).toMatchObject([
    { id_type: "imei" },
  ]);
});
