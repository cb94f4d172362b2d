import { startTransition, useEffect, useState } from "react";
import { readPoints } from "./queries.ts";
import { loadTrack } from "./track/load-track.ts";
import type { Track, Trip } from "./track/track.ts";

export type VehicleTrips = { id: number; trips: readonly Trip[] };
/** The tracks that are there so far, by the ids of their vehicles; `share` from 0 to 1. */
export type LoadedTracks = { tracks: ReadonlyMap<number, Track>; share: number; error: unknown };

const NOTHING: LoadedTracks = { tracks: new Map(), share: 0, error: undefined };
/** More calls for points of one account would wait for each other. */
const CALLS_AT_ONCE = 2;

/** Reads the points of vehicles part by part; each part is shown as soon as it is there. Undefined: trips are not known yet. */
export function useTracks(vehicles: readonly VehicleTrips[] | undefined): LoadedTracks & { retry(): void } {
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState(NOTHING);
  useEffect(() => {
    setLoaded(NOTHING);
    if (!vehicles) return;
    const end = new AbortController();
    const shares = new Map<number, number>();
    const tracks = new Map<number, Track>();
    const waiting = [...vehicles];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        for await (const { track, share } of loadTrack(next.id, next.trips, readPoints, end.signal)) {
          if (end.signal.aborted) return;
          tracks.set(next.id, track);
          shares.set(next.id, share);
          const sum = [...shares.values()].reduce((one, other) => one + other, 0);
          const state = { tracks: new Map(tracks), share: sum / vehicles.length, error: undefined };
          // The page is rendered in short steps, between which it answers to the user and to a replay.
          startTransition(() => setLoaded(state));
        }
      }
    };
    Promise.all(Array.from({ length: CALLS_AT_ONCE }, work)).catch((error) => {
      if (end.signal.aborted) return;
      setLoaded((last) => ({ ...last, error }));
      end.abort();
    });
    return () => end.abort();
  }, [vehicles, attempt]);
  return { ...loaded, retry: () => setAttempt((count) => count + 1) };
}
