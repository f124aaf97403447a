import { button, inDialog, type FormCase } from "../lost-answers";

/** The forms about machines and the vending platform. */
export const machineForms: Record<string, FormCase> = {
  "confirming missing machines": {
    async fill({ page, visit, database }, name) {
      // Those of a form that was never sent would be missing, too.
      await database.query("delete from machines where human_name like 'Cut %' and not is_deleted");
      // More than a fifth of all, which the platform doesn't list.
      await database.query(
        `insert into machines (serial_number, human_name)
         select replace($1, ' ', '-') || '-' || number, $1 from generate_series(1, 8) number`,
        [name],
      );
      await database.query("delete from rate_limits where key like 'machines-refresh:%'");
      await visit("/app/machines");
      await button(page, /^Refresh/).click();
      await page.getByRole("link", { name: "Review missing machines" }).click();
      return inDialog(page, /^(Mark|Asking)/);
    },
    done: '8 machines are marked "Deleted from SmartVend"',
    countSql: "select count(*) / 8 as count from machines where human_name = $1 and is_deleted",
  },
};
