/** The steps from an empty site to its first redemption (RULES D9). */
import { db, one, query } from "../../db/connection.server";
import { countOf, formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { platformKind } from "../machines/platform.server";
import { readPlatformState } from "../machines/platform-state.server";
import { settings } from "../settings/settings.server";

export type FirstStep = {
  title: string;
  isDone: boolean;
  text: string;
  link: { to: string; label: string } | null;
};

type Progress = {
  isSample: boolean;
  machines: number;
  /** The newest code, and its mass generation. */
  newest: { id: string; generationId: string | null } | null;
  isAssigned: boolean;
  isDownloaded: boolean;
  isRedeemed: boolean;
  /** Whether the first redemption is of the last 24 hours. */
  isFirstDay: boolean;
};

/** Stores that codes were printed or downloaded. @returns whether it was the first time */
export async function recordCodesDownload(): Promise<boolean> {
  const updated = await query(
    db(),
    "update site_settings set codes_downloaded_at = now() where codes_downloaded_at is null returning 1 as is_first",
  );
  return updated.length > 0;
}

/**
 * Returns the steps, which are shown until a day after the first redemption.
 * @param role what people of another role do is said without a link
 * @returns null beyond them, and while the site has sample data
 */
export async function readFirstSteps(role: string): Promise<FirstStep[] | null> {
  const progress = (await one<Progress>(db(), progressSql, {}, { isPrepared: true }))!;
  const { isSample, isRedeemed, isFirstDay, isAssigned, isDownloaded, newest } = progress;
  if (isSample || (isRedeemed && !isFirstDay)) return null;
  const isAdmin = role === "admin";
  const codesLink = (label: string) => newest && { to: campaignPath(newest), label };
  return [
    await machinesStep(progress, isAdmin),
    {
      title: "Create a campaign",
      isDone: isRedeemed || newest !== null,
      text: `One code, or up to ${formatNumber(settings().maxCodes)} at once.`,
      link: { to: paths.qrGeneration, label: "Create your first QR code" },
    },
    {
      title: "Assign it to machines",
      isDone: isRedeemed || isAssigned,
      text: "Choose them when you create it, or later with Machines on its page.",
      link: codesLink("Show campaign"),
    },
    {
      title: "Print or download the codes",
      isDone: isRedeemed || isDownloaded,
      text: "As labels, as images, or all in one archive.",
      link: codesLink("Show codes"),
    },
    {
      title: "Connect a machine",
      isDone: isRedeemed,
      text: isAdmin
        ? "Create a key, and redeem a code with the example call."
        : "An admin creates a key for machines on Integrations.",
      link: isAdmin ? { to: paths.integrations, label: "Connect machines" } : null,
    },
  ];
}

async function machinesStep(
  { machines, isRedeemed }: Progress,
  isAdmin: boolean,
): Promise<FirstStep> {
  const isDone = isRedeemed || machines > 0;
  if ((await platformKind()) === "none")
    return {
      title: "Add machines",
      isDone,
      text: isAdmin
        ? "Paste their serial numbers and names."
        : "An admin adds them, with their serial numbers and names.",
      link: isAdmin ? { to: paths.newMachines, label: "Add machines" } : null,
    };
  const { failure, succeededAt } = await readPlatformState();
  return {
    title: "Connect SmartVend",
    isDone,
    text:
      failure?.message ??
      (succeededAt === null
        ? "Its list of machines has not been read yet."
        : `SmartVend answers and lists ${countOf(machines, "machine")}.`),
    link: { to: paths.machines, label: "Show machines" },
  };
}

function campaignPath({ id, generationId }: NonNullable<Progress["newest"]>): string {
  return generationId === null ? paths.promotion(id) : paths.generation(generationId);
}

const progressSql = `
  select s.sample_data_until is not null as is_sample,
    s.codes_downloaded_at is not null
      or exists (select from imports where kind = 'codes' and state = 'imported') as is_downloaded,
    (select count(*)::integer from machines where not is_deleted) as machines,
    (select json_build_object('id', p.id::text, 'generationId', p.mass_generation_id::text)
      from promotions p where not p.is_deleted order by p.created_at desc, p.id desc limit 1) as newest,
    exists (select from assignments) as is_assigned,
    first.created_at is not null as is_redeemed,
    coalesce(first.created_at > now() - interval '1 day', false) as is_first_day
  from site_settings s
    left join (
      (select t.created_at from transactions t order by t.created_at, t.id limit 1)
      union all select a.month from archived_months a where a.transactions > 0
      order by created_at limit 1
    ) first on true`;
