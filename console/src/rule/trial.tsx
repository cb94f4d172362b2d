import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { Panel } from "../component/facts.tsx";
import { Refusal } from "../component/refusal.tsx";
import { addDays, dayOf, startOfDay } from "../format/calendar.ts";
import type { Area } from "../map/drawing/features.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import type { Tracker } from "../tracker/queries.ts";
import { chosenZonesQuery, toArea } from "../zone/queries.ts";
import { dependsOnPoints } from "./kinds.ts";
import { MAX_TRIAL_TRACKERS, TRIAL_DAYS, type Trial, type TrialEvent, tryRule } from "./queries.ts";
import styles from "./rule.module.css";
import type { NewRule } from "./rule.ts";

const PointMapView = lazy(async () => ({ default: (await import("../map/point-map-view.tsx")).PointMapView }));

/** The most events in the list below the map, which has all of them. */
const MAX_LISTED = 100;
const MAX_LEGEND = 20;

type TrialPanelProps = {
  trackers: Tracker[];
  type: string;
  /** Checks the draft and answers the rule; undefined: the form shows what is wrong. */
  takeRule(): NewRule | undefined;
  /** Changes with every change of the draft. */
  version: object;
  onError(thrown: unknown): void;
};

/** Shows what the rule would have reported of the last month: per day, on a map and as a list. */
export function TrialPanel({ trackers, type, takeRule, version, onError }: TrialPanelProps) {
  const { rule } = useTexts();
  const words = rule.trial;
  const format = useFormat();
  const [tried, setTried] = useState<object>();
  const trial = useMutation({ mutationFn: (given: NewRule) => tryRule(given, format.timeZone), onError });
  const start = () => {
    const rule = takeRule();
    if (!rule) return;
    setTried(version);
    trial.mutate(rule);
  };
  return (
    <Panel title={words.title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.text}
        </Text>
        {!dependsOnPoints(type) && <Text size="sm">{words.noPoints}</Text>}
        {trackers.length === 0 && <Text size="sm">{words.noTracker}</Text>}
        {trackers.length > MAX_TRIAL_TRACKERS && <Text size="sm">{words.firstTrackers(MAX_TRIAL_TRACKERS)}</Text>}
        <Group gap="sm">
          <Button
            variant="light"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={trial.isPending}
            disabled={trackers.length === 0}
            onClick={start}
          >
            {trial.data ? words.again : words.start}
          </Button>
          {trial.isPending && (
            <Text size="sm" role="status">
              {words.running}
            </Text>
          )}
        </Group>
        {trial.isError && <Refusal error={trial.error} onRetry={start} />}
        {trial.data && !trial.isPending && tried !== version && (
          <Text size="sm" c="dimmed">
            {words.outdated}
          </Text>
        )}
        {trial.data && <Outcome trial={trial.data} trackers={trackers} />}
      </Stack>
    </Panel>
  );
}

function Outcome({ trial: { events, isCut, firstDay, zoneIds }, trackers }: { trial: Trial; trackers: Tracker[] }) {
  const { rule, eventNames, frame } = useTexts();
  const words = rule.trial;
  const format = useFormat();
  const [day, setDay] = useState<string>();
  const [chosen, setChosen] = useState<number>();
  const { data: zones } = useQuery(chosenZonesQuery(zoneIds));
  const areas = useMemo(() => (zones ?? []).map(toArea), [zones]);
  const labels = useMemo(() => new Map(trackers.map(({ id, label }) => [id, label])), [trackers]);
  const shown = useMemo(() => {
    const ofDay = events
      .map((event, id) => ({ event, id }))
      .filter(({ event }) => !day || dayOf(Date.parse(event.time), format.timeZone) === day);
    return ofDay.toSorted((one, other) => Date.parse(one.event.time) - Date.parse(other.event.time));
  }, [events, day, format.timeZone]);
  const points = useMemo(
    () =>
      shown.map(({ event, id }) => ({
        ...{ id, location: event.location },
        label: `${labels.get(event.tracker_id) ?? ""}: ${eventNames[event.event]}`,
      })),
    [shown, labels, eventNames],
  );
  const hasEvents = events.length > 0;
  if (!hasEvents && areas.length === 0) return <Alert variant="default">{words.none}</Alert>;
  return (
    <>
      {hasEvents ? (
        <Text fw={600} role="status">
          {words.count(format.integer(events.length))}
        </Text>
      ) : (
        <Alert variant="default">{words.none}</Alert>
      )}
      {isCut && <Text size="sm">{words.cut(format.integer(events.length))}</Text>}
      {hasEvents && <DayChart {...{ events, firstDay, day }} onChoose={setDay} />}
      <div className={styles.trialMap}>
        <Suspense fallback={<Loader m="md" aria-label={frame.loading} />}>
          <PointMapView
            {...{ label: words.map, points, areas, onSelect: setChosen }}
            chosen={points.find(({ id }) => id === chosen)}
          />
        </Suspense>
      </div>
      <ZoneLegend areas={areas} />
      {hasEvents && <EventList {...{ shown, labels, chosen }} onChoose={setChosen} />}
    </>
  );
}

type EventListProps = {
  shown: { event: TrialEvent; id: number }[];
  labels: ReadonlyMap<number, string>;
  chosen: number | undefined;
  onChoose(id: number): void;
};

/** The events of the trial, each with time, tracker and what it says. */
function EventList({ shown, labels, chosen, onChoose }: EventListProps) {
  const { rule, eventNames } = useTexts();
  const words = rule.trial;
  const format = useFormat();
  return (
    <>
      <ul className={styles.trialList} aria-label={words.list}>
        {shown.slice(0, MAX_LISTED).map(({ event, id }) => (
          <li key={id}>
            <button
              type="button"
              className={styles.trialEvent}
              aria-current={id === chosen || undefined}
              onClick={() => onChoose(id)}
            >
              <span className={styles.trialTime}>{format.dateTime(event.time)}</span>
              <span>
                <bdi>{labels.get(event.tracker_id)}</bdi>
                {`: ${[eventNames[event.event], event.zone_labels.join(", "), event.value].filter(Boolean).join(" · ")}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length > MAX_LISTED && (
        <Text size="sm" c="dimmed">
          {words.more(format.integer(shown.length - MAX_LISTED))}
        </Text>
      )}
    </>
  );
}

/** The names of the zones that the map shows, each with its color. */
function ZoneLegend({ areas }: { areas: Area[] }) {
  const { trial: words } = useTexts().rule;
  const format = useFormat();
  if (areas.length === 0) return null;
  return (
    <ul className={styles.legend} aria-label={words.zones}>
      {areas.slice(0, MAX_LEGEND).map(({ id, label, color }) => (
        <li key={id}>
          <span className={styles.swatch} style={{ background: `#${color}` }} />
          <bdi>{label}</bdi>
        </li>
      ))}
      {areas.length > MAX_LEGEND && <li>{words.more(format.integer(areas.length - MAX_LEGEND))}</li>}
    </ul>
  );
}

type DayChartProps = {
  events: TrialEvent[];
  firstDay: string;
  day: string | undefined;
  onChoose(day: string | undefined): void;
};

/** A bar for each day; a press shows the events of that day alone. */
function DayChart({ events, firstDay, day, onChoose }: DayChartProps) {
  const { rule } = useTexts();
  const format = useFormat();
  const counts = useMemo(() => {
    const byDay = new Map(Array.from({ length: TRIAL_DAYS }, (_, index) => [addDays(firstDay, index), 0]));
    for (const { time } of events) {
      const of = dayOf(Date.parse(time), format.timeZone);
      byDay.set(of, (byDay.get(of) ?? 0) + 1);
    }
    return [...byDay];
  }, [events, firstDay, format.timeZone]);
  const most = Math.max(...counts.map(([, count]) => count));
  const name = (one: string) => format.date(startOfDay(one, format.timeZone));
  return (
    <div>
      <Group justify="space-between" mb={4} mih={26}>
        <Text size="sm" fw={500}>
          {day ? name(day) : rule.trial.perDay}
        </Text>
        {day && (
          <Button size="compact-sm" variant="subtle" onClick={() => onChoose(undefined)}>
            {rule.trial.allDays}
          </Button>
        )}
      </Group>
      <fieldset className={styles.chart} aria-label={rule.trial.perDay}>
        {counts.map(([one, count]) => (
          <button
            key={one}
            type="button"
            className={styles.bar}
            title={rule.trial.day(name(one), format.integer(count))}
            aria-label={rule.trial.day(name(one), format.integer(count))}
            aria-pressed={one === day}
            disabled={count === 0}
            onClick={() => onChoose(one === day ? undefined : one)}
          >
            <span style={{ height: `${(100 * count) / most}%` }} />
          </button>
        ))}
      </fieldset>
      <Group justify="space-between">
        {[counts[0], counts.at(-1)].map((entry) => (
          <Text key={entry?.[0]} size="xs" c="dimmed">
            {entry && name(entry[0])}
          </Text>
        ))}
      </Group>
    </div>
  );
}
