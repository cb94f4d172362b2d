import { Button, Group, Modal, Text } from "@mantine/core";
import type { ReactNode } from "react";

type AskDialogProps = {
  title: string;
  text: string;
  /** The name of what cannot be undone. */
  action: string;
  cancel: string;
  isBusy: boolean;
  onConfirm(): void;
  onClose(): void;
  children?: ReactNode;
};

/** Asks before something that cannot be undone. */
export function AskDialog({ title, text, action, cancel, isBusy, onConfirm, onClose, children }: AskDialogProps) {
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <Text size="sm">{text}</Text>
      {children}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onClose}>
          {cancel}
        </Button>
        <Button color="red" loading={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
