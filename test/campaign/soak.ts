import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { accountsOf } from "../../bench/tool/account.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { BusyAccount, newDevices } from "./soak-account.ts";
import { Answers, callerOf } from "./soak-caller.ts";
import { checkStored, type Finding } from "./soak-checks.ts";
import { mountSmallDisk } from "./soak-disk.ts";
import { Attack, minuteOf, planFaults } from "./soak-faults.ts";
import { type Installation, newInstallation } from "./soak-installation.ts";
import { Memory, QuietAccount } from "./soak-measures.ts";

export type Campaign = { findings: Finding[]; log: string };

/**
 * Ten accounts work on a system whose processes are killed or paused and whose disk fills up. Afterwards everything
 * acknowledged must be there once, and no account may have seen an error of ours or waited for others.
 */
export async function soak(seed: number, seconds: number, say: (line: string) => void): Promise<Campaign> {
  const installation = await newInstallation();
  // Below it the runtime keeps what Durable Objects store, each class in a folder.
  const disk = mountSmallDisk(join(installation.dataDir, "workers", "do"));
  if (!disk) say("No disk can be mounted here, so that none is filled: that takes Linux and its administrator.");
  try {
    await installation.start();
    const attack = new Attack(installation, disk);
    const answers = new Answers((sinceMs) => attack.disturbance(sinceMs));
    const chance = chanceOf(seed);
    const { busy, quiet } = await newAccounts(installation.origin, answers, seed);
    const measures = await runLoad({ installation, attack, busy, quiet, seconds, chance, say });
    await takeWaiting(busy);
    const findings = [
      answerFinding(answers),
      ...measures,
      ...(await checkStored(busy).catch(notChecked)),
      { checked: "things done to the system", found: String(attack.done.length), offences: attack.offences },
    ];
    return { findings, log: installation.log };
  } finally {
    await installation.stop();
    disk?.unmount();
  }
}

type SoakRun = {
  installation: Installation;
  attack: Attack;
  busy: BusyAccount[];
  quiet: QuietAccount;
  seconds: number;
  chance: Chance;
  say(line: string): void;
};

/** Everybody works but for the end of each ten seconds, when the quiet account is alone: a machine's pace changes. */
async function runLoad({ installation, attack, busy, quiet, seconds, chance, say }: SoakRun): Promise<Finding[]> {
  const memory = new Memory();
  const start = systemNow();
  const state = { isWorking: true, isOver: false };
  const restMs = () => ((systemNow() - start) % CYCLE_MS) - (CYCLE_MS - REST_MS);
  // Work in progress at the beginning of the rest has ended a moment later.
  const isAlone = () => restMs() > DRAINING_MS && !attack.disturbance(systemNow());
  const company = () => (restMs() <= 0 ? "others" : isAlone() ? "nobody" : undefined);
  const working = busy.map((account) =>
    account.work(() => (state.isWorking ? (restMs() > 0 ? "rest" : "work") : "over")),
  );
  const asking = quiet.ask(() => state.isOver, company);
  const watching = setInterval(() => memory.note(systemNow() - start, installation.residentBytes()), 1000);

  await attack.carryOut(planFaults(chance, seconds), say);
  await pause(Math.max(0, start + seconds * 1000 - systemNow()));
  state.isWorking = false;
  const endMs = systemNow() - start;
  clearInterval(watching);
  await Promise.all(working);
  state.isOver = true;
  await asking;
  return [quiet.finding(), memory.finding(minuteOf(seconds) * 1000, endMs)];
}

async function newAccounts(origin: string, answers: Answers, seed: number) {
  const newAccount = await accountsOf({ origin });
  const busy: BusyAccount[] = [];
  for (let number = 1; number < ACCOUNTS; number++) {
    const account = await newAccount(`busy-${number}@example.com`);
    const caller = callerOf(origin, answers, account.hash);
    const devices = await newDevices(account, 2 * number);
    busy.push(new BusyAccount(`account ${number}`, caller, devices, chanceOf(seed + number)));
  }
  const account = await newAccount("quiet@example.com");
  const { id } = await account.call("/vehicle/create", { vehicle: { label: "Van" } });
  const quiet = new QuietAccount(callerOf(origin, answers, account.hash), Number(id));
  return { busy, quiet };
}

/** Points that are never accepted are found by the check of points. */
async function takeWaiting(busy: BusyAccount[]) {
  for (let tries = 0; tries < 30; tries++) {
    const taken = await Promise.all(busy.map((account) => account.sendWaiting()));
    if (taken.every(Boolean)) return;
    await pause(1000);
  }
}

/** So that what else was found is shown all the same. */
function notChecked(error: unknown): Finding[] {
  const offence = error instanceof Error ? error.message : String(error);
  return [{ checked: "what is stored", found: "could not be read", offences: [offence] }];
}

function answerFinding({ byCode, broken, unprovoked, offences }: Answers): Finding {
  const counts = [...byCode].sort(([one], [other]) => one - other).map(([code, count]) => `${count} of code ${code}`);
  const found = `${counts.join(", ")}; ${unprovoked} of code 14 unprovoked; ${broken} connections broken`;
  return { checked: "answers, 0 for success", found, offences };
}

const ACCOUNTS = 10;
const CYCLE_MS = 10_000;
const REST_MS = 2_500;
const DRAINING_MS = 500;
