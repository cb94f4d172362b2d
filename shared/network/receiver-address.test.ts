import { expect, test } from "vitest";
import { isPublic, receiverAt } from "./receiver-address.ts";

test.each([
  ["example.com", 5039, false, "http://example.com:5039/"],
  ["203.0.113.9", 443, false, "https://203.0.113.9/"],
  ["2606:4700::1", 5039, false, "http://[2606:4700::1]:5039/"],
  ["[2606:4700::1]", 5039, false, "http://[2606:4700::1]:5039/"],
  ["example.com", 80, true, "http://example.com/"],
  ["example.com/in?k=1", 443, true, "https://example.com/in?k=1"],
  ["https://example.com/in", 8443, true, "https://example.com:8443/in"],
  ["HTTP://example.com", 443, true, "http://example.com:443/"],
])("receiverAt reads %j on port %i over HTTP %j as %s", (address, port, overHttp, expected) => {
  expect(receiverAt(address, port, overHttp)?.href).toBe(expected);
});

test.each([
  ["", false],
  ["two words", false],
  ["example.com:5039", false],
  ["example.com:80", true],
  ["example.com/path", false],
  ["https://example.com", false],
  ["user:secret@example.com", true],
  ["example.com/#part", true],
  ["ftp://example.com", true],
  ["1.2.3.4.5", false],
  ["[::1", false],
])("receiverAt refuses %j over HTTP %j", (address, overHttp) => {
  expect(receiverAt(address, 80, overHttp)).toBeUndefined();
});

test.each([
  "localhost",
  "LOCALHOST.",
  "printer",
  "db.internal",
  "nas.local",
  "127.0.0.1",
  "0x7f.1",
  "2130706433",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:10.0.0.1",
  "64:ff9b::a00:1",
  "fe80::1",
  "fd00::1",
  "2002:a00:1::",
  "192.0.2.1",
  "198.51.100.9",
  "203.0.113.9",
  "2001:db8::1",
  "3fff:fff::1",
])("isPublic refuses %s, which is not on the Internet", (address) => {
  expect(isPublic(receiverAt(address, 5039, false)?.hostname ?? "")).toBe(false);
});

test.each(["example.com", "8.8.8.8", "172.15.255.255", "172.32.0.1", "100.128.0.1", "2606:4700::1", "my-local.org"])(
  "isPublic accepts %s",
  (address) => {
    expect(isPublic(receiverAt(address, 5039, false)?.hostname ?? "")).toBe(true);
  },
);
