import { describeOperations, type NamedSchemas, type Topic } from "#shared/operation/open-api.ts";
import { operations } from "./operations.ts";
import { Report, ReportItem } from "./report/schema.ts";

const TOPICS: Topic[] = [
  {
    name: "Reports",
    description: "Reports about trackers in a range: made in the background, read and downloaded.",
    paths: ["/report"],
  },
  {
    name: "Report schedules",
    description: "Reports that are made regularly on days of the week or the month, and mailed.",
    paths: ["/report/schedule", "/report/mailed"],
  },
];

const NAMED: NamedSchemas = { Report, ReportItem };

export function describe() {
  return describeOperations(operations, { topics: TOPICS, named: NAMED });
}
