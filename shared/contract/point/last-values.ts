/**
 * The value of an attribute in one message; null when the message did not contain it. UTC milliseconds by the device's
 * clock and by ours.
 */
export type AttributeValue = { value: string | number | boolean | null; msg_time: number; srv_time: number };

/** The last 12 values of each attribute, and the attribute's value in each of the last 12 messages. Newest first. */
export type LastValues = {
  nonnull_fields: Record<string, AttributeValue[]>;
  all_fields: Record<string, AttributeValue[]>;
};
