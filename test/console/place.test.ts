import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";

describe.skipIf(!hasBrowser)("the console's pages about places", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("a place is put on the map, gets its radius and a field of the account, and is changed and deleted", async () => {
    const account = await fleet.newAccount();
    await account.must("/entity/fields/update", {
      entity_id: account.id,
      fields: [{ label: "Gate code", type: "text" }],
    });
    const { page, problems, close } = await fleet.open("/places", account);
    await page.getByRole("link", { name: "Create the first place" }).click();
    await page.locator("[data-ready] canvas").click({ position: { x: 300, y: 300 } });
    await page.getByRole("textbox", { name: "Latitude of 1" }).fill("48.1");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Longitude of 1" }).fill("11.5");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Radius" }).fill("250");
    await page.getByRole("textbox", { name: "Gate code" }).fill("4711");
    await page.getByRole("textbox", { name: "Name" }).fill("Hospital");
    await page.locator("[data-idle]").waitFor();
    await inspectPage(page, "place-new");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Hospital" }).waitFor();
    const { list } = await account.must("/place/list");
    expect(list).toMatchObject([{ label: "Hospital", location: { lat: 48.1, lng: 11.5, radius: 250 } }]);
    expect(Object.values(list[0].fields)).toEqual([{ type: "text", value: "4711" }]);
    await page.locator("[data-idle]").waitFor();
    await inspectPage(page, "places", account);
    await page.getByRole("link", { name: "Hospital" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No places yet" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("rows of a spreadsheet are checked, wrong ones are corrected in the page, and all become places with tags", async () => {
    const account = await fleet.newAccount();
    const { page, problems, close } = await fleet.open("/places/import", account);
    const rows = ["Name;Breite;Länge;Tags;Farbe", "Shop;48.1;11.5;Key;red", "Yard;98;11.6;;blue", ";48.2;11.7;Key;"];
    const buffer = Buffer.from(rows.join("\n"));
    await page.getByLabel("File").setInputFiles({ name: "places.csv", mimeType: "text/csv", buffer });
    await page.getByRole("combobox", { name: "Meaning of column Farbe" }).selectOption("Description");
    await inspectPage(page, "place-import-columns");
    await page.getByRole("button", { name: "Check the rows" }).click();
    await page.getByText("Rows that can be imported: 1 · Rows with errors: 2").waitFor();
    await page.getByText("The latitude is no number between -90 and 90.").waitFor();
    await page.getByRole("textbox", { name: "Latitude of row 3" }).fill("48.3");
    await page.getByRole("textbox", { name: "Name of row 4" }).fill("Kiosk");
    await page.locator("[data-idle]").waitFor();
    await inspectPage(page, "place-import");
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("Rows that can be imported: 3", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Import 3" }).click();
    await page.getByRole("link", { name: "Kiosk" }).waitFor();
    const { list } = await account.must("/place/list", { order_by: "label" });
    expect(list).toMatchObject([
      { label: "Kiosk", tags: [expect.any(Number)] },
      { label: "Shop", description: "red", tags: [expect.any(Number)] },
      { label: "Yard", description: "blue", location: { lat: 48.3, lng: 11.6, radius: 100 } },
    ]);
    expect(problems).toEqual([]);
    await close();
  });
});
