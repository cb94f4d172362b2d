import * as z from "zod";
import { EGTS, JSON_POINTS, OSMAND, type ProtocolId, WIALON_IPS } from "#shared/contract/tracker/retranslation.ts";

export const Protocol = z.object({
  id: z.int(),
  name: z.string(),
  has_login: z.boolean(),
  has_password: z.boolean(),
  required_login: z.boolean(),
  required_password: z.boolean(),
  /** Absent: the protocol accepts any device id. */
  fake_device_id_pattern: z.string().optional(),
});
export type Protocol = z.output<typeof Protocol> & { id: ProtocolId };

export const PROTOCOLS: Protocol[] = [
  {
    id: WIALON_IPS,
    name: "Wialon IPS",
    has_login: false,
    has_password: true,
    required_login: false,
    required_password: false,
    fake_device_id_pattern: "^[0-9A-Za-z]{1,20}$",
  },
  {
    id: EGTS,
    name: "EGTS",
    has_login: false,
    has_password: false,
    required_login: false,
    required_password: false,
    fake_device_id_pattern: "^[0-9]{1,10}$",
  },
  {
    id: OSMAND,
    name: "OsmAnd",
    has_login: false,
    has_password: false,
    required_login: false,
    required_password: false,
  },
  {
    id: JSON_POINTS,
    name: "JSON",
    has_login: true,
    has_password: true,
    required_login: true,
    required_password: true,
  },
];

/** The protocols that accept this device id. An empty id is accepted by none. */
export function protocolsFor(fakeDeviceId: string): ProtocolId[] {
  if (fakeDeviceId === "") return [];
  return PROTOCOLS.filter(
    ({ fake_device_id_pattern: pattern }) => !pattern || new RegExp(pattern).test(fakeDeviceId),
  ).map(({ id }) => id);
}
