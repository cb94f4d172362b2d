import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";

/** Files that call addresses of the operator or of the platform by the runtime's own network. */
const OWN_CALLS = [
  "gateway/src/mail/post.ts",
  "gateway/src/page/form-page.ts", // in the browser
  "gateway/src/push/delivery/post-mobile.ts",
  "gateway/src/push/delivery/service-account.ts",
  "services/geo/src/forwarding/target-network.ts",
  "services/geo/src/geocoder/geocoder-queue.ts",
  "shared/libsql/stream-client.ts", // by the network of databases
];

test("Workers reach addresses of callers by the network of targets alone", () => {
  const sources = globSync("{gateway,services/*,shared}/**/*.ts", { cwd: ROOT }).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  expect(sources.length).toBeGreaterThan(500);
  const calls = sources.filter((file) =>
    /(?<![.#\w])(?<!async )fetch\((?!\w+: )|cloudflare:sockets/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(calls.toSorted()).toEqual(OWN_CALLS);
});
