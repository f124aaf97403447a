import { randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";
import type { AlertKindName } from "../../app/features/alerts/alert-kinds.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps } from "../../app/features/caps/caps.server";
import { rebuildSummary } from "../../app/features/reports/summary.server";
import { insertFailedMail, insertRedemptions, insertRefusedUse } from "../factories/alerts";
import { insertApproval } from "../factories/approvals";
import { assign } from "../factories/assignments";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { insertRedeemable, makeKey } from "../factories/redemptions";
import { insertRefusals, insertTransaction } from "../factories/transactions";
import { insertFailingDelivery, insertWebhook } from "../factories/webhooks";
import { ago, rowById } from "../factories/rows";

export type ArrangedAlert = { subject: string; message: RegExp; mend: () => Promise<unknown> };

/** A state of the site that raises an alert, and how it is mended. */
type AlertCase = { kind: AlertKindName; what: string; arrange: () => Promise<ArrangedAlert> };

export const usedCampaign =
  (used: number): AlertCase["arrange"] =>
  async () => {
    const machine = await insertMachine();
    const terms = { discount_type: "percentage", discount_value: 25, is_single_use: true };
    const generation = await insertMassGeneration({ ...terms, num_codes: 10 });
    await assign("mass_generations", generation, { machine_id: machine.id });
    const codes = (await codesOf(generation)).slice(0, used);
    await db()("promotions").whereIn("id", codes).update({ period_uses: 1, activation_count: 1 });
    for (const promotion_id of codes)
      await insertTransaction({ promotion_id, machine_id: machine.id });
    await rebuildSummary();
    return {
      subject: `mass_generation:${generation}`,
      message: used === 10 ? /all of its 10 uses/ : /used 8 of its 10 uses, 80%/,
      mend: () => rowById("mass_generations", generation).update({ is_active: false }),
    };
  };

const cappedCampaign =
  (discount: number): AlertCase["arrange"] =>
  async () => {
    const id = await insertPromotion({ name: "Fair" });
    const { id: machine_id } = await insertMachine();
    await insertTransaction({
      promotion_id: id,
      machine_id,
      original_price: discount,
      discount,
    });
    const campaign = { type: "promotion", id } as const;
    const actor = await insertUser();
    await editCaps(campaign, { ...noCaps, money: 100 }, 1, { actor });
    return {
      subject: `promotion:${id}:money${discount === 100 ? ":reached" : ""}`,
      message:
        discount === 100 ? /\$1\.00 of the \$1\.00/ : /\$0\.80 of the \$1\.00 of its cap on money/,
      mend: () => editCaps(campaign, { ...noCaps, money: 200 }, 2, { actor }),
    };
  };

/** At least one of each kind. */
export const alertCases: AlertCase[] = [
  {
    kind: "machine_refusals",
    what: "a machine that refuses twice as often as in the weeks before",
    async arrange() {
      const machine = await insertMachine({ human_name: "Lobby" });
      await insertRedemptions(18, "3 days", machine.id);
      await insertRefusals(2, { machine_id: machine.id }, "3 days");
      await insertRedemptions(15, "1 hour", machine.id);
      await insertRefusals(5, { machine_id: machine.id });
      return {
        subject: `machine:${machine.id}`,
        message: /"Lobby" .* refused 5 of 20 attempts in 24 hours, 25%\. .* it was 10%\./,
        mend: () => insertRedemptions(10, "1 minute", machine.id),
      };
    },
  },
  {
    kind: "machine_silent",
    what: "a machine that is silent for a day though it is used on most days",
    async arrange() {
      const machine = await insertMachine({ human_name: "Canteen" });
      for (const days of [6, 5, 4, 3, 2]) await insertRedemptions(1, `${days} days`, machine.id);
      return {
        subject: `machine:${machine.id}`,
        message: /"Canteen" .* has redeemed nothing since /,
        mend: () => insertRedemptions(1, "1 minute", machine.id),
      };
    },
  },
  { kind: "campaign_nearly_used", what: "8 of 10 uses", arrange: usedCampaign(8) },
  { kind: "campaign_used_up", what: "10 of 10 uses", arrange: usedCampaign(10) },
  { kind: "campaign_capped", what: "80 of the 100 cents of a cap", arrange: cappedCampaign(80) },
  { kind: "campaign_capped", what: "all of the cents of a cap", arrange: cappedCampaign(100) },
  {
    kind: "campaign_nearly_used",
    what: "a single code with 8 of 10 drinks",
    async arrange() {
      const { id, machine } = await insertRedeemable({
        discount_type: "free_drink",
        discount_value: 10,
        name: "Drinks",
        period_uses: 8,
        activation_count: 8,
      });
      await insertTransaction({ promotion_id: id, machine_id: machine.id });
      return {
        subject: `promotion:${id}`,
        message: /"Drinks" has used 8 of its 10 uses/,
        mend: () => rowById("promotions", id).update({ period_uses: 7 }),
      };
    },
  },
  {
    kind: "campaign_ending",
    what: "a single code that ends within 7 days",
    async arrange() {
      const { id } = await insertRedeemable({ expires_at: ago("-6 days") });
      return {
        subject: `promotion:${id}`,
        message: /"Summer" is valid until \d\d\.\d\d\.\d{4} 23:59/,
        mend: () => rowById("promotions", id).update({ expires_at: ago("-8 days") }),
      };
    },
  },
  {
    kind: "campaign_ending",
    what: "a mass generation that ends within 7 days",
    async arrange() {
      const id = await insertGeneration({ expires_at: ago("-6 days"), is_assigned: true });
      await insertCodes(id, 1);
      return {
        subject: `mass_generation:${id}`,
        message: /"Festival" is valid until/,
        mend: () => rowById("mass_generations", id).update({ is_active: false }),
      };
    },
  },
  {
    kind: "campaign_unassigned",
    what: "a single code without machines",
    async arrange() {
      const id = await insertPromotion();
      return {
        subject: `promotion:${id}`,
        message: /"Summer" is assigned to no machine and no group/,
        mend: async () => assign("promotions", id, { machine_id: (await insertMachine()).id }),
      };
    },
  },
  {
    kind: "campaign_unassigned",
    what: "a mass generation without machines",
    async arrange() {
      const id = await insertGeneration();
      await insertCodes(id, 2);
      return {
        subject: `mass_generation:${id}`,
        message: /"Festival" is assigned to no machine/,
        mend: () =>
          rowById("mass_generations", id).update({ is_deleted: true, deleted_at: ago("0") }),
      };
    },
  },
  {
    kind: "code_burst",
    what: "a code that is redeemed 21 times within a minute",
    async arrange() {
      const id = await insertRedemptions(21, "5 minutes", (await insertMachine()).id);
      return {
        subject: `promotion:${id}`,
        message: /was redeemed 21 times within a minute/,
        mend: () => rowById("promotions", id).update({ is_active: false }),
      };
    },
  },
  {
    kind: "machine_unknown",
    what: "a machine that no list has",
    async arrange() {
      const serial_number = `VM-${randomUUID()}`;
      await insertRefusals(2, { serial_number, outcome: "machine_unknown" });
      return {
        subject: `serial_number:${serial_number}`,
        message: /An unknown machine asks for codes: VM-.*, 2 attempts in 24 hours/,
        mend: () => insertMachine({ serial_number }),
      };
    },
  },
  {
    kind: "sync_failed",
    what: "a platform that can't be reached",
    async arrange() {
      await db()("platform_sync").update({
        failing_since: ago("0"),
        failures_in_row: 1,
        failure_reason: "unreachable",
      });
      return {
        subject: "platform",
        message: /SmartVend can't be reached\. No refresh of the machines has succeeded since/,
        mend: () =>
          db()("platform_sync").update({
            failing_since: null,
            failures_in_row: 0,
            failure_reason: null,
          }),
      };
    },
  },
  {
    kind: "sync_held",
    what: "a list that waits for an admin",
    async arrange() {
      await db()("platform_sync").update({
        held_id: randomUUID(),
        held_at: ago("0"),
        held_listed: 1,
        held_machine_ids: [1, 2],
      });
      return {
        subject: "platform",
        message: /SmartVend lists only 1 machine\. The 2 missing machines are not changed\./,
        mend: () =>
          db()("platform_sync").update({
            held_id: null,
            held_at: null,
            held_listed: null,
            held_machine_ids: [],
          }),
      };
    },
  },
  {
    kind: "key_ending",
    what: "a key that ends within 14 days",
    async arrange() {
      const { id, integrationId } = await makeKey();
      await rowById("api_keys", id).update({ expires_at: ago("-13 days") });
      return {
        subject: `integration:${integrationId}`,
        message: /The key vqm_….{4} of "Platform" ends on .* Renew it before then\./,
        mend: () => rowById("api_keys", id).update({ expires_at: ago("-15 days") }),
      };
    },
  },
  {
    kind: "key_refused",
    what: "a key that is used after its end",
    async arrange() {
      const { id } = await makeKey();
      await rowById("api_keys", id).update({ expires_at: ago("1 day") });
      await insertRefusedUse(id);
      return {
        subject: `key:${id}`,
        message: /An ended key is still used: vqm_….{4} of "Platform": 3 requests .* 10\.0\.0\.1/,
        mend: () => db()("refused_key_requests").update({ last_at: ago("26 hours") }),
      };
    },
  },
  {
    kind: "webhook_failing",
    what: "a webhook that fails",
    async arrange() {
      const { id } = await insertWebhook();
      await insertFailingDelivery(id);
      return {
        subject: `webhook:${id}`,
        message:
          /The webhook https:\/\/example\.com\/hook has been failing since .*: The receiver answered 500\./,
        mend: () => rowById("webhooks", id).update({ is_enabled: false }),
      };
    },
  },
  {
    kind: "webhook_failing",
    what: "a webhook that was disabled automatically",
    async arrange() {
      const reason = "No event was accepted for 3 days.";
      const { id } = await insertWebhook({ is_enabled: false, disabled_reason: reason });
      return {
        subject: `webhook:${id}:disabled`,
        message: /was disabled: No event was accepted for 3 days\./,
        mend: () => rowById("webhooks", id).update({ disabled_reason: null }),
      };
    },
  },
  {
    kind: "mail_failed",
    what: "a mail that failed",
    async arrange() {
      const recipient = `${randomUUID()}@example.com`;
      const id = await insertFailedMail({ recipient });
      return {
        subject: `mail:${id}`,
        message: /Test to .*@example\.com failed on .*: 550 No such user/,
        mend: () => insertFailedMail({ recipient, state: "sent" }),
      };
    },
  },
  {
    kind: "approval_waiting",
    what: "codes that wait for a second admin",
    async arrange() {
      const { id: userId } = await insertUser();
      const id = await insertApproval(userId, { codes: 5_000, name: "Festival" });
      const decided = { state: "refused", decided_by: "a@example.com", decided_at: ago("0") };
      return {
        subject: `approval:${id}`,
        message: /asks for 5,000 codes: "Festival"\./,
        mend: () => rowById("approvals", id).update(decided),
      };
    },
  },
  {
    kind: "backup_old",
    what: "a backup of 8 days ago",
    async arrange() {
      await db()("site_settings").update({ backed_up_at: ago("8 days 1 minute") });
      return {
        subject: "backup",
        message: /The last backup was made on /,
        mend: () => db()("site_settings").update({ backed_up_at: ago("0") }),
      };
    },
  },
];
