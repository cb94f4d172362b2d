import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, newImei } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage, takeScreenshot } from "../tool/console/console-page.ts";
import { type ConsolePage, type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { waitUntil } from "../tool/wait.ts";

type Page = ConsolePage["page"];

describe.skipIf(!hasBrowser)("the console's live map", () => {
  let fleet: ConsoleSystem;
  let account: Account;
  const imei = newImei();
  beforeAll(async () => {
    fleet = await startConsoleSystem();
    account = await newFleet();
  });
  afterAll(() => fleet?.stop());

  test("six calls open the map; states filter the list, and the search finds every column", async () => {
    const { page, problems, close } = await fleet.open("/settings", account);
    await page
      .getByText(/Chrome|node/)
      .first()
      .waitFor();
    const calls: string[] = [];
    page.on("request", (request) => {
      if (/\/api-v2\//.test(request.url())) calls.push(new URL(request.url()).pathname);
    });
    await page.goto(`${fleet.system.origin}/`);
    await page.getByText("Live", { exact: true }).waitFor();
    await row(page, "Van 10")
      .getByText(/\d km\/h/)
      .waitFor();
    await page.locator("[data-ready] canvas").waitFor();
    await takeScreenshot(page, "map-fleet-light-en");
    expect(calls.length, calls.join()).toBeLessThanOrEqual(6);
    await page.getByRole("button", { name: /^Moving/ }).click();
    await page.getByText("Trackers: 1 of 4").waitFor();
    expect(new URL(page.url()).search).toBe("?status=moving");
    await page.getByRole("button", { name: /^Moving/ }).click();
    await page.getByRole("searchbox", { name: "Search" }).fill("north");
    await page.getByText("Trackers: 2 of 4").waitFor();
    await page.getByRole("button", { name: "Clear the search" }).click();
    await page.getByRole("treeitem", { name: /^North/ }).click();
    await row(page, "Shop 1").waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Shop 1" }).getByText("No driver is assigned.").waitFor();
    await inspectPage(page, "map", account);
    await page.keyboard.press("Escape");
    expect(problems).toEqual([]);
    await close();
  });

  test("an object moves with its points, also with those that arrive while the socket is cut", async () => {
    const { page, problems, close } = await fleet.open("/settings", account);
    let isCut = false;
    const cuts: (() => void)[] = [];
    await page.routeWebSocket(/event\/subscription/, (socket) => {
      if (isCut) return void socket.close();
      socket.connectToServer();
      cuts.push(() => socket.close());
    });
    await page.goto(`${fleet.system.origin}/`);
    // The first states add filters above the rows, which move them.
    await row(page, "Van 10").getByText(/ · /).waitFor();
    await row(page, "Van 10").click();
    const details = page.getByRole("complementary", { name: "Van 10" });
    await details.getByRole("button", { name: "Follow" }).click();
    await fleet.feed(imei, [{ ...point(), lat: 48.3, speed: 61 }]);
    await details.getByText(/61 km\/h/).waitFor();
    await row(page, "Van 10")
      .getByText(/61 km\/h/)
      .waitFor();
    isCut = true;
    for (const cut of cuts) cut();
    await page.getByText("Interrupted", { exact: true }).waitFor();
    await takeScreenshot(page, "map-interrupted-light-en");
    await fleet.feed(imei, [{ ...point(), lat: 48.4, speed: 72 }]);
    isCut = false;
    await page.getByText("Live", { exact: true }).waitFor();
    await details.getByText(/72 km\/h/).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a cluster that no zoom separates opens as a list of its members", async () => {
    const { list } = await account.must("/tracker/list", { labels: ["Shop 1"] });
    const { page, problems, close } = await fleet.open(`/?object=${list[0].id}`, account);
    const map = page.locator("[data-ready] canvas");
    await waitUntil("the list has the members of the cluster in the middle", async () => {
      await map.click({ timeout: 1_000 });
      return page.getByText("At this place: 2").isVisible();
    });
    await page.getByRole("button", { name: "Close the details" }).click();
    expect(await page.getByRole("treeitem", { level: 2 }).count()).toBe(2);
    await page.getByRole("button", { name: "Show all again" }).click();
    await page.getByText("Trackers: 4", { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("an account without trackers sees what to do next instead of the map", async () => {
    const empty = await fleet.newAccount();
    const { page, problems, close } = await fleet.open("/", empty);
    await page.getByRole("heading", { name: "No trackers yet" }).waitFor();
    await inspectPage(page, "map-empty");
    expect(problems).toEqual([]);
    await close();
  });

  /** Four trackers: one moves, two stand at the same place in a group, one has sent nothing. */
  async function newFleet() {
    const made = await fleet.newAccount();
    const { id: group } = await made.must("/tracker/group/create", { title: "North", color: "1E96DC" });
    const shops = [newImei(), newImei()];
    const trackers = await Promise.all([
      made.newTracker({ label: "Van 10", device_id: imei }),
      made.newTracker({ label: "شاحنة الرياض" }),
      made.newTracker({ label: "Shop 1", device_id: shops[0] ?? "" }),
      made.newTracker({ label: "Shop 2", device_id: shops[1] ?? "" }),
    ]);
    await made.must("/tracker/group/assign", { id: group, trackers: trackers.slice(2).map(({ id }) => id) });
    for (const shop of shops) await fleet.feed(shop, [{ ...point(), lat: 48.2, lng: 11.9 }]);
    await fleet.feed(
      imei,
      Array.from({ length: 20 }, (_, age) => ({ ...point(20 - age), lat: 48.1 + age / 500, speed: 50 })),
    );
    await waitUntil("the van moves", async () => {
      const { state } = await made.must("/tracker/get_state", { tracker_id: trackers[0].id });
      return state.movement_status === "moving";
    });
    return made;
  }
});

/** A point of now, or of `age` steps ago. */
function point(age = 0) {
  return { time: systemNow() - age * 15_000, lat: 48.1, lng: 11.5, speed: 0, heading: 30, satellites: 9 };
}

function row(page: Page, label: string) {
  return page.getByRole("treeitem", { name: new RegExp(label) });
}
