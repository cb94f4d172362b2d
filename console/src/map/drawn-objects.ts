import type { Feature, Point } from "geojson";
import type { LiveStates } from "../live/live-states.ts";
import { type LiveObject, statusIn } from "../live/objects.ts";

type Drawn = { lng: number; lat: number; status: unknown; heading: number };

/** Less than anybody sees. */
const MIN_MOVE_PX = 0.5;
const MIN_TURN_DEGREES = 5;
const WORLD_PX = 512;

/**
 * The objects as the map has drawn them. Most moves of a large fleet are too small to be seen while the map shows a country:
 * those objects stay as they were drawn until the map comes closer.
 */
export class DrawnObjects {
  #drawn = new Map<number, Drawn>();
  #outdated = new Set<number>();

  /** Whether drawing the object again would show nothing new at this zoom. It counts as outdated then. */
  looksTheSame(object: LiveObject, states: LiveStates, zoom: number): boolean {
    const drawn = this.#drawn.get(object.id);
    const gps = states.get(object.sourceId)?.gps;
    if (!drawn || !gps?.updated || drawn.status !== statusIn(states, object)) return false;
    const degreesPerPx = 360 / (WORLD_PX * 2 ** zoom);
    const { lng, lat } = gps.location;
    const east = (lng - drawn.lng) / degreesPerPx;
    const north = (lat - drawn.lat) / degreesPerPx / Math.cos((lat * Math.PI) / 180);
    if (Math.hypot(east, north) >= MIN_MOVE_PX) return false;
    const isTurned = drawn.status === "moving" && Math.abs(gps.heading - drawn.heading) >= MIN_TURN_DEGREES;
    if (isTurned) return false;
    this.#outdated.add(object.sourceId);
    return true;
  }

  /** Forgets what was drawn before and keeps these. */
  replace(features: Feature<Point>[]) {
    this.#drawn.clear();
    this.#outdated.clear();
    for (const feature of features) this.add(feature);
  }

  add({ id, geometry, properties }: Feature<Point>) {
    const [lng = 0, lat = 0] = geometry.coordinates;
    this.#drawn.set(Number(id), { lng, lat, status: properties?.status, heading: properties?.heading ?? 0 });
  }

  /** Answers whether the object was drawn. */
  remove(id: number): boolean {
    return this.#drawn.delete(id);
  }

  /** The sources of outdated objects, which count as up to date from now on. */
  takeOutdated(): ReadonlySet<number> {
    const outdated = this.#outdated;
    this.#outdated = new Set();
    return outdated;
  }
}
