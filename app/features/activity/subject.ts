/** Types of what an action is about, with their names on the screen. */
export const subjectLabels = {
  promotion: "Code",
  mass_generation: "Campaign",
  machine: "Machine",
  machine_group: "Machine group",
  user: "User",
  integration: "Integration",
  mail: "Mail",
  report_schedule: "Report schedule",
  webhook: "Webhook",
  alert: "Alert",
  import: "Import",
  approval: "Approval",
  site: "Site",
};

export type SubjectType = keyof typeof subjectLabels;

/** A single code, or a mass generation. */
export type CampaignRef = { type: "promotion" | "mass_generation"; id: string };
