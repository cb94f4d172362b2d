import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { AskDialog } from "../component/ask-dialog.tsx";
import { Panel } from "../component/facts.tsx";
import { noticeSuccess } from "../component/notice.ts";
import { Refusal } from "../component/refusal.tsx";
import { newIngestKey } from "../registration/ways.ts";
import { call } from "../session/api.ts";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./telemetry.module.css";

/** A question before the ingest key changes to `key`; null removes it. */
type Question = { title: string; text: string; action: string; key: string | null };

/** Makes a new ingest key, or removes it. Nobody can read the present one: only its hash is stored. */
export function KeyCard({ trackerId }: { trackerId: number }) {
  const texts = useTexts();
  const { telemetry: words } = texts;
  const change = useMutation({
    mutationFn: async (key: string | null) => {
      await call("/tracker/ingest_key/update", { tracker_id: trackerId, key });
      return key;
    },
    onSuccess: (key) => {
      if (key === null) noticeSuccess(words.keyRemoved, texts);
    },
  });
  const [asked, ask] = useState<Question>();
  const stopAsking = () => ask(undefined);
  const newKey = { title: words.newKeyTitle, text: words.newKeyText, action: words.newKey };
  const removeKey = { title: words.removeKeyTitle, text: words.removeKeyText, action: words.removeKey, key: null };
  return (
    <Panel title={words.key}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.keyText}
        </Text>
        {change.data && (
          <div role="status">
            <Text size="sm">{words.keyOnce}</Text>
            <Code block className={styles.value}>
              {change.data}
            </Code>
          </div>
        )}
        {change.error && <Refusal error={change.error} />}
        <Group gap="xs">
          <Button variant="default" loading={change.isPending} onClick={() => ask({ ...newKey, key: newIngestKey() })}>
            {words.newKey}
          </Button>
          <Button variant="default" disabled={change.isPending} onClick={() => ask(removeKey)}>
            {words.removeKey}
          </Button>
        </Group>
        {asked && (
          <AskDialog
            {...{ title: asked.title, text: asked.text, action: asked.action, cancel: words.cancel }}
            isBusy={change.isPending}
            onConfirm={() => {
              stopAsking();
              change.mutate(asked.key);
            }}
            onClose={stopAsking}
          />
        )}
      </Stack>
    </Panel>
  );
}
