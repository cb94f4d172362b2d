import { randomBytes } from "node:crypto";
import { systemNow } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { Login } from "../system/operator.ts";
import type { Answer, ApiCaller } from "./api-caller.ts";

const DOMAIN = "@smoke-test.invalid";

/** The tariff of smoke tests. It stays, since tariffs cannot be removed. */
const TARIFF = { name: "Smoke test", features: ["checkin"], has_reports: true, store_period: "1m" };

/** The account that a smoke test makes and removes, as its operator. */
export class SmokeAccount {
  readonly login = `smoke-${randomBytes(9).toString("hex")}${DOMAIN}`;
  /** Satisfies every password policy. */
  readonly password = `${randomBytes(9).toString("base64url")}Aa1%`;
  readonly #api: ApiCaller;
  #operatorHash: string | undefined;

  constructor(api: ApiCaller) {
    this.#api = api;
  }

  /** False until the operator has signed in: nothing can have been created. */
  get mayExist(): boolean {
    return this.#operatorHash !== undefined;
  }

  async signInOperator({ login, password }: Login) {
    const { hash } = await this.#api.call("/panel/account/auth", { login, password });
    this.#operatorHash = hash;
  }

  async create() {
    const hash = this.#operatorHash;
    const default_tariff_id = await this.#findOrCreateTariff();
    const user = {
      login: this.login,
      activated: true,
      first_name: "Smoke",
      last_name: "Test",
      legal_type: "individual",
    };
    const settings = { time_zone: "UTC", locale: "en_US", default_tariff_id, comment: "Made by npm run smoke" };
    await this.#api.call("/panel/user/create", { hash, user, password: this.password, ...settings });
  }

  /**
   * Removes the account, looked up by its login because the answer to its creation may have been lost, and accounts that
   * killed smoke tests have left. The sweeps of the next minutes delete their data.
   */
  async remove() {
    const hash = this.#operatorHash;
    const { list } = await this.#api.call("/panel/user/list", { hash, filter: DOMAIN });
    for (const { id, login, creation_date } of list as Answer[])
      if (login === this.login || isLeftover(login, creation_date))
        await this.#api.call("/panel/user/corrupt", { hash, user_id: id, login });
    await this.#api.call("/panel/account/logout", { hash });
  }

  async #findOrCreateTariff(): Promise<number> {
    const hash = this.#operatorHash;
    const { list } = await this.#api.call("/panel/tariff/list", { hash, filter: TARIFF.name });
    const tariff = (list as Answer[]).find(({ name }) => name === TARIFF.name);
    return tariff ? tariff.id : (await this.#api.call("/panel/tariff/create", { hash, tariff: TARIFF })).id;
  }
}

/** Whether a smoke test that was killed made the account; `creation_date` is in UTC. */
function isLeftover(login: string, creation_date: string) {
  return login.endsWith(DOMAIN) && Date.parse(`${creation_date.replace(" ", "T")}Z`) < systemNow() - HOUR_MS;
}
