import { expect, it } from "vitest";
import { floodFailures, floods, measureFlood } from "../bench/floods";

it.each(floods.map((flood) => [flood.name, flood] as const))(
  "machines redeem without a 503, soon and in little memory beside %s",
  async (_name, flood) => {
    const result = await measureFlood(flood, 60);
    console.log(JSON.stringify(result));
    expect(floodFailures(result)).toEqual([]);
  },
  300_000,
);
