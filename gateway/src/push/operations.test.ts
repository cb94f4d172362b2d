import { expect, test } from "vitest";
import { newAccount } from "#test/tool/call/account.ts";

const WEB = {
  application: "w3c_pushapi",
  token: "https://push.example.net/send/abc123",
  parameters: { p256dh: "BJx3_-09", auth: "k8Qd" },
};
const bind = "/user/session/push_token/bind";

test("user/session/push_token/bind and delete can be repeated and replace the token before", async () => {
  const account = await newAccount();
  await account.must(bind, { application: "vendor_android_viewer", token: "abc" });
  await account.must(bind, { ...WEB, category_filter: "-history_task,history_rule" });
  await account.must("/user/session/push_token/delete");
  await account.must("/user/session/push_token/delete");
  await account.must(bind, { ...WEB, token: "http://127.0.0.1:9999/send" });
});

test('push_token/bind answers delivery "none" for an application that nothing is sent to', async () => {
  const account = await newAccount();
  const reply = await account.must(bind, { application: "vendor_iphone_viewer", token: "abc" });
  expect(reply).toEqual({ success: true, delivery: "none" });
  expect(await account.must(bind, WEB)).toEqual({ success: true });
});

test("user/session/push_token/bind and delete refuse an API key (4)", async () => {
  const account = await newAccount();
  const { value } = await account.must("/api/key/create", { title: "ERP" });
  for (const path of [bind, "/user/session/push_token/delete"]) {
    expect((await account.call(path, { ...WEB, hash: value.hash })).status.code).toBe(4);
  }
});

test.each([
  [{ application: "pigeon" }, "application"],
  [{ token: "" }, "token"],
  [{ token: "http://push.example.net/send" }, "token"],
  [{ token: "abc" }, "token"],
  [{ parameters: null }, "parameters"],
  [{ parameters: { auth: "k8Qd" } }, "parameters.p256dh"],
  [{ parameters: { p256dh: "BJx3", auth: "k8 Qd" } }, "parameters.auth"],
  [{ category_filter: "weather" }, "category_filter"],
  [{ category_filter: "" }, "category_filter"],
])("user/session/push_token/bind refuses %j by naming the parameter %s", async (wrong, parameter) => {
  const account = await newAccount();
  const reply = await account.call(bind, { ...WEB, ...wrong });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
});
