import { Box, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useTexts } from "../text/use-texts.tsx";

type PageHeaderProps = { title: string; subtitle?: ReactNode; above?: ReactNode; actions?: ReactNode };

/** The heading of a page, which also becomes the title of the browser's tab. `above`: a link to the list of the page. */
export function PageHeader({ title, subtitle, above, actions }: PageHeaderProps) {
  const { frame } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${frame.product}`;
  }, [title, frame]);
  return (
    <Group justify="space-between" align="flex-end" gap="sm" mb="md">
      <Box miw={0}>
        {above}
        <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
          {title}
        </Title>
        {subtitle && (
          <Text component="div" c="dimmed" size="sm">
            {subtitle}
          </Text>
        )}
      </Box>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
