import { WorkerEntrypoint } from "cloudflare:workers";
import { databaseAnswers, openDatabase } from "#shared/database.ts";
import { pathItems } from "#shared/open-api.ts";
import type { Asked } from "#shared/operation.ts";
import type { Principal } from "#shared/principal.ts";
import type { Sent } from "#shared/sent.ts";
import { failureOf, serve } from "#shared/serve.ts";
import type { Device } from "#shared/tracker.ts";
import { putDevices } from "./device/queries.ts";
import type { GeoEnv } from "./env.ts";
import { receive } from "./ingest/receive.ts";
import { operations } from "./operations.ts";

export { TrackerFeed } from "./feed/tracker-feed.ts";

const serveCall = serve(operations);

/** All that other Workers may ask. No public route leads here but to `ingest`, so `principal` is trusted. */
export default class GeoService extends WorkerEntrypoint<GeoEnv> {
  handle(asked: Asked, principal: Principal) {
    return serveCall(asked, principal, this.env);
  }

  describe() {
    return pathItems(operations);
  }

  healthy() {
    return databaseAnswers(this.env);
  }

  /** Points of a device, which has no hash: its id and its key are what it shows. */
  async ingest(sent: Sent, request_id: string): Promise<{ status: number; body: string }> {
    try {
      return { status: 200, body: await receive(sent, this.env) };
    } catch (thrown) {
      return failureOf(thrown, { path: new URL(sent.url).pathname, request_id });
    }
  }

  /** Devices that are new or changed: their points find the tracker, and their feeds know the change. */
  async putDevices(devices: Device[]) {
    await putDevices(openDatabase(this.env), devices);
    await Promise.all(devices.map((device) => this.env.FEEDS.getByName(String(device.tracker_id)).configure(device)));
  }
}
