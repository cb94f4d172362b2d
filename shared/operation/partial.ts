import * as z from "zod";

/** All members optional and without defaults, which would overwrite stored values. */
export function toPartial<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const inner = member instanceof z.ZodDefault ? member.unwrap() : member;
    return [name, z.optional(inner)];
  });
  // Each member keeps its type without its default.
  return z.object(Object.fromEntries(members)) as unknown as z.ZodObject<{
    [Name in keyof Shape]: z.ZodOptional<Shape[Name] extends z.ZodDefault<infer Inner> ? Inner : Shape[Name]>;
  }>;
}

/** A check for lists of things to change and to create: things with an id may omit members, others must be complete. */
export function wholeWithoutId(whole: z.ZodObject) {
  return (given: { id: number | null }, context: z.core.$RefinementCtx) => {
    if (given.id !== null) return;
    const members: Record<string, unknown> = given;
    for (const issue of whole.safeParse(given).error?.issues ?? []) {
      // Wrong members that are present are reported by the member's own schema.
      if (members[String(issue.path[0])] === undefined) context.addIssue({ ...issue });
    }
  };
}

/** The current thing with the given members. */
export function completeFrom<Whole extends object>(current: Whole, given: Partial<Whole> | undefined): Whole {
  const members = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  // The given members have the types of those they replace.
  return { ...current, ...Object.fromEntries(members) } as Whole;
}
