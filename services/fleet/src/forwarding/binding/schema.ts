import { z } from "zod";
import { printableText } from "#shared/operation/fields.ts";

export const Binding = z.object({
  retranslator_id: z.int(),
  /** By which the receiver is to know the device; absent: by its own. */
  fake_device_id: z.string().optional(),
});
export type Binding = z.output<typeof Binding>;

/** Longer ones no device has; what it may be besides, the protocol says. */
export const FakeDeviceId = printableText(0, 64);
