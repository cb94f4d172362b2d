import type { FontFiles as FontFilesContract } from "#shared/contract/gateway.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import type { GatewayEnv } from "../../env.ts";
import { readStaticFile } from "./static-file.ts";

/** Fonts of documents, which are static files of the gateway. No public route leads here. */
export class FontFiles extends ServiceEntrypoint<GatewayEnv> implements FontFilesContract {
  readonly worker = "gateway";

  async openFont(name: string): Promise<ReadableStream | null> {
    return (await readStaticFile(`/fonts/${name}`, this.env))?.body ?? null;
  }
}
