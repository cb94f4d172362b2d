import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { explain } from "../component/explain-refusal.ts";
import { codeOf } from "../session/api.ts";
import { useTexts } from "../text/use-texts.tsx";
import type { Tracker } from "../tracker/queries.ts";
import { useChangeBinding } from "./queries.ts";
import styles from "./retranslator.module.css";

/** Code of a device id that the protocol cannot send. */
const IS_UNFIT = 242;
const MAX_LENGTH = 64;

type DeviceIdFieldProps = { tracker: Tracker; retranslatorId: number; deviceId: string | undefined };

/** The id by which the receiver knows the device. It is stored when the field is left; empty, it is the device's own id. */
export function DeviceIdField({ tracker, retranslatorId, deviceId = "" }: DeviceIdFieldProps) {
  const texts = useTexts();
  const { retranslator: words } = texts;
  const [id, setId] = useState(deviceId);
  const { mutate, error, isPending, variables } = useChangeBinding(retranslatorId);
  const stored = isPending ? (variables.fake_device_id ?? "") : deviceId;
  const store = () => {
    const next = id.trim();
    if (next !== stored) mutate({ tracker_id: tracker.id, isForwarded: true, fake_device_id: next || null });
  };
  return (
    <TextInput
      size="xs"
      aria-label={words.deviceIdOf(tracker.label)}
      placeholder={tracker.source.device_id}
      value={id}
      maxLength={MAX_LENGTH}
      error={error && (codeOf(error) === IS_UNFIT ? words.errors.deviceId : explain(error, texts).text)}
      classNames={{ error: styles.problem ?? "" }}
      onChange={(event) => setId(event.currentTarget.value)}
      onBlur={store}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Enter") store();
      }}
    />
  );
}
