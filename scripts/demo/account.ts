import { randomInt } from "node:crypto";
import { FEATURES } from "#shared/contract/tracker/tariff.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { FleetClient } from "../../clients/typescript/src/client.ts";
import type { Login } from "../system/operator.ts";
import { codeOf } from "./client.ts";
import { registerTracker } from "./content/trackers.ts";
import { Circuit, dayOf, localTime, ZONE } from "./drive/circuit.ts";
import { readDrives } from "./drive/drives.ts";
import { pointSender, toPoint } from "./drive/send-points.ts";
import { VEHICLES } from "./drive/vehicles.ts";
import { type Progress, readProgress, saveProgress } from "./progress.ts";

/** Makes the demo account once, with yesterday's drive of its first vehicle; answers the lines that say how to use it. */
export async function openDemoAccount(baseUrl: string, file: string, now: number, operator?: Login) {
  const progress = await readProgress(file, dayOf(now - DAY_MS));
  if (!progress.replayed) await provision(baseUrl, progress, file, now, operator);
  const { login, password } = progress;
  const { hash } = await new FleetClient({ baseUrl }).call("/user/auth", { login, password });
  return { progress, lines: printedLines(baseUrl, progress, hash) };
}

/** The login of the demo account, chosen before the account exists. */
export async function prepareDemoLogin(file: string, now: number): Promise<Login> {
  const progress = await readProgress(file, dayOf(now - DAY_MS));
  await saveProgress(file, progress);
  return { login: progress.login, password: progress.password };
}

function printedLines(baseUrl: string, { login, password, day, devices }: Progress, hash: string): string[] {
  const json = "-H 'Content-Type: application/json'";
  const tracker_id = VEHICLES[0] && devices[VEHICLES[0].key]?.tracker_id;
  const range = { hash, tracker_id, from: `${day} 00:00:00`, to: `${day} 23:59:59` };
  return [
    `base url   ${baseUrl}`,
    `demo       ${login} / ${password}   hash ${hash}`,
    "log in, list the tracks of a drive through Munich, download them for a map:",
    `  curl -s ${baseUrl}/user/auth ${json} -d '${JSON.stringify({ login, password })}'`,
    `  curl -s ${baseUrl}/track/list ${json} -d '${JSON.stringify(range)}'`,
    `  curl -s -o drive.kml ${baseUrl}/track/download ${json} -d '${JSON.stringify({ ...range, format: "kml" })}'`,
  ];
}

async function provision(baseUrl: string, progress: Progress, file: string, now: number, operator?: Login) {
  const [vehicle] = VEHICLES;
  const device = vehicle && progress.devices[vehicle.key];
  if (!device) throw new Error("The demo fleet has no vehicle.");
  await saveProgress(file, progress);
  if (!device.tracker_id) {
    if (!operator) throw new Error("set OPERATOR_PASSWORD, which only the first start knew.");
    await createUser(baseUrl, progress, file, operator);
    const { login, password } = progress;
    const client = new FleetClient({ baseUrl, credentials: { login, password } });
    device.tracker_id = await registerTracker(client, vehicle, device);
    await saveProgress(file, progress);
  }
  const circuit = new Circuit(vehicle, await readDrives());
  const [start, end] = [localTime(progress.day, "00:00:00"), localTime(progress.day, "23:59:59")];
  const points = Array.from(circuit.workedPointsBetween(start, end, now), (motion) => toPoint(vehicle, motion));
  await pointSender(baseUrl)(device.device_id, points);
  progress.replayed = true;
  await saveProgress(file, progress);
}

async function createUser(baseUrl: string, progress: Progress, file: string, operator: Login) {
  const client = new FleetClient({ baseUrl });
  const { hash } = await client.call("/panel/account/auth", operator);
  const panel = new FleetClient({ baseUrl, credentials: { hash } });
  progress.tariff_id ??= await createTariff(panel);
  await saveProgress(file, progress);
  const { login, password, tariff_id } = progress;
  const user = {
    login,
    activated: true,
    first_name: "Demo",
    last_name: "Dispatcher",
    legal_type: "individual" as const,
  };
  const account = { user, password, time_zone: ZONE, locale: "en_US", default_tariff_id: tariff_id };
  // Login already in use: made by a start that was interrupted before it could note so.
  await panel.call("/panel/user/create", account).catch(ignoreCode(206));
}

async function createTariff(panel: FleetClient) {
  const create = async (name: string) => (await panel.call("/panel/tariff/create", { tariff: { ...TARIFF, name } })).id;
  return create(TARIFF.name).catch((thrown) => {
    if (codeOf(thrown) !== NAME_IN_USE) throw thrown;
    // A start that was interrupted may have made it: then nobody uses it.
    return create(`${TARIFF.name} ${randomInt(1_000_000)}`);
  });
}
const NAME_IN_USE = 244;

function ignoreCode(code: number) {
  return (thrown: unknown) => {
    if (codeOf(thrown) !== code) throw thrown;
  };
}

const TARIFF = {
  name: "Demo",
  type: "monthly" as const,
  price: 0,
  device_type: "tracker" as const,
  device_limit: 1000,
  has_reports: true,
  // The fleet drives as long as the system runs: without an end its points would fill the disk.
  store_period: "3m",
  features: [...FEATURES],
};
