import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSubUser } from "../tool/call/mailbox.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { expectAccessible, inspectPage, takeScreenshot } from "../tool/console/console-page.ts";
import { type ConsolePage, type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { waitUntil } from "../tool/wait.ts";

describe.skipIf(!hasBrowser)("the console's frame", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("the gateway serves the entry at every page's address, its files for ever, and no other path", async () => {
    const { origin } = fleet.system;
    const asBrowser = { headers: { Accept: "text/html" } };
    const entry = await fetch(`${origin}/trackers/7`, asBrowser);
    expect([entry.status, entry.headers.get("Cache-Control")]).toEqual([200, "no-cache"]);
    const policy = entry.headers.get("Content-Security-Policy") ?? "";
    expect(policy.split("; ")).toEqual([
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      "worker-src 'self' blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    const html = await entry.text();
    expect(html).not.toMatch(/<script(?![^>]*src=)/);
    const script = /src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? "";
    const file = await fetch(origin + script);
    expect(file.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    await file.body?.cancel();
    const headers = { ...asBrowser.headers, "If-None-Match": entry.headers.get("ETag") ?? "" };
    expect((await fetch(`${origin}/settings`, { headers })).status).toBe(304);
    expect((await fetch(`${origin}/assets/index-old.js`, asBrowser)).status).toBe(404);
    for (const path of ["/stamp.txt", "/reference/index.html", "/nothing"])
      expect(await (await fetch(origin + path)).json()).toMatchObject({ status: { code: 111 } });
  });

  test("the browser refuses what a page asks of another host, and tests learn of that and of what the map's worker asks", async () => {
    const account = await fleet.newAccount();
    await account.newTracker();
    const { page, problems, close } = await fleet.open("/", account);
    await page.locator("[data-idle] canvas").waitFor();
    const ask = (address: string) => fetch(address).then(Boolean, () => false);
    expect(await page.evaluate(ask, "https://one.example.com")).toBe(false);
    await page.workers()[0]?.evaluate(ask, "https://two.example.com");
    await waitUntil("the refusal is logged", () =>
      problems.some((problem) => /https:\/\/one\.example\.com.*policy/i.test(problem)),
    );
    await waitUntil("the request of the worker is seen", () =>
      problems.includes("foreign host: https://two.example.com"),
    );
    await close();
  });

  test("language, time zone, units and theme are saved for the user and apply on another device", async () => {
    const account = await fleet.newAccount();
    const first = await fleet.openApart("/settings", account);
    await first.page
      .getByText(/Chrome|node/)
      .first()
      .waitFor();
    await inspectPage(first.page, "settings", account);
    await choose(first.page, "Language and region", "Deutsch (Deutschland)");
    await first.page.getByRole("heading", { name: "Einstellungen", level: 1 }).waitFor();
    await choose(first.page, "Zeitzone", "Asia/Tokyo");
    await choose(first.page, "Einheiten", /^Nautisch/);
    await first.page.getByText(/ kn$/).waitFor();
    await first.page.getByText("Dunkel", { exact: true }).click();
    await waitUntil("the settings are stored", async () => {
      const { settings } = await account.must("/user/settings/read");
      const { value } = await account.must("/user/settings/ui/read", { key: "console" });
      return settings.time_zone === "Asia/Tokyo" && settings.measurement_system === "nautical" && /dark/.test(value);
    });
    await expectAccessible(first.page);
    await first.close();
    const second = await fleet.openApart("/settings", account);
    await second.page.getByRole("heading", { name: "Einstellungen", level: 1 }).waitFor();
    await second.page.locator('html[lang="de"][data-mantine-color-scheme="dark"]').waitFor();
    await second.page.getByText(/ kn$/).waitFor();
    expect([...first.problems, ...second.problems]).toEqual([]);
    await second.close();
  });

  test("the user's menu opens by the keyboard, gives the focus back, and signs out", async () => {
    const account = await fleet.newAccount();
    const { page, problems, close } = await fleet.open("/trackers", account);
    const button = page.getByRole("button", { name: /^Account of/ });
    const settings = page.getByRole("menuitem", { name: "Settings" });
    for (const _ of ["loads the menu", "opens it again"]) {
      await button.press("Enter");
      await settings.waitFor();
      // An invisible element at its top has the focus.
      await page.locator('[role="menu"] :focus').waitFor({ state: "attached" });
      await page.keyboard.press("Escape");
      await settings.waitFor({ state: "hidden" });
      await waitUntil("the button has the focus", () => page.locator("button:focus").and(button).isVisible());
    }
    await button.click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.locator('input[name="password"]').waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("signing out everywhere ends all sessions of the user", async () => {
    const account = await fleet.newAccount();
    const { page, close } = await fleet.open("/settings", account);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.locator('input[name="password"]').waitFor();
    expect((await account.call("/user/get_info")).status.code).toBe(4);
    await close();
  });

  test("the search finds pages, trackers, rules and retranslators by one shortcut and opens them by the keyboard", async () => {
    const account = await fleet.newAccount();
    const { id } = await account.newTracker({ label: "Ladder truck" });
    await account.must("/retranslator/create", {
      retranslator: { ...{ name: "Ladder portal", protocol_id: 1 }, ...{ address: "ladder.example", port: 443 } },
    });
    await account.must("/tracker/rule/create", {
      rule: { type: "speedup", param: 90, primary_text: "Too fast", name: "Speed of ladders" },
    });
    const { page, problems, close } = await fleet.open("/settings", account);
    await page.getByRole("heading", { level: 1 }).waitFor();
    // The search itself is loaded later than the page.
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/Search pages/).waitFor();
    await page.getByPlaceholder(/Search pages/).fill("ladder");
    for (const name of [/Ladder truck/, /Ladder portal/, /Speed of ladders/])
      await page.getByRole("button", { name }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, "search-light-en");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/trackers/${id}`);
    expect(problems).toEqual([]);
    await close();
  });

  test("a session that ended elsewhere is asked for again over the page, which keeps its state", async () => {
    const account = await fleet.newAccount();
    await account.newTracker({ label: "Van 1" });
    const { page, close } = await fleet.open("/trackers?q=van", account);
    await page.getByRole("link", { name: "Van 1" }).waitFor();
    await account.must("/user/logout");
    await page.getByRole("link", { name: "Van 1" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, "session-ended-light-en");
    await dialog.locator('input[name="password"]').fill(account.password);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Van 1", level: 1 }).waitFor();
    await page.goBack();
    expect(new URL(page.url()).search).toBe("?q=van");
    await close();
  });

  test("a server that cannot be reached is told, and the page goes on by itself once it answers", async () => {
    const account = await fleet.newAccount();
    await account.newTracker({ label: "Van 2" });
    const { page, close } = await fleet.open("/settings", account);
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await page.route(/\/(api-v2|health)/, (route) => route.abort());
    await page.getByRole("link", { name: "Trackers" }).click();
    await page.getByText("The server cannot be reached").first().waitFor();
    await takeScreenshot(page, "unreachable-light-en");
    await expectAccessible(page);
    await page.unroute(/\/(api-v2|health)/);
    await page.getByRole("link", { name: "Van 2" }).waitFor();
    await page.getByText("The server cannot be reached").waitFor({ state: "detached" });
    await close();
  });

  test("a page whose file an update has removed offers to reload", async () => {
    const account = await fleet.newAccount();
    const { page, close } = await fleet.openApart("/trackers", account);
    await page.getByText("No trackers yet").waitFor();
    await page.route(/\/assets\/page-/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await page.getByText("The console was updated").waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, "outdated-light-en");
    await page.unroute(/\/assets\/page-/);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await close();
  });

  test("the page of a tracker that a sub-user may not see says that it was not found", async () => {
    const account = await fleet.newAccount();
    const tracker = await account.newTracker({ label: "Hidden van" });
    const user = await newSubUser(account, fleet);
    const { page, problems, close } = await fleet.open(`/trackers/${tracker.id}`, user);
    await page.getByRole("alert").getByText("Not found", { exact: true }).waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await close();
  });
});

/** Opens a select by its label and picks an option by its name. */
async function choose(page: ConsolePage["page"], label: string, option: string | RegExp) {
  const field = page.getByRole("combobox", { name: label });
  await field.click();
  if (typeof option === "string" && option.includes("/")) await field.fill(option);
  await page.getByRole("option", { name: option }).click();
}
