import { codeActionCases } from "./codes";
import { peopleActionCases } from "./people";
import { settingActionCases } from "./settings";
import type { ActionCase, ActionCasesOfScreens } from "./walk";

const isAlone = (cases: ActionCasesOfScreens[string]): cases is ActionCase =>
  typeof cases.arrange === "function";

/** All actions of all screens by route, and by the value of their button: '' where there is one alone. */
export const screenActionCases: Record<string, Record<string, ActionCase>> = Object.fromEntries(
  Object.entries({ ...peopleActionCases, ...codeActionCases, ...settingActionCases }).map(
    ([route, cases]) => [route, isAlone(cases) ? { "": cases } : cases],
  ),
);
