import { describe as gateway } from "../gateway/src/description.ts";
import { documentOf } from "../gateway/src/receive/documentation.ts";
import { describe as files } from "../services/files/src/description.ts";
import { describe as fleet } from "../services/fleet/src/description.ts";
import { describe as geo } from "../services/geo/src/description.ts";
import { describe as reports } from "../services/reports/src/description.ts";
import { describe as tasks } from "../services/tasks/src/description.ts";

/** The document of `{base_url}/openapi.json`, made from declarations without running anything. */
export function apiDocument() {
  const descriptions = [gateway, fleet, tasks, geo, files, reports].map((describe) => describe());
  return documentOf(descriptions, "/api-v2");
}
