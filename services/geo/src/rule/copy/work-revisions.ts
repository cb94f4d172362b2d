import { type ChangedWork, MAX_TRACKERS_PER_WORK_PAGE, type VisitedWork } from "#shared/contract/visit.ts";
import { reasonOf } from "#shared/error/failure.ts";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";

/** Since which revision each tracker of an account has the tasks that it has: read once, from then on what has changed. */
export class WorkRevisions {
  #account_id: () => number;
  #tasks: VisitedWork;
  #ofTrackers = new Map<number, number>();
  #last = 0;
  #isRead = false;
  #checked = 0;
  #reading: Promise<void> | undefined;
  readonly #now: () => number;

  constructor(tasks: VisitedWork, account_id: () => number, now: () => number = systemNow) {
    this.#now = now;
    this.#tasks = tasks;
    this.#account_id = account_id;
  }

  /**
   * 0 where the tracker never had a task; null where nobody has told in time: feeds ask while a device waits. What is known
   * stands where the question failed.
   */
  async of(tracker_id: number): Promise<number | null> {
    return (await this.#isKnown()) ? (this.#ofTrackers.get(tracker_id) ?? 0) : null;
  }

  /** The highest of all trackers; null as above. */
  async last(): Promise<number | null> {
    return (await this.#isKnown()) ? this.#last : null;
  }

  /** A reading that is under way may have come too early. */
  forget() {
    this.#checked = 0;
    this.#reading = undefined;
  }

  async #isKnown(): Promise<boolean> {
    if (!this.#reading && this.#now() - this.#checked >= CHECKED_MS) this.#read();
    const reading = this.#reading;
    if (reading && !(await isOverSoon(reading))) return false;
    return this.#isRead;
  }

  #read() {
    this.#checked = this.#now();
    const reading = this.#readChanged()
      .catch((thrown) => {
        console.error(JSON.stringify({ work_revisions: reasonOf(thrown).log }));
        this.#checked = this.#now() - CHECKED_MS + PAUSE_MS;
      })
      .finally(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    this.#reading = reading;
  }

  async #readChanged() {
    let page: ChangedWork[];
    do {
      page = await this.#tasks.changedWork(this.#account_id(), this.#last);
      for (const { tracker_id, revision } of page) {
        this.#ofTrackers.set(tracker_id, Math.max(revision, this.#ofTrackers.get(tracker_id) ?? 0));
        this.#last = Math.max(this.#last, revision);
      }
    } while (page.length === MAX_TRACKERS_PER_WORK_PAGE);
    this.#isRead = true;
  }
}

async function isOverSoon(reading: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  const isOver = await Promise.race([reading.then(() => true), late]);
  clearTimeout(timer);
  return isOver;
}

/** So often it looks whether it was told of every change. */
const CHECKED_MS = MINUTE_MS;
/** For so long a feed waits for the answer. */
const PATIENCE_MS = 500;
/** Until it asks again where nobody answered. */
const PAUSE_MS = 5000;
