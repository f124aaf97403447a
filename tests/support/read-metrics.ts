/** The suffixes that samples of a metric have, by its type. */
const suffixes: Record<string, string[]> = {
  counter: ["_total"],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
};

/**
 * Reads OpenMetrics strictly: each metric has one help, one type and its samples together, no sample comes
 * twice, and the text has an end.
 * @returns the values by name and labels, the labels in order of their names
 */
export function readMetrics(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const families = new Set<string>();
  let family = "";
  let type = "";
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.pop() !== "# EOF") throw new Error("The end is missing");
  for (const line of lines) {
    const comment = /^# (HELP|TYPE) ([a-z0-9_]+) (.+)$/.exec(line);
    if (comment) {
      const [, kind, name = "", content = ""] = comment;
      if (kind === "HELP" && families.has(name)) throw new Error(`${name} comes twice`);
      if (kind === "TYPE" && (name !== family || !suffixes[content])) throw new Error(line);
      families.add((family = name));
      type = kind === "TYPE" ? content : "";
      continue;
    }
    const sample =
      /^([a-z0-9_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)+)\})? (-?[\d.e+-]+|NaN|\+Inf)$/i.exec(
        line,
      );
    const [, name = "", labels, value] = sample ?? [];
    if (!sample || !suffixes[type]?.some((suffix) => name === family + suffix))
      throw new Error(`Not a sample of ${family}: ${line}`);
    const sorted = labels
      ?.split(/,(?=[a-z_]+=")/)
      .toSorted()
      .join(",");
    const key = sorted ? `${name}{${sorted}}` : name;
    if (samples.has(key)) throw new Error(`${key} comes twice`);
    samples.set(key, value === "+Inf" ? Infinity : Number(value));
  }
  return samples;
}
