import fc from "fast-check";
import { test } from "vitest";

/**
 * Makes a test that holds for all values of some arbitraries; a failure names its seed. `@fast-check/vitest` does the
 * same, but takes 4 s and 270 MB in each worker, because it builds every order of vitest's modifiers when it is imported.
 */
export function property<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  parameters?: fc.Parameters<Values>,
) {
  return (
    name: string,
    holds: (...values: Values) => boolean | void | Promise<boolean | void>,
    timeout?: number,
  ) =>
    test(
      name,
      () =>
        fc.assert(
          fc.asyncProperty<Values>(...arbitraries, async (...values) => holds(...values)),
          parameters,
        ),
      timeout,
    );
}

/**
 * Any text of whole code points. The unit `binary` of fast-check gives the same, but first makes a map of all 1,112,064,
 * which takes 4 s.
 */
export const anyText = (constraints: fc.ArrayConstraints = {}): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.integer({ min: 0, max: 0x7f }),
        fc.integer({ min: 0, max: 0xd7ff }),
        fc.integer({ min: 0xe000, max: 0x10ffff }),
      ),
      constraints,
    )
    .map((codePoints) => String.fromCodePoint(...codePoints));
