import { type Description, describeOperations, type Topic } from "#shared/operation/open-api.ts";
import { FILES, STREAMED_PATHS } from "./file/description.ts";
import { IMAGE_PATHS } from "./image/description.ts";
import { TypedImport } from "./import/operations.ts";
import { operations } from "./operations.ts";

const TOPICS: Topic[] = [
  { ...FILES, paths: ["/file", "/static"] },
  {
    name: "Spreadsheets and imports",
    description: "Spreadsheets as rows of texts, and what the account imports from them.",
    paths: ["/data"],
  },
];

export function describe(): Description {
  const { paths, ...described } = describeOperations(operations, {
    topics: TOPICS,
    named: { ImportOfAnyType: TypedImport },
  });
  return { ...described, paths: { ...paths, ...STREAMED_PATHS, ...IMAGE_PATHS } };
}
