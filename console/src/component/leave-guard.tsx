import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useTexts } from "../text/use-texts.tsx";

/** Asks before a page with unsaved changes is left. `isChanged` is asked then, not while the page is drawn. */
export function LeaveGuard({ isChanged }: { isChanged(): boolean }) {
  const { leave } = useTexts().drawing;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isChanged(),
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return (
    <Modal opened={status === "blocked"} onClose={() => reset?.()} title={leave.title} centered>
      <Text size="sm">{leave.text}</Text>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={() => reset?.()}>
          {leave.stay}
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          {leave.leave}
        </Button>
      </Group>
    </Modal>
  );
}
