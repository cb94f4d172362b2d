import { z } from "zod";

/** The same members, each of which may be left out: without the defaults, which would reset what is. */
export function partial<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const inner = member instanceof z.ZodDefault ? member.unwrap() : member;
    return [name, z.optional(inner)];
  });
  // Each member keeps its type, less its default.
  return z.object(Object.fromEntries(members)) as unknown as z.ZodObject<{
    [Name in keyof Shape]: z.ZodOptional<Shape[Name] extends z.ZodDefault<infer Inner> ? Inner : Shape[Name]>;
  }>;
}
