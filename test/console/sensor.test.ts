import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { newImei } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage, takeScreenshot } from "../tool/console/console-page.ts";
import { type ConsolePage, type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";

type Page = ConsolePage["page"];

describe.skipIf(!hasBrowser)("the console's card about sensors", () => {
  let fleet: ConsoleSystem;
  beforeAll(async () => {
    fleet = await startConsoleSystem();
  });
  afterAll(() => fleet?.stop());

  test("a calibration curve is pasted, corrected by the keyboard, shown as a graph with the present value, and saved", async () => {
    const { account, tracker_id, send } = await newTracker();
    const sensor = { type: "metering", sensor_type: "fuel", name: "Tank", input_name: "lls_level_1", divider: 10 };
    const { id: sensor_id } = await account.must("/tracker/sensor/create", {
      tracker_id,
      sensor: { ...sensor, units: "l" },
    });
    await send({ lls_level_1: 450 });
    const { page, problems, close } = await fleet.open(`/trackers/${tracker_id}`, account);
    await page.getByRole("button", { name: "Calibration curve of Tank" }).click();
    const card = page.getByRole("region", { name: "Calibration curve of Tank" });
    await card.getByText("450 ÷ 10 = 45 → 45 l").waitFor();
    await card.getByRole("textbox", { name: "Value of the device in row 1" }).focus();
    await paste(page, "Level\tLiters\n0\t5\n30\t60\n30\t70\n100");
    await card.getByText("Row 2 has the same value already.").waitFor();
    await card.getByText("One of the two values is missing.").waitFor();
    await card.getByText("Rows to correct: 2.", { exact: false }).waitFor();
    await inspectPage(page, "calibration-faults");
    for (const key of ["ArrowDown", "ArrowDown", "6", "0", "Tab", "8", "0", "Enter"]) await page.keyboard.press(key);
    await page.keyboard.type("120");
    await card.getByText("450 ÷ 10 = 45 → 70 l").waitFor();
    await send({ lls_level_1: 300 });
    await card.getByText("300 ÷ 10 = 30 → 60 l").waitFor();
    await card.getByRole("img", { name: "Graph of the curve with 4 rows" }).waitFor();
    await inspectPage(page, "calibration", account);
    await card.getByRole("button", { name: "Save the curve" }).click();
    await page.getByRole("region", { name: "Sensors and inputs" }).getByText("Tank").waitFor();
    expect((await account.must("/tracker/sensor/calibration_data/read", { tracker_id, sensor_id })).value).toEqual([
      { in: 0, out: 5 },
      { in: 30, out: 60 },
      { in: 60, out: 80 },
      { in: 100, out: 120 },
    ]);
    expect(problems).toEqual([]);
    await close();
  });

  test("calculated and combined sensors show what they make of the last value, and each kind can be made and changed", async () => {
    const { account, tracker_id, send } = await newTracker();
    await send({ lls_level_1: 40, lls_level_2: 20, board_voltage: 13.4, mode: "b" });
    const { page, problems, close } = await fleet.open(`/trackers/${tracker_id}`, account);
    const card = page.getByRole("region", { name: "Sensors and inputs" });
    const begin = async (kind: string, name: string, attribute?: string) => {
      await card.getByRole("button", { name: "New sensor" }).click();
      await pick(page, "Kind of sensor", kind);
      await card.getByRole("textbox", { name: "Name", exact: true }).fill(name);
      if (!attribute) return;
      const field = card.getByRole("combobox", { name: "Attribute of the device" });
      await field.fill(attribute);
      // The list of attributes covers what is below the field until the focus is elsewhere.
      await field.press("Tab");
    };
    const save = async (name: string) => {
      await card.getByRole("button", { name: "Save" }).click();
      await card.getByRole("button", { name: `Change ${name}` }).waitFor();
    };
    for (const number of [1, 2]) {
      await begin("Measured value", `Tank ${number}`, `lls_level_${number}`);
      await save(`Tank ${number}`);
    }
    await begin("Combined from sensors", "Both tanks");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("Choose at least one sensor.").waitFor();
    await pick(page, "Sensors", "Tank 1", "Tank 2");
    await page.keyboard.press("Escape");
    await card.getByText("40 + 20 = 60").waitFor();
    await save("Both tanks");
    await begin("Calculated value", "Engine", "board_voltage");
    await pick(page, "Meaning", "Ignition");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("Give at least one end of the range.").waitFor();
    await card.getByRole("textbox", { name: "From" }).fill("13.2");
    await card.getByRole("textbox", { name: "Name for “within the range”" }).fill("Running");
    await card.getByText("13.4 → within the range → “Running”").waitFor();
    await inspectPage(page, "sensor-calculated", account);
    await save("Engine");
    await begin("Calculated value", "Mode", "mode");
    await pick(page, "Calculation", "The value itself");
    await card.getByRole("button", { name: "Add a name" }).click();
    await card.getByRole("textbox", { name: "Value 1", exact: true }).fill("b");
    await card.getByRole("textbox", { name: "Name of value 1" }).fill("Loading");
    await card.getByText("b → “Loading”").waitFor();
    await save("Mode");
    await begin("Measured value", "Third tank", "lls_level_1");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("Another sensor of this tracker reads it already.").waitFor();
    await card.getByRole("button", { name: "Cancel" }).click();
    await card.getByRole("button", { name: "Change Engine" }).click();
    await pick(page, "Calculation", "Is a bit set?");
    await card.getByRole("textbox", { name: "Number of the bit" }).fill("2");
    await card.getByText("13.4 → the bit is not set → “0”").waitFor();
    await save("Engine");
    await takeScreenshot(page, "sensors-light-en");
    const { list } = await account.must("/tracker/sensor/list", { tracker_id });
    const [tank, other] = list;
    expect(list.slice(2)).toMatchObject([
      {
        name: "Both tanks",
        input_name: "composite",
        group_type: "sum",
        parameters: { parent_ids: [tank.id, other.id] },
      },
      {
        ...{ type: "virtual", sensor_type: "virtual_ignition", input_name: "board_voltage" },
        parameters: {
          calc_method: "bit_index",
          bit_index: 2,
          range_from: null,
          value_titles: [{ value: "1", title: "Running" }],
        },
      },
      { type: "virtual", sensor_type: "state", parameters: { value_titles: [{ value: "b", title: "Loading" }] } },
    ]);
    expect(problems).toEqual([]);
    await close();
  });

  /** A tracker whose device sends points with attributes. */
  async function newTracker() {
    const account = await fleet.newAccount();
    const device_id = newImei();
    const { id: tracker_id } = await account.newTracker({ label: "Van 10", device_id });
    const send = (attributes: Record<string, number | string>) =>
      fleet.feed(device_id, [{ time: systemNow(), lat: 48.1, lng: 11.5, attributes }]);
    return { account, tracker_id, send };
  }
});

/** Chooses options of a select by their names. */
async function pick(page: Page, label: string, ...options: string[]) {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  for (const name of options) await page.getByRole("option", { name, exact: true }).click();
}

/** Pastes a text into the focused element, as from another program. */
async function paste(page: Page, text: string) {
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }`);
}
