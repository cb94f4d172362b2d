import { Input, SegmentedControl, Select, Stack, Text, useMantineColorScheme } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Parameters } from "../../../clients/typescript/src/index.ts";
import { Panel } from "../component/facts.tsx";
import { noticeFailure, noticeSuccess } from "../component/notice.ts";
import { toLocaleTag } from "../format/format.ts";
import { call } from "../session/api.ts";
import { serverNow } from "../session/clock.ts";
import { type ConsoleSettings, userQuery, useSaveConsoleSettings, useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";

type Changes = Parameters<"/user/settings/update">;
type Theme = NonNullable<ConsoleSettings["theme"]>;

/** Locales that are offered; the texts have the languages of the first parts. */
const LOCALES = ["en_US", "en_GB", "de_DE", "de_AT", "de_CH"];

/** Language, time zone, units and theme. Each choice is saved at once. */
export function DisplaySettings() {
  const texts = useTexts();
  const { settings, frame } = texts;
  const { info, own, format } = useUser();
  const { user_info } = info;
  const save = useSaveSettings();
  return (
    <Panel title={settings.display}>
      <Stack gap="sm">
        <Select
          label={settings.locale}
          data={[...new Set([...LOCALES, user_info.locale])].map((value) => ({ value, label: nameOfLocale(value) }))}
          value={user_info.locale}
          allowDeselect={false}
          onChange={(locale) => locale && save.mutate({ locale })}
        />
        <TimeZoneSelect value={user_info.time_zone} onChange={(time_zone) => save.mutate({ time_zone })} />
        <Select
          label={settings.units}
          data={Object.entries(settings.unitSystems).map(([value, label]) => ({ value, label }))}
          value={user_info.measurement_system}
          allowDeselect={false}
          onChange={(value) => value && save.mutate({ measurement_system: value as Changes["measurement_system"] })}
        />
        <Select
          label={settings.hours}
          data={Object.entries(settings.hourModes).map(([value, label]) => ({ value, label }))}
          value={user_info.hour_mode ?? "auto"}
          allowDeselect={false}
          onChange={(value) => save.mutate({ hour_mode: value === "auto" ? null : (value as Changes["hour_mode"]) })}
        />
        <Text size="sm" c="dimmed">
          {settings.example(`${format.dateTime(serverNow())} · ${format.distance(1234.5)} · ${format.speed(87)}`)}
        </Text>
        <ThemeChoice label={frame.theme} names={frame.themes} value={own.theme ?? "auto"} />
      </Stack>
    </Panel>
  );
}

function ThemeChoice({ label, names, value }: { label: string; names: Record<Theme, string>; value: Theme }) {
  const { setColorScheme } = useMantineColorScheme();
  const saveOwn = useSaveConsoleSettings();
  const texts = useTexts();
  const choose = (theme: Theme) => {
    setColorScheme(theme);
    saveOwn({ theme }).catch((thrown) => noticeFailure(thrown, texts));
  };
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>
        <SegmentedControl
          aria-label={label}
          value={value}
          onChange={(next) => choose(next as Theme)} // the values are those of `data`
          data={(["light", "dark", "auto"] as const).map((theme) => ({ value: theme, label: names[theme] }))}
        />
      </div>
    </Input.Wrapper>
  );
}

function TimeZoneSelect({ value, onChange }: { value: string; onChange(zone: string): void }) {
  const { settings } = useTexts();
  const { data = [] } = useQuery({
    queryKey: ["timezone", "list"],
    queryFn: async () => (await call("/timezone/list")).list,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const zones = new Set([value, ...data.map(({ zone_id }) => zone_id)]);
  return (
    <Select
      label={settings.timeZone}
      data={[...zones].toSorted().map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
      value={value}
      searchable
      allowDeselect={false}
      nothingFoundMessage={settings.timeZoneMissing}
      maxDropdownHeight={280}
      onChange={(zone) => zone && onChange(zone)}
    />
  );
}

function useSaveSettings() {
  const queries = useQueryClient();
  const texts = useTexts();
  return useMutation({
    mutationFn: (changes: Changes) => call("/user/settings/update", changes),
    onSuccess: async () => {
      // Times of all answers are in the user's time zone.
      await queries.invalidateQueries({ queryKey: userQuery.queryKey });
      noticeSuccess(texts.settings.saved, texts);
    },
    onError: (thrown) => noticeFailure(thrown, texts),
  });
}

function nameOfLocale(locale: string) {
  const tag = toLocaleTag(locale);
  const name = new Intl.DisplayNames(tag, { type: "language", languageDisplay: "standard" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
