import { eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { LinkNames } from "#shared/contract/fleet.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { foldText } from "#shared/text/fold.ts";
import { employee } from "../table/people/employee.ts";
import { tag } from "../table/tag/tag.ts";

/**
 * The names of all of the account's tags (an account has few), and for each text the employees whose names contain it.
 */
export async function selectLinkNames(db: Database, principal: Principal, texts: string[]): Promise<LinkNames> {
  const soughtTexts = sql`json_each(${JSON.stringify(texts.map((text) => foldText(text)))}) AS sought`;
  const { tags, employees } = await read(db, {
    tags: db
      .select({ id: tag.id, folded: tag.name_folded })
      .from(tag)
      .where(visibleTo(principal, tag, eq(tag.removing, false))),
    employees: db
      .select({
        text: sql<number>`sought.key`,
        ids: sql<number[]>`json_group_array(${employee.id})`.mapWith(JSON.parse),
      })
      .from(employee)
      .innerJoin(soughtTexts, sql`instr(${NAME_IN_BOTH_ORDERS}, sought.value) > 0`)
      .where(visibleTo(principal, employee))
      .groupBy(sql`sought.key`),
  });
  const byText = new Map(employees.map(({ text, ids }) => [text, ids]));
  return { tags, employees: texts.map((_, index) => byText.get(index) ?? []) };
}

/**
 * Names with the last name first; `NAME_IN_BOTH_ORDERS` repeats them, so that a search for "first last" matches, too.
 */
const FULL_NAME = sql`trim(replace(${employee.name_folded}, '  ', ' '))`;
const NAME_IN_BOTH_ORDERS = sql`${FULL_NAME} || ' ' || ${FULL_NAME}`;
