/** The first operator of every system under test. */
export const OPERATOR = { login: "admin", password: "operator-secret" };

/** Settings that make password hashes cheap: tests log in a thousand times. */
export const CHEAP_PASSWORDS = { PASSWORD_COST: "16", LOCAL_RUN: "1" };

/** The key of `/metrics` in systems that show them. */
export const METRICS_KEY = "a-key-of-those-who-watch";
