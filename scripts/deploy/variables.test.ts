import { expect, test } from "vitest";
import { newSecrets } from "../system/secrets.ts";
import { WORKERS } from "../workers.ts";
import { machineProblem, readVariables } from "./variables.ts";
import { wranglerCommand } from "./wrangler.ts";

const COMPLETE: Record<string, string | undefined> = {
  ...newSecrets(),
  ...Object.fromEntries(WORKERS.map((one) => [`${one.toUpperCase()}_DB_URL`, `libsql://${one}.example.com`])),
  PUBLIC_URL: "https://fleet.example.com",
};

function problemsOf(changed: Record<string, string | undefined>) {
  return readVariables({ ...COMPLETE, ...changed }).problems;
}

test("readVariables finds nothing wrong with a complete environment", () => {
  const { servers, keys, problems } = readVariables(COMPLETE);
  expect(problems).toEqual([]);
  expect(Object.keys(servers)).toEqual([...WORKERS]);
  expect(Object.keys(keys)).toHaveLength(5);
});

test.each(Object.keys(COMPLETE))("readVariables names %s where it is missing, in one sentence", (name) => {
  expect(problemsOf({ [name]: undefined })).toEqual([expect.stringMatching(new RegExp(`^${name} is not set: `))]);
});

test.each([
  ["GEO_DB_URL", "geo.example.com", "GEO_DB_URL is no address of a libSQL server"],
  ["GEO_DB_URL_2", "ftp://geo.example.com", "GEO_DB_URL_2 is no address of a libSQL server"],
  ["GEO_DB_URL_3", "libsql://geo3.example.com", "GEO_DB_URL_2 is not set"],
  ["FILES_DB_URL", "libsql://geo.example.com", "GEO_DB_URL and FILES_DB_URL name the same database"],
  ["VAPID_PRIVATE_KEY", "secret-value", "VAPID_PRIVATE_KEY must be 32 bytes in base64url"],
  ["PUBLIC_URL", "fleet.example.com", "PUBLIC_URL is no address"],
  ["MAIL_URL", "mail", "MAIL_URL is no address"],
  ["FCM_SERVICE_ACCOUNT", '{"project_id": "p"}', "FCM_SERVICE_ACCOUNT is not the JSON of a service account"],
  ["ALLOW_PRIVATE_TARGETS", "true", "ALLOW_PRIVATE_TARGETS is 0 or 1"],
  ["CLOCK_OFFSET_SECONDS", "5", "CLOCK_OFFSET_SECONDS is for local runs only"],
])("readVariables refuses %s=%s in one sentence", (name, value, sentence) => {
  const problems = problemsOf({ [name]: value });
  expect(problems).toEqual([expect.stringContaining(sentence)]);
  expect(problems[0]).not.toContain("secret-value");
});

test("machineProblem accepts Linux and macOS with a Node that wrangler accepts", () => {
  expect(machineProblem("linux", "22.12.0")).toBeUndefined();
  expect(machineProblem("darwin", "24.0.0")).toBeUndefined();
  expect(machineProblem("linux", "20.19.0")).toMatch(/^Node 20\.19\.0 is too old for wrangler/);
  expect(machineProblem("win32", "24.0.0")).toMatch(/needs Linux or macOS/);
});

test("wranglerCommand keeps the secrets of the installation out of the environment of wrangler", () => {
  const { env } = wranglerCommand(["whoami"], {
    ...COMPLETE,
    ...{ GEO_DB_TOKEN_2: "t", METRICS_KEY: "m", OPERATOR_PASSWORD: "o", FCM_SERVICE_ACCOUNT: "{}" },
    ...{ CLOUDFLARE_API_TOKEN: "login", HOME: "/home/ann" },
  });
  const names = Object.keys(env);
  for (const name of [
    ...Object.keys(COMPLETE),
    "GEO_DB_TOKEN_2",
    "METRICS_KEY",
    "OPERATOR_PASSWORD",
    "FCM_SERVICE_ACCOUNT",
  ])
    expect(names).not.toContain(name);
  expect(env).toMatchObject({ CLOUDFLARE_API_TOKEN: "login", HOME: "/home/ann" });
});
