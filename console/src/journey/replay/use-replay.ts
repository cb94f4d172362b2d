import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useSearchParams } from "../../component/use-search-params.ts";
import type { TripTimes } from "../track/track.ts";
import { gapsBetween, RATES, ReplayClock } from "./replay-clock.ts";

/** How long the moment must stay the same before it is written to the address. */
const ADDRESS_DELAY_MS = 400;
const LEAST_GAP_MS = 60_000;

/** The time that replays run by, in ms. */
export function replayNow(): number {
  return performance.now();
}

/** The clock of a page. The address keeps its moment and pace; `trips` are those of all vehicles. */
export function useReplay(range: TripTimes | undefined, trips: readonly TripTimes[]): ReplayClock {
  const [search, change] = useSearchParams();
  const [clock] = useState(() => new ReplayClock());
  const skipsStays = search.stays !== "1";
  useEffect(() => {
    if (!range) return;
    const asked = Date.parse(search.at ?? "");
    clock.setRange(range, Number.isNaN(asked) ? (trips[0]?.from ?? range.from) : asked);
    // The moment of the address counts when a period is opened; later the clock writes it.
  }, [clock, range, trips]);
  useEffect(
    () => clock.setSkipped(range && skipsStays ? gapsBetween(trips, range, LEAST_GAP_MS) : [], replayNow()),
    [clock, range, trips, skipsStays],
  );
  const rate = RATES.find((one) => String(one) === search.rate) ?? 60;
  useEffect(() => clock.setRate(rate, replayNow()), [clock, rate]);
  useFrames(clock);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = clock.onChange((time) => {
      clearTimeout(timer);
      if (!clock.isPlaying && clock.range.to > 0)
        timer = setTimeout(() => change({ at: `${new Date(time).toISOString().slice(0, 19)}Z` }), ADDRESS_DELAY_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [clock, change]);
  return clock;
}

/** Moves the clock on with every frame while it plays, and pauses it when the page cannot be seen. */
function useFrames(clock: ReplayClock) {
  const isPlaying = useIsPlaying(clock);
  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function next() {
      clock.tick(replayNow());
      frame = requestAnimationFrame(next);
    });
    const onHidden = () => {
      if (document.hidden) clock.pause(replayNow());
    };
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("visibilitychange", onHidden);
    };
  }, [clock, isPlaying]);
}

export function useIsPlaying(clock: ReplayClock): boolean {
  return useClock(clock, () => clock.isPlaying);
}

/** A value that follows from the clock; the component renders again only if it changes. */
export function useClock<Value extends string | number | boolean>(clock: ReplayClock, select: () => Value): Value {
  const subscribe = useCallback((listener: () => void) => clock.onChange(listener), [clock]);
  return useSyncExternalStore(subscribe, select);
}
