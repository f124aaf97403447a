import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll } from "vitest";
import { builtProduct } from "./built";
import { spawnProduct, status, stopProduct } from "./app";
import { freePort } from "./free-port";
import { openClone } from "./postgres";

/**
 * Runs the built product several times on one database, which the functions of the test file reach
 * too. Call it at the top of the file. Without a vending platform in its environment an instance
 * has none, and the machines stay as a test has made them.
 * @param environments of each instance, what it has besides
 */
export function useInstances(environments: Record<string, string>[]): {
  /** The origins, in order; known when the tests run. */
  origins: string[];
  /** Output of each instance so far. */
  outputs: string[];
} {
  const origins: string[] = [];
  const children: ChildProcess[] = [];
  const outputs: string[] = [];
  let close = async () => {};

  beforeAll(async () => {
    await builtProduct();
    const clone = await openClone();
    ({ close } = clone);
    for (const [index, environment] of environments.entries()) {
      outputs[index] = "";
      const port = await freePort();
      const child = spawnProduct(clone.url, { port, environment }, (chunk) => {
        outputs[index] = `${outputs[index]}${chunk.toString()}`;
      });
      children.push(child);
      const origin = `http://localhost:${port}`;
      while ((await status(`${origin}/readyz`)) !== 200) {
        if (child.exitCode !== null) throw new Error(`An instance ended:\n${outputs[index]}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      origins.push(origin);
    }
  });

  afterAll(async () => {
    await Promise.all(children.map(stopProduct));
    await close();
  });

  return { origins, outputs };
}
