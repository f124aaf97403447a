/**
 * Options of Node.js that make V8 optimise a function only after twenty times the usual work. Most processes of the
 * tests end before optimising has paid; a fifth of a server's CPU time would go into it.
 */
export const shortLived = ["--interrupt-budget=1320000"];
