import { createClient } from "@libsql/client";
import { expect, test } from "vitest";
import { accountsOn, type Reply } from "../tool/call/account.ts";
import { newLocalInstallation } from "../tool/installation/local-workers.ts";
import { startPushService } from "../tool/receiver/push-service.ts";
import { newWebhookReceiver } from "../tool/receiver/webhook-receiver.ts";
import { waitUntil } from "../tool/wait.ts";

test("Workers without ALLOW_PRIVATE_TARGETS send no push or webhook to a name that resolves to loopback, but mail to one", async () => {
  const installation = await newLocalInstallation();
  const service = await startPushService();
  const receiver = await newWebhookReceiver();
  const [browser, mailbox] = [service.subscribe(), service.subscribe()];
  const byName = (url: string) => url.replace("127.0.0.1", "localhost");
  const settings = { AUDIT_DELAY_SECONDS: "0.05", MAIL_URL: byName(mailbox.token.token) };
  const database = createClient({
    url: installation.servers.gateway.url,
    authToken: installation.servers.gateway.token,
  });
  let workers = await installation.start(settings);
  try {
    const account = await accountsOn(installation).newAccount();
    const { id: tracker_id } = await account.newTracker();
    const token = byName(browser.token.token);
    await account.must("/user/session/push_token/bind", { ...browser.token, token });
    const rename = (label: string) => account.must("/tracker/settings/update", { tracker_id, label, group_id: 0 });
    const read = async (sql: string) => (await database.execute(sql)).rows.map((row) => Number(row[0]));
    const webhook = { url: byName(receiver.url), types: ["tracker.updated"] };
    const { id: webhook_id } = await account.must("/webhook/create", { webhook });
    const tested = async () => (await account.must("/webhook/test", { webhook_id })).value;
    expect(await tested()).toMatchObject({ state: "delivered" });
    await rename("Allowed");
    // A stop before the outcome is stored would leave the delivery to a later sweep.
    const outcomes = () => read("SELECT is_over FROM push_delivery");
    await waitUntil("the push was sent", outcomes, ([isOver]) => isOver === 1);
    expect(browser.posted()).toHaveLength(1);

    await workers.stop();
    workers = await installation.start({ ...settings, ALLOW_PRIVATE_TARGETS: "0" });
    await rename("Refused");
    await waitUntil(
      "the push was tried",
      () => read("SELECT tries FROM push_token"),
      ([tries = 0]) => tries > 0,
    );
    expect(browser.posted()).toHaveLength(1);
    // The address was stored while it was allowed; each attempt is refused, that of a replay, too.
    const refused = await tested();
    expect(refused).toMatchObject({ state: "failed", status: null, error: "no connection" });
    await account.must("/webhook/delivery/replay", { webhook_id, delivery_ids: [refused.id] });
    const log = async () => (await account.must("/webhook/delivery/list", { webhook_id })).list;
    const attemptsOf = (list: Reply[]): Reply[] => list.find(({ id }) => id === refused.id)?.attempt_log;
    const list = await waitUntil("the replay was tried", log, (found) => attemptsOf(found).length === 2);
    expect(attemptsOf(list)).toMatchObject(Array(2).fill({ status: null, error: refused.error, answer: "" }));
    const again = await account.call("/webhook/create", { webhook });
    expect([again.status?.code, again.errors?.[0]?.parameter]).toEqual([7, "webhook.url"]);
    expect(receiver.received.filter(({ type }) => type === "webhook.test")).toHaveLength(1);
    await accountsOn(installation).must("/user/restore_password", { login: account.login });
    await waitUntil(
      "the mail has arrived",
      async () => mailbox.posted(),
      ({ length }) => length === 1,
    );
  } finally {
    database.close();
    service.stop();
    await receiver.leave();
    await workers.stop();
    await installation.remove();
  }
});
