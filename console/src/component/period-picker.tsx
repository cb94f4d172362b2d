import { Button, Group, Menu, Modal } from "@mantine/core";
import { DatePicker } from "@mantine/dates";
import { IconCalendar, IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { addDays, type DayRange, dayOf, isDay, monthBefore, monthOf, startOfDay } from "../format/calendar.ts";
import { serverNow } from "../session/clock.ts";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { useSearchParams } from "./use-search-params.ts";
import "dayjs/locale/de.js";
import "@mantine/dates/styles.layer.css";

/** The days in the address of a page; unless it names others, so many days up to the present one. */
export function usePeriod(days = 1): [DayRange, (range: DayRange) => void] {
  const { format } = useUser();
  const [{ from, to }, change] = useSearchParams();
  const today = dayOf(serverNow(), format.timeZone);
  const isValid = isDay(from) && isDay(to) && from <= to;
  return [isValid ? { from, to } : { from: addDays(today, 1 - days), to: today }, change];
}

/** Chooses days: a usual period, or a range in a calendar. The page keeps it in its address, see `usePeriod`. */
export function PeriodPicker({ value, onChange }: { value: DayRange; onChange: (range: DayRange) => void }) {
  const { period } = useTexts();
  const { format } = useUser();
  const [isOpen, setOpen] = useState(false);
  const today = dayOf(serverNow(), format.timeZone);
  const yesterday = addDays(today, -1);
  const presets: [string, DayRange][] = [
    [period.today, { from: today, to: today }],
    [period.yesterday, { from: yesterday, to: yesterday }],
    [period.week, { from: addDays(today, -6), to: today }],
    [period.month, { ...monthOf(today), to: today }],
    [period.lastMonth, monthBefore(today)],
  ];
  const show = (day: string) => format.date(startOfDay(day, format.timeZone));
  const preset = presets.find(([, { from, to }]) => from === value.from && to === value.to)?.[0];
  const days = value.from === value.to ? show(value.from) : `${show(value.from)} – ${show(value.to)}`;
  return (
    <Group gap={0}>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconCalendar size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            aria-label={`${period.label}: ${preset ?? days}`}
          >
            {preset ?? days}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {presets.map(([label, range]) => (
            <Menu.Item key={label} onClick={() => onChange(range)}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setOpen(true)}>{period.custom}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={period.custom} size="auto" centered>
        <RangeCalendar value={value} lastDay={today} locale={format.locale} onChange={choose} />
      </Modal>
    </Group>
  );

  function choose(range: DayRange) {
    setOpen(false);
    onChange(range);
  }
}

type CalendarProps = { value: DayRange; lastDay: string; locale: string; onChange: (range: DayRange) => void };

function RangeCalendar({ value, lastDay, locale, onChange }: CalendarProps) {
  const [days, setDays] = useState<[string | null, string | null]>([value.from, value.to]);
  return (
    <DatePicker
      type="range"
      allowSingleDateInRange
      locale={locale.slice(0, 2)}
      maxDate={lastDay}
      defaultDate={value.to}
      value={days}
      onChange={(next) => {
        setDays(next);
        const [from, to] = next;
        if (from && to) onChange({ from, to });
      }}
    />
  );
}
