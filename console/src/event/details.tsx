import { CloseButton, Group, Title } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./event.module.css";
import { EventFacts } from "./facts.tsx";
import { useMarkRead } from "./queries.ts";
import type { HistoryEvent } from "./rows.ts";

/** One event. To open it marks it as read. */
export function EventDetails({ event, onClose }: { event: HistoryEvent; onClose(): void }) {
  const { event: words, eventNames, frame } = useTexts();
  const { mutate: markRead } = useMarkRead();
  const marked = useRef<number>(undefined);
  const { id, is_read } = event;
  useEffect(() => {
    if (is_read || marked.current === id) return;
    marked.current = id;
    markRead(id);
  }, [id, is_read, markRead]);
  return (
    <section className={styles.details} aria-label={words.details}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
        <Title order={2} size="h4">
          {eventNames[event.event]}
        </Title>
        <CloseButton aria-label={frame.close} onClick={onClose} />
      </Group>
      <EventFacts event={event} />
    </section>
  );
}
