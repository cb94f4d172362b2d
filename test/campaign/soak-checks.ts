import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { type BusyAccount, type Device, KINDS, type Kind, type Thing } from "./soak-account.ts";
import type { Reply } from "./soak-caller.ts";

/** A line of the result: what was looked at, what was seen, and what of it must not be. */
export type Finding = { checked: string; found: string; offences: string[] };

/** Compares everything acknowledged to the accounts with what is stored. */
export async function checkStored(accounts: BusyAccount[], auditTries = AUDIT_TRIES): Promise<Finding[]> {
  const findings: Finding[] = [];
  const present: Present[] = [];
  for (const account of accounts) present.push(await presentOf(account));
  findings.push(...KINDS.map((kind) => thingFinding(kind, accounts, present)));
  findings.push(await pointFinding(accounts));
  findings.push(await fileFinding(accounts));
  findings.push(await auditFinding(accounts, present, auditTries));
  return findings;
}

/** Ids by label; each label has one, unless something was made twice. */
type Present = Record<Kind, Map<string, number[]>>;

async function presentOf(account: BusyAccount): Promise<Present> {
  const [vehicle, tag, task] = [new Map(), new Map(), new Map()];
  const present: Present = { vehicle, tag, task };
  for (const kind of KINDS) {
    for (const { id, label, name } of Listed.parse(await must(account, `/${kind}/list`, {})).list) {
      const known = label ?? name ?? "";
      present[kind].set(known, [...(present[kind].get(known) ?? []), id]);
    }
  }
  return present;
}

function thingFinding(kind: Kind, accounts: BusyAccount[], present: Present[]): Finding {
  const offences: string[] = [];
  let [acknowledged, unsure, stored] = [0, 0, 0];
  for (const [index, { things }] of accounts.entries()) {
    for (const thing of things.filter((one) => one.kind === kind)) {
      const ids = present[index]?.[kind].get(thing.label) ?? [];
      if (thing.id === undefined) unsure++;
      else acknowledged++;
      stored += ids.length;
      if (!isAsAcknowledged(thing, ids))
        offences.push(`${kind} "${thing.label}", answered ${thing.id}, is there as [${ids}]`);
    }
  }
  const found = `${acknowledged} acknowledged, ${unsure} without an answer, ${stored} there`;
  return { checked: `${kind}s created, each once`, found, offences };
}

/** A thing without an answer may or may not exist, but never twice. */
function isAsAcknowledged({ id }: Thing, ids: number[]) {
  return id === undefined ? ids.length <= 1 : ids.length === 1 && ids[0] === id;
}

async function pointFinding(accounts: BusyAccount[]): Promise<Finding> {
  const offences: string[] = [];
  let [acknowledged, stored] = [0, 0];
  for (const account of accounts) {
    for (const device of account.devices) {
      const times = await timesOf(account, device);
      acknowledged += device.acknowledged;
      stored += times.length;
      const distinct = new Set(times);
      const missing = device.acknowledged - distinct.size;
      const twice = times.length - distinct.size;
      if (device.waiting.length > 0) offences.push(`${device.deviceId}: ${device.waiting.length} were never taken`);
      else if (missing !== 0 || twice !== 0)
        offences.push(`${device.deviceId}: of ${device.acknowledged} ${missing} are missing, ${twice} are there twice`);
    }
  }
  return { checked: "points sent, each once", found: `${acknowledged} acknowledged, ${stored} there`, offences };
}

/** Page by page: the device sent one point per second from its start on. */
async function timesOf(account: BusyAccount, { trackerId, startMs, acknowledged, waiting }: Device) {
  const times: string[] = [];
  const seconds = acknowledged + waiting.length;
  for (let first = 0; first < seconds; first += POINTS_PER_READ) {
    const [from, to] = [startMs + first * 1000, startMs + (first + POINTS_PER_READ) * 1000 - 1000].map(writeUtc);
    const range = { tracker_id: trackerId, from, to, simplify: false, filter: false };
    const { list } = Track.parse(await must(account, "/track/read", range));
    times.push(...list.map(({ get_time }) => get_time));
  }
  return times;
}

async function fileFinding(accounts: BusyAccount[]): Promise<Finding> {
  const offences: string[] = [];
  let [acknowledged, stored] = [0, 0];
  for (const account of accounts) {
    const { caller, files, unsureFiles } = account;
    acknowledged += files.length;
    for (const { address, content } of files) {
      const held = (await caller.download(address)).toString();
      if (held !== content) offences.push(`${address} holds ${held.length} bytes, uploaded were ${content.length}`);
    }
    const { file_count } = FileStats.parse(await must(account, "/file/stats/read", {})).value;
    stored += file_count;
    if (file_count < files.length || file_count > files.length + unsureFiles)
      offences.push(`${file_count} files are there of ${files.length} acknowledged, ${unsureFiles} without an answer`);
  }
  return { checked: "files uploaded, each once", found: `${acknowledged} acknowledged, ${stored} there`, offences };
}

/** Audit entries arrive after the answer, at the latest with the sweep of the next minute. */
async function auditFinding(accounts: BusyAccount[], present: Present[], most: number): Promise<Finding> {
  let finding = await auditOnce(accounts, present);
  for (let tries = 0; finding.offences.length > 0 && tries < most; tries++) {
    await pause(AUDIT_PAUSE_MS);
    finding = await auditOnce(accounts, present);
  }
  return finding;
}

async function auditOnce(accounts: BusyAccount[], present: Present[]): Promise<Finding> {
  const offences: string[] = [];
  let [expected, stored] = [0, 0];
  for (const [index, account] of accounts.entries()) {
    const counts = await creationsOf(account);
    for (const kind of KINDS) {
      const ids = [...(present[index]?.[kind].values() ?? [])].flat();
      expected += ids.length;
      for (const id of ids) {
        const count = counts.get(`${kind} ${id}`) ?? 0;
        stored += count;
        counts.delete(`${kind} ${id}`);
        if (count !== 1) offences.push(`${count} entries tell of the creation of ${kind} ${id}`);
      }
    }
    offences.push(...[...counts.keys()].map((what) => `an entry tells of ${what}, which is not there`));
  }
  return { checked: "audit log, each once", found: `${expected} created, ${stored} entries`, offences };
}

async function creationsOf(account: BusyAccount): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const range = { from: writeUtc(systemNow() - DAY_MS), to: writeUtc(systemNow() + DAY_MS) };
  const actions = KINDS.map((kind) => `${kind}_create`);
  for (let offset = 0; ; offset += POINTS_PER_READ) {
    const page = { ...range, actions, limit: POINTS_PER_READ, offset, sort: ["action_date=asc"] };
    const { list } = AuditLog.parse(await must(account, "/user/audit/log/list", page));
    for (const { entry_category, entry_id } of list) {
      const what = `${entry_category} ${entry_id}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    if (list.length < POINTS_PER_READ) return counts;
  }
}

/** Nothing is attacked any more: whatever is refused now is a mistake of its own. */
async function must({ caller }: BusyAccount, path: string, parameters: object): Promise<Reply> {
  const reply = await caller.call(path, parameters);
  if (!reply) throw new Error(`${path} was refused after everything was over.`);
  return reply;
}

const Listed = z.object({
  list: z.array(z.object({ id: z.int(), label: z.string().optional(), name: z.string().optional() })),
});
const Track = z.object({ list: z.array(z.object({ get_time: z.string() })) });
const FileStats = z.object({ value: z.object({ file_count: z.int() }) });
const AuditLog = z.object({ list: z.array(z.object({ entry_category: z.string(), entry_id: z.int().nullable() })) });
const POINTS_PER_READ = 1000;
const AUDIT_TRIES = 30;
const AUDIT_PAUSE_MS = 5_000;
