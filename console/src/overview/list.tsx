import { ActionIcon, Group, SegmentedControl, Text, UnstyledButton } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { SearchField } from "../component/search-field.tsx";
import { useSearchParams } from "../component/use-search-params.ts";
import type { LiveStates } from "../live/live-states.ts";
import { type Grouping, type LiveObject, toRows } from "../live/objects.ts";
import { STATUSES } from "../live/status.ts";
import type { Connection } from "../live/use-live.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./overview.module.css";
import { departmentsQuery } from "./queries.ts";
import { StatusIcon } from "./status-icon.tsx";
import { Tree } from "./tree.tsx";
import type { Fleet } from "./use-fleet.ts";

export type ObjectListProps = {
  fleet: Fleet;
  states: LiveStates;
  /** Undefined: the states are those of a past moment. */
  connection?: Connection;
  members: ReadonlySet<number> | undefined;
  selected: LiveObject | undefined;
  onSelect(id: number): void;
  onClearMembers(): void;
};

const ARRANGEMENTS = ["group", "tag", "department", "none"] as const;
type Arrangement = (typeof ARRANGEMENTS)[number];

/** The objects of the map as a tree, with search, states that filter, and whether all this is live. */
export function ObjectList({
  fleet,
  states,
  connection,
  members,
  selected,
  onSelect,
  onClearMembers,
}: ObjectListProps) {
  const { map: words } = useTexts();
  const format = useFormat();
  const [search, change] = useSearchParams();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const arrangement = ARRANGEMENTS.find((one) => one === search.by) ?? "group";
  const grouping = useGrouping(arrangement, fleet);
  const rows = useMemo(
    () => toRows(fleet.shown, grouping, closed, format.locale),
    [fleet.shown, grouping, closed, format.locale],
  );
  return (
    <section className={styles.list} aria-label={words.list}>
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={8}>
        <Text size="sm" fw={600} role="status">
          {words.count(format.integer(fleet.shown.length), format.integer(fleet.objects.length))}
        </Text>
        {connection && <ConnectionMark connection={connection} />}
      </Group>
      {connection === "lost" && (
        <Text size="xs" c="dimmed" mb={8}>
          {words.lostHint}
        </Text>
      )}
      <SearchField label={words.search} mb={8} />
      <StatusFilter fleet={fleet} />
      <SegmentedControl
        fullWidth
        size="xs"
        mb={8}
        aria-label={words.arrange}
        value={arrangement}
        onChange={(by) => change({ by: by === "group" ? undefined : by })}
        data={ARRANGEMENTS.map((value) => ({ value, label: words.arrangements[value] }))}
      />
      {members && (
        <Group className={styles.members} gap={6} wrap="nowrap" justify="space-between">
          <Text size="sm" fw={600}>
            {words.members(format.integer(members.size))}
          </Text>
          <ActionIcon variant="subtle" color="gray" aria-label={words.clearMembers} onClick={onClearMembers}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      )}
      <Tree {...{ rows, states, selected, onSelect }} onToggle={toggle} label={words.list} />
    </section>
  );

  function toggle(key: string, isOpen: boolean) {
    setClosed((last) => {
      const next = new Set(last);
      if (isOpen) next.delete(key);
      else next.add(key);
      return next;
    });
  }
}

function ConnectionMark({ connection }: { connection: Connection }) {
  const { map: words } = useTexts();
  return (
    <Text component="span" size="xs" className={styles.connection} data-connection={connection} role="status">
      <span className={styles.pulse} aria-hidden />
      {words.connection[connection]}
    </Text>
  );
}

/** The states that occur, with their counts; each is a filter. */
function StatusFilter({ fleet: { counts, statuses } }: { fleet: Fleet }) {
  const { map: words } = useTexts();
  const format = useFormat();
  const [, change] = useSearchParams();
  const present = STATUSES.filter((status) => counts[status] > 0 || statuses.includes(status));
  return (
    <fieldset className={styles.filters} aria-label={words.filter}>
      {present.map((status) => {
        const isOn = statuses.includes(status);
        const next = isOn ? statuses.filter((one) => one !== status) : [...statuses, status];
        return (
          <UnstyledButton
            key={status}
            className={styles.filter}
            aria-pressed={isOn}
            onClick={() => change({ status: next.join(",") || undefined })}
          >
            <StatusIcon status={status} />
            {words.status[status]}
            <b>{format.integer(counts[status])}</b>
          </UnstyledButton>
        );
      })}
    </fieldset>
  );
}

function useGrouping(arrangement: Arrangement, { names }: Fleet): Grouping | undefined {
  const { map: words, tracker } = useTexts();
  const departments = useQuery({ ...departmentsQuery, enabled: arrangement === "department" }).data;
  return useMemo(() => {
    if (arrangement === "none") return undefined;
    return (object) => {
      if (arrangement === "group")
        return [{ key: `${object.groupId}`, label: names.groups.get(object.groupId) ?? tracker.noGroup }];
      if (arrangement === "tag") {
        const tags = object.tagIds.map((id) => ({ key: `${id}`, label: names.tags.get(id) ?? `${id}` }));
        return tags.length > 0 ? tags : [{ key: "0", label: words.noTag }];
      }
      const department = departments?.get(object.id);
      return [{ key: `${department?.id ?? 0}`, label: department?.label ?? words.noDepartment }];
    };
  }, [arrangement, names, departments, words, tracker]);
}
