// npm run client: builds clients/typescript/dist, the package that integrators install.
import { buildClient } from "./client/build-client.ts";

const { bytes, problems } = await buildClient();
if (problems) {
  console.error(problems);
  process.exit(1);
}
console.log(`clients/typescript/dist/index.js: ${bytes} bytes`);
