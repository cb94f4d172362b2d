import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMutation } from "@tanstack/react-query";
import { Panel } from "../component/facts.tsx";
import { noticeSuccess } from "../component/notice.ts";
import { Refusal } from "../component/refusal.tsx";
import { newIngestKey } from "../registration/ways.ts";
import { call } from "../session/api.ts";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./telemetry.module.css";

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
  const ask = (title: string, text: string, confirm: string, key: string | null) =>
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm, cancel: words.cancel },
      onConfirm: () => change.mutate(key),
    });
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
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => ask(words.newKeyTitle, words.newKeyText, words.newKey, newIngestKey())}
          >
            {words.newKey}
          </Button>
          <Button
            variant="default"
            disabled={change.isPending}
            onClick={() => ask(words.removeKeyTitle, words.removeKeyText, words.removeKey, null)}
          >
            {words.removeKey}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
