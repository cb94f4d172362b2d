import * as z from "zod";
import { printableText } from "#shared/operation/fields.ts";

export const Binding = z.object({
  retranslator_id: z.int(),
  /** The id by which the receiver knows the device; absent: the device's own id. */
  fake_device_id: z.string().optional(),
});
export type Binding = z.output<typeof Binding>;

/** No device has a longer id. Each protocol limits its ids further, see `protocolsFor`. */
export const FakeDeviceId = printableText(0, 64);
