import type { NewEvent } from "#shared/contract/event/event.ts";
import type { FileObject } from "#shared/contract/file/file-object.ts";
import type { FileSearch } from "#shared/contract/file/file-ticket.ts";
import type { WorkerName } from "../../../scripts/workers.ts";
import type { Principal } from "../../../shared/caller/principal.ts";
import { sendText } from "../call/send-text.ts";
import type { Content, Where } from "../database/content.ts";
import type { Copies, UserCopy } from "../database/copies.ts";
import type { ArchiveOrder } from "./caller-worker.ts";

/** Where a system under test is; plain data, which one process can pass to another. */
export type Addresses = { origin: string; baseUrl: string; controlUrl: string };
export type System = Addresses & ReturnType<typeof controls>;
export type DatabaseControls = ReturnType<typeof databaseControls>;
/** A call as the gateway hands it to a service, without the members that no test depends on. */
export type ServiceCall = { path: string; parameters: object; principal: Principal };
type Rows = Content[string];
export type Log = { timestamp: number; level: string; message: string };

/** Operations of a test on a system past its API, by HTTP to the process that runs it. */
export function controls({ controlUrl }: Pick<Addresses, "controlUrl">) {
  const ask = askerOf(controlUrl);
  const copyRow = (worker: WorkerName, copies: Copies) => ask("POST", `/copy?worker=${worker}`, copies);
  return {
    /** Runs a Worker's cron trigger to its end. */
    fireCron: (worker: WorkerName) => ask("POST", `/scheduled?worker=${worker}`),
    /** The keys in the bucket of files that begin with `prefix`. */
    objects: (prefix: string) => ask<string[]>("GET", `/objects?prefix=${prefix}`),
    /** Changes objects in the archive of points; answers the keys that begin with the order's prefix afterwards. */
    archive: (order: ArchiveOrder) => ask<string[]>("POST", "/archive", order),
    /** All rows of a Worker's databases by table; a value of bytes is given as its length. */
    contentOf: (worker: WorkerName) => ask<Content>("GET", `/content?worker=${worker}`),
    /** The number of rows of each table of a Worker's first database. */
    rowCountsOf: (worker: WorkerName) => ask<Record<string, number>>("GET", `/counts?worker=${worker}`),
    /** The rows of a table of a Worker's databases whose columns have these values; a value of bytes is given as its length. */
    rowsOf: (worker: WorkerName, table: string, where: Where = {}) =>
      ask<Rows>("POST", `/rows?worker=${worker}`, { table, where }),
    /** The rows of a table of one of geo's databases, by the database's position from 1. */
    rowsAt: (position: number, table: string) => ask<Rows>("POST", `/rows?position=${position}`, { table }),
    /** Sets the Workers' clock so many seconds ahead of the machine's, until the test returns the system. */
    moveClock: (seconds: number) => ask("POST", `/clock?seconds=${seconds}`),
    /** Changes a Worker's database past the Worker, as time or a crash would. */
    change,
    /** Copies a row of a Worker's database, as if the calls that made it had been repeated. */
    copyRow,
    /** Gives an account copies of a tracker, by the id of its device; answers their ids. Nothing has come from them. */
    addTrackers: (source_id: number, count: number) => ask<number[]>("POST", "/trackers", { source_id, count }),
    /** Copies of a master who has a session, each with a session of its own. They have made no call: the audit log has nothing of them. */
    copyUser: (user_id: number, count: number) => ask<UserCopy[]>("POST", "/users", { user_id, count }),
    /** Gives a user more sessions, copies of one that it has. */
    addSessions: (user_id: number, count: number) =>
      copyRow("gateway", {
        table: "credential",
        where: { user_id, kind: "session" },
        count,
        changed: { key: "hex(randomblob(32))", id: "abs(random()) >> 16" },
      }),
    /** Moves the next run of a report schedule to a time in UTC milliseconds. */
    bringForward: (schedule_id: number, next_run: number) =>
      change("reports", "UPDATE report_schedule SET next_run = ? WHERE id = ?", next_run, schedule_id),
    /** Whether a tracker's feed holds nothing but the mark of its erasure. */
    isErased: (tracker_id: number) => ask<boolean>("GET", `/erased?tracker=${tracker_id}`),
    /** Evicts the Durable Objects of sockets, feeds and journals from memory; connections stay open, as in hibernation. */
    evictObjects: () => ask("POST", "/evict"),
    /** The rows of a statement run in the storage of every shared journal. */
    inJournals: (sql: string) => ask<Record<string, string | number>[]>("POST", "/journals", { sql }),
    /** The lines that Workers wrote to their consoles since the test has the system. */
    logs: () => ask<Log[]>("GET", "/logs"),
    /** Calls a service as the gateway does, for any principal, also for one that no credential gives. */
    handleAs: (worker: WorkerName, call: ServiceCall) =>
      ask<{ status: number; body: string }>("POST", `/handle?worker=${worker}`, call),
    /** Calls a service like `handleAs` and ends the calling request after `ms`, without waiting for the answer. */
    leaveAs: (worker: WorkerName, call: ServiceCall, ms: number) =>
      ask("POST", `/leave?worker=${worker}`, { ...call, ms }),
    /** The files of a ticket or thing, as the files service shows them to other services. */
    filesOf: (search: FileSearch) => ask<FileObject[]>("POST", "/files-of", [search]),
    /** Stores events in fleet's history, as geo and tasks do. */
    storeEvents: (events: NewEvent[]) => ask("POST", "/store-events?worker=fleet", [events]),
  };

  function change(worker: WorkerName, sql: string, ...args: (string | number)[]) {
    return ask("POST", `/change?worker=${worker}`, { sql, args });
  }
}

/** Operations of a test on the databases of a watched system: counts, delays and faults of requests. */
export function databaseControls({ controlUrl }: Pick<Addresses, "controlUrl">) {
  const ask = askerOf(controlUrl);
  return {
    /** Requests to each Worker's databases since `resetTrips`. */
    trips: () => ask<Record<WorkerName, number>>("GET", "/trips"),
    resetTrips: () => ask("POST", "/trips/reset"),
    /** The longest chain of requests, each begun after the one before it had ended, since `resetTrips`. */
    sequentialTrips: () => ask<number>("GET", "/trips/sequential"),
    /** Makes each request take `ms` longer, so that requests that begin together overlap. */
    slowDown: (ms: number) => ask("POST", `/slow?ms=${ms}`),
    /** Makes a Worker's databases refuse all requests. */
    takeDown: (worker: WorkerName) => ask("POST", `/down?db=${worker}`),
    /** Makes one of geo's databases refuse all requests, by its position from 1. */
    takeDownOf: (position: number) => ask("POST", `/down-of?position=${position}`),
    /** Makes a Worker's databases carry out requests and lose every answer. */
    loseAnswers: (worker: WorkerName) => ask("POST", `/deaf?db=${worker}`),
    /** Makes a Worker's databases accept requests and never answer. */
    hold: (worker: WorkerName) => ask("POST", `/hold?db=${worker}`),
    /** Makes a Worker's databases accept requests and carry them out only when they are brought up. */
    pause: (worker: WorkerName) => ask("POST", `/pause?db=${worker}`),
    /** How many requests that contain the text wait because of `hold` or `pause`. */
    countWaiting: (worker: WorkerName, text: string) => ask<number>("POST", `/waiting?db=${worker}`, { text }),
    /** Ends `takeDown`, `takeDownOf`, `loseAnswers`, `hold` and `pause` of a Worker's databases. */
    bringUp: (worker: WorkerName) => ask("POST", `/up?db=${worker}`),
  };
}

function askerOf(controlUrl: string) {
  return async function ask<Reply = void>(method: "GET" | "POST", path: string, given?: object): Promise<Reply> {
    const { status, text } = await sendText(method, controlUrl + path, given ? JSON.stringify(given) : "");
    if (status !== 200) throw new Error(`${path}: ${text}`);
    return JSON.parse(text) as Reply; // from running-system.ts
  };
}
