/** Rates passwords with zxcvbn, in a thread of `password-strength.server`. */
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * @param {{password: string, known: string[]}} input `known`: words that make a password easy to guess
 * @returns {{score: number, warning: string}} a score of 0 to 4, and the key of a warning, or ""
 */
export default function ratePassword({ password, known }) {
  const { score, feedback } = estimator.check(password, known);
  return { score, warning: feedback.warning ?? "" };
}
