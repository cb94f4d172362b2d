import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { API_TYPES, writeApiTypes } from "./client/build-client.ts";
import { ROOT } from "./workers.ts";

const CALL = `import type { components, paths } from "./api.ts";
type Body<Path extends keyof paths> = paths[Path] extends
  { post: { requestBody?: { content: { "application/json": infer Content } } } } ? Content : never;
type Reply<Path extends keyof paths> = paths[Path] extends
  { post: { responses: { 200: { content: { "application/json": infer Content } } } } } ? Content : never;
declare function call<Path extends keyof paths>(path: Path, body: Body<Path>): Promise<Reply<Path>>;
`;

const CLIENT = `${CALL}
const { list, count } = await call("/vehicle/list", { limit: 10, sort: ["label=asc"] });
const vehicles: components["schemas"]["Vehicle"][] = list;
export const labels: string[] = vehicles.map(({ label }) => label.slice(0, count));
const location = { lat: 48.1, lng: 11.5, radius: 100 };
const task = { location, label: "Deliver", description: "", from: "2026-05-02 10:15:00", to: "2026-05-02 12:00:00" };
export const id: number = (await call("/task/create", { task })).id;
await call("/vehicle/create", { vehicle: { label: "Van 7" } });
// @ts-expect-error: there is no such path
await call("/vehicle/lists", {});
// @ts-expect-error: a task has a place
await call("/task/create", { task: { label: "Deliver" } });
// @ts-expect-error: a label is text
await call("/vehicle/create", { vehicle: { label: 7 } });
// @ts-expect-error: a vehicle has no such member
export const wrong = list[0]?.labels;
`;

test("a client made of the API document compiles, and a client that uses it wrongly does not", {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "fleet-types-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeApiTypes();
  await copyFile(API_TYPES, join(folder, "api.ts"));
  await writeFile(join(folder, "client.ts"), CLIENT);
  expect(await problemsOf(join(folder, "client.ts"))).toBe("");
});

async function problemsOf(file: string) {
  const tsc = join(ROOT, "node_modules", "typescript-native", "bin", "tsc");
  const options = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--allowImportingTsExtensions"];
  const target = ["--target", "es2024", "--module", "esnext", "--moduleResolution", "bundler", "--types", ""];
  return promisify(execFile)(process.execPath, [tsc, ...options, ...target, file], { cwd: tmpdir() }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => String(stdout),
  );
}
