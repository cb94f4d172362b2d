import { Switch, Text } from "@mantine/core";
import { useState } from "react";
import { AskDialog } from "../component/ask-dialog.tsx";
import { explain } from "../component/explain-refusal.ts";
import { useTexts } from "../text/use-texts.tsx";
import { type Retranslator, useChangeBinding } from "./queries.ts";
import styles from "./retranslator.module.css";

type ForwardSwitchProps = {
  /** Says to screen readers what the switch does. */
  label: string;
  trackerId: number;
  retranslator: Retranslator;
  isForwarded: boolean;
  /** Why the tracker was refused before, together with others. */
  refusal?: unknown;
};

/** Begins or ends forwarding. While points wait, their deletion is asked for first. */
export function ForwardSwitch({ label, trackerId, retranslator, isForwarded, refusal }: ForwardSwitchProps) {
  const texts = useTexts();
  const { retranslator: words } = texts;
  const [isAsking, setAsking] = useState(false);
  const change = useChangeBinding(retranslator.id);
  const set = (isOn: boolean) =>
    change.mutate({ tracker_id: trackerId, isForwarded: isOn }, { onSettled: () => setAsking(false) });
  const failure = change.error ?? (isForwarded ? undefined : refusal);
  return (
    <>
      <Switch
        aria-label={label}
        checked={change.isPending ? change.variables.isForwarded : isForwarded}
        onChange={(event) => {
          const isOn = event.currentTarget.checked;
          if (isOn || !retranslator.status?.backlog) set(isOn);
          else setAsking(true);
        }}
      />
      {Boolean(failure) && (
        <Text size="xs" role="alert" className={styles.problem}>
          {explain(failure, texts).text}
        </Text>
      )}
      {isAsking && (
        <AskDialog
          title={words.endTitle(retranslator.name)}
          text={words.endText}
          action={words.end}
          cancel={words.cancel}
          isBusy={change.isPending}
          onConfirm={() => set(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
