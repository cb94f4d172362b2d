import type { Reply, Schemas } from "../../../clients/typescript/src/index.ts";

export type Rule = Schemas["Rule"];
export type NewRule = Schemas["NewRule"];
/** A kind of rule with its declared parameters. */
export type RuleType = Reply<"/tracker/rule/type/list">["list"][number];
