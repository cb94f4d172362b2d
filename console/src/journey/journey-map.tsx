import { type RefObject, useEffect, useRef } from "react";
import { MapFrame } from "../map/map-frame.tsx";
import type { Mark } from "../map/mark.ts";
import type { StyledMapOptions } from "../map/styled-map.ts";
import { type Bounds, TrackMap } from "../map/track-map.ts";
import { useStyledMap } from "../map/use-styled-map.ts";
import { useTexts } from "../text/use-texts.tsx";
import { MarkCard } from "./card/mark-card.tsx";
import type { OpenedMark } from "./card/use-opened-mark.ts";
import { type ColorMode, paintOf } from "./colors.ts";
import type { ReplayClock } from "./replay/replay-clock.ts";
import { replayNow } from "./replay/use-replay.ts";
import { toSegments } from "./track/segments.ts";
import { isMovingAt, type Track } from "./track/track.ts";
import type { Vehicle } from "./vehicle.ts";
import "maplibre-gl/dist/maplibre-gl.css";

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
  /** The mark whose card is open. */
  opened: OpenedMark | undefined;
  onMark(key: string): void;
  onCloseCard(key: string): void;
  onMoved(): void;
};

/** The map with tracks, stops, events, check-ins, and the vehicles at the moment of the clock. */
export function JourneyMap(props: JourneyMapProps) {
  const { journey: words } = useTexts();
  const latest = useRef(props);
  latest.current = props;
  const used = useStyledMap(words.map, (options) => createMap(options, latest));
  useContent(used.map, props);
  useVehicles(used.map, props);
  const { bounds, vehicles, opened, onCloseCard } = props;
  return (
    <>
      <MapFrame used={used} onShowAll={(shown) => bounds && shown.fit(bounds)} />
      {used.map && opened && (
        <MarkCard
          key={opened.entry.key}
          {...{ map: used.map, opened, vehicles }}
          onClose={() => onCloseCard(opened.entry.key)}
        />
      )}
    </>
  );
}

function createMap(options: StyledMapOptions, latest: RefObject<JourneyMapProps>): TrackMap {
  return new TrackMap({
    ...{ ...options, paint: paintOf(latest.current.colorMode) },
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
