import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { AskDialog } from "./ask-dialog.tsx";

type DeleteButtonProps = {
  texts: { title: string; text: string; action: string; cancel: string };
  isBusy: boolean;
  onConfirm(): void;
  /** Why it could not be deleted. */
  children?: ReactNode;
};

/** Deletes a thing after a question, which stays open when the deletion fails. */
export function DeleteButton({ texts, isBusy, onConfirm, children }: DeleteButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="subtle" color="red" ms="auto" onClick={() => setAsking(true)}>
        {texts.action}
      </Button>
      {isAsking && (
        <AskDialog {...{ ...texts, isBusy, onConfirm }} onClose={() => setAsking(false)}>
          {children}
        </AskDialog>
      )}
    </>
  );
}
