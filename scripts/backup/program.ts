import { resolve } from "node:path";
import { ROOT } from "../workers.ts";
import { sentenceOf } from "./failure.ts";

type Folders = { folder: string; dataDir: string };

/**
 * Runs a program that has a folder as its only argument and writes into `target`, that folder or the data folder. A
 * failure is one sentence, and nothing is left half done.
 */
export async function runWithFolder(
  usage: string,
  target: keyof Folders,
  work: (folders: Folders) => Promise<string>,
): Promise<void> {
  // Exit handlers remove what is half done.
  for (const [signal, exitCode] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
    process.once(signal, () => process.exit(exitCode));
  }
  const [given, ...others] = process.argv.slice(2);
  if (!given || given.startsWith("-") || others.length > 0) fail(`Name one folder: ${usage}`);
  // npm runs programs in the project's folder and says from where it was called.
  const folders = {
    folder: resolve(process.env.INIT_CWD ?? process.cwd(), given),
    dataDir: resolve(ROOT, process.env.DATA_DIR || ".data"),
  };
  try {
    console.log(await work(folders));
  } catch (thrown) {
    fail(sentenceOf(thrown, folders[target]));
  }
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
