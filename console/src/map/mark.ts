import type { Feature, Point } from "geojson";

/** A stop, event or check-in. Of those that overlap, the one with the lower rank is shown. */
export type Mark = Feature<Point, { key: string; icon: string; label: string; rank: number }>;
