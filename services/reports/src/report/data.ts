import type {
  Naming,
  RecordCursor,
  RecordPage,
  RecordSearch,
  ReportTrip,
  ReportVisits,
} from "#shared/contract/report-source.ts";
import { storedRange } from "#shared/contract/tracker/stored-range.ts";
import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import type { Position } from "#shared/geometry/position.ts";
import { clockOf } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { isOneWindow, isWithin } from "../definition/time-filter.ts";
import type { TrackerData, TrackPoint } from "../definition/tracker-data.ts";
import type { ReportsEnv } from "../env.ts";
import { prefixAreas } from "../series/areas.ts";
import type { ReportRow } from "../table/report.ts";

type Feed = VisibleTracker["feed"];
type Range = { from: number; to: number };

/** The data of a tracker that the report may show: within its range, the storage periods and the time filter. */
export function createTrackerData(row: ReportRow, tracker: VisibleTracker, env: ReportsEnv): TrackerData {
  const { request, reader } = row;
  const { feed, store_period, tracker_id } = tracker;
  const { time_zone, locale } = request.locale_info;
  const clock = clockOf(env, time_zone, false);
  const now = clock.now();
  const range = storedRange(row, [store_period, reader.store_period], clock);
  const isEmpty = range.from > range.to;
  const within = (ms: number) => ms >= range.from && ms <= range.to && isWithin(ms, request.time_filter, time_zone);
  const { include_places_in_address: places, include_zones_in_address: zones } = request;
  const naming = { locale, areas: { places, zones } };
  const trips = readOnce(async () =>
    isEmpty ? [] : (await env.GEO.tripsIn(reader, feed.tracker_id, { ...bounds(range), ...naming })).map(prefixTrip),
  );
  const records = <Item extends RecordCursor>(
    read: (search: RecordSearch) => Promise<RecordPage<Item>>,
    isShown: (ms: number) => boolean = within,
  ) => (isEmpty ? emptyPages() : readRecords(read, { tracker_id, ...bounds(range) }, isShown));
  const drivers = readOnce(() =>
    readAll(
      records((search) => env.RECORDS.driversIn(reader, search), isAnytime),
      MAX_SHIFTS,
    ),
  );
  const equipment = readOnce(async () => (await env.RECORDS.equipmentOf(reader, tracker_id)) ?? NO_EQUIPMENT);
  return {
    tracker_id,
    ...bounds(range),
    now,
    isWithin: within,
    allTrips: trips,
    points: (attributes = []) => {
      const follows = (from: number, to: number) => isOneWindow(from, to, request.time_filter, time_zone);
      return isEmpty ? emptyPages() : readPoints(env, feed, { ...bounds(range), attributes }, { within, follows });
    },
    equipment,
    equipmentAt: async () => {
      if (isEmpty) return { ...(await equipment()), odometer: null };
      return (await env.RECORDS.equipmentAt(reader, tracker_id, Math.min(range.to, now))) ?? NO_EQUIPMENT;
    },
    tagNames: async (ids) => {
      const found = ids.length > 0 ? await env.RECORDS.tagNames(reader, ids) : [];
      return new Map(found.map(({ id, name }) => [id, name]));
    },
    events: (names) => records((search) => env.RECORDS.eventsIn(reader, search, names)),
    drivers,
    async placesOfDrivers() {
      const ids = new Set((await drivers()).flatMap(({ driver_id }) => driver_id ?? []));
      return ids.size > 0 ? env.GEO.responsiblePlaces(reader, [...ids]) : [];
    },
    statuses: readOnce(() =>
      readAll(
        records((search) => env.RECORDS.statusesIn(reader, search), isAnytime),
        MAX_SHIFTS,
      ),
    ),
    async visits(thing, ids) {
      const visits = isEmpty
        ? NO_VISITS
        : await readVisits(ids, (part) => env.GEO.visitsIn(reader, feed, { thing, ids: part, ...bounds(range) }));
      return { ...visits, visits: visits.visits.filter(({ start_time }) => within(start_time)) };
    },
    ...createNaming(reader, naming, env),
    tasks: () => records((search) => env.TASKS.tasksIn(reader, search)),
    checkins: () => records((search) => env.TASKS.checkinsIn(reader, search)),
    forms: () => records((search) => env.TASKS.formsIn(reader, search)),
  };
}

/** Names positions for the reader, in batches. */
function createNaming(
  reader: ReportRow["reader"],
  naming: Naming,
  { GEO }: ReportsEnv,
): Pick<TrackerData, "names" | "areas"> {
  return {
    names: async (positions) =>
      (await readInBatches(positions, (part) => GEO.namesAt(reader, part, naming))).map(prefixAreas),
    areas: async (positions, kinds = naming.areas) =>
      kinds.places || kinds.zones
        ? readInBatches(positions, (part) => GEO.areaLabelsAt(reader, part, kinds))
        : positions.map(() => []),
  };
}

function bounds({ from, to }: Range): Range {
  return { from, to };
}

async function* emptyPages(): AsyncGenerator<never[]> {}

/** Reads at maxItems once; later calls get the same promise. */
function readOnce<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let known: Promise<Value> | undefined;
  return () => {
    known ??= read();
    return known;
  };
}

async function readAll<Item>(pages: AsyncGenerator<Item[]>, maxItems: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    items.push(...page.slice(0, maxItems - items.length));
    if (items.length >= maxItems) break;
  }
  return items;
}

/** Reads all pages of records. */
async function* readRecords<Item extends RecordCursor>(
  read: (search: RecordSearch) => Promise<RecordPage<Item>>,
  search: Omit<RecordSearch, "after">,
  isShown: (ms: number) => boolean,
): AsyncGenerator<Item[]> {
  let after: RecordCursor | null = null;
  do {
    const page: RecordPage<Item> = await read({ ...search, after });
    yield page.items.filter(({ time }) => isShown(time));
    after = page.next;
  } while (after);
}

type Times = { within(ms: number): boolean; follows(from: number, to: number): boolean };

async function* readPoints(
  env: ReportsEnv,
  feed: Feed,
  { from, ...search }: Range & { attributes: string[] },
  { within, follows }: Times,
): AsyncGenerator<TrackPoint[]> {
  let next: { time: number; skip: number } | null = { time: from, skip: 0 };
  let last: { time: number; meters: number } | undefined;
  while (next) {
    const page: Awaited<ReturnType<typeof env.GEO.pointsIn>> = await env.GEO.pointsIn(feed, next, search);
    const points: TrackPoint[] = [];
    for (const point of page.points) {
      const isStep = last !== undefined && point.time - last.time <= MAX_STEP_MS && follows(last.time, point.time);
      const step =
        isStep && last ? { ms: point.time - last.time, meters: Math.max(0, point.meters - last.meters) } : NO_STEP;
      last = point;
      if (within(point.time)) points.push({ ...point, follows: isStep, step_ms: step.ms, step_meters: step.meters });
    }
    yield points;
    next = page.next;
  }
}

/** Reads visits in batches of areas. */
async function readVisits(ids: number[], read: (ids: number[]) => Promise<ReportVisits>): Promise<ReportVisits> {
  const found: ReportVisits = { things: [], visits: [] };
  for (let start = 0; start < ids.length; start += MAX_AREAS_PER_CALL) {
    const { things, visits } = await read(ids.slice(start, start + MAX_AREAS_PER_CALL));
    found.things.push(...things);
    for (const visit of visits) found.visits.push(visit);
  }
  found.visits.sort((one, other) => one.start_time - other.start_time);
  return found;
}

async function readInBatches<Name>(
  positions: Position[],
  read: (part: Position[]) => Promise<Name[]>,
): Promise<Name[]> {
  const names: Name[] = [];
  for (let start = 0; start < positions.length; start += MAX_POSITIONS_PER_CALL) {
    names.push(...(await read(positions.slice(start, start + MAX_POSITIONS_PER_CALL))));
  }
  return names;
}

function prefixTrip(trip: ReportTrip): ReportTrip {
  return { ...trip, start: prefixAreas(trip.start), end: prefixAreas(trip.end) };
}

const isAnytime = () => true;
const NO_EQUIPMENT = { gauges: [], vehicle: null, odometer: null };
const NO_STEP = { ms: 0, meters: 0 };
const NO_VISITS: ReportVisits = { things: [], visits: [] };
/** A longer silence means that the device had no power; mileage counters use the same bound. */
const MAX_STEP_MS = 12 * HOUR_MS;
const MAX_SHIFTS = 20_000;
/** Geo accepts no more in one call. */
const MAX_AREAS_PER_CALL = 50;
const MAX_POSITIONS_PER_CALL = 500;
