import { Loader, Stack, useComputedColorScheme } from "@mantine/core";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { loadStyle } from "../map/load-style.ts";
import styles from "../map/map.module.css";
import { MapControl, MapNotice, StyleMenu, scaleUnitOf, useStyleChoice } from "../map/map-controls.tsx";
import { type Bounds, type Mark, TrackMap } from "../map/track-map.ts";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { type ColorMode, paintOf } from "./colors.ts";
import type { ReplayClock } from "./replay/replay-clock.ts";
import { replayNow } from "./replay/use-replay.ts";
import { toSegments } from "./track/segments.ts";
import { isMovingAt, type Track } from "./track/track.ts";
import "maplibre-gl/dist/maplibre-gl.css";

/** A chosen vehicle; `number` and its colour tell it from the others. */
export type Vehicle = { id: number; label: string; index: number };
export type JourneyMapProps = {
  vehicles: readonly Vehicle[];
  tracks: ReadonlyMap<number, Track>;
  marks: Mark[];
  bounds: Bounds | undefined;
  clock: ReplayClock;
  colorMode: ColorMode;
  followed: number | undefined;
  /** A place that was chosen beside the map. */
  focus: { lng: number; lat: number } | undefined;
  onMark(key: string): void;
  onMoved(): void;
};

/** The map with tracks, stops, events, check-ins, and the vehicles at the moment of the clock. */
export function JourneyMap(props: JourneyMapProps) {
  const { map: words } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const { choice, offered, choose } = useStyleChoice();
  const latest = useRef(props);
  latest.current = props;
  const { map, isFallback, hasFailed } = useTrackMap(container, choice, latest);
  useContent(map, props);
  useVehicles(map, props);
  const { bounds } = props;
  return (
    <div className={styles.frame}>
      <div ref={container} className={styles.map} data-ready={map ? true : undefined} />
      {!map && !hasFailed && <Loader className={styles.loader} aria-label={words.loading} />}
      {hasFailed && <MapNotice text={words.failed} />}
      {isFallback && <MapNotice text={words.fallback} />}
      <Stack className={styles.controls} gap={6}>
        <MapControl label={words.zoomIn} icon={IconPlus} onClick={() => map?.view.zoomIn()} />
        <MapControl label={words.zoomOut} icon={IconMinus} onClick={() => map?.view.zoomOut()} />
        <MapControl label={words.showAll} icon={IconFocusCentered} onClick={() => bounds && map?.fit(bounds)} />
        <StyleMenu {...{ choice, offered, choose }} />
      </Stack>
    </div>
  );
}

/** Creates the map once its style is loaded. */
function useTrackMap(
  container: RefObject<HTMLDivElement | null>,
  choice: ReturnType<typeof useStyleChoice>["choice"],
  latest: RefObject<JourneyMapProps>,
) {
  const theme = useComputedColorScheme("light");
  const { journey: words } = useTexts();
  const unit = scaleUnitOf(useUser().info.user_info.measurement_system);
  const [map, setMap] = useState<TrackMap>();
  const [outcome, setOutcome] = useState({ isFallback: false, hasFailed: false });
  const current = useRef<TrackMap>(undefined);
  useEffect(() => {
    if (choice === null) return;
    let isOver = false;
    void loadStyle(choice, theme).then(
      ({ style, isFallback }) => {
        if (isOver || !container.current) return;
        setOutcome({ isFallback, hasFailed: false });
        current.current ??= createMap(container.current, latest, { label: words.map, unit });
        current.current.setStyle(style, theme);
        setMap(current.current);
      },
      () => setOutcome({ isFallback: false, hasFailed: true }),
    );
    return () => {
      isOver = true;
    };
  }, [choice, theme, container, latest, words, unit]);
  useEffect(
    () => () => {
      current.current?.remove();
      current.current = undefined;
    },
    [],
  );
  return { map, ...outcome };
}

type Labels = { label: string; unit: ReturnType<typeof scaleUnitOf> };

function createMap(container: HTMLElement, latest: RefObject<JourneyMapProps>, labels: Labels): TrackMap {
  return new TrackMap({
    ...{ ...labels, container, paint: paintOf(latest.current.colorMode) },
    onTrack: (index, { lng, lat }, isPressed) => {
      const { clock, vehicles, tracks } = latest.current;
      const track = tracks.get(vehicles[index]?.id ?? 0);
      // The pointer must not stop a replay by passing over a track.
      if (!track || (clock.isPlaying && !isPressed)) return;
      const time = track.times[track.nearest(lng, lat)];
      if (time !== undefined) clock.seek(time, replayNow());
    },
    onMark: (key) => latest.current.onMark(key),
    onMoved: () => latest.current.onMoved(),
  });
}

/** Sends lines as their points arrive, and everything else that does not move. */
function useContent(map: TrackMap | undefined, { vehicles, tracks, marks, bounds, colorMode, focus }: JourneyMapProps) {
  const drawn = useRef(new Map<Track, number>());
  useEffect(() => {
    if (!map) return;
    const present = new Set(tracks.values());
    if ([...drawn.current.keys()].some((track) => !present.has(track))) {
      map.clear();
      drawn.current.clear();
    }
    for (const { id, index, label } of vehicles) {
      const track = tracks.get(id);
      const first = (track && drawn.current.get(track)) ?? 0;
      if (!track || first === track.size) continue;
      map.addLines(toSegments(track, first, { vehicle: index, label }));
      drawn.current.set(track, track.size);
    }
  }, [map, vehicles, tracks]);
  useEffect(() => map?.setMarks(marks), [map, marks]);
  useEffect(() => map?.setPaint(paintOf(colorMode), vehicles.length > 1), [map, colorMode, vehicles.length]);
  useEffect(() => {
    if (bounds) map?.fit(bounds, true);
  }, [map, bounds]);
  useEffect(() => {
    if (focus) map?.approach(focus);
  }, [map, focus]);
}

/** Moves the vehicles with the clock. */
function useVehicles(map: TrackMap | undefined, { vehicles, tracks, clock, followed }: JourneyMapProps) {
  useEffect(() => {
    if (!map) return;
    const show = (time: number) => {
      const marks = vehicles.flatMap(({ id, label }) => {
        const position = tracks.get(id)?.positionAt(time);
        if (!position) return [];
        const { lng, lat, isInTrip, speedKmh, heading } = position;
        if (id === followed) map.center({ lng, lat });
        const status = !isInTrip ? "parked" : isMovingAt(speedKmh) ? "moving" : "stopped";
        return {
          ...{ type: "Feature" as const, geometry: { type: "Point" as const, coordinates: [lng, lat] } },
          properties: {
            ...{ label: vehicles.length > 1 ? label : "", status },
            heading: status === "moving" ? heading : 0,
          },
        };
      });
      map.setVehicles(marks);
    };
    show(clock.time);
    return clock.onChange(show);
  }, [map, vehicles, tracks, clock, followed]);
}
