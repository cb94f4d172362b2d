import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayOf } from "../../console/src/format/calendar.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import type { Account } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { waitUntil } from "../tool/wait.ts";

describe.skipIf(!hasBrowser)("the console's page of events", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("events are grouped by day and filtered by the address; one that is opened is read and stands on the map", async () => {
    const account = await fleet.newAccount();
    const { van, truck } = await addEvents(account);
    const { page, problems, close } = await fleet.open("/events", account);
    await page.getByText("Events: 4", { exact: true }).waitFor();
    await page.locator("[data-ready] canvas").waitFor();
    expect(await page.getByRole("list", { name: "Events" }).getByRole("heading").count()).toBe(3);
    await page.getByRole("img", { name: "Unread: 4" }).waitFor();
    await page.getByRole("button", { name: /Truck.*Left a zone/ }).click();
    const details = page.getByRole("region", { name: "Event", exact: true });
    await details.getByText("Dock Road 1").waitFor();
    await page.getByRole("img", { name: "Unread: 3" }).waitFor();
    await waitUntil("the event is read", async () => (await account.must("/history/unread/count")).count === 3);
    await inspectPage(page, "events", account);
    await details.getByRole("button", { name: "Close" }).click();
    await page.getByRole("searchbox", { name: "Search in the events" }).fill("gate");
    await page.getByText("Events: 2 of 4").waitFor();
    await page.getByText("Emergency", { exact: true }).click();
    await page.getByText("Events: 1", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?q=gate&emergency=1");
    const [{ id }] = (await account.must("/history/tracker/list", { trackers: [truck], ...WEEK })).list;
    // A link shows its event, whatever the filter of the list is.
    await page.goto(`${fleet.system.origin}/events?trackers=${van}&kinds=inzone&event=${id}`);
    await page.getByText("Events: 2", { exact: true }).waitFor();
    await details.getByText("Truck").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("arrow keys go through the events, and all of them are marked as read after a question", async () => {
    const account = await fleet.newAccount();
    await addEvents(account);
    const { page, problems, close } = await fleet.open("/events", account);
    await page.getByRole("button", { name: /SOS 0/ }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Event", exact: true }).getByText("Entered a zone").waitFor();
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Mark all as read" }).click();
    await page.getByRole("img", { name: /Unread/ }).waitFor({ state: "detached" });
    expect((await account.must("/history/unread/count")).count).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test("events stand in a table as well, and its address reproduces search, order, columns and the opened event", async () => {
    const account = await fleet.newAccount();
    await addEvents(account);
    const { page, problems, close } = await fleet.open("/events", account);
    await page.getByText("Table", { exact: true }).click();
    const table = page.getByRole("table", { name: "Events" });
    const times = () => table.getByRole("cell").getByRole("link").allTextContents();
    await table.getByText("SOS 0 at the gate").waitFor();
    const newestFirst = await times();
    expect(newestFirst).toHaveLength(4);
    await table.getByRole("button", { name: "Time" }).click();
    await waitUntil("the oldest event is first", times, (shown) => shown.join() === newestFirst.toReversed().join());
    await page.getByRole("searchbox", { name: "Search in this list" }).fill("gate");
    await page.getByText("Entries: 2 of 4").waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Emergency" }).click();
    await page.keyboard.press("Escape");
    await table.getByRole("columnheader", { name: "Emergency" }).waitFor();
    await table.getByRole("row").last().getByRole("link").click();
    const details = page.getByRole("region", { name: "Event", exact: true });
    await details.getByText("SOS 0 at the gate").waitFor();
    await inspectPage(page, "events-table", account);
    const { search } = new URL(page.url());
    expect(search).toMatch(/^\?view=table&sort=time&q=gate&columns=time%2C.*emergency&event=\d+$/);
    await page.goto(`${fleet.system.origin}/events${search}`);
    await page.getByText("Entries: 2 of 4").waitFor();
    expect(await table.getByRole("row").last().getByRole("cell").allTextContents()).toContain("yes");
    await details.getByRole("button", { name: "Close" }).click();
    await details.waitFor({ state: "hidden" });
    expect(problems).toEqual([]);
    await close();
  });

  /** Four events of two trackers on three days, the newest one an emergency. */
  async function addEvents(account: Account) {
    const { id: account_id } = account;
    const [{ id: van }, { id: truck }] = [
      await account.newTracker({ label: "Van" }),
      await account.newTracker({ label: "Truck" }),
    ];
    const day = (age: number) => Date.parse(`${dayOf(systemNow() - age * DAY_MS, "Europe/Berlin")}T00:30:00Z`);
    const place = { location: { lat: 48.1, lng: 11.5 }, address: "Dock Road 1" };
    const events = [
      {
        tracker_id: van,
        event: "sos" as const,
        time: day(1),
        message: "SOS 0 at the gate",
        extra: { emergency: true },
      },
      { tracker_id: van, event: "inzone" as const, time: day(2), message: "Arrived at the gate" },
      { tracker_id: truck, event: "outzone" as const, time: day(2) - 1000, message: "Left" },
      { tracker_id: van, event: "inzone" as const, time: day(3), message: "Arrived" },
    ];
    await fleet.system.storeEvents(events.map((one) => ({ event_id: randomUUID(), account_id, ...place, ...one })));
    return { van, truck };
  }
});

const WEEK = {
  from: new Date(systemNow() - 6 * DAY_MS).toISOString().slice(0, 19).replace("T", " "),
  to: new Date(systemNow()).toISOString().slice(0, 19).replace("T", " "),
};
