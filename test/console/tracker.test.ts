import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, newImei } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { waitUntil } from "../tool/wait.ts";

describe.skipIf(!hasBrowser)("the console's pages about trackers", () => {
  let fleet: ConsoleSystem;
  let account: Account;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
    account = await newFleet();
  });
  afterAll(() => fleet?.stop());

  test("a row of the list leads to its tracker, whose journeys are shown for the period in the address", async () => {
    const { page, problems, close } = await fleet.open("/trackers", account);
    await page.getByText("شاحنة الرياض").waitFor();
    await page.getByText(/km\/h/).waitFor();
    await inspectPage(page, "trackers", account);
    await page.getByRole("link", { name: "Van 10" }).click();
    await page.getByRole("heading", { name: "Van 10", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Period: Today" }).click();
    await page.getByRole("menuitem", { name: "Last month" }).click();
    await page.getByRole("button", { name: "Period: Last month" }).waitFor();
    expect(page.url()).toMatch(/\?from=\d{4}-\d\d-01&to=\d{4}-\d\d-\d\d$/);
    // Last month has the drive if this month has just begun; long ago there was none.
    await page.goto(page.url().replace(/\?.*/, "?from=2020-01-01&to=2020-01-31"));
    await page.getByText("No journeys").waitFor();
    await page.getByRole("button", { name: /^Period:/ }).click();
    await page.getByRole("menuitem", { name: "Last 7 days" }).click();
    await page.getByRole("cell", { name: /km$/ }).waitFor();
    await inspectPage(page, "tracker", account);
    expect(problems).toEqual([]);
    await close();
  });

  test("search, filters, sorting and columns of the list stand in its address, so that a link reproduces it", async () => {
    const { page, problems, close } = await fleet.open("/trackers", account);
    const names = () => page.getByRole("table", { name: "Trackers" }).getByRole("link").allTextContents();
    await waitUntil("names are sorted as people count", names, (shown) => {
      const first = shown.indexOf("Van 2");
      return first >= 0 && shown[first + 1] === "Van 10";
    });
    await page.getByRole("button", { name: "Name" }).click();
    await page.getByRole("searchbox", { name: "Search in this list" }).fill("van");
    await waitUntil(
      "the list is turned around",
      names,
      ([first, ...others]) => first === "Van 10" && others.length === 1,
    );
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Device ID" }).click();
    await page.getByRole("columnheader", { name: "Device ID" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Filter by State" }).click();
    await page.getByRole("option", { name: "Online" }).click();
    await waitUntil("one tracker is online", names, (shown) => shown.join() === "Van 10");
    const { pathname, search } = new URL(page.url());
    await page.goto("about:blank");
    await page.goto(fleet.system.origin + pathname + search);
    await waitUntil("the link shows the same tracker", names, (shown) => shown.join() === "Van 10");
    await page.getByRole("columnheader", { name: "Device ID" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("the list of 10,000 trackers keeps few rows in the document, and arrow keys go through it", async () => {
    const {
      list: [example],
    } = await account.must("/tracker/list");
    const list = Array.from({ length: 10_000 }, (_, index) => ({ ...example, id: index + 1, label: `Truck ${index}` }));
    const { page, problems, close } = await fleet.open("/settings", account);
    await page.route("**/api-v2/tracker/list", (route) => route.fulfill({ json: { success: true, list } }));
    await page.getByRole("link", { name: "Trackers" }).click();
    await page.getByText("Entries: 10,000").waitFor();
    expect(await page.getByRole("table", { name: "Trackers" }).getByRole("row").count()).toBeLessThan(60);
    await page.getByRole("searchbox", { name: "Search in this list" }).fill("9999");
    await page.getByText("Entries: 1 of 10,000").waitFor();
    await page.getByRole("button", { name: "Clear the search" }).click();
    await page.getByRole("link", { name: "Truck 0" }).focus();
    for (let presses = 0; presses < 30; presses++) await page.keyboard.press("ArrowDown");
    await page.getByRole("link", { name: "Truck 30" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("an account without trackers learns what to do next", async () => {
    const empty = await fleet.newAccount();
    const { page, problems, close } = await fleet.open("/trackers", empty);
    await page.getByRole("heading", { name: "No trackers yet" }).waitFor();
    await inspectPage(page, "trackers-empty");
    expect(problems).toEqual([]);
    await close();
  });

  /** An account with a tracker that moves, one that has sent nothing, and names of other scripts and lengths. */
  async function newFleet() {
    const account = await fleet.newAccount();
    const device_id = newImei();
    for (const label of [
      "Van 2",
      "شاحنة الرياض",
      "北京卡车",
      "A very long name of sixty characters for one single tracker!",
    ])
      await account.newTracker({ label });
    const { id } = await account.newTracker({ label: "Van 10", device_id });
    const now = systemNow();
    const points = Array.from({ length: 40 }, (_, index) => {
      const time = now - (40 - index) * 15_000;
      return { time, lat: 48.1 + index / 500, lng: 11.5, speed: 50, heading: 0, satellites: 9 };
    });
    await fleet.feed(device_id, points);
    await waitUntil("the tracker moves", async () => {
      const { state } = await account.must("/tracker/get_state", { tracker_id: id });
      return state.movement_status === "moving";
    });
    return account;
  }
});
