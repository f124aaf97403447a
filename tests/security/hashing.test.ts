import type * as Argon2 from "@node-rs/argon2";
import { verify } from "@node-rs/argon2";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { signIn, SignInRejected } from "../../app/features/sign-in/sign-in.server";
import {
  hashSecret,
  isWellFormedSecret,
  newSecret,
} from "../../app/features/sign-in/tokens.server";
import { hashingSlots, withHashingSlot } from "../../app/features/sign-in/password-hash.server";
import { createUser } from "../../app/features/sign-in/users.server";
import { useDatabase } from "../support/postgres";
import { inSoak } from "../support/repetitions";

// The real library, counted.
vi.mock("@node-rs/argon2", async (original) => {
  const argon2 = await original<typeof Argon2>();
  const counted = (...given: Parameters<typeof argon2.verify>) => argon2.verify(...given);
  return { ...argon2, verify: vi.fn(counted) };
});

useDatabase();
const password = "a password of the tests";

describe("signing in", () => {
  beforeEach(() => {
    vi.mocked(verify).mockClear();
  });

  it("hashes once, whoever it is", async () => {
    await createUser({ email: "known@example.com", password, role: "user" });
    await createUser({ email: "new@example.com", password, role: "user", isVerified: false });
    await createUser({ email: "invited@example.com", password: null, role: "user" });
    const left = await createUser({ email: "left@example.com", password, role: "user" });
    await db()("users").where({ id: left.id }).update({ is_disabled: true });

    const tries: [string, string][] = [
      ["known@example.com", password],
      ["known@example.com", "wrong"],
      ["known@example.com", ""],
      ["known@example.com", "x".repeat(129)],
      ["known@example.com", "x".repeat(100_000)],
      ["nobody@example.com", password],
      ["left@example.com", password],
      ["new@example.com", password],
      ["invited@example.com", password],
      ["", ""],
    ];
    const costs = new Set<string>();
    for (const [email, secret] of tries) {
      vi.mocked(verify).mockClear();
      const result = await signIn({ email, password: secret, clientAddress: "::1" }).catch(
        (error: unknown) => error,
      );
      if (secret !== password || email !== "known@example.com")
        expect(result).toBeInstanceOf(SignInRejected);
      expect(verify).toHaveBeenCalledTimes(1);
      const hash = String(vi.mocked(verify).mock.calls[0]![0]);
      costs.add(hash.split("$").slice(1, 4).join());
    }
    // Two: the parameters of what is stored and of the decoy have to be one and the same.
    expect([...costs]).toEqual(["argon2id,v=19,m=19456,t=2,p=1"]);
  });

  it("knows a long password that only begins like the right one from it", async () => {
    // Has as many characters as are accepted, each of two UTF-16 units.
    const long = "🦩".repeat(128);
    await createUser({ email: "long@example.com", password: long, role: "user" });
    const attempt = (secret: string) =>
      signIn({ email: " LONG@example.com ", password: secret, clientAddress: "::2" });
    await expect(attempt(`${long}x`)).rejects.toThrow(SignInRejected);
    expect((await attempt(long)).email).toBe("long@example.com");
  });

  inSoak(it)(
    "slows down, but lets the owner in, when an account is tried from everywhere",
    async () => {
      await createUser({ email: "target@example.com", password, role: "user" });
      for (let count = 0; count < 20; count += 1)
        await signIn({
          email: "target@example.com",
          password: "wrong",
          clientAddress: `10.1.0.${count}`,
        }).catch(() => null);
      const started = performance.now();
      const owner = { email: "target@example.com", password, clientAddress: "10.2.0.1" };
      expect((await signIn(owner)).email).toBe("target@example.com");
      expect(performance.now() - started).toBeGreaterThan(990);
    },
  );

  it("keeps most of many guesses of one account away, wherever they come from", async () => {
    const email = "hunted@example.com";
    await createUser({ email, password, role: "user" });
    const began = performance.now();
    const guesses = Array.from({ length: 120 }, (_, index) =>
      signIn({ email, password: "wrong", clientAddress: `10.3.0.${index}` }).catch(
        (error: unknown) => error,
      ),
    );
    const refused = (await Promise.all(guesses)).filter((error) => error instanceof SignInRejected);
    // The rule lets twenty through at once, then ten at a time, each of which waits for a second.
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    expect(refused.length).toBeLessThanOrEqual(20 + 10 * seconds);
    expect(verify).toHaveBeenCalledTimes(refused.length);
  });
});

describe("hashing", () => {
  it("happens once or twice at a time, with fifty waiting; more are asked to come again", async () => {
    let running = 0;
    let most = 0;
    const releases: (() => void)[] = [];
    const work = async () => {
      most = Math.max(most, (running += 1));
      await new Promise<void>((resolve) => releases.push(resolve));
      running -= 1;
    };
    const accepted = Array.from({ length: 50 + hashingSlots }, () => withHashingSlot(work));
    await expect(withHashingSlot(work)).rejects.toMatchObject({ reason: "unavailable" });
    const finished = Promise.all(accepted);
    let isFinished = false;
    void finished.then(() => (isFinished = true));
    while (!isFinished) {
      releases.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(most).toBe(hashingSlots);
    await expect(withHashingSlot(async () => "again")).resolves.toBe("again");
  });
});

describe("tokens", () => {
  it("carry 256 bits and a checksum", () => {
    const tokens = Array.from({ length: 1_000 }, () => newSecret("vqa_"));
    expect(new Set(tokens).size).toBe(1_000);
    for (const token of tokens) {
      expect(token).toMatch(/^vqa_[0-9A-Za-z]{49}$/);
      expect(isWellFormedSecret(token)).toBe(true);
      const at = 4 + Math.floor(Math.random() * 49);
      const other = token[at] === "x" ? "y" : "x";
      expect(isWellFormedSecret(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    }
    expect(hashSecret(tokens[0]!)).toHaveLength(32);
  });
});
