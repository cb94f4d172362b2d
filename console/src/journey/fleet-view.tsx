import { ActionIcon, Button, Group, Loader, Text, TextInput } from "@mantine/core";
import {
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  type FormEvent,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Facts } from "../component/facts.tsx";
import { Refusal } from "../component/refusal.tsx";
import { linkSearch } from "../component/search-params.ts";
import { useSearchParams } from "../component/use-search-params.ts";
import { dayOf, localOf, momentOf } from "../format/calendar.ts";
import { LiveStates } from "../live/live-states.ts";
import type { LiveObject } from "../live/objects.ts";
import { useVersion } from "../live/use-live.ts";
import { ObjectList } from "../overview/list.tsx";
import { useFleet } from "../overview/use-fleet.ts";
import { serverNow } from "../session/clock.ts";
import { useFormat } from "../session/user.tsx";
import { useLanguage, useTexts } from "../text/use-texts.tsx";
import { addressQuery, type Tracker } from "../tracker/queries.ts";
import styles from "./journey.module.css";
import { toPastState } from "./past-state.ts";
import { positionsQuery } from "./queries.ts";

const ObjectMapView = lazy(async () => ({ default: (await import("../map/map-view.tsx")).ObjectMapView }));

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;

type FleetViewProps = { trackers: readonly Tracker[]; choice: ReactNode };

/** The whole fleet at the moment in the address, on the map and in the list of the live map. */
export function FleetView({ trackers, choice }: FleetViewProps) {
  const { journey: words, map } = useTexts();
  const [search, change] = useSearchParams();
  const { states, isShortened, isLoading, error, retry, moment } = usePast(trackers);
  const [members, setMembers] = useState<ReadonlySet<number>>();
  const { fleet } = useFleet(states, members);
  const selected = fleet?.objects.find(({ id }) => String(id) === search.object);
  const select = useCallback((id: number) => change({ object: String(id) }), [change]);
  const showMembers = useCallback((ids: number[]) => setMembers(new Set(ids)), []);
  return (
    <div className={`${styles.page} ${styles.fleet}`}>
      <section className={styles.choose} aria-label={words.fleet.moment}>
        {choice}
        <MomentForm key={moment} moment={moment} onChange={(next) => change({ time: toAddress(next) })} />
        {error ? <Refusal error={error} onRetry={retry} /> : null}
        {isShortened && (
          <Text size="xs" c="dimmed">
            {words.fleet.shortened}
          </Text>
        )}
      </section>
      <div className={styles.objects}>
        {fleet && (
          <ObjectList
            {...{ fleet, states, members, selected }}
            onSelect={select}
            onClearMembers={() => setMembers(undefined)}
          />
        )}
        {selected && <PastDetails object={selected} states={states} onClose={() => change({ object: undefined })} />}
      </div>
      <section className={styles.map} aria-label={map.label}>
        {isLoading && <Loader className={styles.loader} aria-label={map.loading} />}
        <Suspense fallback={<Loader className={styles.loader} aria-label={map.loading} />}>
          <ObjectMapView
            {...{ states, selected, isFollowing: false, objects: fleet?.shown ?? [] }}
            onSelect={select}
            onCluster={showMembers}
            onMoved={() => undefined}
          />
        </Suspense>
      </section>
    </div>
  );
}

/** The states at the moment of the address; an hour ago unless it names one. */
function usePast(trackers: readonly Tracker[]) {
  const [search] = useSearchParams();
  const [states] = useState(() => new LiveStates((run) => requestAnimationFrame(run)));
  const [anHourAgo] = useState(() => Math.floor((serverNow() - HOUR_MS) / QUARTER_MS) * QUARTER_MS);
  const asked = Date.parse(search.time ?? "");
  const moment = Number.isNaN(asked) ? anHourAgo : asked;
  const ids = useMemo(() => trackers.map(({ id }) => id), [trackers]);
  const { data, error, isFetching, refetch } = useQuery(positionsQuery(ids, moment));
  useEffect(() => {
    if (!data) return;
    const sourceOf = new Map(trackers.map(({ id, source }) => [id, source.id]));
    states.remove([...sourceOf.values()]);
    states.apply(data.positions.flatMap((position) => toPastState(position, sourceOf.get(position.tracker_id)) ?? []));
  }, [data, states, trackers]);
  return {
    ...{ states, moment, error, retry: () => void refetch() },
    ...{ isShortened: data?.isShortened ?? false, isLoading: isFetching && !data },
  };
}

function toAddress(moment: number) {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** Chooses a moment of the user's clock; buttons go back and on from it. */
function MomentForm({ moment, onChange }: { moment: number; onChange(moment: number): void }) {
  const { journey: words } = useTexts();
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const latest = localOf(serverNow(), format.timeZone);
  const steps: [icon: typeof IconPlayerTrackPrev, ms: number][] = [
    [IconPlayerSkipBack, -HOUR_MS],
    [IconPlayerTrackPrev, -QUARTER_MS],
    [IconPlayerTrackNext, QUARTER_MS],
    [IconPlayerSkipForward, HOUR_MS],
  ];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = input.current?.value;
    if (value) onChange(momentOf(`${value.replace("T", " ")}:00`.slice(0, 19), format.timeZone));
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          ref={input}
          type="datetime-local"
          flex={1}
          label={words.fleet.moment}
          defaultValue={localOf(moment, format.timeZone)}
          max={latest}
        />
        <Button type="submit" variant="default">
          {words.fleet.show}
        </Button>
      </Group>
      <Group gap="xs" mt="xs">
        {steps.map(([Icon, ms]) => {
          const step = format.duration(Math.abs(ms) / 1000);
          const label = ms < 0 ? words.fleet.earlier(step) : words.fleet.later(step);
          return (
            <ActionIcon
              key={ms}
              variant="default"
              aria-label={label}
              title={label}
              disabled={moment + ms > serverNow()}
              onClick={() => onChange(moment + ms)}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          );
        })}
      </Group>
    </form>
  );
}

/** Where an object was, and the way to its journeys of that day. */
function PastDetails({ object, states, onClose }: { object: LiveObject; states: LiveStates; onClose(): void }) {
  const { journey: words, tracker } = useTexts();
  const { language } = useLanguage();
  const format = useFormat();
  useVersion(states);
  const gps = states.get(object.sourceId)?.gps;
  const location = gps?.location ?? { lat: 0, lng: 0 };
  const { data: address } = useQuery({ ...addressQuery(location, language), enabled: gps !== undefined });
  const day = gps?.updated && dayOf(Date.parse(gps.updated), format.timeZone);
  return (
    <aside className={styles.past} aria-label={object.label}>
      <Text fw={650} mb={6}>
        <bdi>{object.label}</bdi>
      </Text>
      <Facts
        entries={[
          [words.fleet.position, gps?.updated ? format.dateTime(gps.updated) : tracker.details.noPosition],
          [tracker.details.speed, gps && format.speed(gps.speed)],
          [tracker.details.address, gps && (address ?? `${location.lat.toFixed(4)}, ${location.lng.toFixed(4)}`)],
        ]}
      />
      <Group gap="xs" mt="sm">
        {day && gps?.updated && (
          <Button
            size="xs"
            variant="default"
            component={Link}
            to="/journeys"
            search={linkSearch({
              trackers: String(object.id),
              from: day,
              to: day,
              at: toAddress(Date.parse(gps.updated ?? "")),
            })}
          >
            {words.fleet.journeys}
          </Button>
        )}
        <Button size="xs" variant="subtle" onClick={onClose}>
          {words.fleet.close}
        </Button>
      </Group>
    </aside>
  );
}
