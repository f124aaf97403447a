import { ensureBuild } from "../../app/build-tools/build.js";

let built: Promise<unknown> | undefined;

/** Builds the product if its sources have changed; compares them once in each process of tests. */
export function builtProduct(): Promise<unknown> {
  return (built ??= ensureBuild());
}
