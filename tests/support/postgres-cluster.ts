import type { TestProject } from "vitest/node";
import { startPooler, testPooling } from "./pooler";
import { createTemplate, startTestCluster, type ClusterAddresses } from "./test-cluster";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: ClusterAddresses & { template: string };
  }
}

const template = "promo_template";

/** Starts one PostgreSQL for the whole run, with one migrated database that every test file clones, and a pooler before it if one is to be tried. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...addresses } = await startTestCluster();
  try {
    await createTemplate(addresses, template);
    const pooler = testPooling && (await startPooler(addresses.url, testPooling));
    project.provide("postgres", {
      ...addresses,
      template,
      ...(pooler && { directUrl: addresses.url, url: pooler.url }),
    });
    return async () => {
      await pooler?.stop();
      await stop();
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
