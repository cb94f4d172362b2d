/** What one message said of an attribute; null where it did not name it. Times in UTC milliseconds, the device's and ours. */
export type AttributeValue = { value: string | number | boolean | null; msg_time: number; srv_time: number };

/**
 * What a device told last, by attribute and newest first: of each attribute its last 12 values, and what each of the
 * last 12 messages said of it.
 */
export type LastValues = {
  nonnull_fields: Record<string, AttributeValue[]>;
  all_fields: Record<string, AttributeValue[]>;
};
