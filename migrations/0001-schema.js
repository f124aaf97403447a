/**
 * The whole schema, made for 1,000,000 promotions, 2,000 machines and 10,000,000 transactions.
 *
 * Rules that hold money together are constraints here, not only code:
 * I1/I2 the counters of a promotion never pass its limit, I3 one redemption id has one effect,
 * I4 codes are unique for ever.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create extension if not exists pg_trgm;

    -- What is decided once for the installation; one row.
    create table site_settings (
      only_row boolean primary key default true check (only_row),
      time_zone text not null,
      created_at timestamptz not null default now()
    );

    ------------------------------------------------------------------ people

    create table users (
      id bigint generated always as identity primary key,
      email text not null check (email = lower(email) and length(email) between 3 and 254),
      password_hash text,
      first_name text not null default '' check (length(first_name) <= 100),
      last_name text not null default '' check (length(last_name) <= 100),
      phone text not null default '' check (length(phone) <= 50),
      company text not null default '' check (length(company) <= 200),
      role text not null default 'user' check (role in ('admin', 'user')),
      is_disabled boolean not null default false,
      email_verified_at timestamptz,
      avatar_icon text not null default 'account_circle',
      provider text not null default 'local',
      settings jsonb not null default '{}',
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index users_email on users (email);

    create table avatars (
      id uuid primary key default gen_random_uuid(),
      user_id bigint not null references users on delete cascade,
      name text not null,
      content bytea not null check (length(content) <= 65536),
      created_at timestamptz not null default now()
    );
    create index avatars_user on avatars (user_id);

    -- A browser that is signed in. Only the SHA-256 of the cookie's value is kept.
    create table sessions (
      id_hash bytea primary key,
      user_id bigint not null references users on delete cascade,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      password_checked_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index sessions_user on sessions (user_id);
    create index sessions_expiry on sessions (expires_at);

    -- Messages for the next page; read once.
    create table flash_messages (
      id text primary key,
      session_id_hash bytea not null references sessions on delete cascade,
      kind text not null check (kind in ('success', 'info', 'warning', 'error')),
      message text not null,
      hide_after_ms integer not null,
      created_at timestamptz not null default now()
    );
    create index flash_messages_session on flash_messages (session_id_hash);

    -- Access and refresh tokens of API clients and the single-use links in mails, hashed.
    create table tokens (
      hash bytea primary key,
      kind text not null
        check (kind in ('access', 'refresh', 'password_reset', 'email_verification', 'invitation')),
      user_id bigint not null references users on delete cascade,
      family_id uuid not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      spent_at timestamptz,
      revoked_at timestamptz
    );
    create index tokens_user on tokens (user_id, kind);
    create index tokens_family on tokens (family_id);
    create index tokens_expiry on tokens (expires_at);

    create table integrations (
      id bigint generated always as identity primary key,
      name text not null check (length(name) between 1 and 200),
      created_by bigint references users on delete set null,
      created_at timestamptz not null default now()
    );

    -- Counters of attempts: points until expire, in ms since 1970.
    create table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );

    ---------------------------------------------------------------- machines

    create table machines (
      id bigint generated always as identity primary key,
      serial_number text not null check (length(serial_number) between 1 and 100),
      human_name text not null check (length(human_name) <= 200),
      last_qr_used_at timestamptz,
      last_seen_at timestamptz,
      is_deleted boolean not null default false,
      deleted_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (is_deleted = (deleted_at is not null))
    );
    create unique index machines_serial_number on machines (serial_number);

    -- Filled by one query over all machines, so that no page counts machine by machine.
    create table machine_promotion_counts (
      machine_id bigint primary key references machines on delete cascade,
      active_promotions integer not null check (active_promotions >= 0),
      counted_at timestamptz not null default now()
    );

    create table machine_groups (
      id bigint generated always as identity primary key,
      name text not null check (length(name) between 1 and 200),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index machine_groups_name on machine_groups (lower(name));

    create table machine_group_members (
      group_id bigint not null references machine_groups on delete cascade,
      machine_id bigint not null references machines on delete cascade,
      created_at timestamptz not null default now(),
      primary key (group_id, machine_id)
    );
    create index machine_group_members_machine on machine_group_members (machine_id);

    -- Keys of people (whole API) and of integrations (scoped, perhaps bound to one machine).
    -- hash finds a key; ciphertext (AES-256-GCM under APP_SECRET) lets its owner reveal it.
    create table api_keys (
      id bigint generated always as identity primary key,
      hash bytea not null,
      last_four text not null,
      ciphertext bytea,
      user_id bigint references users on delete cascade,
      integration_id bigint references integrations on delete cascade,
      machine_id bigint references machines on delete cascade,
      scopes text[] not null default '{}',
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz,
      check (num_nonnulls(user_id, integration_id) = 1)
    );
    create unique index api_keys_hash on api_keys (hash);
    create index api_keys_user on api_keys (user_id) where user_id is not null;
    create index api_keys_integration on api_keys (integration_id) where integration_id is not null;

    -------------------------------------------------------------- promotions

    create table mass_generations (
      id bigint generated always as identity primary key,
      name text not null check (length(name) between 1 and 200),
      num_codes integer not null check (num_codes >= 1),
      discount_type text not null check (discount_type in ('percentage', 'free_drink')),
      discount_value integer not null check (discount_value >= 1),
      is_single_use boolean not null,
      is_renewable boolean not null,
      expires_at timestamptz,
      is_assigned boolean not null default false,
      is_deleted boolean not null default false,
      deleted_at timestamptz,
      version integer not null default 1,
      created_by bigint references users on delete set null,
      created_at timestamptz not null default now(),
      check (not (is_renewable and expires_at is not null)),
      check (is_deleted = (deleted_at is not null))
    );
    create index mass_generations_created on mass_generations (created_at desc, id desc);
    create index mass_generations_name_search on mass_generations using gin (name gin_trgm_ops);

    -- expires_at is exclusive: the start of the local day after the last valid one.
    -- max_uses null is 'Unlimited'. A renewable code counts period_uses per period_key
    -- (yyyymm in the site's zone; 0 where nothing renews); activation_count is the sum for ever.
    -- is_assigned is kept beside the assignments so that the status needs no join.
    create table promotions (
      id bigint generated always as identity primary key,
      code text collate "C" not null check (code ~ '^[2-9A-HJKMNP-Z]{12}$'),
      mass_generation_id bigint references mass_generations,
      name text not null check (length(name) between 1 and 200),
      discount_type text not null check (discount_type in ('percentage', 'free_drink')),
      discount_value integer not null check (discount_value >= 1),
      is_single_use boolean not null,
      is_renewable boolean not null,
      expires_at timestamptz,
      max_uses integer check (max_uses >= 1),
      period_key integer not null default 0,
      period_uses integer not null default 0 check (period_uses >= 0),
      activation_count integer not null default 0,
      is_active boolean not null default true,
      is_assigned boolean not null default false,
      has_own_machines boolean not null default true,
      is_deleted boolean not null default false,
      deleted_at timestamptz,
      version integer not null default 1,
      created_by bigint references users on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (discount_value <= case discount_type when 'percentage' then 100 else 1000 end),
      check (max_uses is not distinct from case
        when is_single_use then 1
        when discount_type = 'free_drink' then discount_value
      end),
      check (not (is_single_use and discount_type = 'free_drink' and discount_value <> 1)),
      check (period_uses <= max_uses),
      check (period_uses <= activation_count),
      check (not (is_renewable and expires_at is not null)),
      check (has_own_machines or mass_generation_id is not null),
      check (is_deleted = (deleted_at is not null))
    );
    create unique index promotions_code on promotions (code);
    create index promotions_created on promotions (created_at desc, id desc) where not is_deleted;
    create index promotions_deleted on promotions (created_at desc, id desc) where is_deleted;
    create index promotions_name on promotions (name, id) where not is_deleted;
    create index promotions_discount on promotions (discount_type, discount_value, id) where not is_deleted;
    create index promotions_expiry on promotions (coalesce(expires_at, 'infinity'), id)
      where not is_deleted;
    create index promotions_used on promotions (activation_count, id) where not is_deleted;
    create index promotions_mass_generation on promotions (mass_generation_id, id)
      where mass_generation_id is not null;
    create index promotions_code_search on promotions using gin (code gin_trgm_ops);
    create index promotions_single_name_search on promotions using gin (name gin_trgm_ops)
      where mass_generation_id is null;

    -- What a promotion is assigned to: machines and groups of machines. The codes of a mass
    -- generation share the rows of their generation until one of them is edited alone
    -- (promotions.has_own_machines).
    create table promotion_assignments (
      promotion_id bigint not null references promotions on delete cascade,
      machine_id bigint references machines,
      group_id bigint references machine_groups on delete cascade,
      created_at timestamptz not null default now(),
      check (num_nonnulls(machine_id, group_id) = 1),
      unique nulls not distinct (promotion_id, machine_id, group_id)
    );
    create index promotion_assignments_machine on promotion_assignments (machine_id, promotion_id desc)
      where machine_id is not null;
    create index promotion_assignments_group on promotion_assignments (group_id, promotion_id desc)
      where group_id is not null;

    create table mass_generation_assignments (
      mass_generation_id bigint not null references mass_generations on delete cascade,
      machine_id bigint references machines,
      group_id bigint references machine_groups on delete cascade,
      created_at timestamptz not null default now(),
      check (num_nonnulls(machine_id, group_id) = 1),
      unique nulls not distinct (mass_generation_id, machine_id, group_id)
    );
    create index mass_generation_assignments_machine
      on mass_generation_assignments (machine_id, mass_generation_id) where machine_id is not null;
    create index mass_generation_assignments_group
      on mass_generation_assignments (group_id, mass_generation_id) where group_id is not null;

    -------------------------------------------------------------- redemption

    -- Money is in cents. redemption_id is the client's; the first use of one decides for ever.
    create table transactions (
      id bigint generated always as identity primary key,
      redemption_id text not null check (length(redemption_id) between 1 and 100),
      promotion_id bigint not null references promotions,
      machine_id bigint not null references machines,
      integration_id bigint references integrations,
      period_key integer not null default 0,
      type text not null check (type in ('percentage', 'free_drink')),
      original_price integer not null check (original_price between 0 and 1000000),
      discount integer not null check (discount between 0 and original_price),
      discounted_price integer generated always as (original_price - discount) stored,
      status text not null default 'applied' check (status in ('applied', 'rolled_back')),
      created_at timestamptz not null default now(),
      rolled_back_at timestamptz,
      check ((status = 'rolled_back') = (rolled_back_at is not null))
    );
    create unique index transactions_redemption_id on transactions (redemption_id);
    create index transactions_created on transactions (created_at desc, id desc);
    create index transactions_promotion on transactions (promotion_id, id desc);
    create index transactions_machine on transactions (machine_id, id desc);

    -- Every attempt, accepted or refused, with its reason.
    create table redemption_attempts (
      id bigint generated always as identity primary key,
      redemption_id text not null,
      code text not null,
      serial_number text not null,
      original_price integer not null,
      promotion_id bigint references promotions,
      machine_id bigint references machines,
      integration_id bigint references integrations,
      outcome text not null check (outcome in ('accepted', 'machine_unknown', 'unknown', 'deleted',
        'inactive', 'expired', 'used_up', 'not_assigned')),
      transaction_id bigint references transactions,
      created_at timestamptz not null default now(),
      check ((outcome = 'accepted') = (transaction_id is not null))
    );
    create unique index redemption_attempts_redemption_id on redemption_attempts (redemption_id);
    create index redemption_attempts_promotion on redemption_attempts (promotion_id, id desc);
    create index redemption_attempts_machine on redemption_attempts (machine_id, id desc);

    -- A creating request that was answered: the same key gets the same answer (24 hours).
    create table idempotency_keys (
      user_id bigint not null references users on delete cascade,
      key text not null check (length(key) between 1 and 100),
      request_hash bytea not null,
      result jsonb not null,
      created_at timestamptz not null default now(),
      primary key (user_id, key)
    );
    create index idempotency_keys_created on idempotency_keys (created_at);

    ------------------------------------------------------------------- audit

    -- Who did what: one row an action, whatever number of codes it covered. subject_ids lists
    -- the promotions of a bulk action; a generation is named by its own id.
    create table audit_log (
      id bigint generated always as identity primary key,
      created_at timestamptz not null default now(),
      actor_id bigint,
      actor_name text not null,
      action text not null,
      subject_type text not null,
      subject_id bigint,
      subject_ids bigint[],
      covered integer not null default 1,
      details jsonb not null default '{}',
      request_id text
    );
    create index audit_log_created on audit_log (created_at desc, id desc);
    create index audit_log_subject on audit_log (subject_type, subject_id, id desc);
    create index audit_log_subjects on audit_log using gin (subject_ids) where subject_ids is not null;

    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only';
    end $$;
    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_change();
  `);
}
