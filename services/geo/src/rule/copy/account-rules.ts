import { DurableObject } from "cloudflare:workers";
import { openDatabase } from "#shared/database/open.ts";
import type { TrackerGauge } from "#shared/telemetry/sensor.ts";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import type {
  CurrentRules,
  RuleCopy,
  RuleDirectory,
  TrackerPosition,
  ZonesOfSquares,
} from "../../object/account-rules.ts";
import type { NearZone } from "../../object/watched-rule.ts";
import { boxOfSquare, overlap } from "../../zone/squares.ts";
import { copiedRule, sensorsOf } from "./copied-rule.ts";
import { selectOutlines, selectVersion } from "./queries.ts";
import { type BookContents, type IndexedZone, loadContents, versionOf } from "./rule-contents.ts";
import { Whereabouts } from "./whereabouts.ts";
import { WorkRevisions } from "./work-revisions.ts";

/**
 * One per account, named by its id: what its rules are and which zones they name, so that feeds need not ask the
 * database. All of it follows from the database; a change there is told by `refresh`, and looked for each minute.
 */
export class AccountRuleBook extends DurableObject<GeoEnv> implements RuleDirectory {
  #contents: Promise<BookContents> | undefined;
  #checked = 0;
  #work: WorkRevisions;
  /** Part of every version: whoever asks a new object, or one that was told of changed sensors, gets a copy anew. */
  #gauges = crypto.randomUUID();
  #places: Whereabouts;
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, now: () => number = systemNow) {
    super(ctx, env);
    this.#now = now;
    this.#work = new WorkRevisions(env.TASKS, () => this.#accountId(), now);
    this.#places = new Whereabouts(env, this.#accountId(), now);
  }

  async currentRules(tracker_id: number, version: string | null): Promise<CurrentRules> {
    // First, so that what changes meanwhile is at worst asked for once more.
    const stamp = await this.#stamp();
    const [rules, workRevision] = await Promise.all([this.#rulesOf(tracker_id, version), this.#work.of(tracker_id)]);
    return { rules, workRevision, stamp };
  }

  stamp(): Promise<string | null> {
    return this.#stamp();
  }

  async zonesOf(tracker_id: number, version: string, squares: number[], known: number[]): Promise<ZonesOfSquares> {
    const contents = await this.#current();
    // The asker's copy is no longer what it was: it takes a new one first.
    if (this.#versionOf(contents) !== version) return { squares: [], zones: [] };
    const rules = new Set(contents.rulesOf(tracker_id).map(({ id }) => id));
    const [had, sent] = [new Set(known), new Map<number, IndexedZone>()];
    const answered: [number, number[]][] = [];
    let weight = 0;
    for (const square of squares) {
      const box = boxOfSquare(square);
      const zones = contents
        .zonesNear(square)
        .filter((zone) => zone.rules.some((id) => rules.has(id)) && overlap(zone.reach, box));
      weight += zones.reduce(
        (sum, zone) => sum + (had.has(zone.id) || sent.has(zone.id) ? 0 : zone.point_count + 10),
        0,
      );
      if (answered.length > 0 && weight > MOST_POINTS) break;
      for (const zone of zones) if (!had.has(zone.id)) sent.set(zone.id, zone);
      answered.push([square, zones.map(({ id }) => id)]);
    }
    return { squares: answered, zones: await this.#outlined([...sent.values()]) };
  }

  async refresh(): Promise<void> {
    this.#contents = undefined;
  }

  async refreshWork(): Promise<void> {
    this.#work.forget();
  }

  async forgetGauges(): Promise<void> {
    this.#gauges = crypto.randomUUID();
  }

  positionsOf(tracker_ids: number[]): Promise<TrackerPosition[]> {
    return this.#places.of(tracker_ids);
  }

  async #rulesOf(tracker_id: number, version: string | null): Promise<RuleCopy | null> {
    const contents = await this.#current();
    const current = this.#versionOf(contents);
    if (current === version) return null;
    const rules = contents.rulesOf(tracker_id);
    const gauges = await this.#gaugesOf(rules.flatMap((row) => sensorsOf(row, tracker_id)));
    const copies = rules.map((row) =>
      copiedRule(row, tracker_id, { time_zone: contents.time_zone, shapes: contents.shapesOf(row.id), gauges }),
    );
    return { version: current, rules: copies };
  }

  async #stamp(): Promise<string | null> {
    const [contents, revision] = await Promise.all([this.#current(), this.#work.last()]);
    return revision === null ? null : `${this.#versionOf(contents)} ${revision}`;
  }

  #versionOf({ version }: BookContents) {
    return `${version} ${this.#gauges}`;
  }

  #accountId() {
    return Number(this.ctx.id.name);
  }

  async #current(): Promise<BookContents> {
    const contents = this.#contents;
    if (contents && this.#now() - this.#checked < CHECKED_MS) return contents;
    const account_id = this.#accountId();
    this.#checked = this.#now();
    if (contents) {
      const versions = await selectVersion(openDatabase(this.env), account_id);
      if (this.#contents === contents && versionOf(versions) === (await contents).version) return contents;
    }
    const loading = loadContents(openDatabase(this.env), account_id);
    this.#contents = loading;
    loading.catch(() => {
      // A failed load is no answer to keep.
      if (this.#contents === loading) this.#contents = undefined;
    });
    return loading;
  }

  async #outlined(zones: IndexedZone[]): Promise<NearZone[]> {
    const db = openDatabase(this.env);
    const byId = new Map(zones.map((zone) => [zone.id, zone]));
    const found: NearZone[] = [];
    for (const page of pagesOf(zones)) {
      const rows = await selectOutlines(db, this.#accountId(), page);
      for (const { point_count, revision, ...row } of rows) {
        const zone = byId.get(row.id);
        if (zone) found.push({ ...row, reach: zone.reach, rules: zone.rules });
      }
    }
    return found;
  }

  async #gaugesOf(sensor_ids: number[]): Promise<Record<number, TrackerGauge>> {
    return sensor_ids.length === 0 ? {} : this.env.FLEET.gaugesIn(this.#accountId(), [...new Set(sensor_ids)]);
  }
}

/** Ids of zones whose points one answer of the database holds. */
function pagesOf(zones: IndexedZone[]): number[][] {
  const pages: number[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const { id, point_count } of zones) {
    weight += point_count + 10;
    if (weight > PAGE_POINTS) {
      pages.push([]);
      weight = point_count + 10;
    }
    pages.at(-1)?.push(id);
  }
  return pages;
}

/** So often it looks whether it was told of every change. */
const CHECKED_MS = MINUTE_MS;
/** In one answer: some 16 MB. */
const MOST_POINTS = 150_000;
const PAGE_POINTS = 60_000;
