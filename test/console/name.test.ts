import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../tool/console/browser.ts";
import { expectAccessible } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { waitUntil } from "../tool/wait.ts";

const PHONE = { width: 360, height: 720 };
/** 255 characters without a place to break them. */
const UNBROKEN_NAME = "W".repeat(255);
const ARABIC = "مستودع الشحن 12";
const NAMES = [ARABIC, "上海第三仓库", UNBROKEN_NAME];
/** The text of the page and of its fields. */
const TEXTS = `[document.body.innerText, ...[...document.querySelectorAll("input")].map(({ value }) => value)]`;

describe.skipIf(!hasBrowser)("names on the pages of the console", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("Arabic and Chinese names, and unbroken ones as long as they may be, leave each page as wide as the screen of a phone", async () => {
    const account = await fleet.newAccount();
    const opened: string[] = [];
    for (const label of NAMES) {
      const { id: tracker_id } = await account.newTracker({ label: label.slice(0, 60) });
      const location = { lat: 50, lng: 8, radius: 100 };
      const { id: place_id } = await account.must("/place/create", { place: { label, location } });
      const zone = { type: "circle", label, center: { lat: 50, lng: 8 }, radius: 2000 };
      const { id: zone_id } = await account.must("/zone/create", { zone });
      await account.must("/tag/create", { tag: { name: label.slice(0, 60), color: "2E7D32" } });
      const rule = { type: "speedup", param: 90, primary_text: "Too fast", name: label };
      const { id: rule_id } = await account.must("/tracker/rule/create", { rule });
      opened.push(
        ...[`/trackers/${tracker_id}`, `/journeys?trackers=${tracker_id}`],
        ...[`/zones/${zone_id}`, `/places/${place_id}`, `/rules/${rule_id}`],
      );
    }
    const { page, problems, close } = await fleet.open("/trackers", account);
    await page.setViewportSize(PHONE);
    for (const path of ["/trackers", "/zones", "/places", "/rules", "/", ...opened]) {
      await page.goto(fleet.system.origin + path);
      await waitUntil(`a name is on ${path}`, async () => {
        const texts = await page.evaluate<string[]>(TEXTS);
        return NAMES.some((name) => texts.some((text) => text.includes(name.slice(0, 60))));
      });
      await expectAccessible(page);
    }
    expect(problems).toEqual([]);
    await close();
  });
});
