import * as z from "zod";
import { RIGHTS } from "#shared/caller/principal.ts";
import { NewTariff } from "#shared/contract/tracker/tariff.ts";
import { printableText } from "#shared/operation/fields.ts";
import type { SecurityGroupRow } from "../../table/security-group.ts";

/** Rights that a group may have: all except `admin`, which only the master has. */
const Right = z.enum(RIGHTS).exclude(["admin"]);

const Privileges = z.object({
  rights: z.array(Right).max(100),
  store_period: NewTariff.shape.store_period.unwrap().optional(),
});

export const NewSecurityGroup = z.object({ label: printableText(1, 255), privileges: Privileges });
export type NewSecurityGroup = z.output<typeof NewSecurityGroup>;

/** Members left out stay; `privileges` replaces all privileges. */
export const SecurityGroupChanges = NewSecurityGroup.partial().extend({ id: z.int() });
export type SecurityGroupChanges = z.output<typeof SecurityGroupChanges>;

export const SecurityGroup = NewSecurityGroup.extend({ id: z.int() });

export function toColumns({ rights, store_period }: NewSecurityGroup["privileges"]) {
  return { rights: [...new Set(rights)], store_period: store_period ?? null };
}

export function toSecurityGroup({ id, label, rights, store_period }: SecurityGroupRow) {
  // Stored groups never have `admin`; this only satisfies the type.
  const held = rights.filter((right) => right !== "admin");
  return { id, label, privileges: { rights: held, store_period: store_period ?? undefined } };
}
