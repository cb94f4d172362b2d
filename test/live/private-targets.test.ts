import { createClient } from "@libsql/client";
import { expect, test } from "vitest";
import { accountsOn } from "../tool/call/account.ts";
import { startPushService } from "../tool/receiver/push-service.ts";
import { newLocalInstallation } from "../tool/system/local-workers.ts";
import { waitUntil } from "../tool/wait.ts";

test("Workers without ALLOW_PRIVATE_TARGETS send no push to a name that resolves to loopback, but mail to one", async () => {
  const ground = await newLocalInstallation();
  const service = await startPushService();
  const [browser, mailbox] = [service.subscribe(), service.subscribe()];
  const byName = (url: string) => url.replace("127.0.0.1", "localhost");
  const settings = { AUDIT_DELAY_SECONDS: "0.05", MAIL_URL: byName(mailbox.token.token) };
  const database = createClient({ url: ground.servers.gateway.url, authToken: ground.servers.gateway.token });
  let workers = await ground.start(settings);
  try {
    const account = await accountsOn(ground).newAccount();
    const { id: tracker_id } = await account.newTracker();
    const token = byName(browser.token.token);
    await account.must("/user/session/push_token/bind", { ...browser.token, token });
    const rename = (label: string) => account.must("/tracker/settings/update", { tracker_id, label, group_id: 0 });
    const read = async (sql: string) => (await database.execute(sql)).rows.map((row) => Number(row[0]));
    await rename("Allowed");
    // A stop before the outcome is stored would leave the delivery to a later sweep.
    const outcomes = () => read("SELECT is_over FROM push_delivery");
    await waitUntil("the push was sent", outcomes, ([isOver]) => isOver === 1);
    expect(browser.posted()).toHaveLength(1);

    await workers.stop();
    workers = await ground.start({ ...settings, ALLOW_PRIVATE_TARGETS: "0" });
    await rename("Refused");
    await waitUntil(
      "the push was tried",
      () => read("SELECT tries FROM push_token"),
      ([tries = 0]) => tries > 0,
    );
    expect(browser.posted()).toHaveLength(1);
    await accountsOn(ground).must("/user/restore_password", { login: account.login });
    await waitUntil(
      "the mail has arrived",
      async () => mailbox.posted(),
      ({ length }) => length === 1,
    );
  } finally {
    database.close();
    service.stop();
    await workers.stop();
    await ground.remove();
  }
});
