import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { type Account, registerTracker } from "../../bench/tool/account.ts";
import { type IngestPoint, newDrive } from "../../bench/tool/drive.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import type { Chance } from "./chance.ts";
import type { Caller } from "./soak-caller.ts";

export const KINDS = ["vehicle", "tag", "task"] as const;
export type Kind = (typeof KINDS)[number];
/** Without an id it is not known whether there is one: its answer was lost, or said that something was out of reach. */
export type Thing = { kind: Kind; label: string; id: number | undefined };
export type StoredFile = { address: string; content: string };
export type Device = {
  trackerId: number;
  deviceId: string;
  startMs: number;
  next: () => IngestPoint;
  /** Points that were acknowledged, which are all before those that wait. */
  acknowledged: number;
  /** Sent, perhaps stored, not acknowledged: a device sends them again until they are. */
  waiting: IngestPoint[];
};

const Created = z.object({ id: z.int() });
const Ticketed = z.object({
  value: z.object({ url: z.string(), file_field_name: z.string(), fields: z.record(z.string(), z.string()) }),
});
const Uploaded = z.object({ value: z.object({ download_url: z.string() }) });

/** One of those that make the load, and what it may rely on afterwards. */
export class BusyAccount {
  readonly caller: Caller;
  readonly things: Thing[] = [];
  readonly files: StoredFile[] = [];
  /** Uploads whose answer was lost: each may be there or not. */
  unsureFiles = 0;
  readonly devices: Device[];
  readonly #name: string;
  readonly #chance: Chance;
  #count = 0;

  constructor(name: string, caller: Caller, devices: Device[], chance: Chance) {
    this.#name = name;
    this.caller = caller;
    this.devices = devices;
    this.#chance = chance;
  }

  /** One call after the other, some three in a second, until it is over. */
  async work(state: () => "work" | "rest" | "over") {
    for (let now = state(); now !== "over"; now = state()) {
      if (now === "work") await this.#act();
      await pause(PAUSE_MS / 2 + this.#chance.below(PAUSE_MS));
    }
  }

  /** Sends points kept while the system was unreachable. False when some are still not acknowledged. */
  async sendWaiting(): Promise<boolean> {
    for (const device of this.devices) if (device.waiting.length > 0) await this.#send(device);
    return this.devices.every(({ waiting }) => waiting.length === 0);
  }

  async #act() {
    const action = this.#chance.pick(ACTIONS);
    if (action === "points") return this.#sendPoints(this.#chance.pick(this.devices));
    if (action === "file") return this.#upload();
    if (action === "read") {
      await this.caller.call(this.#chance.pick(READS), {});
      return;
    }
    return this.#create(action);
  }

  async #sendPoints(device: Device) {
    if (device.waiting.length === 0) {
      device.waiting = Array.from({ length: 1 + this.#chance.below(MAX_POINTS_PER_REQUEST) }, device.next);
    }
    await this.#send(device);
  }

  async #send(device: Device) {
    const { deviceId: device_id, waiting } = device;
    if (!(await this.caller.call("/ingest/points", { device_id, points: waiting }))) return;
    device.acknowledged += waiting.length;
    device.waiting = [];
  }

  async #create(kind: Kind) {
    const label = `${this.#name} ${++this.#count}`;
    const thing: Thing = { kind, label, id: undefined };
    this.things.push(thing);
    const reply = await this.caller.call(`/${kind}/create`, { [kind]: memberOf(kind, label) });
    thing.id = reply && Created.parse(reply).id;
  }

  async #upload() {
    const content = `${this.#name} ${++this.#count} `.repeat(1 + this.#chance.below(2000));
    const ticket = await this.caller.call("/vehicle/service_task/file/create", { size: content.length });
    if (!ticket) return;
    const { url, file_field_name, fields } = Ticketed.parse(ticket).value;
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set(file_field_name, new File([content], "note.txt", { type: "text/plain" }));
    const reply = await this.caller.upload(url, form);
    if (reply) this.files.push({ address: Uploaded.parse(reply).value.download_url, content });
    else this.unsureFiles++;
  }
}

/** Vans that set out two days ago and tell a point for each second from then on. */
export async function newDevices(account: Account, first: number): Promise<Device[]> {
  const startMs = Math.floor((systemNow() - 2 * DAY_MS) / 1000) * 1000;
  const devices: Device[] = [];
  for (const number of [first, first + 1]) {
    const { id, device_id } = await registerTracker(account, `Van ${number}`);
    const next = newDrive(number, startMs, 1000);
    devices.push({ trackerId: id, deviceId: device_id, startMs, next, acknowledged: 0, waiting: [] });
  }
  return devices;
}

function memberOf(kind: Kind, label: string) {
  if (kind === "vehicle") return { label };
  if (kind === "tag") return { name: label, color: "ff0000" };
  const location = { lat: 52.5, lng: 13.4, address: "", radius: 100 };
  const [from, to] = [1, 2].map((days) => new Date(systemNow() + days * DAY_MS).toISOString().slice(0, 10));
  return { tracker_id: null, location, label, description: "", from: `${from} 08:00:00`, to: `${to} 08:00:00` };
}

const PAUSE_MS = 300;
const MAX_POINTS_PER_REQUEST = 10;
const READS = ["/vehicle/list", "/tag/list", "/task/list", "/tracker/list"];
/** Actions in the frequency in which they are listed. */
const ACTIONS = [...Array.from({ length: 6 }, () => "points" as const), "read", "read", "file", ...KINDS] as const;
