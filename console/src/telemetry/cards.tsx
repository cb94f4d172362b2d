import { Title } from "@mantine/core";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import type { Tracker } from "../tracker/queries.ts";
import { CounterCard } from "./counter-card.tsx";
import { ForwardingCard } from "./forwarding-card.tsx";
import { KeyCard } from "./key-card.tsx";
import { useLastValues } from "./last-values.ts";
import { MessageCard } from "./message-card.tsx";
import { SensorCard } from "./sensor/card.tsx";
import styles from "./telemetry.module.css";

/** Cards about what the device of a tracker sends, and what the account makes of it. */
export function TelemetryCards({ tracker: { id, clone } }: { tracker: Tracker }) {
  const { telemetry: words } = useTexts();
  const { can, isMaster } = useUser();
  const values = useLastValues(id);
  // The device of a clone belongs to another account.
  const mayChange = can("tracker_update") && !clone;
  return (
    <>
      <Title order={2} size="h3" mb="sm">
        {words.title}
      </Title>
      <div className={styles.cards}>
        <MessageCard values={values} />
        <SensorCard trackerId={id} {...{ values, mayChange }} />
        <CounterCard trackerId={id} mayChange={mayChange} />
        {mayChange && <KeyCard trackerId={id} />}
        {isMaster && !clone && <ForwardingCard trackerId={id} />}
      </div>
    </>
  );
}
