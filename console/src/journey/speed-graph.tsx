import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import UPlot from "uplot";
import { dayOf, startOfDay } from "../format/calendar.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { vehicleColor } from "./colors.ts";
import styles from "./journey.module.css";
import type { ReplayClock } from "./replay/replay-clock.ts";
import { replayNow } from "./replay/use-replay.ts";
import { toGraphData } from "./track/graph-data.ts";
import { Track, type TripTimes } from "./track/track.ts";
import type { Vehicle } from "./vehicle.ts";
import "uplot/dist/uPlot.min.css";

type SpeedGraphProps = {
  vehicles: readonly Vehicle[];
  tracks: ReadonlyMap<number, Track>;
  range: TripTimes;
  clock: ReplayClock;
};

const HEIGHT_PX = 132;
const MIN_PARTS = 100;
const COLORS = { light: { text: "#495057", grid: "#dee2e6" }, dark: { text: "#c9c9c9", grid: "#424242" } };
/** Lines of several vehicles differ by their dashes, too. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4]];

/** Speeds over time. Its line at the moment of the clock follows the pointer, unless a replay is running. */
export function SpeedGraph({ vehicles, tracks, range, clock }: SpeedGraphProps) {
  const container = useRef<HTMLDivElement>(null);
  const graph = useRef<UPlot>(undefined);
  const theme = useComputedColorScheme("light");
  const format = useFormat();
  const { journey: words } = useTexts();
  /** The part of the range to which the user has zoomed. */
  const shown = useRef(range);
  const latest = useRef(tracks);
  latest.current = tracks;
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    shown.current = range;
    const onZoom = (graph: UPlot, next: TripTimes) => {
      if (next.from === shown.current.from && next.to === shown.current.to) return;
      shown.current = next;
      graph.setData(dataOf(vehicles, latest.current, next, graph.width));
    };
    const plot = new UPlot(
      optionsOf({ vehicles, clock, range, format, ...COLORS[theme], width: element.clientWidth, onZoom }),
      dataOf(vehicles, latest.current, range, element.clientWidth),
      element,
    );
    graph.current = plot;
    const showMoment = (time: number) => {
      const left = plot.valToPos(time / 1000, "x");
      plot.setCursor({ left, top: 0 }, false);
    };
    showMoment(clock.time);
    const stop = clock.onChange(showMoment);
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX });
      showMoment(clock.time);
    });
    observer.observe(element);
    return () => {
      stop();
      observer.disconnect();
      plot.destroy();
      graph.current = undefined;
    };
  }, [vehicles, range, clock, theme, format]);
  useEffect(() => {
    const plot = graph.current;
    if (plot) plot.setData(dataOf(vehicles, tracks, shown.current, plot.width));
  }, [tracks, vehicles]);
  return <div ref={container} className={styles.graph} role="img" aria-label={words.graph} title={words.graph} />;
}

type GraphOptions = {
  vehicles: readonly Vehicle[];
  clock: ReplayClock;
  range: TripTimes;
  format: ReturnType<typeof useFormat>;
  text: string;
  grid: string;
  width: number;
  onZoom(made: UPlot, shown: TripTimes): void;
};

function optionsOf({ vehicles, clock, range, format, text, grid, width, onZoom }: GraphOptions): UPlot.Options {
  const showAll = (made: UPlot) => () => {
    made.setScale("x", { min: range.from / 1000, max: range.to / 1000 });
    return null;
  };
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  const font = "11px system-ui, sans-serif";
  return {
    ...{ width, height: HEIGHT_PX, legend: { show: false }, padding: [8, 34, 0, 0] },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), format.timeZone),
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false }, bind: { dblclick: showAll } },
    scales: { x: { time: true }, y: { range: (_, __, most) => [0, Math.max(most ?? 0, 20) * 1.08] } },
    axes: [
      { ...axis, font, space: 90, values: (_, moments) => nameMoments(moments, format) },
      { ...axis, font, size: 68, space: 28, values: (_, speeds) => speeds.map(format.speed) },
    ],
    series: [
      {},
      ...vehicles.map(({ label, index }) => ({
        ...{ label, stroke: vehicleColor(index), width: 1.6, spanGaps: false, points: { show: false } },
        ...{
          dash: DASHES[index % DASHES.length] ?? [],
          ...(vehicles.length === 1 ? { fill: `${vehicleColor(0)}22` } : {}),
        },
      })),
    ],
    hooks: {
      // The library moves its line by itself, too: only then there is no event of a pointer.
      setCursor: [
        (made) => {
          const { event, left = -1 } = made.cursor;
          if (event && left >= 0 && !clock.isPlaying) clock.seek(made.posToVal(left, "x") * 1000, replayNow());
        },
      ],
      setScale: [
        (made, name) => {
          const { min, max } = made.scales.x ?? {};
          // The library has no scale yet while it is made (null), though its types say otherwise.
          if (name === "x" && min && max) onZoom(made, { from: min * 1000, to: max * 1000 });
        },
      ],
      ready: [(made) => made.over.addEventListener("click", () => seekTo(made, clock))],
    },
  };
}

function dataOf(
  vehicles: readonly Vehicle[],
  tracks: ReadonlyMap<number, Track>,
  shown: TripTimes,
  width: number,
): UPlot.AlignedData {
  const none = new Track([]);
  const count = Math.max(Math.round(width), MIN_PARTS);
  return toGraphData(
    vehicles.map(({ id }) => tracks.get(id) ?? none),
    shown,
    count,
  );
}

function seekTo(made: UPlot, clock: ReplayClock) {
  const { left = -1 } = made.cursor;
  if (left >= 0) clock.seek(made.posToVal(left, "x") * 1000, replayNow());
}

/** Times of day; a date where a day begins. */
function nameMoments(seconds: number[], { date, time, timeZone }: GraphOptions["format"]): string[] {
  return seconds.map((moment) => {
    const isMidnight = startOfDay(dayOf(moment * 1000, timeZone), timeZone) === moment * 1000;
    return isMidnight ? date(moment * 1000) : time(moment * 1000);
  });
}
