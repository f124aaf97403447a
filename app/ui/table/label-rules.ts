/** Returns the rules of cells with a label in cards: in a long list, a style is shorter than the text in each row. */
export const labelRules = (heading: string) => ({ vars: { "--label": `"${heading} "` } });
