import { createFirstAdmin } from "../../app/features/sign-in/users.server";
import { createTemplate, startTestCluster } from "../support/test-cluster";
import { admin } from "./arrange";
import { seededTemplate } from "./fixtures";

/**
 * Starts one PostgreSQL for the whole run, with one database of sample data that each worker clones.
 * Workers learn its addresses from `TEST_CLUSTER`.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { stop, ...addresses } = await startTestCluster();
  try {
    await createTemplate(addresses, seededTemplate, {
      hasSampleData: true,
      createAdmin: async (database) => void (await createFirstAdmin(admin, database)),
    });
  } catch (error) {
    await stop();
    throw error;
  }
  process.env.TEST_CLUSTER = JSON.stringify(addresses);
  return stop;
}
