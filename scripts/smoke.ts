// npm run smoke -- https://fleet.example.com: tries an installation as its users do, in an account of its own. SMOKE_LOGIN
// and SMOKE_PASSWORD are an operator's.
import { runSmoke } from "./smoke/run-smoke.ts";

const [address = ""] = process.argv.slice(2);
const { SMOKE_LOGIN: login = "", SMOKE_PASSWORD: password = "" } = process.env;

const obstacle = findObstacle();
if (obstacle) {
  console.error(obstacle);
  process.exit(1);
}

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => interruption.abort(new Error("interrupted")));
const failures = await runSmoke(new URL(address).origin, { login, password }, console.log, interruption.signal);
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);

function findObstacle(): string | undefined {
  if (!/^https?:/.test(address) || !URL.canParse(address))
    return "Name the address of the installation: npm run smoke -- https://fleet.example.com";
  if (!login || !password)
    return "SMOKE_LOGIN and SMOKE_PASSWORD are not set: they are the login of an operator, who makes an account and removes it.";
  return undefined;
}
