import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backUp } from "../../scripts/backup/back-up.ts";
import { restoreBackup } from "../../scripts/backup/restore.ts";
import { ROOT } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { packFolder, unpackFolder } from "../tool/installation/packed.ts";
import { askAll, type RecordedAnswer, recordAnswers } from "../tool/installation/recorded-answers.ts";
import { newDataFolder } from "../tool/system/data-folder.ts";
import { newInstallation } from "../tool/system/npm-start.ts";
import { OPERATOR } from "../tool/system/operator.ts";

/**
 * Backups of small installations, one of each version whose data later ones must open, with answers that they gave.
 * `RENEW_INSTALLATION=1 npm test -- test/storage/upgrade.test.ts` makes the one of this version, in ten minutes.
 */
const FOLDER = join(ROOT, "test", "fixtures", "installations");
const MAX_PACKED_BYTES = 1_000_000;
const ENVIRONMENT = {
  DEMO: "0",
  OPERATOR_LOGIN: OPERATOR.login,
  OPERATOR_PASSWORD: OPERATOR.password,
  // No place has so many people: the gazetteer stays empty.
  GAZETTEER_POPULATION: "1000000000000",
  RATE_LIMIT_PER_SECOND: "1000000",
};

let folder: string;

beforeAll(async () => {
  folder = await newDataFolder("upgrade");
  if (process.env.RENEW_INSTALLATION === "1") await renew();
}, 1_200_000);

afterAll(() => rmSync(folder, { recursive: true }));

test.each(versions())("a restored installation of version %s is migrated and answers as it did", async (version) => {
  const packed = join(FOLDER, `${version}.zip`);
  const [backup, answersFile] = [join(folder, version), join(folder, version, "answers.json")];
  unpackFolder(packed, backup);
  const answers: RecordedAnswer[] = JSON.parse(readFileSync(answersFile, "utf8"));
  expect(answers.length).toBeGreaterThan(100);
  const installation = await newInstallation(ENVIRONMENT);
  try {
    const { created } = await restoreBackup(backup, installation.dataDir);
    // The clock of its data stands where it stood: no session has ended, and nothing was deleted since.
    const offset = Math.round((Date.parse(created) - systemNow()) / 1000);
    await installation.start({ CLOCK_OFFSET_SECONDS: String(offset) }).catch(explainSquash);
    const present = await askAll(installation.baseUrl, answers);
    for (const [index, { path, parameters, reply }] of answers.entries()) {
      // Later versions may answer more members.
      expect(present[index]?.reply, `${path} ${JSON.stringify(parameters)}`).toMatchObject(reply);
    }
  } finally {
    await installation.remove();
  }
});

test.each(versions())(
  "the packed installation of version %s is small, and holds no path or name of a machine",
  (version) => {
    const packed = join(FOLDER, `${version}.zip`);
    expect(statSync(packed).size).toBeLessThan(MAX_PACKED_BYTES);
    const unpacked = join(folder, `${version}-searched`);
    unpackFolder(packed, unpacked);
    const names = [ROOT, homedir(), tmpdir(), hostname(), "/dev/shm/", "/home/", "/Users/", "/tmp/"].filter(
      (name) => name.length > 4,
    );
    const found = readdirSync(unpacked, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap((entry) => {
        const content = readFileSync(join(entry.parentPath, entry.name));
        return names.filter((name) => content.includes(name)).map((name) => `${entry.name} ${name}`);
      });
    expect(found).toEqual([]);
  },
);

function versions(): string[] {
  return readdirSync(FOLDER).map((name) => name.replace(/\.zip$/, ""));
}

/** Before the first release migrations may be squashed; then the program refuses the data, and it is made anew. */
function explainSquash(thrown: Error): never {
  if (!/made by another version/.test(thrown.message)) throw thrown;
  throw new Error(
    `${thrown.message}\nThe migrations were squashed, which is allowed before the first release only. Renew the installation: RENEW_INSTALLATION=1 npm test -- test/storage/upgrade.test.ts`,
  );
}

/** Makes the packed installation of this version, in the place of an earlier one. */
async function renew() {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const installation = await newInstallation(ENVIRONMENT);
  try {
    await installation.start();
    const answers = await recordAnswers(installation);
    await installation.end("SIGTERM");
    const backup = join(folder, "made");
    await backUp(installation.dataDir, backup);
    writeFileSync(join(backup, "answers.json"), JSON.stringify(answers));
    packFolder(backup, join(FOLDER, `${version}.zip`));
  } finally {
    await installation.remove();
  }
}
