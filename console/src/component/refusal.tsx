import { Alert, Button, Group, Text } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCloudOff,
  IconHourglass,
  IconLock,
  IconMoodEmpty,
  type TablerIcon,
} from "@tabler/icons-react";
import { ApiError, isEnded } from "../session/api.ts";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";

type Explanation = { title: string; text: string; Icon: TablerIcon; mayRetry?: boolean };

const RIGHT = [11, 13, 208, 276];
const MISSING = [201, 204, 217];
const QUOTA = [221, 267, 268];

/** Why a call failed, in the words of a user. */
export function explain(thrown: unknown, { refusal }: Texts): Explanation {
  if (!(thrown instanceof ApiError)) return { ...refusal.unreachable, Icon: IconCloudOff, mayRetry: true };
  const { code, status } = thrown;
  if (isEnded(thrown)) return { ...refusal.ended, Icon: IconHourglass };
  if (RIGHT.includes(code)) return { ...refusal.right, Icon: IconLock };
  if (code === 236) return { ...refusal.feature, Icon: IconLock };
  if (code === 101) return { ...refusal.demo, Icon: IconLock };
  if (MISSING.includes(code)) return { ...refusal.missing, Icon: IconMoodEmpty };
  if (QUOTA.includes(code)) return { ...refusal.quota, Icon: IconAlertTriangle };
  if (code === 7) return { ...refusal.invalid, Icon: IconAlertTriangle };
  if (code === 15) return { ...refusal.rate, Icon: IconHourglass, mayRetry: true };
  if (status >= 500) return { ...refusal.unreachable, Icon: IconCloudOff, mayRetry: true };
  return { title: refusal.title, text: refusal.other(code), Icon: IconAlertTriangle, mayRetry: true };
}

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
