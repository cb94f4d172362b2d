import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newDataFolder } from "#test/tool/system/data-folder.ts";
import { VEHICLES } from "./drive/vehicles.ts";
import { readProgress, saveProgress } from "./progress.ts";

test("readProgress keeps devices and password from start to start, and the tracker of a demo with one vehicle", async () => {
  const folder = await newDataFolder("progress");
  const file = join(folder, "demo.json");
  const earlier = { login: "demo@example.com", password: "Aa1%", device_id: "860000000000001", tracker_id: 7 };
  await writeFile(file, JSON.stringify({ ...earlier, day: "2026-01-01", replayed: true }));
  const progress = await readProgress(file, "2026-03-01");
  expect(progress).toMatchObject({ password: "Aa1%", day: "2026-01-01", replayed: true, filled: [] });
  expect(progress.devices["van-1"]).toEqual({ device_id: "860000000000001", tracker_id: 7 });
  expect(new Set(Object.values(progress.devices).map(({ device_id }) => device_id)).size).toBe(VEHICLES.length);
  await saveProgress(file, progress);
  expect(await readProgress(file, "2026-03-02")).toEqual(progress);
  await rm(folder, { recursive: true });
});
