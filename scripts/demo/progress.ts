import { randomBytes, randomInt } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import type { Login } from "../system/operator.ts";
import { VEHICLES } from "./drive/vehicles.ts";

/** The device id of a vehicle's tracker, and the tracker's id once it is registered. */
export type DemoDevice = { device_id: string; tracker_id?: number };

/** How far the demo has been made, and what later starts need to know of it. */
export type Progress = Login & {
  /** The local day whose drive the printed commands name. */
  day: string;
  tariff_id?: number;
  /** True once the first vehicle has driven on `day`. */
  replayed?: true;
  /** Devices by the keys of their vehicles. */
  devices: Record<string, DemoDevice>;
  /** True once everything is there that is made once. A thing that a user deletes afterwards stays deleted. */
  seeded?: true;
  /** Keys of the vehicles whose past days have been sent. */
  filled: string[];
  /** The local day whose tasks are made. */
  task_day?: string;
};

/** Demo data of releases whose demo was one tracker. */
type EarlierProgress = Partial<Progress> & { device_id?: string; tracker_id?: number };

export async function readProgress(file: string, day: string): Promise<Progress> {
  const { device_id, tracker_id, ...known }: EarlierProgress = await readFile(file, "utf8").then(
    JSON.parse,
    () => ({}),
  );
  const [first] = VEHICLES;
  const earlier = first && device_id ? { [first.key]: { device_id, tracker_id } } : {};
  const devices = Object.fromEntries(VEHICLES.map(({ key }) => [key, { device_id: newDeviceId() }]));
  return {
    login: "demo@example.com",
    // Satisfies every password policy.
    password: `${randomBytes(9).toString("base64url")}Aa1%`,
    day,
    filled: [],
    ...known,
    devices: { ...devices, ...earlier, ...known.devices },
  };
}

export async function saveProgress(file: string, progress: Progress) {
  await writeFile(`${file}.new`, JSON.stringify(progress, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Devices authenticate with this id, so it must not be guessable. */
function newDeviceId() {
  return `86${Array.from({ length: 13 }, () => randomInt(10)).join("")}`;
}
