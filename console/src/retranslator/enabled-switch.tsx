import { Switch } from "@mantine/core";
import { useState } from "react";
import { AskDialog } from "../component/ask-dialog.tsx";
import { noticeFailure } from "../component/notice.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { type Retranslator, useSwitchRetranslator } from "./queries.ts";

type EnabledSwitchProps = {
  retranslator: Retranslator;
  /** Stands beside the switch; without it only its name for screen readers says what it does. */
  label?: string;
};

/** Switches a retranslator on, and off: after a question if points wait for it, because they are deleted. */
export function EnabledSwitch({ retranslator: { id, name, enabled, status }, label }: EnabledSwitchProps) {
  const texts = useTexts();
  const { retranslator: words } = texts;
  const format = useFormat();
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, variables } = useSwitchRetranslator(id);
  const backlog = status?.backlog ?? 0;
  const change = (isOn: boolean) =>
    mutate(isOn, {
      onSuccess: () => setAsking(false),
      onError: (thrown) => noticeFailure(thrown, texts),
    });
  return (
    <>
      <Switch
        {...(label ? { label } : { "aria-label": words.switchOf(name) })}
        checked={isPending ? variables : enabled}
        onChange={(event) => {
          const isOn = event.currentTarget.checked;
          if (isOn || backlog === 0) change(isOn);
          else setAsking(true);
        }}
      />
      {isAsking && (
        <AskDialog
          title={words.offTitle(name)}
          text={words.offText(format.integer(backlog))}
          action={words.switchOff}
          cancel={words.cancel}
          isBusy={isPending}
          onConfirm={() => change(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
