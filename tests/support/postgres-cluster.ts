import type { TestProject } from "vitest/node";
import { createTemplate, startTestCluster, type ClusterAddresses } from "./test-cluster";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: ClusterAddresses & { template: string };
  }
}

const template = "promo_template";

/** Starts one PostgreSQL for the whole run, with one migrated database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...addresses } = await startTestCluster();
  try {
    await createTemplate(addresses, template);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("postgres", { ...addresses, template });
  return stop;
}
