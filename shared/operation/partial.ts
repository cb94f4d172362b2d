import { z } from "zod";

/** The same members, each of which may be left out: without the defaults, which would reset what is. */
export function toPartial<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const inner = member instanceof z.ZodDefault ? member.unwrap() : member;
    return [name, z.optional(inner)];
  });
  // Each member keeps its type, less its default.
  return z.object(Object.fromEntries(members)) as unknown as z.ZodObject<{
    [Name in keyof Shape]: z.ZodOptional<Shape[Name] extends z.ZodDefault<infer Inner> ? Inner : Shape[Name]>;
  }>;
}

/**
 * For lists of things to change and to make, as `superRefine` takes it: one with an id may leave out members, which then
 * stay; one without takes all that a whole one needs.
 */
export function wholeWithoutId(whole: z.ZodObject) {
  return (given: { id: number | null }, context: z.core.$RefinementCtx) => {
    if (given.id !== null) return;
    const members: Record<string, unknown> = given;
    for (const issue of whole.safeParse(given).error?.issues ?? []) {
      // What is there and wrong is told already.
      if (members[String(issue.path[0])] === undefined) context.addIssue({ ...issue });
    }
  };
}

/** What is to be: the members that are given, and of those left out what is. */
export function completeFrom<Whole extends object>(current: Whole, given: Partial<Whole> | undefined): Whole {
  const named = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  // What is given has the types of what it takes the place of.
  return { ...current, ...Object.fromEntries(named) } as Whole;
}
