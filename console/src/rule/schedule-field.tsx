import { ActionIcon, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import type { RuleDraft } from "./draft.ts";
import { HOURS, hoursOf, type Interval } from "./schedule.ts";
import { WeekGrid } from "./week-grid.tsx";

type Schedule = Pick<RuleDraft, "hasSchedule" | "hours" | "otherIntervals">;
type ScheduleFieldProps = { value: Schedule; error: string | undefined; onChange(changes: Partial<Schedule>): void };

const WORK_DAYS = [0, 1, 2, 3, 4];
const WEEKEND = [5, 6];

/** When the rule acts: always, or at hours of the week. Times that are no whole hours stay as they are until removed. */
export function ScheduleField({ value, error, onChange }: ScheduleFieldProps) {
  const { rule: words } = useTexts();
  const { hasSchedule, hours, otherIntervals } = value;
  const all = [...WORK_DAYS, ...WEEKEND];
  const presets: [string, ReadonlySet<number>][] = [
    [words.presets.work, hoursOf(WORK_DAYS, 8, 18)],
    [words.presets.night, new Set([...hoursOf(all, 0, 6), ...hoursOf(all, 22, HOURS)])],
    [words.presets.weekend, hoursOf(WEEKEND, 0, HOURS)],
    [words.presets.none, new Set()],
  ];
  return (
    <Stack gap="sm" align="flex-start">
      <SegmentedControl
        aria-label={words.sections.when}
        value={hasSchedule ? "scheduled" : "always"}
        onChange={(next) => onChange({ hasSchedule: next === "scheduled" })}
        data={[
          { value: "always", label: words.always },
          { value: "scheduled", label: words.scheduled },
        ]}
      />
      {hasSchedule && (
        <>
          <Group gap="xs">
            {presets.map(([label, preset]) => (
              <Button key={label} size="compact-sm" variant="default" onClick={() => onChange({ hours: preset })}>
                {label}
              </Button>
            ))}
          </Group>
          <WeekGrid hours={hours} onChange={(next) => onChange({ hours: next })} />
          <Text size="xs" c="dimmed">
            {words.scheduleHint}
          </Text>
          {error && (
            <Text size="sm" c="error" role="alert">
              {error}
            </Text>
          )}
          {otherIntervals.length > 0 && <OtherIntervals intervals={otherIntervals} onChange={onChange} />}
        </>
      )}
    </Stack>
  );
}

function OtherIntervals({ intervals, onChange }: { intervals: Interval[]; onChange: ScheduleFieldProps["onChange"] }) {
  const { rule: words } = useTexts();
  const { locale } = useFormat();
  const dayNames = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const show = (interval: Interval) => {
    if (interval.type === "fixed") return words.interval(interval.from, interval.to);
    const name = ({ weekday, time }: { weekday: number; time: string }) =>
      // The first of January 2024 was a Monday.
      `${dayNames.format(Date.UTC(2024, 0, weekday))} ${time}`;
    return words.interval(name(interval.from), name(interval.to));
  };
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {words.otherIntervals}
      </Text>
      {intervals.map((interval) => (
        <Group key={show(interval)} gap="xs">
          <Text size="sm">{show(interval)}</Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.removeInterval(show(interval))}
            onClick={() => onChange({ otherIntervals: intervals.filter((one) => one !== interval) })}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}
