import { expect, it } from "vitest";
import { contrast } from "../../../styles/contrast";
import { textColourOn } from "./document.server";

it("writes black or white on a colour, always with a contrast of 4.5 or more", () => {
  const channels = ["00", "33", "66", "75", "99", "cc", "ff"];
  for (const red of channels)
    for (const green of channels)
      for (const blue of channels) {
        const colour = `#${red}${green}${blue}`;
        expect(contrast(textColourOn(colour), colour), colour).toBeGreaterThanOrEqual(4.5);
      }
  expect(textColourOn("#ffff00")).toBe("#000000");
  expect(textColourOn("#3F51C8")).toBe("#ffffff");
});
