import { Alert, Button, Group, Text } from "@mantine/core";
import { ApiError } from "../session/api.ts";
import { useTexts } from "../text/use-texts.tsx";
import { explain } from "./explain-refusal.ts";

/** One clear message about a failed call; it offers to try again where that may help. */
export function Refusal({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useTexts();
  const { title, text, Icon, mayRetry } = explain(error, texts);
  return (
    <Alert color="gray" variant="default" icon={<Icon aria-hidden />} title={title} role="alert" maw={640}>
      <Text size="sm">{text}</Text>
      {error instanceof ApiError && error.request_id && (
        <Text size="xs" c="dimmed" mt={4}>
          {texts.refusal.request(error.request_id)}
        </Text>
      )}
      {mayRetry && onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.refusal.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
