import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const victory = {
  group: ["victory", "victory-*"],
  message: "Charts are drawn on the server only: import it in a *.server.tsx file.",
};
const reactAria = {
  group: ["react-aria-components", "react-aria-components/*", "@react-aria/*", "react-aria"],
  message: "React Aria lives in app/ui/modal, which is loaded lazily.",
};
// Without scripts each of these posts its initial value, or nothing at all.
const lossyWidgets = {
  group: ["react-aria-components", "react-aria-components/*"],
  importNamePattern:
    "^(NumberField|Select|ComboBox|DateField|DatePicker|DateRangePicker|TimeField|Slider|FileTrigger|Tabs|Disclosure|Table|GridList|Checkbox|RadioGroup|Switch|TextField|SearchField)$",
  message: "Loses or corrupts what was typed without scripts: use the native control.",
};
const wholeZod = {
  name: "zod",
  message: "75 KB in the browser: import from 'zod/mini', or do it in a *.server.ts file.",
};
const rawHtml = {
  selector:
    "JSXAttribute[name.name='dangerouslySetInnerHTML'], Property[key.name='dangerouslySetInnerHTML']",
  message: "Text is escaped by React; nothing here needs raw HTML.",
};
const inlineStyle = {
  selector: "JSXAttribute[name.name='style']",
  message: "The content security policy refuses inline styles: use a *.css.ts file.",
};
const rawForms = {
  group: ["remix-validated-form"],
  importNames: ["createValidator", "validationError"],
  message: "Use formValidator of app/forms/form-validator.",
};

export default tseslint.config(
  { ignores: ["build", "node_modules", ".cache", ".data", "test-results"] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-restricted-imports": [
        "error",
        { paths: [wholeZod], patterns: [victory, reactAria, rawForms] },
      ],
      // A template literal in raw() is how SQL injection begins: bind with `?`.
      "no-restricted-syntax": ["error", rawHtml, inlineStyle],
    },
  },
  {
    files: ["app/**/*.server.{ts,tsx}", "app/entry.server.tsx"],
    rules: {
      "no-restricted-imports": ["error", { patterns: [reactAria, rawForms] }],
    },
  },
  {
    // Victory's styles become attributes.
    files: ["app/**/charts/*.server.tsx"],
    rules: { "no-restricted-syntax": ["error", rawHtml] },
  },
  {
    files: ["app/forms/form-validator.ts"],
    rules: {
      "no-restricted-imports": ["error", { paths: [wholeZod], patterns: [victory, reactAria] }],
    },
  },
  {
    files: ["app/ui/modal/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: [wholeZod], patterns: [victory, lossyWidgets, rawForms] },
      ],
    },
  },
  {
    files: ["tests/**", "*.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    files: ["app/**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
    },
  },
  {
    files: ["app/**/*.tsx"],
    ...jsxA11y.flatConfigs.strict,
  },
  {
    files: ["public/*.js", "app/ui/form/passkey-script.js"],
    languageOptions: {
      globals: Object.fromEntries(
        ["document", "window", "navigator", "atob", "btoa", "AbortController"].map((name) => [
          name,
          "readonly",
        ]),
      ),
    },
  },
  {
    files: ["**/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "process",
          "console",
          "URL",
          "setTimeout",
          "clearTimeout",
          "setInterval",
          "clearInterval",
          "performance",
          "fetch",
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
  {
    files: ["public/service-worker.js"],
    languageOptions: {
      globals: Object.fromEntries(
        ["addEventListener", "caches", "clients", "location", "registration", "skipWaiting"].map(
          (name) => [name, "readonly"],
        ),
      ),
    },
  },
);
