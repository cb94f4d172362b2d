import { expect, test } from "vitest";
import { ALL_PERMISSIONS } from "../../gateway/src/dealer/operator/permissions.ts";
import type { GatewayEnv } from "../../gateway/src/env.ts";
import { operations } from "../../gateway/src/operations.ts";
import { type Principal, WITHOUT_ACCOUNT } from "../../shared/caller/principal.ts";
import { serve } from "../../shared/operation/serve.ts";

/** Operations on an operator's own session need no permission. */
const OWN = ["/panel/account/auth", "/panel/account/get_permissions", "/panel/account/logout"];

const panel = operations.filter(({ path }) => path.startsWith("/panel/") && !OWN.includes(path));

test.each(panel)(
  "operation $path is 13 to an operator with every permission but its own",
  async ({ path, permission }) => {
    const [category = "", needed] = permission ?? [];
    expect(ALL_PERMISSIONS[category]).toContain(needed);
    const left = ALL_PERMISSIONS[category]?.filter((one) => one !== needed) ?? [];
    expect(await codeOf(path, { ...ALL_PERMISSIONS, [category]: left })).toBe(13);
    const { [category]: _, ...others } = ALL_PERMISSIONS;
    expect(await codeOf(path, others)).toBe(13);
  },
);

/** There is no call that makes operators: the call is served as the gateway does, to one that nobody has. */
async function codeOf(path: string, permissions: Principal["permissions"]) {
  const asked = {
    path,
    method: "POST",
    typed: {},
    textual: {},
    shows_hash: true,
    iso: false,
    address: "",
    user_agent: "",
  };
  // A refused call reaches no binding, and no database.
  const env = { DB_URL: "http://127.0.0.1:1" } as GatewayEnv;
  const answer = await serve(operations, { worker: "gateway" })(
    { ...asked, base_url: "", request_id: "" },
    { ...OPERATOR, permissions },
    env,
  );
  if (answer instanceof Response) throw new Error("A refusal is JSON.");
  return JSON.parse(answer.body).status.code;
}

const OPERATOR: Principal = {
  ...WITHOUT_ACCOUNT,
  ...{ credential: "operator", kind: "operator", key: "", user_id: 2, dealer_id: 1 },
  ...{ permissions: {}, expires_at: Number.MAX_SAFE_INTEGER },
};
