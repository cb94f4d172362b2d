import { expect, test } from "vitest";
import { newAccount } from "../../../test/tool/call/account.ts";

const WEB = {
  application: "w3c_pushapi",
  token: "https://push.example.net/send/abc123",
  parameters: { p256dh: "BJx3_-09", auth: "k8Qd" },
};
const bind = "/user/session/push_token/bind";

test("a token is bound, bound anew and deleted, as often as one likes", async () => {
  const account = await newAccount();
  await account.must(bind, { application: "vendor_android_viewer", token: "abc" });
  await account.must(bind, { ...WEB, category_filter: "-history_task,history_rule" });
  await account.must("/user/session/push_token/delete");
  await account.must("/user/session/push_token/delete");
  await account.must(bind, { ...WEB, token: "http://127.0.0.1:9999/send" });
});

test("the answer says where nothing is sent to an application", async () => {
  const account = await newAccount();
  const reply = await account.must(bind, { application: "vendor_iphone_viewer", token: "abc" });
  expect(reply).toEqual({ success: true, delivery: "none" });
  expect(await account.must(bind, WEB)).toEqual({ success: true });
});

test("an API key has no notifications", async () => {
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
])("%j is refused by name", async (wrong, parameter) => {
  const account = await newAccount();
  const reply = await account.call(bind, { ...WEB, ...wrong });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
});
