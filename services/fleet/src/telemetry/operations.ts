import { operations as counter } from "./counter/operations.ts";
import { operations as input } from "./input/operations.ts";
import { operations as output } from "./output/operations.ts";
import { operations as reading } from "./reading/operations.ts";
import { operations as sensor } from "./sensor/operations.ts";

export const operations = [...sensor, ...reading, ...input, ...output, ...counter];
