import { DurableObject } from "cloudflare:workers";
import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import { logged } from "../log-failure.ts";
import { feedOf, ruleBookOf } from "../object/addresses.ts";
import type { Appended, Owner, SharedJournal, SharedLine } from "../object/shared-journal.ts";
import { Gathering } from "./line-group.ts";
import { LineRows, type TrackerLine } from "./line-rows.ts";
import { KeptLines } from "./stored-lines.ts";

type Group = { lines: TrackerLine[]; accounts: Set<number> };
/** How many lines were stored, and what each account's book of rules says. */
type StoredGroup = { together: number; stamps: Map<number, Promise<string | null>> };

/** One for each block of trackers, named by its number. */
export class BlockJournal extends DurableObject<GeoEnv> implements SharedJournal {
  #rows: LineRows;
  #kept = new KeptLines();
  #gathering: Gathering;
  /** What is stored together next. */
  #group: Group = newGroup();
  #storing: Promise<StoredGroup> | undefined;
  #isAlarmSet = false;
  /** Rows that were read a moment ago, and have not changed since. */
  #read = new Map<number, TrackerLine[]>();
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, now: () => number = systemNow) {
    super(ctx, env);
    this.#now = now;
    this.#gathering = new Gathering(now);
    this.#rows = new LineRows(ctx.storage.sql);
    for (const { tracker_id, number, row } of this.#rows.heads()) this.#kept.add(tracker_id, number, row);
    this.#planAlarm();
  }

  async append({ account_id, tracker_id }: Owner, line: SharedLine): Promise<Appended> {
    if (this.#kept.count >= MOST_LINES) return { together: 0, stamp: null };
    this.#group.lines.push({ ...line, tracker_id });
    this.#group.accounts.add(account_id);
    this.#gathering.grown(this.#group.lines.length);
    this.#storing ??= this.#storeSoon();
    const { together, stamps } = await this.#storing;
    // Whoever shares the group does not wait for another account's book.
    return { together, stamp: (await stamps.get(account_id)) ?? null };
  }

  async linesOf(tracker_id: number): Promise<SharedLine[]> {
    const kept = this.#kept.rowsOf(tracker_id);
    return this.#readSoonAgain([...new Set(kept.values())])
      .filter((line) => line.tracker_id === tracker_id && kept.has(line.number))
      .map(({ number, received, facts, points }) => ({ number, received, facts, points }))
      .sort((one, other) => one.number - other.number);
  }

  async settle(tracker_id: number, numbers: number[]): Promise<void> {
    this.#drop(tracker_id, numbers);
  }

  async erase(tracker_id: number): Promise<void> {
    this.#drop(tracker_id, [...this.#kept.rowsOf(tracker_id).keys()]);
    // Those that were settled long ago are in the rows of others, too.
    for (const row of this.#rows.holding(tracker_id)) {
      this.#rows.replace(
        row,
        this.#rows.read([row]).filter((line) => line.tracker_id !== tracker_id),
      );
      this.#read.delete(row);
    }
  }

  /** Feeds settle their lines themselves; those that do not, for whatever reason, are asked to. */
  override async alarm() {
    this.#isAlarmSet = false;
    await mapConcurrently(this.#kept.below(this.#now() - LONGEST_MS), async ([tracker_id, numbers]) => {
      try {
        await feedOf(this.env, tracker_id).settle(numbers);
        this.#drop(tracker_id, numbers);
      } catch (thrown) {
        logged(thrown);
      }
    });
    this.#planAlarm();
  }

  /** After a start many feeds ask at once, and most rows have lines of many: each is read once. */
  #readSoonAgain(ids: number[]): TrackerLine[] {
    if (this.#read.size === 0) setTimeout(() => this.#read.clear(), READ_MS);
    return ids.flatMap((id) => {
      const lines = this.#read.get(id) ?? this.#rows.read([id]);
      this.#read.set(id, lines);
      return lines;
    });
  }

  /** Where it throws nothing of the group is stored, and all who wait for it hear of that. */
  async #storeSoon(): Promise<StoredGroup> {
    await this.#gathering.wait();
    const { lines, accounts } = this.#group;
    this.#group = newGroup();
    this.#storing = undefined;
    this.#gathering.ended(lines.length);
    // Asked once all of the group are here, so that what changed before any of them is in it.
    const stamps = new Map([...accounts].map((account_id) => [account_id, this.#stampOf(account_id)]));
    const row = this.#rows.add(lines);
    this.#read.delete(row);
    for (const { tracker_id, number } of lines) this.#kept.add(tracker_id, number, row);
    this.#planAlarm();
    return { together: lines.length, stamps };
  }

  async #stampOf(account_id: number): Promise<string | null> {
    try {
      return await ruleBookOf(this.env, account_id).stamp();
    } catch (thrown) {
      logged(thrown);
      return null;
    }
  }

  #drop(tracker_id: number, numbers: number[]) {
    const emptied = this.#kept.remove(tracker_id, numbers);
    if (emptied.length > 0) this.#rows.remove(emptied);
  }

  #planAlarm() {
    if (this.#isAlarmSet || this.#kept.count === 0) return;
    this.#isAlarmSet = true;
    // Numbers begin with the time of their making.
    const due = Math.max(this.#now() + PAUSE_MS, this.#kept.lowest() + LONGEST_MS);
    this.ctx.waitUntil(this.ctx.storage.setAlarm(due));
  }
}

function newGroup(): Group {
  return { lines: [], accounts: new Set() };
}

/** Lines are not left here longer; long before that feeds write their points to the database. */
const LONGEST_MS = 90 * MINUTE_MS;
const PAUSE_MS = 5000;
const READ_MS = 5000;
/** Some 20 MB of what is known of them. */
const MOST_LINES = 200_000;
