import { beforeAll, type beforeEach } from "vitest";
import { insertUser } from "../factories/people-and-machines";

/**
 * Gives the test file a user who acts. Call it at the top of the file, after `useDatabase`.
 * @param when how often there is another one: `beforeEach` for a user of each test
 */
export function useActor(when: typeof beforeAll | typeof beforeEach = beforeAll) {
  const actor = { id: "", email: "" };
  when(async () => {
    Object.assign(actor, await insertUser());
  });
  return { actor, options: () => ({ actor: { ...actor, requestId: "r-1" } }) };
}

/** The details of an audit row about a change of targets. */
export type AuditedTargets = {
  machines?: { from: string[]; to: string[] };
  groups?: { from: string[]; to: string[] };
  groups_removed?: { from: string[] };
};
