// npm run fuzz: calls made of the declarations themselves, for FUZZ_SECONDS or FUZZ_CALLS; FUZZ_SEED repeats a run.

import { startStack } from "../../bench/tool/stack.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { curlOf, fuzz } from "./fuzz.ts";

const seed = Number(process.env.FUZZ_SEED || systemNow() % 1_000_000_000);
const limits = { seconds: Number(process.env.FUZZ_SECONDS || 60), calls: Number(process.env.FUZZ_CALLS || 50_000) };
console.log(`FUZZ_SEED=${seed}`);
const stack = await startStack();
try {
  const { calls, byCode, offences } = await fuzz(stack, seed, limits);
  const counts = [...byCode].sort(([one], [other]) => one - other).map(([code, count]) => `${code}: ${count}`);
  console.log(`${calls} calls; by code, 0 for success: ${counts.join(", ")}`);
  for (const offence of offences) console.log(`${offence.path} ${offence.what}\n  ${curlOf(offence)}`);
  console.log(offences.length === 0 ? "No answer offends." : `${offences.length} answers offend.`);
  if (offences.length > 0) process.exitCode = 1;
} finally {
  await stack.stop();
}
process.exit();
