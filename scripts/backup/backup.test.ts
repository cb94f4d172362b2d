import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runProgram, startProgram } from "../../test/tool/installation/program.ts";
import { readNames, writeInstallation } from "../../test/tool/installation/stopped-installation.ts";
import { waitUntil } from "../../test/tool/wait.ts";
import { identityOf } from "../system/processes.ts";

/** Elsewhere there is no `/proc`, in which this test finds the processes of a program. */
const isLinux = process.platform === "linux";
const MEGABYTE = 1024 * 1024;
/** A line of shell after which no file may grow beyond 128 KB: a disk that fills up, without one. */
const NO_ROOM = "trap '' XFSZ; ulimit -f 256";

let folder: string;
let dataDir: string;
let copy: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleet-backup-"));
  [dataDir, copy] = [join(folder, "data"), join(folder, "backup")];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const backUp = (args = [copy], before?: string) =>
  runProgram("scripts/backup/run-backup", args, { DATA_DIR: dataDir }, before);
const restore = (to: string, before?: string) =>
  runProgram("scripts/backup/run-restore", [copy], { DATA_DIR: to }, before);

test("a backup of a stopped installation is restored with all databases, objects and keys, for its owner alone", async () => {
  writeInstallation(dataDir);
  // A folder without a path is where npm was called.
  const called = { DATA_DIR: dataDir, INIT_CWD: folder };
  expect((await runProgram("scripts/backup/run-backup", ["backup"], called)).code).toBe(0);
  const target = join(folder, "restored");
  expect((await restore(target)).code).toBe(0);
  expect(readdirSync(target).toSorted()).toEqual(["databases", "secrets.json", "workers"]);
  for (const name of ["gateway", "fleet", "tasks", "geo", "geo-2", "files", "reports"])
    expect(readNames(join(target, "databases", name, "dbs/default/data"))).toEqual([name]);
  const objects = join(target, "workers/do/fleet-geo-TrackerFeed");
  expect(readdirSync(objects)).toEqual(["1.sqlite"]);
  expect(readNames(join(objects, "1.sqlite"))).toEqual(["feed"]);
  expect(readFileSync(join(target, "workers/r2/fleet-files/blobs/1"))).toHaveLength(1000);
  const modes = ["", "secrets.json", "databases", "databases/geo/dbs/default/data"].map(
    (path) => statSync(join(target, path)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o700, 0o600]);
});

test("a backup beside a process that writes has objects and databases of one moment, and the process goes on", async () => {
  writeInstallation(dataDir);
  const objects = join(dataDir, "workers", "do");
  const database = "databases/gateway/dbs/default/data";
  // Counts in an object, then in a database, then in another object, as quickly as it can.
  const program = `
    const { openSync, writeSync } = require("node:fs");
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync("${join(dataDir, database)}");
    const [a, b] = ["a", "b"].map((name) => openSync("${objects}/" + name, "w"));
    for (let count = 1; ; count++) {
      writeSync(a, String(count).padEnd(9), 0);
      database.exec("UPDATE name SET name = " + count);
      writeSync(b, String(count).padEnd(9), 0);
    }`;
  const writer = spawn(process.execPath, ["-e", program, "workerd serve"], { stdio: "inherit" });
  const counts = (folder: string) => [
    Number(readFileSync(join(folder, "workers/do/a"))),
    Number(readNames(join(folder, database))[0]),
    Number(readFileSync(join(folder, "workers/do/b"))),
  ];
  try {
    await waitUntil("the process counts", () => Number(readFileSync(join(objects, "b"))) > 10);
    writeFileSync(
      join(dataDir, "processes.json"),
      JSON.stringify([{ pid: writer.pid, identity: identityOf(writer.pid ?? 0) }]),
    );
    expect(await backUp()).toMatchObject({ code: 0, output: expect.stringContaining("Calls waited") });
    const [first = 0, row = 0, last = 0] = counts(copy);
    expect([first - row, row - last, first - last].every((difference) => [0, 1].includes(difference))).toBe(true);
    await waitUntil("the process goes on", () => Number(readFileSync(join(objects, "b"))) > first + 1);
  } finally {
    writer.kill("SIGKILL");
    await once(writer, "exit");
  }
});

test("a backup is refused with one sentence: no folder, one with files or in the data folder, no installation, another backup", async () => {
  mkdirSync(dataDir);
  expect(await backUp()).toEqual(failure(/^There is no database of gateway in \S+\/data: /));
  writeInstallation(dataDir);
  expect(await backUp([])).toEqual(failure(/^Name one folder: /));
  expect(await backUp([join(dataDir, "backup")])).toEqual(failure(/\/data\/backup is in the data folder /));
  mkdirSync(join(copy, "photos"), { recursive: true });
  expect(await backUp()).toEqual(failure(/\/backup is not empty: /));
  rmSync(copy, { recursive: true });
  const other = new DatabaseSync(join(dataDir, "backup.lock"));
  other.exec("BEGIN EXCLUSIVE");
  expect(await backUp()).toEqual(failure(/^Another backup of \S+\/data is running: /));
  other.close();
  expect(readdirSync(folder)).toEqual(["data"]);
});

test.each([
  ["an object", 1000, MEGABYTE],
  ["a database", 100_000, 1000],
])("a backup for which %s is too large says so and leaves nothing", async (_, rows, bytes) => {
  writeInstallation(dataDir, { bytes, rows });
  expect(await backUp([copy], NO_ROOM)).toEqual(failure(/^There is not enough room for \S+\/backup: nothing /));
  expect(readdirSync(folder)).toEqual(["data"]);
  expect((await backUp()).code).toBe(0);
});

test.runIf(isLinux)(
  "a killed backup leaves no folder that looks whole, and the next one removes what it has left",
  async () => {
    writeInstallation(dataDir, { bytes: 256 * MEGABYTE });
    const begun = once(watch(folder), "change");
    const child = startProgram("scripts/backup/run-backup", [copy], { DATA_DIR: dataDir }, "exec 2>&1");
    await begun;
    killProgram(child.pid);
    await once(child, "close");
    expect(existsSync(copy)).toBe(false);
    expect((await backUp()).code).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(["backup", "data"]);
  },
);

test("a restore is refused with one sentence into a folder with data, and from a backup that is not whole", async () => {
  writeInstallation(dataDir);
  const target = join(folder, "restored");
  expect(await restore(target)).toEqual(failure(/\/backup is no complete backup: it has no manifest\.json\. /));
  await backUp();
  expect(await restore(dataDir)).toEqual(failure(/\/data has data: a restore needs an empty folder\. /));
  expect(readNames(join(dataDir, "databases/tasks/dbs/default/data"))).toEqual(["tasks"]);

  const photo = join(copy, "workers/r2/fleet-files/blobs/1");
  writeFileSync(photo, Buffer.alloc(1000, "other"));
  expect(await restore(target)).toEqual(failure(/^The backup in \S+ is damaged: \S+blobs\/1 has changed\. Nothing /));
  rmSync(photo);
  expect(await restore(target)).toEqual(failure(/^The backup in \S+ is damaged: \S+blobs\/1 is missing\. Nothing /));
  changeManifest({ files: [{ path: "../outside", bytes: 1, sha256: "" }] });
  expect(await restore(target)).toEqual(failure(/damaged: \.\.\/outside leads outside\. Nothing /));
  changeManifest({ format: 2, version: "9.0.0" });
  expect(await restore(target)).toEqual(failure(/^The backup in \S+ has format 2: restore it with version 9\.0\.0\.$/));
  expect(readdirSync(folder).toSorted()).toEqual(["backup", "data"]);
});

test("a restore for which there is no room says so and leaves its folder as it was", async () => {
  writeInstallation(dataDir, { bytes: MEGABYTE });
  await backUp();
  const [target, empty] = [join(folder, "restored"), join(folder, "empty")];
  mkdirSync(empty);
  expect(await restore(target, NO_ROOM)).toEqual(failure(/^There is not enough room for \S+\/restored: nothing /));
  expect(await restore(empty, NO_ROOM)).toEqual(failure(/^There is not enough room for \S+\/empty: nothing /));
  expect(readdirSync(folder).toSorted()).toEqual(["backup", "data", "empty"]);
  expect(readdirSync(empty)).toEqual([]);
});

test("a restore that was killed is refused by npm start and npm run backup, and repeated by the next restore", async () => {
  writeInstallation(dataDir);
  await backUp();
  const target = join(folder, "restored");
  writeInstallation(target);
  writeFileSync(join(target, "unfinished-restore"), "");
  writeFileSync(join(target, "left"), "");
  const start = await runProgram("start", [], { DATA_DIR: target });
  expect(start).toEqual(failure(/^A restore into \S+\/restored was interrupted: /));
  const other = await runProgram("scripts/backup/run-backup", [join(folder, "other")], { DATA_DIR: target });
  expect(other).toEqual(failure(/^A restore into \S+\/restored was interrupted: /));
  expect((await restore(target)).code).toBe(0);
  expect(readdirSync(target).toSorted()).toEqual(["databases", "secrets.json", "workers"]);
});

/** A program that ended with one line and nothing else. */
function failure(sentence: RegExp) {
  return { code: 1, output: expect.stringMatching(new RegExp(`${sentence.source.replace(/\$$/, "")}.*\n$`)) };
}

function changeManifest(changes: object) {
  const file = join(copy, "manifest.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...changes }));
}

/** Kills a program and the Node that it runs on. */
function killProgram(pid = 0) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  for (const one of [pid, ...children.map(Number)]) process.kill(one, "SIGKILL");
}
