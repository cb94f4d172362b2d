import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, newImei } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage } from "../tool/console/console-page.ts";
import { type ConsolePage, type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { waitUntil } from "../tool/wait.ts";

const HOUR_MS = 3_600_000;
/** The trips begin two days ago, so that they are over whatever the time of day is. */
const START = Math.floor(systemNow() / 60_000) * 60_000 - 48 * HOUR_MS;

describe.skipIf(!hasBrowser)("the console's page of journeys", () => {
  let fleet: ConsoleSystem;
  let account: Account;
  let [van, truck]: number[] = [];
  beforeAll(async () => {
    fleet = await startConsoleSystem();
    account = await newFleet();
  });
  afterAll(() => fleet?.stop());

  test("a vehicle's trips and stays are listed, and a press shows the moment that timeline, slider and vehicle share", async () => {
    const { page, problems, close } = await fleet.open("/journeys", account);
    await page.getByRole("heading", { name: "Choose a vehicle" }).waitFor();
    await page.getByRole("combobox", { name: "Vehicles" }).fill("van");
    await page.getByRole("option", { name: "Van 10" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Period: Today" }).click();
    await page.getByRole("menuitem", { name: "Last 7 days" }).click();
    await page.getByText(/^Trips: 2 · /).waitFor();
    await page.locator("[data-ready] canvas").waitFor();
    await page.getByRole("img", { name: /^Speed over time/ }).waitFor();
    const timeline = page.getByRole("list", { name: "Timeline" });
    await timeline.getByRole("button", { name: /Check-in: Parcel delivered/ }).waitFor();
    const [first, second] = await timeline.getByRole("button", { name: /^Trip/ }).all();
    await first?.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await timeline.getByRole("button", { name: /^Stay/ }).and(page.locator("[aria-current]")).waitFor();
    await page.getByRole("listitem").getByText("Parked", { exact: true }).waitFor();
    await second?.click();
    await slider(page).press("ArrowRight");
    await page
      .getByRole("listitem")
      .getByText(/^\d+ km\/h$/)
      .waitFor();
    await inspectPage(page, "journeys", account);
    const { search } = new URL(page.url());
    expect(search).toMatch(/\?trackers=\d+&from=.*&to=.*&at=/);
    const shown = await slider(page).inputValue();
    await page.goto(`${fleet.system.origin}/journeys${search}`);
    await waitUntil(
      "the link shows the same moment",
      () => slider(page).inputValue(),
      (value) => value === shown,
    );
    expect(problems).toEqual([]);
    await close();
  });

  test("a replay of two vehicles runs to its end at the chosen pace, follows one, and is downloaded", async () => {
    const lastMinutes = new Date(START + 4.35 * HOUR_MS).toISOString();
    const path = `/journeys?trackers=${van},${truck}&${days()}&rate=300&at=${lastMinutes}`;
    const { page, problems, close } = await fleet.open(path, account);
    await page.getByRole("button", { name: "Follow Truck 4" }).click();
    await page.getByText("by vehicle", { exact: true }).click();
    await page.getByRole("button", { name: "Play" }).click();
    const end = Number(await slider(page).getAttribute("max"));
    await waitUntil("the replay is over", async () => Number(await slider(page).inputValue()) > end - 20_000);
    await page.getByRole("button", { name: "Play" }).waitFor();
    await waitUntil(
      "the address has everything",
      () => new URL(page.url()).search,
      (search) => [`follow=${truck}`, "color=vehicle", "rate=300", "at="].every((part) => search.includes(part)),
    );
    const save = async (format: string) => {
      await page.getByRole("button", { name: "Download the track of Truck 4" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: format, exact: true }).click(),
      ]);
      return { name: download.suggestedFilename(), content: await text(await download.createReadStream()) };
    };
    const { content, name } = await save("GeoJSON");
    expect(name).toMatch(/^Truck 4 .*\.geojson$/);
    expect(JSON.parse(content).features).toMatchObject([{ geometry: { type: "MultiLineString" } }]);
    expect((await save("KML")).content).toContain("<kml");
    expect((await save("KMZ")).content).toMatch(/^PK/);
    expect(problems).toEqual([]);
    await close();
  });

  test("the whole fleet is shown at a past moment, and from there the journeys of an object on that day", async () => {
    const time = new Date(START + 20 * 60_000).toISOString();
    const { page, problems, close } = await fleet.open(`/journeys?view=fleet&time=${time}`, account);
    await page.getByRole("button", { name: /^Moving 1/ }).waitFor();
    await page.getByRole("button", { name: /^Parked 1/ }).waitFor();
    await page.getByRole("treeitem", { name: /Van 10/ }).click();
    const details = page.getByRole("complementary", { name: "Van 10" });
    await details.getByText(/^\d+ km\/h$/).waitFor();
    await inspectPage(page, "journeys-fleet", account);
    await page.getByRole("button", { name: "Later by 1 hr" }).click();
    await page.getByRole("button", { name: /^Parked 2/ }).waitFor();
    await details.getByRole("link", { name: "Journeys of this day" }).click();
    await page.getByText(/^Trips: \d · /).waitFor();
    await page.goto(`${fleet.system.origin}/trackers/${van}?${days()}`);
    await page.getByRole("link", { name: "On the map" }).click();
    await page.getByText(/^Trips: 2 · /).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  /** A van with two trips, a stay between them and a check-in, and a truck with one later trip. */
  async function newFleet() {
    const made = await fleet.newAccount();
    const devices = [newImei(), newImei()];
    const [one, two] = await Promise.all([
      made.newTracker({ label: "Van 10", device_id: devices[0] ?? "" }),
      made.newTracker({ label: "Truck 4", device_id: devices[1] ?? "" }),
    ]);
    [van, truck] = [one.id, two.id];
    await fleet.feed(devices[0] ?? "", [...drive(0, 48.1), ...drive(2, 48.3)]);
    await fleet.feed(devices[1] ?? "", [point(-1, 48.2, 0), ...drive(4, 48.2)]);
    await made.must("/checkin/create", {
      tracker_id: van,
      location: { lat: 48.3, lng: 11.5 },
      comment: "Parcel delivered",
    });
    await waitUntil("the trips are there", async () => {
      const { list } = await made.must("/track/list", { tracker_id: van, from: local(-2), to: local(8) });
      return list.length === 2;
    });
    return made;
  }
});

/** Half an hour of driving to the north that begins at an hour after the start, and then a stay. */
function drive(hour: number, lat: number) {
  const moving = Array.from({ length: 61 }, (_, step) => point(hour + step / 120, lat + step / 300, 48));
  return [...moving, point(hour + 0.6, lat + 0.2, 0), point(hour + 1.5, lat + 0.2, 0)];
}

function point(hour: number, lat: number, speed: number) {
  return { time: START + hour * HOUR_MS, lat, lng: 11.5, speed, heading: 0, satellites: 9 };
}

function slider(page: ConsolePage["page"]) {
  return page.getByRole("slider", { name: "Moment that is shown" });
}

/** A period of the address that has all trips in every time zone. */
function days() {
  const day = (hour: number) => local(hour).slice(0, 10);
  return `from=${day(-24)}&to=${day(32)}`;
}

function local(hour: number) {
  return new Date(START + hour * HOUR_MS).toISOString().slice(0, 19).replace("T", " ");
}
