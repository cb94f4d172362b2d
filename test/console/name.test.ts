import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../tool/console/browser.ts";
import { expectAccessible } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";

const PHONE = { width: 360, height: 720 };
/** 255 characters without a place to break them. */
const UNBROKEN_NAME = "W".repeat(255);
const ARABIC = "مستودع الشحن 12";
const NAMES = [ARABIC, "上海第三仓库", UNBROKEN_NAME];

describe.skipIf(!hasBrowser)("names on the pages of the console", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("Arabic, Chinese and unbroken names of 255 characters leave each page as wide as the screen of a phone", async () => {
    const account = await fleet.newAccount();
    const { id: tracker_id } = await account.newTracker({ label: UNBROKEN_NAME.slice(0, 60) });
    for (const label of NAMES) {
      await account.newTracker({ label: label.slice(0, 60) });
      const location = { lat: 50, lng: 8, radius: 100 };
      await account.must("/place/create", { place: { label, location } });
      const zone = { type: "circle", label, center: { lat: 50, lng: 8 }, radius: 2000 };
      await account.must("/zone/create", { zone });
      await account.must("/tag/create", { tag: { name: label.slice(0, 60), color: "2E7D32" } });
      const rule = { type: "speedup", param: 90, primary_text: "Too fast", name: label.slice(0, 100) };
      await account.must("/tracker/rule/create", { rule });
    }
    const { page, problems, close } = await fleet.open("/trackers", account);
    await page.setViewportSize(PHONE);
    for (const path of ["/trackers", "/zones", "/places", "/rules", "/", "/journeys"]) {
      await page.goto(fleet.system.origin + path);
      if (path !== "/journeys") await page.getByText(ARABIC).first().waitFor({ state: "attached" });
      await expectAccessible(page);
    }
    await page.goto(`${fleet.system.origin}/trackers/${tracker_id}`);
    await page.getByText(UNBROKEN_NAME.slice(0, 60)).first().waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await close();
  });
});
