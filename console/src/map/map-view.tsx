import { useEffect, useRef } from "react";
import type { LiveStates } from "../live/live-states.ts";
import type { LiveObject } from "../live/objects.ts";
import { useTexts } from "../text/use-texts.tsx";
import { MapFrame } from "./map-frame.tsx";
import { ObjectMap } from "./object-map.ts";
import { useStyledMap } from "./use-styled-map.ts";
import "maplibre-gl/dist/maplibre-gl.css";

export type MapViewProps = {
  states: LiveStates;
  objects: LiveObject[];
  selected: LiveObject | undefined;
  isFollowing: boolean;
  onSelect(id: number): void;
  onCluster(ids: number[]): void;
  onMoved(): void;
};

/** The map with the objects. */
export function ObjectMapView(props: MapViewProps) {
  const { map: words } = useTexts();
  const latest = useRef(props);
  latest.current = props;
  const used = useStyledMap(
    words.label,
    (options) =>
      new ObjectMap({
        ...{ ...options, states: latest.current.states },
        onSelect: (id) => latest.current.onSelect(id),
        onCluster: (ids) => latest.current.onCluster(ids),
        onMoved: () => latest.current.onMoved(),
      }),
  );
  const { map } = used;
  const { objects, selected, isFollowing, states } = props;
  useEffect(() => map?.setObjects(objects), [map, objects]);
  useEffect(() => map?.select(selected, isFollowing), [map, selected, isFollowing]);
  useFirstFit(map, states, latest);
  return <MapFrame used={used} onShowAll={(shown) => shown.fit(objects)} />;
}

/** Shows all objects as soon as the first states are there, unless the address names one of them. */
function useFirstFit(map: ObjectMap | undefined, states: LiveStates, latest: React.RefObject<MapViewProps>) {
  const isDone = useRef(false);
  useEffect(() => {
    if (!map) return;
    const fit = () => {
      const { objects, selected, isFollowing } = latest.current;
      if (isDone.current || states.version === 0 || objects.length === 0) return;
      isDone.current = true;
      map.fit(selected ? [selected] : objects, true);
      map.select(selected, isFollowing);
    };
    fit();
    return states.onChange(() => requestAnimationFrame(fit));
  }, [map, states, latest]);
}
