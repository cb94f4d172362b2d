import { Button, Group, Text } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { probe, useIsReachable } from "../session/connection.ts";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./frame.module.css";

/** Says that the server cannot be reached while that lasts. The page below stays as it is. */
export function ConnectionBanner() {
  const { refusal } = useTexts();
  if (useIsReachable()) return null;
  return (
    <Group className={styles.banner} role="alert" gap="sm" wrap="nowrap">
      <IconCloudOff size={20} aria-hidden />
      <Text size="sm" flex={1}>
        <strong>{refusal.unreachable.title}.</strong> {refusal.unreachable.text}
      </Text>
      <Button size="compact-sm" variant="white" color="dark" onClick={() => void probe()}>
        {refusal.retryNow}
      </Button>
    </Group>
  );
}
