import * as z from "zod";
import { operation } from "../../operation.ts";

export const nothing = operation("/base/nothing", {
  summary: "Does nothing, to test whether the service answers and the hash is valid",
  reads: true,
  input: z.object({}),
  output: z.object({}),
  errors: [],
  async run() {
    return {};
  },
});

export const operations = [nothing];
