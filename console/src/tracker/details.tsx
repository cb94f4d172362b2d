import { Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { BackLink } from "../component/back-link.tsx";
import { Facts, Panel } from "../component/facts.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import { writeCoordinates } from "../format/coordinates.ts";
import { serverNow } from "../session/clock.ts";
import { useFormat } from "../session/user.tsx";
import { TelemetryCards } from "../telemetry/cards.tsx";
import { useLanguage, useTexts } from "../text/use-texts.tsx";
import { Journeys } from "./journeys.tsx";
import {
  addressQuery,
  driverQuery,
  groupsQuery,
  readingsQuery,
  stateQuery,
  type Tracker,
  type TrackerState,
  trackerQuery,
} from "./queries.ts";
import { connectionOf, StatusMark } from "./status.tsx";
import styles from "./tracker.module.css";

/** Everything about one tracker: where it is, its driver, its sensors, its device, its journeys. */
export function TrackerDetailsPage() {
  const { tracker: words, frame } = useTexts();
  const { id = "" } = useParams({ strict: false });
  const tracker = useQuery(trackerQuery(Number(id)));
  const state = useQuery({ ...stateQuery(Number(id)), enabled: tracker.data?.source.blocked === false });
  const back = <BackLink to="/trackers" label={words.details.all} />;
  if (tracker.error) return <Refusal error={tracker.error} onRetry={() => void tracker.refetch()} />;
  if (!tracker.data) return <Loader aria-label={frame.loading} />;
  const connection = connectionOf(tracker.data, state.data);
  return (
    <>
      <PageHeader
        title={tracker.data.label}
        above={back}
        subtitle={<StatusMark connection={connection} label={words.connection[connection]} />}
      />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Panel title={words.details.position}>
            {tracker.data.source.blocked ? (
              <Text size="sm">{words.connection.blocked}</Text>
            ) : state.error ? (
              <Refusal error={state.error} />
            ) : (
              <Position state={state.data} />
            )}
          </Panel>
          <Panel title={words.details.sensors}>
            <Sensors id={tracker.data.id} />
          </Panel>
        </div>
        <div className={styles.column}>
          <Panel title={words.details.device}>
            <Device tracker={tracker.data} state={state.data} />
          </Panel>
          <Panel title={words.details.driver}>
            <Driver id={tracker.data.id} />
          </Panel>
        </div>
        <div className={styles.wide}>
          <Journeys trackerId={tracker.data.id} />
        </div>
        {!tracker.data.source.blocked && (
          <div className={styles.wide}>
            <TelemetryCards tracker={tracker.data} />
          </div>
        )}
      </div>
    </>
  );
}

function Position({ state }: { state: TrackerState | undefined }) {
  const { tracker: words, frame } = useTexts();
  const format = useFormat();
  if (!state) return <Loader size="sm" aria-label={frame.loading} />;
  const { gps, movement_status, movement_status_update, last_update } = state;
  if (!gps.updated) return <Text size="sm">{words.details.noPosition}</Text>;
  const isMoving = movement_status === "moving";
  return (
    <Facts
      entries={[
        [words.columns.movement, words.movement[movement_status]],
        [words.details.since, movement_status_update && format.dateTime(movement_status_update)],
        [words.details.speed, isMoving && format.speed(gps.speed)],
        [words.details.heading, isMoving && format.degrees(gps.heading)],
        [words.details.address, <Address key="address" location={gps.location} />],
        [words.details.coordinates, writeCoordinates(gps.location)],
        [words.details.lastFix, format.dateTime(gps.updated)],
        [words.details.lastMessage, last_update && format.ago(last_update, serverNow())],
      ]}
    />
  );
}

function Address({ location }: { location: { lat: number; lng: number } }) {
  const { language } = useLanguage();
  const { data } = useQuery(addressQuery(location, language));
  return data ?? "…";
}

function Driver({ id }: { id: number }) {
  const { tracker: words, frame } = useTexts();
  const { data, error, isPending } = useQuery(driverQuery(id));
  if (error) return <Refusal error={error} />;
  if (isPending) return <Loader size="sm" aria-label={frame.loading} />;
  if (!data) return <Text size="sm">{words.details.noDriver}</Text>;
  const name = [data.first_name, data.middle_name, data.last_name].filter(Boolean).join(" ");
  return (
    <Facts
      entries={[
        [words.columns.label, name],
        [words.details.phone, data.phone && <a href={`tel:+${data.phone.replace(/\D/g, "")}`}>{data.phone}</a>],
      ]}
    />
  );
}

function Sensors({ id }: { id: number }) {
  const { tracker: words, frame } = useTexts();
  const format = useFormat();
  const { data, error, isPending } = useQuery(readingsQuery(id));
  if (error) return <Refusal error={error} />;
  if (isPending) return <Loader size="sm" aria-label={frame.loading} />;
  const measured = data.inputs.map(
    ({ label, value, units }) => [label, `${format.number(value, 2)} ${units}`.trim()] as const,
  );
  const discrete = data.virtual_sensors.map(({ label, value }) => [label, value] as const);
  const entries = [...measured, ...discrete];
  if (entries.length === 0) return <Text size="sm">{words.details.noSensors}</Text>;
  return <Facts entries={entries.map(([label, value]) => [label, value])} />;
}

function Device({ tracker, state }: { tracker: Tracker; state: TrackerState | undefined }) {
  const { tracker: words } = useTexts();
  const format = useFormat();
  const { data: groups = [] } = useQuery(groupsQuery);
  const { source, group_id } = tracker;
  const { details } = words;
  return (
    <Facts
      entries={[
        [details.group, groups.find(({ id }) => id === group_id)?.title ?? words.noGroup],
        [details.model, source.model],
        [details.deviceId, source.device_id],
        [details.phone, source.phone],
        [details.battery, typeof state?.battery_level === "number" && format.percent(state.battery_level)],
        [details.network, state?.gsm?.network_name],
        [details.satellites, typeof state?.gps.signal_level === "number" && format.percent(state.gps.signal_level)],
        [details.ignition, state?.ignition === undefined ? null : state.ignition ? details.on : details.off],
        [details.registered, format.date(source.creation_date)],
      ]}
    />
  );
}
