import { randomBytes, randomInt } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FEATURES } from "#shared/contract/tracker/tariff.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { ROOT } from "../workers.ts";
import type { Login } from "./operator.ts";

type Demo = Login & { device_id: string; day: string; tariff_id?: number; tracker_id?: number; replayed?: true };
type Answer = { success: boolean; status?: { code: number; description: string } } & Record<string, unknown>;

type Call = (path: string, body: object, expectedCode?: number) => Promise<Answer>;

/** Makes the demo account once, as any caller would, and tells how to use it; `file` remembers how far it got. */
export async function demoDrive(baseUrl: string, file: string, now: number, operator?: Login): Promise<string[]> {
  const call = callsTo(baseUrl);
  const demo = await readDemo(file, now);
  if (!demo.replayed) await provision(call, demo, file, operator);
  const { hash } = await call("/user/auth", { login: demo.login, password: demo.password });

  const json = "-H 'Content-Type: application/json'";
  const login = JSON.stringify({ login: demo.login, password: demo.password });
  const range = { hash, tracker_id: demo.tracker_id, from: `${demo.day} 00:00:00`, to: `${demo.day} 23:59:59` };
  return [
    `base url   ${baseUrl}`,
    `demo       ${demo.login} / ${demo.password}   hash ${hash}`,
    "log in, list the tracks of a drive through Munich, download them for a map:",
    `  curl -s ${baseUrl}/user/auth ${json} -d '${login}'`,
    `  curl -s ${baseUrl}/track/list ${json} -d '${JSON.stringify(range)}'`,
    `  curl -s -o drive.kml ${baseUrl}/track/download ${json} -d '${JSON.stringify({ ...range, format: "kml" })}'`,
  ];
}

/** The login of the demo account, chosen before the account exists: the gateway offers it to the console. */
export async function prepareDemoLogin(file: string, now: number): Promise<Login> {
  const demo = await readDemo(file, now);
  await saveDemo(file, demo);
  return { login: demo.login, password: demo.password };
}

async function provision(call: Call, demo: Demo, file: string, operator: Login | undefined) {
  const save = () => saveDemo(file, demo);
  await save();
  if (!demo.tracker_id) {
    if (!operator) throw new Error("set OPERATOR_PASSWORD, which only the first start knew.");
    const { hash } = await call("/panel/account/auth", operator);
    demo.tariff_id ??= await createTariff(call, hash);
    await save();
    // Login already in use: made by a start that was interrupted before it could note so.
    await call("/panel/user/create", { hash, ...newUser(demo) }, 206);
    const { hash: userHash } = await call("/user/auth", { login: demo.login, password: demo.password });
    demo.tracker_id = await registerTracker(call, String(userHash), demo.device_id);
    await save();
  }
  await replay(call, demo);
  demo.replayed = true;
  await save();
}

async function createTariff(call: Call, hash: unknown) {
  const { success, id } = await call("/panel/tariff/create", { hash, tariff: TARIFF }, 244);
  if (success) return Number(id);
  // The name is taken, perhaps by a start that was interrupted: then by a tariff that nobody uses.
  const tariff = { ...TARIFF, name: `${TARIFF.name} ${randomInt(1_000_000)}` };
  return Number((await call("/panel/tariff/create", { hash, tariff })).id);
}

async function registerTracker(call: Call, hash: string, device_id: string) {
  const tracker = { label: "Demo van", group_id: 0, model: "generic_gps", plugin_id: 44, device_id };
  const { success, value } = await call("/tracker/register", { hash, ...tracker }, 224);
  if (success) return (value as { id: number }).id; // the contract's tracker object
  const { list } = await call("/tracker/list", { hash });
  return (list as { id: number }[])[0]?.id;
}

/** Yesterday at the hour at which it was recorded, a hundred points at a time as a device with a buffer would. */
async function replay(call: Call, { device_id, day }: Demo) {
  const points = (await recordedDrive()).map(({ time, ...place }, _, [first]) => {
    const shiftMs = Date.parse(day) - Math.floor(Number(first?.time) / DAY_MS) * DAY_MS;
    return { ...place, time: time + shiftMs };
  });
  for (let next = 0; next < points.length; next += 100) {
    await call("/ingest/points", { device_id, points: points.slice(next, next + 100) });
  }
}

function callsTo(baseUrl: string): Call {
  return async (path, body, expectedCode) => {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!text.startsWith("{")) throw new Error(`${path} answered ${response.status}.`);
    const answer: Answer = JSON.parse(text);
    if (answer.success || answer.status?.code === expectedCode) return answer;
    throw new Error(`${path} answered ${answer.status?.code}: ${answer.status?.description}.`);
  };
}

async function saveDemo(file: string, demo: Demo) {
  await writeFile(`${file}.new`, JSON.stringify(demo, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

const TARIFF = {
  name: "Demo",
  type: "monthly",
  price: 0,
  device_type: "tracker",
  device_limit: 1000,
  has_reports: true,
  store_period: "1y",
  features: FEATURES,
};

function newUser({ login, password, tariff_id }: Demo) {
  const user = { login, activated: true, first_name: "Demo", last_name: "Driver", legal_type: "individual" };
  return { user, password, time_zone: "Europe/Berlin", locale: "en_US", default_tariff_id: tariff_id };
}

async function readDemo(file: string, now: number): Promise<Demo> {
  return readFile(file, "utf8").then(JSON.parse, () => ({
    login: "demo@example.com",
    // Satisfies every password policy.
    password: `${randomBytes(9).toString("base64url")}Aa1%`,
    // Devices authenticate with this id, so it must not be guessable.
    device_id: `86${Array.from({ length: 13 }, () => randomInt(10)).join("")}`,
    day: new Date(now - DAY_MS).toISOString().slice(0, 10),
  }));
}

async function recordedDrive() {
  const file = join(ROOT, "test", "fixtures", "tracks", "car-drive-every-second.json");
  const recorded: { point: string; time: string }[] = JSON.parse(await readFile(file, "utf8"));
  return recorded.map(({ point, time }) => {
    // "POINT(11.56 48.16)" and "2014-09-10 06:54:07+0200", which is ISO 8601 but for two characters.
    const [lng, lat] = point
      .replace(/[^0-9. -]/g, "")
      .split(" ")
      .map(Number);
    return { lat, lng, time: Date.parse(time.replace(" ", "T").replace(/(\d\d)$/, ":$1")) };
  });
}
