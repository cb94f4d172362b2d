import { Loader, Stack, useComputedColorScheme } from "@mantine/core";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { loadStyle, type MapStyle } from "./load-style.ts";
import styles from "./map.module.css";
import { MapControl, MapNotice, scaleUnitOf, useStyleChoice } from "./map-controls.tsx";
import { type MapPoint, PointMap } from "./point-map.ts";
import "maplibre-gl/dist/maplibre-gl.css";

export type { MapPoint };
export type PointMapProps = {
  label: string;
  points: MapPoint[];
  /** A point that is marked and shown from near; it need not be one of the others. */
  chosen?: MapPoint | undefined;
  onSelect(id: number): void;
};

/** A map with points. A list beside it says the same to people who cannot use a map. */
export function PointMapView(props: PointMapProps) {
  const { map: words } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const { choice } = useStyleChoice();
  const { map, isFallback, hasFailed } = usePointMap(container, choice, props);
  return (
    <div className={styles.frame}>
      <div ref={container} className={styles.map} data-ready={map ? true : undefined} />
      {!map && !hasFailed && <Loader className={styles.loader} aria-label={words.loading} />}
      {hasFailed && <MapNotice text={words.failed} />}
      {isFallback && <MapNotice text={words.fallback} />}
      <Stack className={styles.controls} gap={6}>
        <MapControl label={words.zoomIn} icon={IconPlus} onClick={() => map?.view.zoomIn()} />
        <MapControl label={words.zoomOut} icon={IconMinus} onClick={() => map?.view.zoomOut()} />
        <MapControl label={words.showAll} icon={IconFocusCentered} onClick={() => map?.fit()} />
      </Stack>
    </div>
  );
}

/** Creates the map once its style is loaded, and keeps it up to date. */
function usePointMap(
  container: RefObject<HTMLDivElement | null>,
  choice: MapStyle | undefined | null,
  props: PointMapProps,
) {
  const theme = useComputedColorScheme("light");
  const unit = scaleUnitOf(useUser().info.user_info.measurement_system);
  const [map, setMap] = useState<PointMap>();
  const [outcome, setOutcome] = useState({ isFallback: false, hasFailed: false });
  const current = useRef<PointMap>(undefined);
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
          const onSelect = (id: number) => latest.current.onSelect(id);
          current.current = new PointMap({
            ...{ container: container.current, label: latest.current.label, unit, onSelect },
          });
          setMap(current.current);
        }
        current.current.setStyle(style, theme);
      },
      () => setOutcome({ isFallback: false, hasFailed: true }),
    );
    return () => {
      isOver = true;
    };
  }, [choice, theme, container, unit]);
  useEffect(
    () => () => {
      current.current?.remove();
      current.current = undefined;
    },
    [],
  );
  const { points, chosen } = props;
  useEffect(() => {
    map?.setPoints(points);
    // A chosen point is shown from near, whatever the others are.
    if (!latest.current.chosen) map?.fit(true);
  }, [map, points]);
  const { lat, lng } = chosen?.location ?? {};
  useEffect(() => map?.choose(latest.current.chosen), [map, chosen?.id, lat, lng]);
  return { map, ...outcome };
}
