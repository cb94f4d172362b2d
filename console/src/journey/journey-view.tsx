import { Loader, MultiSelect, Text, UnstyledButton } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import { EmptyState } from "../component/empty-state.tsx";
import { PeriodPicker, usePeriod } from "../component/period-picker.tsx";
import { Refusal } from "../component/refusal.tsx";
import { listIn } from "../component/table/columns.ts";
import { useSearchParams } from "../component/use-search-params.ts";
import { addDays, type DayRange } from "../format/calendar.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import type { Tracker } from "../tracker/queries.ts";
import { useOpenedMark } from "./card/use-opened-mark.ts";
import { COLOR_MODES } from "./colors.ts";
import styles from "./journey.module.css";
import { placeOf } from "./marks.ts";
import { MAX_EVENTS } from "./queries.ts";
import type { ReplayClock } from "./replay/replay-clock.ts";
import { ReplayControls } from "./replay/replay-controls.tsx";
import { replayNow, useReplay } from "./replay/use-replay.ts";
import type { TimelineEntry } from "./timeline.ts";
import { TimelineList } from "./timeline-list.tsx";
import { isThinned } from "./track/load-track.ts";
import { type Journeys, KINDS, type Kind, useJourneys, useMarks, useRows } from "./use-journeys.ts";
import { type LoadedTracks, useTracks } from "./use-tracks.ts";
import type { Vehicle } from "./vehicle.ts";
import { VehicleRow } from "./vehicle-row.tsx";

// Map and graph are chunks of their own; the timeline is there before they are.
const JourneyMap = lazy(async () => ({ default: (await import("./journey-map.tsx")).JourneyMap }));
const SpeedGraph = lazy(async () => ({ default: (await import("./speed-graph.tsx")).SpeedGraph }));

const MAX_VEHICLES = 10;
const MAX_DAYS = 90;

type JourneyViewProps = { trackers: readonly Tracker[]; choice: ReactNode };

/** Journeys of the vehicles and days in the address: timeline, map and graph with one moment for all of them. */
export function JourneyView({ trackers, choice }: JourneyViewProps) {
  const { journey: words, map } = useTexts();
  const [search, change] = useSearchParams();
  const [period, setPeriod] = useStablePeriod();
  const vehicles = useVehicles(trackers);
  const isTooLong = period.to > addDays(period.from, MAX_DAYS - 1);
  const ids = useMemo(() => (isTooLong ? [] : vehicles.map(({ id }) => id)), [vehicles, isTooLong]);
  const journeys = useJourneys(ids, period);
  const loaded = useTracks(journeys.vehicles);
  const clock = useReplay(journeys.range, journeys.times);
  const hidden = useMemo(() => KINDS.filter((kind) => listIn(search.hide).includes(kind)), [search.hide]);
  const shown = useMemo(
    () => journeys.entries.filter(({ kind }) => !hidden.includes(kind)),
    [journeys.entries, hidden],
  );
  const rows = useRows(shown);
  const marks = useMarks(shown, loaded.tracks);
  const { opened, open, close } = useOpenedMark(shown, loaded.tracks);
  const [focus, setFocus] = useState<{ lng: number; lat: number }>();
  const [marked, setMarked] = useState<string>();
  const colorMode = COLOR_MODES.find((mode) => mode === search.color) ?? "speed";
  const followed = vehicles.find(({ id }) => String(id) === search.follow)?.id;
  const stopFollowing = useCallback(() => change({ follow: undefined }), [change]);
  const hasTrips = journeys.times.length > 0;
  return (
    <div className={styles.page}>
      <Choice {...{ trackers, vehicles, period, setPeriod, journeys, loaded, clock, followed, isTooLong }}>
        {choice}
      </Choice>
      <section className={styles.timeline} aria-label={words.timeline}>
        <Timeline {...{ journeys, hasTrips, isEmpty: vehicles.length === 0 }}>
          <KindFilter hidden={hidden} entries={journeys.entries} />
          <TimelineList {...{ rows, vehicles, clock, marked }} onPick={pick} />
        </Timeline>
      </section>
      <section className={styles.map} aria-label={words.map}>
        <Suspense fallback={<Loader className={styles.loader} aria-label={map.loading} />}>
          <JourneyMap
            {...{ vehicles, marks, clock, colorMode, followed, focus, opened }}
            tracks={loaded.tracks}
            bounds={journeys.bounds}
            onMark={showMark}
            onCloseCard={close}
            onMoved={stopFollowing}
          />
        </Suspense>
      </section>
      {journeys.range && hasTrips && (
        <section className={styles.replay} aria-label={words.replay}>
          <ReplayControls {...{ clock, colorMode, range: journeys.range }} />
          <Suspense fallback={<div className={styles.graph} />}>
            <SpeedGraph {...{ vehicles, clock, range: journeys.range, tracks: loaded.tracks }} />
          </Suspense>
        </section>
      )}
    </div>
  );

  function showMark(key: string) {
    setMarked(key);
    open(shown.find((entry) => entry.key === key));
  }

  function pick(entry: TimelineEntry) {
    clock.seek(entry.from, replayNow());
    showMark(entry.key);
    const place = placeOf(entry, loaded.tracks);
    if (place) setFocus({ ...place });
  }
}

/** The period of the address, the same object as long as its days are the same. */
function useStablePeriod(): ReturnType<typeof usePeriod> {
  const [, change] = useSearchParams();
  const [{ from, to }] = usePeriod();
  return [useMemo(() => ({ from, to }), [from, to]), (next) => change({ ...next, at: undefined })];
}

function useVehicles(trackers: readonly Tracker[]): Vehicle[] {
  const [search] = useSearchParams();
  return useMemo(() => {
    const byId = new Map(trackers.map((tracker) => [String(tracker.id), tracker]));
    const chosen = new Set(listIn(search.trackers).slice(0, MAX_VEHICLES));
    const found = [...chosen].flatMap((id) => byId.get(id) ?? []);
    return found.map(({ id, label }, index) => ({ id, label, index }));
  }, [trackers, search.trackers]);
}

type ChoiceProps = NotesProps & {
  trackers: readonly Tracker[];
  vehicles: readonly Vehicle[];
  period: DayRange;
  setPeriod(period: DayRange): void;
  clock: ReplayClock;
  followed: number | undefined;
  children: ReactNode;
};

/** Chooses vehicles and days, and sums up what each vehicle did. */
function Choice(props: ChoiceProps) {
  const { trackers, vehicles, period, setPeriod, journeys, loaded, clock, followed, isTooLong, children } = props;
  const { journey: words } = useTexts();
  const [, change] = useSearchParams();
  return (
    <section className={styles.choose} aria-label={words.vehicles}>
      {children}
      <MultiSelect
        searchable
        maxValues={MAX_VEHICLES}
        limit={100}
        aria-label={words.vehicles}
        placeholder={vehicles.length === 0 ? words.vehiclesPlaceholder : undefined}
        nothingFoundMessage={words.nothingFound}
        value={vehicles.map(({ id }) => String(id))}
        onChange={(next) => change({ trackers: next.join(",") || undefined, at: undefined, follow: undefined })}
        data={trackers.map(({ id, label }) => ({ value: String(id), label }))}
      />
      <PeriodPicker value={period} onChange={setPeriod} />
      <Notes journeys={journeys} loaded={loaded} isTooLong={isTooLong} />
      {journeys.vehicles && (
        <ul className={styles.vehicles}>
          {vehicles.map((vehicle, index) => (
            <VehicleRow
              key={vehicle.id}
              {...{ vehicle, period, clock, trips: journeys.vehicles?.[index]?.trips ?? [] }}
              track={loaded.tracks.get(vehicle.id)}
              isComplete={loaded.share === 1}
              isFollowed={vehicle.id === followed}
              onFollow={(follows) => change({ follow: follows ? String(vehicle.id) : undefined })}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

type NotesProps = { journeys: Journeys; loaded: LoadedTracks & { retry(): void }; isTooLong: boolean };

/** Notes on the period: what is left out, and how far its points are read. */
function Notes({ journeys, loaded, isTooLong }: NotesProps) {
  const { journey: words } = useTexts();
  const format = useFormat();
  const { vehicles = [], isShortened, hasMoreEvents, times } = journeys;
  const isLoading = times.length > 0 && loaded.share < 1 && !loaded.error;
  const notes = [
    isTooLong && words.tooLong,
    isShortened && words.shortened,
    hasMoreEvents && words.moreEvents(format.integer(MAX_EVENTS)),
    vehicles.some(({ trips }) => isThinned(trips)) && words.thinned,
    isLoading && words.loading(format.percent(loaded.share * 100)),
  ];
  return (
    <>
      {loaded.error !== undefined && <Refusal error={loaded.error} onRetry={loaded.retry} />}
      <div role="status">
        {notes.map(
          (note) =>
            note && (
              <Text key={note} size="xs" c="dimmed">
                {note}
              </Text>
            ),
        )}
      </div>
    </>
  );
}

type TimelineProps = { journeys: Journeys; hasTrips: boolean; isEmpty: boolean; children: ReactNode };

function Timeline({ journeys, hasTrips, isEmpty, children }: TimelineProps) {
  const { journey: words, frame } = useTexts();
  if (isEmpty) return <EmptyState icon={IconRoute} title={words.choose.title} text={words.choose.text} />;
  if (journeys.error && !journeys.vehicles) return <Refusal error={journeys.error} onRetry={journeys.retry} />;
  if (!journeys.range) return <Loader m="md" aria-label={frame.loading} />;
  if (!hasTrips && journeys.entries.length === 0)
    return <EmptyState icon={IconRoute} title={words.none.title} text={words.none.text} />;
  return children;
}

/** Which kinds of entries are shown, with their counts. */
function KindFilter({ hidden, entries }: { hidden: Kind[]; entries: readonly TimelineEntry[] }) {
  const { journey: words } = useTexts();
  const format = useFormat();
  const [, change] = useSearchParams();
  return (
    <fieldset className={styles.filters} aria-label={words.show}>
      {KINDS.map((kind) => {
        const isHidden = hidden.includes(kind);
        const next = isHidden ? hidden.filter((one) => one !== kind) : [...hidden, kind];
        return (
          <UnstyledButton
            key={kind}
            className={styles.filter}
            aria-pressed={!isHidden}
            onClick={() => change({ hide: next.join(",") || undefined })}
          >
            {words.kinds[kind]} <b>{format.integer(entries.filter((entry) => entry.kind === kind).length)}</b>
          </UnstyledButton>
        );
      })}
    </fieldset>
  );
}
