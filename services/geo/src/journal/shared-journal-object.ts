import { DurableObject } from "cloudflare:workers";
import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import { logFailure } from "../log-failure.ts";
import { accountRulesOf, feedOf } from "../object/addresses.ts";
import type { AppendResult, LineOwner, SharedJournal, SharedLine } from "../object/shared-journal.ts";
import { GroupWait } from "./group-wait.ts";
import { LineIndex } from "./line-index.ts";
import { LineRows, type TrackerLine } from "./line-rows.ts";

type LineGroup = { lines: TrackerLine[]; accounts: Set<number> };
/** The number of lines stored together, and the stamp of each account's rules; null: unknown. */
type StoredGroup = { size: number; stamps: Map<number, Promise<string | null>> };

/** Durable Object of a block of 1,024 trackers, named by the block's number. */
export class SharedJournalObject extends DurableObject<GeoEnv> implements SharedJournal {
  #rows: LineRows;
  #index = new LineIndex();
  #groupWait: GroupWait;
  /** Lines that are stored together next. */
  #group: LineGroup = newGroup();
  #pendingGroup: Promise<StoredGroup> | undefined;
  #isAlarmSet = false;
  /** Rows that were read since `#cacheBegan` and have not changed. */
  #rowCache = new Map<number, TrackerLine[]>();
  #cacheBegan = 0;
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, now: () => number = systemNow) {
    super(ctx, env);
    this.#now = now;
    this.#groupWait = new GroupWait(now);
    this.#rows = new LineRows(ctx.storage.sql);
    for (const { tracker_id, number, row } of this.#rows.heads()) this.#index.add(tracker_id, number, row);
    this.#planAlarm();
  }

  async append({ account_id, tracker_id }: LineOwner, line: SharedLine): Promise<AppendResult> {
    if (this.#index.count >= MAX_LINES) return { groupSize: 0, stamp: null };
    this.#group.lines.push({ ...line, tracker_id });
    this.#group.accounts.add(account_id);
    this.#groupWait.noteSize(this.#group.lines.length);
    this.#pendingGroup ??= this.#storeGroup();
    const { size: groupSize, stamps } = await this.#pendingGroup;
    // Only this account's stamp is awaited: another account's rules must not delay the answer.
    return { groupSize, stamp: (await stamps.get(account_id)) ?? null };
  }

  async linesOf(tracker_id: number): Promise<SharedLine[]> {
    const rowByNumber = this.#index.rowsOf(tracker_id);
    return this.#readCached([...new Set(rowByNumber.values())])
      .filter((line) => line.tracker_id === tracker_id && rowByNumber.has(line.number))
      .map(({ number, received, facts, points }) => ({ number, received, facts, points }))
      .sort((one, other) => one.number - other.number);
  }

  async removeLines(tracker_id: number, numbers: number[]): Promise<void> {
    this.#drop(tracker_id, numbers);
  }

  async erase(tracker_id: number): Promise<void> {
    this.#drop(tracker_id, [...this.#index.rowsOf(tracker_id).keys()]);
    // Rows may still hold lines of the tracker that were removed from the index long ago.
    for (const row of this.#rows.rowsWith(tracker_id)) {
      this.#rows.replace(
        row,
        this.#rows.read([row]).filter((line) => line.tracker_id !== tracker_id),
      );
      this.#rowCache.delete(row);
    }
  }

  /** Asks feeds to move old lines into their own storage. Feeds usually do so themselves, with every flush. */
  override async alarm() {
    this.#isAlarmSet = false;
    await mapConcurrently(this.#index.linesBelow(this.#now() - MAX_LINE_AGE_MS), async ([tracker_id, numbers]) => {
      try {
        await feedOf(this.env, tracker_id).moveSharedLines(numbers);
        this.#drop(tracker_id, numbers);
      } catch (thrown) {
        logFailure(thrown);
      }
    });
    this.#planAlarm();
  }

  /**
   * Reads rows through a cache: after a restart up to 1,024 feeds ask at once for the same rows, which take 27 ms to read,
   * half a minute without the cache.
   */
  #readCached(ids: number[]): TrackerLine[] {
    this.#forgetOldRows();
    return ids.flatMap((id) => {
      const lines = this.#rowCache.get(id) ?? this.#rows.read([id]);
      this.#rowCache.set(id, lines);
      return lines;
    });
  }

  /** Empties the cache in time, without a timer: that would keep an idle object in memory. */
  #forgetOldRows() {
    if (this.#now() - this.#cacheBegan < CACHE_MS) return;
    this.#rowCache.clear();
    this.#cacheBegan = this.#now();
  }

  /**
   * Waits for further lines, then stores the group in one row. If it throws, no line of the group is stored and each
   * caller fails.
   */
  async #storeGroup(): Promise<StoredGroup> {
    await this.#groupWait.wait();
    const { lines, accounts } = this.#group;
    this.#group = newGroup();
    this.#pendingGroup = undefined;
    this.#groupWait.noteStored(lines.length);
    // Read after the last line of the group has come, so that each stamp covers changes made before any line.
    const stamps = new Map([...accounts].map((account_id) => [account_id, this.#stampOf(account_id)]));
    this.#forgetOldRows();
    const row = this.#rows.add(lines);
    this.#rowCache.delete(row);
    for (const { tracker_id, number } of lines) this.#index.add(tracker_id, number, row);
    this.#planAlarm();
    return { size: lines.length, stamps };
  }

  async #stampOf(account_id: number): Promise<string | null> {
    try {
      return await accountRulesOf(this.env, account_id).stamp();
    } catch (thrown) {
      logFailure(thrown);
      return null;
    }
  }

  #drop(tracker_id: number, numbers: number[]) {
    const emptyRows = this.#index.remove(tracker_id, numbers);
    if (emptyRows.length > 0) this.#rows.remove(emptyRows);
  }

  #planAlarm() {
    if (this.#isAlarmSet || this.#index.count === 0) return;
    this.#isAlarmSet = true;
    // A line's number is about the time when it was made, in milliseconds.
    const due = Math.max(this.#now() + MIN_ALARM_DELAY_MS, this.#index.lowestNumber() + MAX_LINE_AGE_MS);
    this.ctx.waitUntil(this.ctx.storage.setAlarm(due));
  }
}

function newGroup(): LineGroup {
  return { lines: [], accounts: new Set() };
}

/** Lines older than this are moved; feeds flush their points long before. */
const MAX_LINE_AGE_MS = 90 * MINUTE_MS;
const MIN_ALARM_DELAY_MS = 5000;
const CACHE_MS = 5000;
/** The index of so many lines takes some 20 MB of memory. */
const MAX_LINES = 200_000;
