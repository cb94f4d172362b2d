import { useState } from "react";
import { useTrackerMessages } from "../live/use-tracker-messages.ts";

/** A value of an attribute in one message; null when the message did not have it. Times are in UTC. */
export type AttributeValue = { value: string | number | boolean | null; msg_time: string; srv_time: string };
export type LastValues = {
  /** The last values of each attribute, newest first. */
  nonnull_fields: Record<string, AttributeValue[]>;
  /** The attribute's value in each of the last messages, newest first. */
  all_fields: Record<string, AttributeValue[]>;
};
type Monitor = { iot_last_values: ({ tracker_id: number } & LastValues)[] };

/** The data of the last messages of a device, live; undefined until they are there. */
export function useLastValues(tracker_id: number): LastValues | undefined {
  const [values, setValues] = useState<LastValues>();
  useTrackerMessages(tracker_id, "iot_monitor", (data) => {
    const { iot_last_values } = data as Monitor; // as the API describes it
    const found = iot_last_values.find((one) => one.tracker_id === tracker_id);
    if (found) setValues(found);
  });
  return values;
}
