/**
 * Changes to libraries and styles while building. Each one fails the build, or a test of weights, when the
 * library is no longer as it was.
 */
import { minify } from "@swc/core";
import type { AcceptedPlugin } from "postcss";
import type { Plugin } from "vite";
import { light, lightAccents } from "../../styles/palettes.ts";

/** The colours of the default theme by their variables, as `styles/tokens.css.ts` names them. */
const literals = new Map(
  Object.entries({ ...light, ...lightAccents.default }).map(([name, value]) => [
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value.toLowerCase(),
  ]),
);

/**
 * Puts each colour as it is in the light default theme before its variable, for browsers without variables, which do
 * without shadows. All are written in one way, so that they compress.
 */
export const literalColors: AcceptedPlugin = {
  postcssPlugin: "literal-colors",
  Once(root) {
    root.walkDecls((declaration) => {
      const { prop } = declaration;
      const value = declaration.value.replace(/#[0-9A-F]{6}\b/g, (hex) => hex.toLowerCase());
      declaration.value = value;
      if (prop.startsWith("--")) declaration.raws.between = ":";
      if (prop.startsWith("--") || prop === "box-shadow") return;
      const literal = value.replace(/var\((--[\w-]+)\)/g, (use, name) => literals.get(name) ?? use);
      if (literal !== value) declaration.cloneBefore({ value: literal });
    });
  },
};

/**
 * Minifies the scripts of browsers: 5 % smaller than by esbuild and 1 % than by terser, which takes seven times as long.
 */
export const minifyScripts: Plugin = {
  name: "minify-scripts",
  apply: "build",
  renderChunk: {
    // After Vite, which writes the chunk once more.
    order: "post",
    async handler(code) {
      const { code: minified } = await minify(code, {
        module: true,
        ecma: 2020,
        mangle: true,
        // Nothing unsafe: with unsafe_arrows a function loses its arguments. Warnings of libraries are for their developers.
        compress: { ecma: 2020, passes: 3, pure_funcs: ["warning", "console.warn"] },
      });
      return { code: minified, map: null };
    },
  },
};

/**
 * Lets a route's script export more than its route: what pages share stays where the table of `vite.config.ts` puts it.
 * Remix forbids it, and its own options win over those of the configuration.
 */
export const extendEntries: Plugin = {
  name: "extend-entries",
  options: (options) => ({ ...options, preserveEntrySignatures: "allow-extension" }),
};

/**
 * Modules `*.static.tsx` render pages that are never hydrated: browsers get none of their code. A client
 * navigation to such a page loads its document.
 */
export const leaveOutStaticPages: Plugin = {
  name: "leave-out-static-pages",
  enforce: "pre",
  load(id) {
    return id.endsWith(".static.tsx")
      ? "export default () => (window.location.reload(), null);"
      : null;
  },
};
