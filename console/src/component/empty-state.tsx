import { Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { TablerIcon } from "@tabler/icons-react";
import type { ReactNode } from "react";

type EmptyStateProps = { icon: TablerIcon; title: string; text: string; action?: ReactNode };

/** Fills the place of a list without entries, and says what to do next. */
export function EmptyState({ icon: Icon, title, text, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" color="gray">
        <Icon size={30} aria-hidden />
      </ThemeIcon>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw={460}>
        {text}
      </Text>
      {action}
    </Stack>
  );
}
