import { type ChangedWork, MAX_TRACKERS_PER_WORK_PAGE, type VisitedWork } from "#shared/contract/point/visit.ts";
import { reasonOf } from "#shared/error/failure.ts";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";

/** The revision of each tracker's tasks. All are read once, later only changed ones. */
export class WorkRevisions {
  #account_id: () => number;
  #tasks: VisitedWork;
  #revisions = new Map<number, number>();
  #last = 0;
  #hasRead = false;
  #checkedAt = 0;
  #pendingRead: Promise<void> | undefined;
  readonly #now: () => number;

  constructor(tasks: VisitedWork, account_id: () => number, now: () => number = systemNow) {
    this.#now = now;
    this.#tasks = tasks;
    this.#account_id = account_id;
  }

  /**
   * 0: the tracker never had a task. Null: not read within half a second, because feeds call this while a device waits.
   * After a failed read the known revision is answered.
   */
  async revisionOf(tracker_id: number): Promise<number | null> {
    return (await this.#ensureRead()) ? (this.#revisions.get(tracker_id) ?? 0) : null;
  }

  /** The highest revision of all trackers; null if unknown. */
  async lastRevision(): Promise<number | null> {
    return (await this.#ensureRead()) ? this.#last : null;
  }

  /** Makes the next call read again. A read that is under way may have missed the change. */
  invalidate() {
    this.#checkedAt = 0;
    this.#pendingRead = undefined;
  }

  async #ensureRead(): Promise<boolean> {
    if (!this.#pendingRead && this.#now() - this.#checkedAt >= CHECK_INTERVAL_MS) this.#read();
    const reading = this.#pendingRead;
    if (reading && !(await endsInTime(reading))) return false;
    return this.#hasRead;
  }

  #read() {
    this.#checkedAt = this.#now();
    const reading = this.#readChanged()
      .catch((thrown) => {
        console.error(JSON.stringify({ work_revisions: reasonOf(thrown).log }));
        this.#checkedAt = this.#now() - CHECK_INTERVAL_MS + RETRY_DELAY_MS;
      })
      .finally(() => {
        if (this.#pendingRead === reading) this.#pendingRead = undefined;
      });
    this.#pendingRead = reading;
  }

  async #readChanged() {
    let page: ChangedWork[];
    do {
      page = await this.#tasks.changedWork(this.#account_id(), this.#last);
      for (const { tracker_id, revision } of page) {
        this.#revisions.set(tracker_id, Math.max(revision, this.#revisions.get(tracker_id) ?? 0));
        this.#last = Math.max(this.#last, revision);
      }
    } while (page.length === MAX_TRACKERS_PER_WORK_PAGE);
    this.#hasRead = true;
  }
}

async function endsInTime(reading: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), MAX_WAIT_MS);
  });
  const isOver = await Promise.race([reading.then(() => true), late]);
  clearTimeout(timer);
  return isOver;
}

/** How often changed tasks are read, in case a call of `refreshWork` was lost. */
const CHECK_INTERVAL_MS = MINUTE_MS;
/** How long a feed waits for the tasks service. */
const MAX_WAIT_MS = 500;
/** Delay until the next read after a failure. */
const RETRY_DELAY_MS = 5000;
