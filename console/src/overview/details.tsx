import { ActionIcon, Button, Group, Loader, Text, Title } from "@mantine/core";
import { IconCurrentLocation, IconExternalLink, IconX } from "@tabler/icons-react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Facts } from "../component/facts.tsx";
import { Refusal } from "../component/refusal.tsx";
import { useTick } from "../component/use-tick.ts";
import { momentOf } from "../format/calendar.ts";
import type { LiveStates } from "../live/live-states.ts";
import { type LiveObject, statusIn } from "../live/objects.ts";
import { useVersion } from "../live/use-live.ts";
import { serverNow } from "../session/clock.ts";
import { useFormat } from "../session/user.tsx";
import { useLanguage, useTexts } from "../text/use-texts.tsx";
import { addressQuery, driverQuery, readingsQuery } from "../tracker/queries.ts";
import styles from "./overview.module.css";
import { openTasksQuery, recentEventsQuery } from "./queries.ts";
import { StatusIcon } from "./status-icon.tsx";

type ObjectDetailsProps = {
  object: LiveObject;
  states: LiveStates;
  isFollowing: boolean;
  onFollow(follows: boolean): void;
  onClose(): void;
};

/** Where the object is and since when, its sensors, driver, tasks and recent events. */
export function ObjectDetails({ object, states, isFollowing, onFollow, onClose }: ObjectDetailsProps) {
  const { map: words, tracker } = useTexts();
  return (
    <aside
      className={styles.details}
      aria-label={object.label}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Title order={2} size="h4" className={styles.heading}>
          <bdi>{object.label}</bdi>
        </Title>
        <ActionIcon variant="subtle" color="gray" aria-label={words.details.close} onClick={onClose}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Group>
      <Now object={object} states={states} />
      <Group gap="xs" my="sm">
        <Button
          size="xs"
          variant={isFollowing ? "filled" : "default"}
          aria-pressed={isFollowing}
          leftSection={<IconCurrentLocation size={16} aria-hidden />}
          onClick={() => onFollow(!isFollowing)}
        >
          {words.details.follow}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconExternalLink size={16} aria-hidden />}
          component={Link}
          to={`/trackers/${object.id}`}
        >
          {words.details.page}
        </Button>
      </Group>
      {!object.isBlocked && (
        <>
          <Part title={tracker.details.driver}>
            <Driver id={object.id} />
          </Part>
          <Part title={words.details.tasks}>
            <Tasks id={object.id} />
          </Part>
          <Part title={tracker.details.sensors}>
            <Sensors id={object.id} />
          </Part>
          <Part title={words.details.events}>
            <Events id={object.id} />
          </Part>
        </>
      )}
    </aside>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3 className={styles.partTitle}>{title}</h3>
      {children}
    </section>
  );
}

/** Status, place and speed as the socket sends them: they change while the panel is open. */
function Now({ object, states }: { object: LiveObject; states: LiveStates }) {
  const { map: words, tracker } = useTexts();
  const { details } = tracker;
  const format = useFormat();
  useVersion(states);
  useTick();
  const status = statusIn(states, object);
  const state = states.get(object.sourceId);
  const { gps, movement_status_update, last_update } = state ?? {};
  const at = (local: string) => momentOf(local, format.timeZone);
  return (
    <>
      <Group gap={6} mb="xs">
        <StatusIcon status={status} heading={gps?.heading ?? 0} />
        <Text size="sm" fw={600}>
          {words.status[status]}
          {status === "moving" && gps && ` · ${format.speed(gps.speed)}`}
        </Text>
      </Group>
      {gps?.updated && (
        <Facts
          entries={[
            [details.address, <Address key="address" location={gps.location} />],
            [details.since, movement_status_update && format.dateTime(at(movement_status_update))],
            [details.heading, status === "moving" && format.degrees(gps.heading)],
            [details.lastMessage, last_update && format.ago(at(last_update), serverNow())],
          ]}
        />
      )}
    </>
  );
}

function Address({ location }: { location: { lat: number; lng: number } }) {
  const { language } = useLanguage();
  const { data, error } = useQuery(addressQuery(location, language));
  return data ?? (error ? `${location.lat.toFixed(4)}, ${location.lng.toFixed(4)}` : "…");
}

function Driver({ id }: { id: number }) {
  const { tracker } = useTexts();
  return (
    <Loaded query={useQuery(driverQuery(id))}>
      {(driver) =>
        driver ? (
          <Text size="sm">
            <bdi>{[driver.first_name, driver.last_name].filter(Boolean).join(" ")}</bdi>
            {driver.phone && (
              <>
                {" · "}
                <a href={`tel:+${driver.phone.replace(/\D/g, "")}`}>{driver.phone}</a>
              </>
            )}
          </Text>
        ) : (
          <Nothing text={tracker.details.noDriver} />
        )
      }
    </Loaded>
  );
}

function Tasks({ id }: { id: number }) {
  const { map: words } = useTexts();
  const format = useFormat();
  return (
    <Loaded query={useQuery(openTasksQuery(id))}>
      {(tasks) =>
        tasks.length === 0 ? (
          <Nothing text={words.details.noTasks} />
        ) : (
          tasks.map(({ id, label, to }) => (
            <Entry key={id} text={label} time={words.details.until(format.dateTime(to))} />
          ))
        )
      }
    </Loaded>
  );
}

function Sensors({ id }: { id: number }) {
  const { tracker } = useTexts();
  const format = useFormat();
  return (
    <Loaded query={useQuery(readingsQuery(id))}>
      {({ inputs, virtual_sensors }) => {
        const entries: [string, ReactNode][] = [
          ...inputs.map(({ label, value, units }): [string, ReactNode] => [
            label,
            `${format.number(value, 2)} ${units}`,
          ]),
          ...virtual_sensors.map(({ label, value }): [string, ReactNode] => [label, value]),
        ];
        return entries.length === 0 ? <Nothing text={tracker.details.noSensors} /> : <Facts entries={entries} />;
      }}
    </Loaded>
  );
}

function Events({ id }: { id: number }) {
  const { map: words } = useTexts();
  const format = useFormat();
  return (
    <Loaded query={useQuery(recentEventsQuery(id, serverNow))}>
      {(events) =>
        events.length === 0 ? (
          <Nothing text={words.details.noEvents} />
        ) : (
          events.map(({ id, message, time }) => <Entry key={id} text={message} time={format.dateTime(time)} />)
        )
      }
    </Loaded>
  );
}

function Entry({ text, time }: { text: string; time: string }) {
  return (
    <div className={styles.entry}>
      <Text size="sm">{text}</Text>
      <Text size="xs" c="dimmed">
        {time}
      </Text>
    </div>
  );
}

function Nothing({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

type LoadedProps<Data> = { query: UseQueryResult<Data>; children(data: Data): ReactNode };

function Loaded<Data>({ query: { data, error }, children }: LoadedProps<Data>) {
  const { frame } = useTexts();
  if (data !== undefined) return children(data);
  return error ? <Refusal error={error} /> : <Loader size="xs" aria-label={frame.loading} />;
}
