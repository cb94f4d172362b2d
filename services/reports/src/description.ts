import { describeOperations, type NamedSchemas, type Topic } from "#shared/operation/open-api.ts";
import { operations } from "./operations.ts";
import { Report, ReportItem } from "./report/schema.ts";

const TOPICS: Topic[] = [
  {
    name: "Reports",
    description: "What trackers did in a range: made behind the call, read and downloaded.",
    paths: ["/report"],
  },
];

const NAMED: NamedSchemas = { Report, ReportItem };

export function describe() {
  return describeOperations(operations, { topics: TOPICS, named: NAMED });
}
