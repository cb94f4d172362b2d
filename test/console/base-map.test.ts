import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";

/** Coasts alone, even the coarse ones of tests, are more than ten times as much. */
const MAX_SENT_CHARACTERS = 60_000;
/** Adds up what the page sends to workers, as JSON, in `sent`. */
const COUNT_MESSAGES = `{
  globalThis.sent = 0;
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, options) {
    sent += JSON.stringify(message).length;
    return postMessage.call(this, message, options);
  };
}`;

describe.skipIf(!hasBrowser)("the built-in base map of the console", () => {
  let fleet: ConsoleSystem;
  let account: Account;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
    account = await fleet.newAccount();
    await account.newTracker({ label: "Van 10" });
  });
  afterAll(() => fleet?.stop());

  test("the page sends the map's worker no coasts: the worker itself reads them and makes tiles of them", async () => {
    const { page, problems, close } = await fleet.open("/trackers", account);
    await page.addInitScript(COUNT_MESSAGES);
    const coasts = page.waitForResponse(/\/assets\/countries-/);
    await page.goto(fleet.system.origin);
    await coasts;
    await page.locator("[data-idle] canvas").waitFor();
    const sent = await page.evaluate<number>("sent");
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(MAX_SENT_CHARACTERS);
    expect(problems).toEqual([]);
    await close();
  });

  test("a base map whose files are gone is reported until they are there again, and everything else stays on the map", async () => {
    const { page, close } = await fleet.open("/trackers", account);
    await page.route("**/assets/countries-*.json", (route) => route.fulfill({ status: 404 }));
    await page.goto(fleet.system.origin);
    const notice = page.getByText(/^The background of the map could not be loaded/);
    await notice.waitFor();
    await page.locator("[data-ready] canvas").waitFor();
    await page.unroute("**/assets/countries-*.json");
    await page.getByRole("button", { name: "Zoom out" }).click();
    await notice.waitFor({ state: "hidden" });
    await close();
  });
});
