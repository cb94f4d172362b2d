// npm run client: builds clients/typescript/dist, the package that integrators install; with `-- python` the types of
// clients/python instead.
import { buildClient } from "./client/build-client.ts";
import { findPython, pythonEnvironment } from "./client/python-environment.ts";
import { MODEL_GENERATOR, writePythonTypes } from "./client/python-types.ts";

if (process.argv[2] === "python") await buildPython();
else await buildTypeScript();

async function buildTypeScript() {
  const { bytes, problems } = await buildClient();
  if (problems) stop(problems);
  console.log(`clients/typescript/dist/index.js: ${bytes} bytes`);
}

async function buildPython() {
  const python = await findPython();
  if (!python) stop("The types of the Python client need Python 3.11 or newer with pip and venv.");
  else await writePythonTypes(await pythonEnvironment(python, [MODEL_GENERATOR]));
}

function stop(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}
