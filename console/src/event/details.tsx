import { Anchor, CloseButton, Group, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Facts } from "../component/facts.tsx";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./event.module.css";
import { useMarkRead } from "./queries.ts";
import type { HistoryEvent } from "./rows.ts";

/** One event. To open it marks it as read. */
export function EventDetails({ event, onClose }: { event: HistoryEvent; onClose(): void }) {
  const { event: words, eventNames, frame } = useTexts();
  const format = useFormat();
  const { mutate: markRead } = useMarkRead();
  const marked = useRef<number>(undefined);
  const { id, is_read, extra, message, location, address, tracker_id, rule_id } = event;
  useEffect(() => {
    if (is_read || marked.current === id) return;
    marked.current = id;
    markRead(id);
  }, [id, is_read, markRead]);
  const name = eventNames[event.event];
  return (
    <section className={styles.details} aria-label={words.details}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
        <Title order={2} size="h4">
          {name}
        </Title>
        <CloseButton aria-label={frame.close} onClick={onClose} />
      </Group>
      {extra.emergency && (
        <Text size="sm" fw={600} className={styles.emergency} mb={6}>
          {words.emergency}
        </Text>
      )}
      <Facts
        entries={[
          [words.message, message !== name && (extra.full_message ?? message)],
          [
            words.tracker,
            <Anchor key="tracker" component={Link} to={`/trackers/${tracker_id}`} inherit>
              <bdi>{extra.tracker_label ?? tracker_id}</bdi>
            </Anchor>,
          ],
          [words.time, format.dateTime(event.time)],
          [words.place, address || (location && `${location.lat.toFixed(5)}, ${location.lng.toFixed(5)}`)],
          [words.zones, extra.zone_labels?.join(", ")],
          [words.value, extra.sensor_calculated_value],
          [
            words.rule,
            rule_id !== undefined && (
              <Anchor key="rule" component={Link} to={`/rules/${rule_id}`} inherit>
                {words.openRule}
              </Anchor>
            ),
          ],
          [words.note, extra.last_known_location && words.lastKnown],
          [words.corrected, extra.corrected && words.correctedText],
        ]}
      />
    </section>
  );
}
