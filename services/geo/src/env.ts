import type { ServiceEnv } from "#shared/operation.ts";
import type FleetService from "../../fleet/src/index.ts";
import type { TrackerFeed } from "./feed/tracker-feed.ts";

export type GeoEnv = ServiceEnv & {
  FLEET: Service<FleetService>;
  FEEDS: DurableObjectNamespace<TrackerFeed>;
  /** How far ahead of the clock a point may be. */
  FUTURE_HOURS: string;
  /** A longer silence ends a trip. */
  TRIP_GAP_MINUTES: string;
  /** Lone points closer together make one cluster. */
  CLUSTER_METERS: string;
  /** JSON: thing to ISO 8601 duration. */
  MAX_SPANS: string;
};
