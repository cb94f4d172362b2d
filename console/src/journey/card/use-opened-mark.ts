import { useEffect, useMemo, useState } from "react";
import { placeOf } from "../marks.ts";
import type { TimelineEntry, TimelineTrip } from "../timeline.ts";
import type { Track } from "../track/track.ts";

/** A mark of the map whose card is open, and where the card points to. */
export type OpenedMark = { entry: Exclude<TimelineEntry, TimelineTrip>; place: { lng: number; lat: number } };

/** The mark whose card is open. The card closes for good as soon as its entry is no longer shown. */
export function useOpenedMark(shown: readonly TimelineEntry[], tracks: ReadonlyMap<number, Track>) {
  const [chosen, setChosen] = useState<{ key: string; place: OpenedMark["place"] }>();
  const opened = useMemo((): OpenedMark | undefined => {
    const entry = chosen && shown.find(({ key }) => key === chosen.key);
    return entry && entry.kind !== "trip" ? { entry, place: chosen.place } : undefined;
  }, [chosen, shown]);
  useEffect(() => {
    if (chosen && !opened) setChosen(undefined);
  }, [chosen, opened]);
  return {
    opened,
    /** Opens the card of an entry instead of another one. A trip, and an entry whose place is unknown, have none. */
    open(entry: TimelineEntry | undefined) {
      const place = entry && placeOf(entry, tracks);
      // A copy: the card shows itself anew for another object.
      setChosen(place && { key: entry.key, place: { lng: place.lng, lat: place.lat } });
    },
    /** Closes the card of an entry, unless another one has been opened meanwhile. */
    close(key: string) {
      setChosen((last) => (last?.key === key ? undefined : last));
    },
  };
}
