import { ActionIcon, Group, Menu, Text } from "@mantine/core";
import { IconCurrentLocation, IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { noticeFailure } from "../component/notice.ts";
import type { DayRange } from "../format/calendar.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { downloadTrack, type TrackFormat } from "./download.ts";
import styles from "./journey.module.css";
import type { ReplayClock } from "./replay/replay-clock.ts";
import { useClock } from "./replay/use-replay.ts";
import { VehicleName } from "./timeline-list.tsx";
import { isMovingAt, type Track, type Trip } from "./track/track.ts";
import type { Vehicle } from "./vehicle.ts";

type VehicleRowProps = {
  vehicle: Vehicle;
  trips: readonly Trip[];
  track: Track | undefined;
  isComplete: boolean;
  period: DayRange;
  clock: ReplayClock;
  isFollowed: boolean;
  onFollow(follows: boolean): void;
};

const FORMATS: [TrackFormat, string][] = [
  ["kml", "KML"],
  ["kmz", "KMZ"],
  ["geojson", "GeoJSON"],
];

/** A chosen vehicle: what it did in the period, and at the moment of the clock; follows and downloads it. */
export function VehicleRow(props: VehicleRowProps) {
  const { vehicle, trips, track, isComplete, period, clock, isFollowed, onFollow } = props;
  const texts = useTexts();
  const { journey: words } = texts;
  const format = useFormat();
  const [isBusy, setBusy] = useState(false);
  const meters = trips.reduce((sum, { length }) => sum + length, 0);
  const seconds = trips.reduce(
    (sum, trip) => sum + (Date.parse(trip.end_date) - Date.parse(trip.start_date)) / 1000,
    0,
  );
  const download = async (kind: TrackFormat) => {
    setBusy(true);
    await downloadTrack(kind, { vehicle, track, trips, period }).catch((thrown) => noticeFailure(thrown, texts));
    setBusy(false);
  };
  return (
    <li className={styles.vehicle}>
      <div className={styles.vehicleLines}>
        <Group gap={8} wrap="nowrap">
          <VehicleName vehicle={vehicle} />
          <Now track={track} clock={clock} />
        </Group>
        <Text size="xs" c="dimmed">
          {words.summary(format.integer(trips.length), format.distance(meters), format.duration(seconds))}
        </Text>
      </div>
      <ActionIcon
        variant={isFollowed ? "filled" : "default"}
        aria-pressed={isFollowed}
        aria-label={words.follow(vehicle.label)}
        title={words.follow(vehicle.label)}
        onClick={() => onFollow(!isFollowed)}
      >
        <IconCurrentLocation size={18} aria-hidden />
      </ActionIcon>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="default"
            loading={isBusy}
            disabled={trips.length === 0}
            aria-label={words.download(vehicle.label)}
            title={words.download(vehicle.label)}
          >
            <IconDownload size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map(([kind, label]) => (
            <Menu.Item key={kind} disabled={kind === "geojson" && !isComplete} onClick={() => void download(kind)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

/** State and speed at the moment of the clock. */
function Now({ track, clock }: { track: Track | undefined; clock: ReplayClock }) {
  const { journey: words } = useTexts();
  const format = useFormat();
  const text = useClock(clock, () => {
    const position = track?.positionAt(clock.time);
    if (!position) return "";
    if (!position.isInTrip) return words.parked;
    return isMovingAt(position.speedKmh) ? format.speed(position.speedKmh) : words.inTrip.stopped;
  });
  return (
    <Text component="span" size="sm" className={styles.now}>
      {text}
    </Text>
  );
}
