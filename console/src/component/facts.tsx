import { Card, Group, Title } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** A titled box of a page of details. */
export function Panel({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Card withBorder padding="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Card>
  );
}

/** Names with their values; a value that is absent leaves its name out. */
export function Facts({ entries }: { entries: [name: string, value: ReactNode][] }) {
  const present = entries.filter(
    ([, value]) => value !== null && value !== undefined && value !== "" && value !== false,
  );
  return (
    <dl className={styles.list}>
      {present.map(([name, value]) => (
        <div key={name} className={styles.entry}>
          <dt className={styles.name}>{name}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
