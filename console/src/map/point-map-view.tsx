import { useEffect, useRef } from "react";
import type { Area } from "./drawing/features.ts";
import { MapFrame } from "./map-frame.tsx";
import { type MapPoint, PointMap } from "./point-map.ts";
import { useStyledMap } from "./use-styled-map.ts";
import "maplibre-gl/dist/maplibre-gl.css";

export type { MapPoint };
export type PointMapProps = {
  label: string;
  points: MapPoint[];
  /** Areas under the points; the same list as long as it has not changed. */
  areas?: Area[];
  /** A point that is marked and shown from near; it need not be one of the others. */
  chosen?: MapPoint | undefined;
  onSelect(id: number): void;
};

/** A map with points, and with areas under them. */
export function PointMapView(props: PointMapProps) {
  const latest = useRef(props);
  latest.current = props;
  const used = useStyledMap(
    props.label,
    (options) => new PointMap({ ...options, onSelect: (id) => latest.current.onSelect(id) }),
  );
  const { map } = used;
  const { points, chosen, areas } = props;
  useEffect(() => {
    map?.setPoints(points);
    map?.setAreas(areas ?? []);
    // A chosen point is shown from near, whatever the others are.
    if (!latest.current.chosen) map?.fit(true);
  }, [map, points, areas]);
  const { lat, lng } = chosen?.location ?? {};
  useEffect(() => map?.choose(latest.current.chosen), [map, chosen?.id, lat, lng]);
  return <MapFrame used={used} onShowAll={(shown) => shown.fit()} />;
}
