import { Alert, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconBroadcast, IconCircleCheck, IconCopy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Panel } from "../component/facts.tsx";
import { momentOf } from "../format/calendar.ts";
import { useFormat } from "../session/user.tsx";
import { useLanguage, useTexts } from "../text/use-texts.tsx";
import { addressQuery, type Tracker } from "../tracker/queries.ts";
import { useFirstPoint } from "./first-point.ts";
import { QrCode } from "./qr-code.tsx";
import styles from "./registration.module.css";
import { settingsOf, type Way } from "./ways.ts";

const LOCAL_HOST = /^(localhost|127\.|\[::1\])/;

type ConnectStepProps = { tracker: Tracker; way: Way; ingestKey: string | undefined };

/** Shows what to enter on the device, and waits for its first point. */
export function ConnectStep({ tracker, way, ingestKey }: ConnectStepProps) {
  const { registration: words } = useTexts();
  const { address, deviceId, key, code, example } = settingsOf(
    way,
    location.origin,
    tracker.source.device_id,
    ingestKey,
  );
  const isApp = way === "owntracks" || way === "overland";
  return (
    <Stack gap="md" maw={960}>
      <Panel title={words.connectTitle(tracker.label)}>
        <div className={styles.connect}>
          <Stack gap="sm">
            <ol className={styles.steps}>
              {words.ways[way].steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <Setting label={words.address} value={address} />
            <Setting label={words.deviceId} value={deviceId} />
            {key && way === "program" && <Setting label={words.key} value={key} />}
            {key && <Text size="sm">{words.keyOnce}</Text>}
            {LOCAL_HOST.test(location.host) && way !== "program" && (
              <Alert variant="default">{words.localAddress}</Alert>
            )}
            {example && <Setting label={words.example} value={example} />}
          </Stack>
          {way !== "program" && (
            <figure className={styles.figure}>
              <QrCode content={code} label={isApp ? words.setupCode : words.addressCode} />
              <figcaption>{isApp ? words.setupCode : words.addressCode}</figcaption>
            </figure>
          )}
        </div>
      </Panel>
      <Panel title={words.waitTitle}>
        <FirstPoint id={tracker.id} />
      </Panel>
    </Stack>
  );
}

function Setting({ label, value }: { label: string; value: string }) {
  const { registration: words } = useTexts();
  return (
    <div>
      <Group justify="space-between" mb={2}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconCopy size={14} aria-hidden />}
              aria-label={words.copyOf(label)}
              onClick={copy}
            >
              {copied ? words.copied : words.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block className={styles.value}>
        {value}
      </Code>
    </div>
  );
}

function FirstPoint({ id }: { id: number }) {
  const { registration: words, map } = useTexts();
  const { language } = useLanguage();
  const format = useFormat();
  const state = useFirstPoint(id);
  const { lat = 0, lng = 0 } = state?.gps.location ?? {};
  const { data: place } = useQuery({ ...addressQuery({ lat, lng }, language), enabled: state !== undefined });
  if (!state?.gps.updated)
    return (
      <Group gap="sm" role="status">
        <IconBroadcast size={22} className={styles.waiting} aria-hidden />
        <Text size="sm">{words.waiting}</Text>
      </Group>
    );
  return (
    <Stack gap="sm" role="status">
      <Group gap="xs">
        <IconCircleCheck size={22} className={styles.done} aria-hidden />
        <Text fw={600}>{words.arrived}</Text>
      </Group>
      <Text size="sm">
        {[format.dateTime(momentOf(state.gps.updated, format.timeZone)), place ?? `${lat}, ${lng}`].join(" · ")}
      </Text>
      <Group gap="xs">
        <Button component={Link} to={`/trackers/${id}`}>
          {words.openTracker}
        </Button>
        <Button variant="default" component={Link} to={`/?object=${id}`}>
          {map.title}
        </Button>
      </Group>
    </Stack>
  );
}
