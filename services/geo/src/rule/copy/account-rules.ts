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
import { boxOfSquare, doBoxesOverlap } from "../../zone/squares.ts";
import { sensorIdsOf, toCopiedRule } from "./copied-rule.ts";
import { selectOutlines, selectVersion } from "./queries.ts";
import { type IndexedZone, loadContents, type RuleContents, versionOf } from "./rule-contents.ts";
import { TrackerPositions } from "./tracker-positions.ts";
import { WorkRevisions } from "./work-revisions.ts";

/**
 * Holds an account's rules and the boxes of their zones in memory, so that feeds need no database. Writers call
 * `refresh`; without a call, changes are noticed within a minute by the stored revision.
 */
export class AccountRules extends DurableObject<GeoEnv> implements RuleDirectory {
  #contents: Promise<RuleContents> | undefined;
  #checkedAt = 0;
  #workRevisions: WorkRevisions;
  /**
   * Part of every version: a new value makes all copies in feeds outdated after sensors changed or the object
   * restarted.
   */
  #gaugesVersion = crypto.randomUUID();
  #positions: TrackerPositions;
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, now: () => number = systemNow) {
    super(ctx, env);
    this.#now = now;
    this.#workRevisions = new WorkRevisions(env.TASKS, () => this.#accountId(), now);
    this.#positions = new TrackerPositions(env, this.#accountId(), now);
  }

  async currentRules(tracker_id: number, version: string | null): Promise<CurrentRules> {
    // The stamp is read first: a change in between makes the caller ask once more, and is never missed.
    const stamp = await this.#currentStamp();
    const [rules, workRevision] = await Promise.all([
      this.#copyFor(tracker_id, version),
      this.#workRevisions.revisionOf(tracker_id),
    ]);
    return { rules, workRevision, stamp };
  }

  stamp(): Promise<string | null> {
    return this.#currentStamp();
  }

  async zonesOf(tracker_id: number, version: string, squares: number[], known: number[]): Promise<ZonesOfSquares> {
    const contents = await this.#currentContents();
    // The caller's copy is outdated: it has to fetch the rules first.
    if (this.#versionOf(contents) !== version) return { squares: [], zones: [] };
    const rules = new Set(contents.rulesOf(tracker_id).map(({ id }) => id));
    const [knownIds, newZones] = [new Set(known), new Map<number, IndexedZone>()];
    const answeredSquares: [number, number[]][] = [];
    let points = 0;
    for (const square of squares) {
      const box = boxOfSquare(square);
      const zones = contents
        .zonesNear(square)
        .filter((zone) => zone.rules.some((id) => rules.has(id)) && doBoxesOverlap(zone.reach, box));
      points += zones.reduce(
        (sum, zone) => sum + (knownIds.has(zone.id) || newZones.has(zone.id) ? 0 : zone.point_count + 10),
        0,
      );
      if (answeredSquares.length > 0 && points > MAX_POINTS_PER_ANSWER) break;
      for (const zone of zones) if (!knownIds.has(zone.id)) newZones.set(zone.id, zone);
      answeredSquares.push([square, zones.map(({ id }) => id)]);
    }
    return { squares: answeredSquares, zones: await this.#readOutlines([...newZones.values()]) };
  }

  async refresh(): Promise<void> {
    this.#contents = undefined;
  }

  async refreshWork(): Promise<void> {
    this.#workRevisions.invalidate();
  }

  async invalidateGauges(): Promise<void> {
    this.#gaugesVersion = crypto.randomUUID();
  }

  positionsOf(tracker_ids: number[]): Promise<TrackerPosition[]> {
    return this.#positions.positionsOf(tracker_ids);
  }

  async #copyFor(tracker_id: number, version: string | null): Promise<RuleCopy | null> {
    const contents = await this.#currentContents();
    const current = this.#versionOf(contents);
    if (current === version) return null;
    const rules = contents.rulesOf(tracker_id);
    const gauges = await this.#readGauges(rules.flatMap((row) => sensorIdsOf(row, tracker_id)));
    const copies = rules.map((row) =>
      toCopiedRule(row, tracker_id, { time_zone: contents.time_zone, shapes: contents.shapesHashOf(row.id), gauges }),
    );
    return { version: current, rules: copies };
  }

  async #currentStamp(): Promise<string | null> {
    const [contents, revision] = await Promise.all([this.#currentContents(), this.#workRevisions.lastRevision()]);
    return revision === null ? null : `${this.#versionOf(contents)} ${revision}`;
  }

  #versionOf({ version }: RuleContents) {
    return `${version} ${this.#gaugesVersion}`;
  }

  #accountId() {
    return Number(this.ctx.id.name);
  }

  async #currentContents(): Promise<RuleContents> {
    const contents = this.#contents;
    if (contents && this.#now() - this.#checkedAt < CHECK_INTERVAL_MS) return contents;
    const account_id = this.#accountId();
    this.#checkedAt = this.#now();
    if (contents) {
      const versions = await selectVersion(openDatabase(this.env), account_id);
      if (this.#contents === contents && versionOf(versions) === (await contents).version) return contents;
    }
    const loading = loadContents(openDatabase(this.env), account_id);
    this.#contents = loading;
    loading.catch(() => {
      // A failed load is dropped, so that the next call loads again.
      if (this.#contents === loading) this.#contents = undefined;
    });
    return loading;
  }

  async #readOutlines(zones: IndexedZone[]): Promise<NearZone[]> {
    const db = openDatabase(this.env);
    const byId = new Map(zones.map((zone) => [zone.id, zone]));
    const outlined: NearZone[] = [];
    for (const page of splitByPoints(zones)) {
      const rows = await selectOutlines(db, this.#accountId(), page);
      for (const { point_count, revision, ...row } of rows) {
        const zone = byId.get(row.id);
        if (zone) outlined.push({ ...row, reach: zone.reach, rules: zone.rules });
      }
    }
    return outlined;
  }

  async #readGauges(sensor_ids: number[]): Promise<Record<number, TrackerGauge>> {
    return sensor_ids.length === 0 ? {} : this.env.FLEET.gaugesIn(this.#accountId(), [...new Set(sensor_ids)]);
  }
}

/** Splits zones into lists of ids whose points fit into one answer of the database. */
function splitByPoints(zones: IndexedZone[]): number[][] {
  const pages: number[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const { id, point_count } of zones) {
    weight += point_count + 10;
    if (weight > MAX_POINTS_PER_QUERY) {
      pages.push([]);
      weight = point_count + 10;
    }
    pages.at(-1)?.push(id);
  }
  return pages;
}

/** How often the stored revision is compared, in case a call of `refresh` was lost. */
const CHECK_INTERVAL_MS = MINUTE_MS;
/** About 16 MB. */
const MAX_POINTS_PER_ANSWER = 150_000;
const MAX_POINTS_PER_QUERY = 60_000;
