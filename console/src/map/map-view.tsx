import { Loader, Stack, useComputedColorScheme } from "@mantine/core";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { LiveStates } from "../live/live-states.ts";
import type { LiveObject } from "../live/objects.ts";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { loadStyle, type MapStyle } from "./load-style.ts";
import styles from "./map.module.css";
import { MapControl, MapNotice, StyleMenu, scaleUnitOf, useStyleChoice } from "./map-controls.tsx";
import { ObjectMap, type ObjectMapOptions } from "./object-map.ts";
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

/** The map with the objects. Its list beside it says the same to people who cannot use a map. */
export function ObjectMapView(props: MapViewProps) {
  const { map: words } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const { choice, offered, choose } = useStyleChoice();
  const { map, isFallback, hasFailed } = useObjectMap(container, choice, props);
  return (
    <div className={styles.frame}>
      <div ref={container} className={styles.map} data-ready={map ? true : undefined} />
      {!map && !hasFailed && <Loader className={styles.loader} aria-label={words.loading} />}
      {hasFailed && <MapNotice text={words.failed} />}
      {isFallback && <MapNotice text={words.fallback} />}
      <Stack className={styles.controls} gap={6}>
        <MapControl label={words.zoomIn} icon={IconPlus} onClick={() => map?.view.zoomIn()} />
        <MapControl label={words.zoomOut} icon={IconMinus} onClick={() => map?.view.zoomOut()} />
        <MapControl label={words.showAll} icon={IconFocusCentered} onClick={() => map?.fit(props.objects)} />
        <StyleMenu {...{ choice, offered, choose }} />
      </Stack>
    </div>
  );
}

/** Creates the map once its style is loaded, and keeps it up to date. */
function useObjectMap(
  container: React.RefObject<HTMLDivElement | null>,
  choice: MapStyle | undefined | null,
  props: MapViewProps,
) {
  const theme = useComputedColorScheme("light");
  const { map: words } = useTexts();
  const unit = scaleUnitOf(useUser().info.user_info.measurement_system);
  const [map, setMap] = useState<ObjectMap>();
  const [outcome, setOutcome] = useState({ isFallback: false, hasFailed: false });
  const current = useRef<ObjectMap>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (choice === null) return;
    let isOver = false;
    void loadStyle(choice, theme).then(
      ({ style, isFallback }) => {
        if (isOver || !container.current) return;
        setOutcome({ isFallback, hasFailed: false });
        if (!current.current) {
          current.current = createMap(container.current, latest, { label: words.label, unit });
          setMap(current.current);
        }
        current.current.setStyle(style, theme);
      },
      () => setOutcome({ isFallback: false, hasFailed: true }),
    );
    return () => {
      isOver = true;
    };
  }, [choice, theme, container, words, unit]);
  useEffect(
    () => () => {
      current.current?.remove();
      current.current = undefined;
    },
    [],
  );
  const { objects, selected, isFollowing, states } = props;
  useEffect(() => map?.setObjects(objects), [map, objects]);
  useEffect(() => map?.select(selected, isFollowing), [map, selected, isFollowing]);
  useFirstFit(map, states, latest);
  return { map, ...outcome };
}

type Labels = Pick<ObjectMapOptions, "label" | "unit">;

function createMap(container: HTMLElement, latest: React.RefObject<MapViewProps>, labels: Labels): ObjectMap {
  return new ObjectMap({
    ...{ ...labels, container, states: latest.current.states },
    onSelect: (id) => latest.current.onSelect(id),
    onCluster: (ids) => latest.current.onCluster(ids),
    onMoved: () => latest.current.onMoved(),
  });
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
