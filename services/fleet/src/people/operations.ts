import { operations as assignment } from "./assignment/operations.ts";
import { operations as avatar } from "./avatar/operations.ts";
import { operations as department } from "./department/operations.ts";
import { operations as employee } from "./employee/operations.ts";

export const operations = [...assignment, ...department, ...employee, ...avatar];
