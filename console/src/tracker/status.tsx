import { Group, Text } from "@mantine/core";
import type { Texts } from "../text/texts.ts";
import type { Tracker, TrackerState } from "./queries.ts";
import styles from "./tracker.module.css";

export type Connection = keyof Texts["tracker"]["connection"];

/** Blocked trackers have no state; `unknown` stands for one that is not loaded yet. */
export function connectionOf(tracker: Tracker, state: TrackerState | undefined): Connection {
  if (tracker.source.blocked) return "blocked";
  return state?.connection_status ?? "unknown";
}

/** A coloured mark with its word: colour alone would not be read by everybody. */
export function StatusMark({ connection, label }: { connection: Connection; label: string }) {
  return (
    <Group gap={8} wrap="nowrap" component="span" display="inline-flex">
      <span className={styles.mark} data-connection={connection} aria-hidden />
      <Text component="span" size="sm" inherit truncate>
        {label}
      </Text>
    </Group>
  );
}
