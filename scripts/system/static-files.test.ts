import { basename } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptionsShape } from "miniflare";
import { expect, test } from "vitest";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { configOf, WORKERS } from "../workers.ts";
import { separateStaticFiles } from "./local-static-files.ts";
import { buildStaticFiles, FONT_FILES } from "./static-files.ts";

/** Answers a path with the status of the static file there, so that its answers differ from those of static files. */
const SCRIPT = `
  export default {
    async fetch(request, { ASSETS }) {
      const { status } = await ASSETS.fetch(request);
      return new Response("the Worker: " + status);
    },
  };`;
const PATHS = [
  ["/reference/index.html", "the Worker: 200"],
  [`/fonts/${basename(FONT_FILES[0] ?? "")}`, "the Worker: 200"],
  ["/stamp", "the Worker: 200"],
  ["/reference", "the Worker: 404"],
  ["/", "the Worker: 404"],
  ["/api-v2/user/auth", "the Worker: 404"],
];

test("static files belong to the gateway alone, which asks for no placement", () => {
  const configs = WORKERS.map((worker) => ({ worker, ...unstable_readConfig({ config: configOf(worker) }) }));
  expect(configs.filter(({ assets }) => assets).map(({ worker }) => worker)).toEqual(["gateway"]);
  expect(configs.filter(({ placement }) => !placement).map(({ worker }) => worker)).toEqual(["gateway"]);
});

test("the gateway answers every path itself, also those of static files", async () => {
  await buildStaticFiles();
  const { workerOptions } = unstable_getMiniflareWorkerOptions(configOf("gateway"));
  // wrangler leaves out the members of this type.
  const { assets, compatibilityDate } = workerOptions as V4WorkerOptionsShape;
  const gateway = { name: "gateway", modules: true, script: SCRIPT, assets, compatibilityDate };
  for (const workers of [[gateway], separateStaticFiles(gateway)]) {
    const miniflare = new Miniflare(convertV4MiniflareOptions({ workers, cf: false, telemetry: { enabled: false } }));
    const answers = await Promise.all(
      PATHS.map(async ([path = ""]) => [path, await (await miniflare.dispatchFetch(`http://local${path}`)).text()]),
    ).finally(() => miniflare.dispose());
    expect(answers).toEqual(PATHS);
  }
});
