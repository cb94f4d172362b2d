import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { Answer, ApiCaller } from "./api-caller.ts";
import type { SmokeAccount } from "./smoke-account.ts";
import { StateSocket } from "./state-socket.ts";

const REPORT_TIMEOUT_MS = 2 * MINUTE_MS;
const REPORT_POLL_MS = 250;
const POINTS = 10;

/** The smallest PNG that is an image. */
const PHOTO = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A day of a driver, a device and a dispatcher, in steps that use what earlier steps have made. */
export class SmokeSteps {
  readonly #api: ApiCaller;
  readonly #account: SmokeAccount;
  /** Ten points within the last ten minutes, about a kilometre apart. */
  readonly #points = Array.from({ length: POINTS }, (_, index) => ({
    time: systemNow() - (POINTS - index) * MINUTE_MS,
    lat: (48_100 + index * 9) / 1000,
    lng: 11.5,
    speed: 60,
  }));
  #hash = "";
  #tracker: Answer;
  #socket: StateSocket | undefined;
  #photo: Answer;

  constructor(api: ApiCaller, account: SmokeAccount) {
    this.#api = api;
    this.#account = account;
  }

  /** The steps in their order, by the names that the smoke test prints. */
  list(): [name: string, run: () => Promise<void>][] {
    return [
      ["sign in", () => this.#signIn()],
      ["register a tracker", () => this.#registerTracker()],
      ["open the socket", () => this.#openSocket()],
      ["send points", () => this.#sendPoints()],
      ["receive an event", () => this.#receiveEvent()],
      ["read the track", () => this.#readTrack()],
      ["upload a photo", () => this.#uploadPhoto()],
      ["download the photo", () => this.#downloadPhoto()],
      ["make a check-in", () => this.#makeCheckin()],
      ["make a report", () => this.#makeReport()],
    ];
  }

  close() {
    this.#socket?.close();
  }

  async #signIn() {
    const { login, password } = this.#account;
    this.#hash = (await this.#api.call("/user/auth", { login, password })).hash;
  }

  async #registerTracker() {
    // Devices authenticate with this id, so it must not be guessable.
    const device_id = `86${Array.from({ length: 13 }, () => randomInt(10)).join("")}`;
    const device = { label: "Smoke test", group_id: 0, model: "generic_gps", plugin_id: 44, device_id };
    this.#tracker = (await this.#call("/tracker/register", device)).value;
  }

  async #openSocket() {
    this.#socket = new StateSocket(this.#api.origin, this.#hash);
    await this.#socket.waitFor(({ event }) => event === "state_batch");
  }

  async #sendPoints() {
    const { device_id } = this.#tracker.source;
    const { accepted } = await this.#api.call("/ingest/points", { device_id, points: this.#points });
    expectEqual("points that /ingest/points accepted", accepted, POINTS);
  }

  async #receiveEvent() {
    const last = this.#points.at(-1);
    const isLast = ({ event, data }: Answer) =>
      event === "state_batch" &&
      data.some(({ gps }: Answer) => Math.abs(gps?.location?.lat - Number(last?.lat)) < 0.0001);
    await this.#socket?.waitFor(isLast);
  }

  async #readTrack() {
    const { list } = await this.#call("/track/read", { tracker_id: this.#tracker.id, ...this.#range() });
    expectEqual("points that /track/read answered", list.length, POINTS);
  }

  async #uploadPhoto() {
    const { value } = await this.#call("/checkin/image/create", { size: PHOTO.length, filename: "smoke.png" });
    this.#photo = (await this.#api.upload(value, new File([PHOTO], "smoke.png", { type: "image/png" }))).value;
  }

  async #downloadPhoto() {
    const content = await this.#api.download(this.#photo.download_url);
    expectEqual("content of the photo", Buffer.from(content).toString("base64"), PHOTO.toString("base64"));
  }

  async #makeCheckin() {
    const location = { lat: 48.1, lng: 11.5 };
    const file_ids = [this.#photo.id];
    const checkin = { tracker_id: this.#tracker.id, location, comment: "Smoke test", file_ids };
    const { id } = await this.#call("/checkin/create", checkin);
    const { value } = await this.#call("/checkin/read", { checkin_id: id });
    expectEqual("photos of the check-in", value.files.length, 1);
  }

  async #makeReport() {
    const order = { trackers: [this.#tracker.id], ...this.#range(), plugin: { plugin_id: TRIPS } };
    const { id: report_id } = await this.#call("/report/tracker/generate", order);
    const deadline = systemNow() + REPORT_TIMEOUT_MS;
    for (;;) {
      const { percent_ready } = await this.#call("/report/tracker/status", { report_id });
      if (percent_ready === 100) break;
      if (systemNow() > deadline) throw new Error(`the report is at ${percent_ready} % after two minutes`);
      await pause(REPORT_POLL_MS);
    }
    const file = await this.#api.callForFile("/report/tracker/download", {
      hash: this.#hash,
      report_id,
      format: "pdf",
    });
    expectEqual("beginning of the report", Buffer.from(file.subarray(0, 4)).toString("latin1"), "%PDF");
  }

  #call(path: string, parameters: object): Promise<Answer> {
    return this.#api.call(path, { hash: this.#hash, ...parameters });
  }

  /** An hour before and after now, in UTC, the time zone of the account. */
  #range() {
    const [from, to] = [-60, 60].map((minutes) => writeUtc(systemNow() + minutes * MINUTE_MS));
    return { from, to };
  }
}

/** The plugin of the report on trips. */
const TRIPS = 4;

function writeUtc(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

function expectEqual(subject: string, actual: unknown, expected: unknown) {
  if (actual !== expected) throw new Error(`${subject}: ${actual} instead of ${expected}`);
}
