import { environment } from "../../env.server";
import { httpPlatform } from "./http-platform.server";
import { samplePlatform } from "./sample-platform.server";
import type { VendingPlatform } from "./vending-platform";

/** The platform that the operator has named in the environment, else the built-in sample. */
export function configuredPlatform(): VendingPlatform {
  const { smartvendUrl: url, smartvendApiKey: apiKey } = environment();
  return url !== null && apiKey !== null ? httpPlatform({ url, apiKey }) : samplePlatform;
}
