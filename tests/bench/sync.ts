import { connect } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { syncMachines } from "../../app/features/machines/sync-machines.server";
import { httpPlatform } from "../../app/services/vending-platform/http-platform.server";
import { startPlatform } from "../support/platform";
import { median, type Row } from "./row";
import { withPostgres } from "./server";

const count = 5_000;
const rounds = 5;
const maxSeconds = 3;

/** A list where every machine has another name than the time before. */
const listOf = (round: number) =>
  Array.from({ length: count }, (_, index) => ({
    serialNumber: `VM-${10_000 + index}`,
    humanName: `Hall ${index}, round ${round}`,
    lastSeen: new Date(Date.UTC(2026, 0, 1, 0, round, 0, index)).toISOString(),
  }));

export const syncRow: Row = {
  name: "machines: a sync of 5,000, all of them changed, in units of 3 s",
  measure: () =>
    withPostgres(async (url) => {
      const platform = await startPlatform({ machines: [] });
      try {
        connect(url, { log: console.error });
        await loadSite();
        const { SMARTVEND_URL, SMARTVEND_API_KEY: apiKey } = platform.environment;
        const seconds: number[] = [];
        for (let round = 0; round < rounds; round++) {
          platform.machines = listOf(round);
          const started = performance.now();
          const { kind } = await syncMachines({
            platform: httpPlatform({ url: SMARTVEND_URL, apiKey }),
          });
          if (kind !== "done") throw new Error(`It was ${kind}`);
          seconds.push((performance.now() - started) / 1_000);
        }
        const detail = `${median(seconds).toFixed(2)} s, the first ${seconds[0]!.toFixed(2)} s`;
        return { ratio: Math.max(...seconds) / maxSeconds, ceiling: 1, detail };
      } finally {
        await platform.stop();
      }
    }),
};
