import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { SECOND_MS } from "#shared/time/duration.ts";
import { findPython, pythonEnvironment } from "../../scripts/client/python-environment.ts";
import { MODEL_GENERATOR, PYTHON_CLIENT, writePythonTypes } from "../../scripts/client/python-types.ts";
import { type Account, newAccount } from "../tool/call/account.ts";
import { IS_CAMPAIGN } from "../tool/effort.ts";
import { stack } from "../tool/system/stack.ts";

const run = promisify(execFile);
const PACKAGES = [MODEL_GENERATOR, "httpx==0.28.1", "typing-extensions", "websockets"];
if (IS_CAMPAIGN) PACKAGES.push("mypy==2.4.1");
const EXAMPLES = join(PYTHON_CLIENT, "examples");
const SOURCE = join(PYTHON_CLIENT, "src");

/** Calls that the types must refuse, a line each. */
const WRONG_USES = [
  'fleet.call("/vehicle/lists")',
  'fleet.call("/vehicle/create")',
  'fleet.call("/vehicle/create", {"vehicle": {"label": 7}})',
  'fleet.call("/vehicle/list")["vehicles"]',
  'fleet.each("/vehicle/read", {"vehicle_id": 1})',
  'fleet.file("/vehicle/read", {"vehicle_id": 1})',
];

/** The folder of an environment's programs; undefined where Python or its registry is missing. */
const bin = await findEnvironment();

async function findEnvironment(): Promise<string | undefined> {
  const python = await findPython();
  const found = python && (await pythonEnvironment(python, PACKAGES).catch(() => undefined));
  if (!found)
    console.warn("Skipped: tests of test/client/python.test.ts that need Python 3.11 with pip and its registry.");
  return found;
}

describe.skipIf(!bin)("the client for Python", () => {
  let folder: string;
  let account: Account;
  const python = (args: string[], env: Record<string, string> = {}) =>
    run(join(String(bin), "python"), args, { env: { ...process.env, PYTHONPATH: SOURCE, ...env } });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fleet-python-"));
    await writePythonTypes(String(bin));
    account = await newAccount();
    await account.newTracker();
  });

  afterAll(() => rm(folder, { recursive: true }));

  test.runIf(IS_CAMPAIGN)(
    "mypy accepts the client and its examples under strict, and each wrong use is refused",
    async () => {
      const lines = [
        "from fleet_monitoring_client import FleetClient",
        'fleet = FleetClient("https://fleet.example.com")',
      ];
      const uses = join(folder, "wrong_uses.py");
      writeFileSync(uses, [...lines, ...WRONG_USES].join("\n"));
      const checked = await python(["-m", "mypy", "--strict", "--cache-dir", folder, SOURCE, EXAMPLES, uses]).catch(
        ({ stdout }) => ({ stdout }),
      );
      const refused = String(checked.stdout).matchAll(/^(?<file>.+?):(?<line>\d+): error/gm);
      const places = new Set([...refused].map(({ groups }) => `${groups?.file?.split("/").at(-1)}:${groups?.line}`));
      expect(places, checked.stdout).toEqual(new Set(WRONG_USES.map((_, index) => `wrong_uses.py:${index + 3}`)));
    },
  );

  const OUTPUTS: Record<string, RegExp> = {
    "vehicles.py": /^made Van 7, at most 120 km\/h\nfound Van 7\nrefused with 7: vehicle\.label .+\n$/,
    "track.py": /^20 points from \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.+\nthe report has 1 sheet\n$/,
    "photo.py": /^check-in \d+ with one photo\n$/,
    "live.py": /^state_batch \d+\n$/,
  };

  test.each(readdirSync(EXAMPLES).filter((name) => name.endsWith(".py")))(
    "the example %s of the client for Python runs against the system",
    async (name) => {
      const { login, password } = account;
      const env = { FLEET_URL: stack.baseUrl, FLEET_LOGIN: login, FLEET_PASSWORD: password };
      const { stdout } = await python([join(EXAMPLES, name)], env);
      expect(stdout).toMatch(OUTPUTS[name] ?? /a test expects the output/);
    },
  );

  test("verify_webhook accepts a message that one of the secrets has signed, and no other, old or changed one", async () => {
    const [secret, other] = [randomBytes(24).toString("base64"), randomBytes(24).toString("base64")];
    const body = '{"type":"vehicle.created","data":{}}';
    const seconds = Math.floor(systemNow() / SECOND_MS);
    const sign = (timestamp: number, text = body) =>
      createHmac("sha256", Buffer.from(secret, "base64")).update(`msg.${timestamp}.${text}`).digest("base64");
    const verify = async (timestamp: number, signature: string, secrets: string[]) => {
      const headers = { "Webhook-Id": "msg", "Webhook-Timestamp": `${timestamp}`, "Webhook-Signature": signature };
      const program = `import sys, json
from fleet_monitoring_client import WebhookError, verify_webhook
try: print(verify_webhook(sys.argv[1].encode(), json.loads(sys.argv[2]), json.loads(sys.argv[3]))["type"])
except WebhookError as error: print("refused")`;
      const { stdout } = await python(["-c", program, body, JSON.stringify(headers), JSON.stringify(secrets)]);
      return stdout.trim();
    };
    const valid = `v1,${sign(seconds)}`;
    expect(await verify(seconds, `v1a,xyz ${valid}`, [`whsec_${other}`, `whsec_${secret}`])).toBe("vehicle.created");
    expect(await verify(seconds, valid, [`whsec_${other}`])).toBe("refused");
    expect(await verify(seconds, `v1,${sign(seconds, "{}")}`, [`whsec_${secret}`])).toBe("refused");
    expect(await verify(seconds - 600, `v1,${sign(seconds - 600)}`, [`whsec_${secret}`])).toBe("refused");
  });
});
