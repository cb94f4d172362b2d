import { Button, Group, Radio, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { Panel } from "../component/facts.tsx";
import { errorAt, fieldErrorsOf } from "../component/field-errors.ts";
import { Refusal } from "../component/refusal.tsx";
import { call, codeOf } from "../session/api.ts";
import { useUser } from "../session/user.tsx";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import { groupsQuery, type Tracker, trackersQuery } from "../tracker/queries.ts";
import styles from "./registration.module.css";
import { newIngestKey, REGISTRATIONS, WAYS, type Way } from "./ways.ts";

type RegisterStepProps = { onDone(tracker: Tracker, way: Way, key: string | undefined): void };
type Registration = { way: Way; label: string; groupId: string; deviceId: string; hasKey: boolean };

const ID_IS_USED = 224;

/** Asks how the device sends, and registers it. */
export function RegisterStep({ onDone }: RegisterStepProps) {
  const texts = useTexts();
  const { registration: words, tracker: trackerWords } = texts;
  const { can } = useUser();
  const { data: groups = [] } = useQuery(groupsQuery);
  const [given, setGiven] = useState<Registration>({
    ...{ way: "osmand", label: "", groupId: "0", deviceId: "", hasKey: can("tracker_update") },
  });
  const register = useRegister(onDone);
  const change = (changes: Partial<Registration>) => setGiven({ ...given, ...changes });
  const { idKind } = REGISTRATIONS[given.way];
  const errors = errorsOf(register.error, texts);
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={760}>
        <Panel title={words.howTitle}>
          <Radio.Group
            aria-label={words.howTitle}
            value={given.way}
            onChange={(way) => change({ way: way as Way })} // the cards are the ways
          >
            <div className={styles.ways}>
              {WAYS.map((way) => (
                <Radio.Card key={way} value={way} className={styles.way}>
                  <Group wrap="nowrap" align="flex-start" gap="sm">
                    <Radio.Indicator />
                    <div>
                      <Text size="sm" fw={600}>
                        {words.ways[way].title}
                      </Text>
                      <Text size="sm" c="dimmed">
                        {words.ways[way].text}
                      </Text>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </div>
          </Radio.Group>
        </Panel>
        <Panel title={words.whatTitle}>
          <Stack gap="sm">
            <TextInput
              label={words.label}
              description={words.labelHint}
              value={given.label}
              error={errorAt(errors, "label")}
              {...{ required: true, maxLength: 60 }}
              onChange={(event) => change({ label: event.currentTarget.value })}
            />
            {idKind !== "assigned" && (
              <TextInput
                label={words.ids[idKind].label}
                description={words.ids[idKind].hint}
                value={given.deviceId}
                error={errorAt(errors, "device_id")}
                required
                onChange={(event) => change({ deviceId: event.currentTarget.value.trim() })}
              />
            )}
            <Select
              label={trackerWords.columns.group}
              data={[
                { value: "0", label: trackerWords.noGroup },
                ...groups.map(({ id, title }) => ({ value: `${id}`, label: title })),
              ]}
              value={given.groupId}
              error={errorAt(errors, "group_id")}
              allowDeselect={false}
              onChange={(groupId) => change({ groupId: groupId ?? "0" })}
            />
            {can("tracker_update") && (
              <Switch
                label={words.withKey}
                description={words.withKeyHint}
                checked={given.hasKey}
                onChange={(event) => change({ hasKey: event.currentTarget.checked })}
              />
            )}
          </Stack>
        </Panel>
        {register.error && Object.keys(errors).length === 0 && <Refusal error={register.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={register.isPending}>
            {words.register}
          </Button>
        </Group>
      </Stack>
    </form>
  );

  function submit(event: FormEvent) {
    event.preventDefault();
    register.mutate(given);
  }
}

function useRegister(onDone: RegisterStepProps["onDone"]) {
  const queries = useQueryClient();
  /** A tracker whose key could not be set: to try again must not register another one. */
  const registered = useRef<Tracker>(undefined);
  return useMutation({
    mutationFn: async ({ way, label, groupId, deviceId, hasKey }: Registration) => {
      const { idKind, ...registration } = REGISTRATIONS[way];
      const ofDevice = idKind === "assigned" ? {} : { device_id: deviceId };
      const parameters = { ...registration, ...ofDevice, label: label.trim(), group_id: Number(groupId) };
      registered.current ??= (await call("/tracker/register", parameters)).value;
      const tracker = registered.current;
      const key = hasKey ? newIngestKey() : undefined;
      if (key) await call("/tracker/ingest_key/update", { tracker_id: tracker.id, key });
      return { tracker, way, key };
    },
    onSuccess: ({ tracker, way, key }) => {
      void queries.invalidateQueries({ queryKey: trackersQuery.queryKey });
      onDone(tracker, way, key);
    },
  });
}

function errorsOf(thrown: unknown, { registration: words }: Texts) {
  if (codeOf(thrown) === ID_IS_USED) return { device_id: words.idUsed };
  return fieldErrorsOf(thrown, "");
}
