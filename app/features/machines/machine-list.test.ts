import { expect, test } from "vitest";
import { machinesAddress } from "./machine-list";

test.each([
  ["?page=2&sort=-name", "/app/machines?page=2&sort=-name"],
  ["?name=%2F%2Fevil&flash=abc&_data=routes", "/app/machines?name=%2F%2Fevil"],
  ["?name=a b\r\nSet-Cookie: x", "/app/machines?name=a+b%0D%0ASet-Cookie%3A+x"],
  ["?#https://evil.example", "/app/machines"],
  ["", "/app/machines"],
  ["//evil.example", "/app/machines"],
  ["/app/qr-list?x=1", "/app/machines"],
  [`?name=${"n".repeat(2_000)}`, "/app/machines"],
  [null, "/app/machines"],
])("%j leads to %s", (search, address) => expect(machinesAddress(search)).toBe(address));
