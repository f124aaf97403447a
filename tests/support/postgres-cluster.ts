import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import { startPooler, testPooling } from "./pooler";
import { createTemplate, startTestCluster, type ClusterAddresses } from "./test-cluster";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: ClusterAddresses & { template: string };
  }
}

const template = "promo_template";

/** Vitest sets up each of its projects with a copy of this module, one after the other. */
const run = globalThis as { postgres?: ProvidedContext["postgres"] };

/** Starts one PostgreSQL for the whole run, with one migrated database that every test file clones, and a pooler before it if one is to be tried. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  if (run.postgres) return project.provide("postgres", run.postgres);
  const { stop, ...addresses } = await startTestCluster();
  try {
    await createTemplate(addresses, template);
    const pooler = testPooling && (await startPooler(addresses.url, testPooling));
    run.postgres = {
      ...addresses,
      template,
      ...(pooler && { directUrl: addresses.url, url: pooler.url }),
    };
    project.provide("postgres", run.postgres);
    return async () => {
      await pooler?.stop();
      await stop();
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
