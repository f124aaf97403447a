-- The statement that redeems a code, as redeem.server.ts composes it. A test compares the two; this
-- file is for reading and for EXPLAIN, and the server does not load it.

-- The time that everything is judged by. Only tests pass one.
with clock as materialized (
  select at, at at time zone :timeZone as local_time,
    to_char(at at time zone :timeZone, 'YYYYMM')::integer as period_key
  from (select coalesce(cast(:now as timestamptz), now()) as at) moment
),

-- One row: the key, the machine, the promotion, an earlier attempt with this id, and the verdict.
facts as materialized (
  select k.id as key_id, k.integration_id, k.last_four, k.max_failed_lookups,
    k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as is_key_stale,
    m.id as machine_id, m.serial_number, m.human_name,
    p.id as promotion_id, p.name, p.code, p.version,
    a.outcome as first_outcome, a.transaction_id,
    throttle.until as throttled_until, throttle.is_everywhere,
    case
      -- Whether the key may ask at all.
      when k.id is null then 'bad_key'
      when not 'redeem' = any(k.scopes) then 'no_scope'
      when k.machine_id is not null and k.machine_id is distinct from m.id then 'other_machine'
      -- The integration used the id before: the same request gets the first answer again.
      when a.id is not null then case
        when a.code = cast(:code as text) and a.serial_number = cast(:serialNumber as text)
          and a.original_price = cast(:originalPrice as integer)
        then 'replay' else 'conflict' end
      when throttle.until is not null then 'throttled'
      -- Whether the machine accepts the code: the first reason against it.
      else (case
        when m.id is null or m.is_deleted then 'machine_unknown'
        when p.id is null then 'unknown'
        -- The status of the code.
        when (case
          when (p.is_deleted or generation.is_deleted) then 'deleted'
          when not (p.is_active and coalesce(generation.is_active, true)) then 'inactive'
          when coalesce((case
            when p.mass_generation_id is null or p.has_own_expiration then p.expires_at
            else generation.expires_at end) <= (select at from clock), false) then 'expired'
          when (p.max_uses - case
            when (p.is_renewable and p.period_key < (select period_key from clock)) then 0
            else p.period_uses end) = 0 then 'used_up'
          when not (select s.is_assigned from assignment_sets s where s.id = p.set_id)
            then 'not_assigned'
          else 'active' end) <> 'active'
        -- The same expression again, as the reason.
        then (case
          when (p.is_deleted or generation.is_deleted) then 'deleted'
          when not (p.is_active and coalesce(generation.is_active, true)) then 'inactive'
          when coalesce((case
            when p.mass_generation_id is null or p.has_own_expiration then p.expires_at
            else generation.expires_at end) <= (select at from clock), false) then 'expired'
          when (p.max_uses - case
            when (p.is_renewable and p.period_key < (select period_key from clock)) then 0
            else p.period_uses end) = 0 then 'used_up'
          when not (select s.is_assigned from assignment_sets s where s.id = p.set_id)
            then 'not_assigned'
          else 'active' end)
        -- Directly, or through a group as its members are now.
        when not exists (select from effective_machines e
          where e.set_id = p.set_id and e.machine_id = m.id) then 'not_assigned'
        else 'accepted' end)
    end as verdict
  from (select) one
    left join api_keys k on k.hash = :hash and k.integration_id is not null
      and k.revoked_at is null and k.expires_at > now()
    cross join lateral (select max(expire) as until,
        bool_or(key = 'redeem/key/' || k.id) as is_everywhere from rate_limits
      where key = any(array['redeem/key/' || k.id,
          'redeem/key/' || k.id || '/' || cast(:serialNumber as text)])
        and points >= case key when 'redeem/key/' || k.id then k.max_failed_lookups else 30 end
        and expire > (extract(epoch from now()) * 1000)::bigint) throttle
    left join machines m on m.serial_number = cast(:serialNumber as text)
    left join promotions p on p.code = cast(:code as text)
    left join lateral (
      select g.is_deleted, g.is_active, g.expires_at from mass_generations g
      where g.id = p.mass_generation_id limit 1) generation on true
    left join redemption_attempts a
      on a.redemption_id = cast(:redemptionId as text) and a.integration_id = k.integration_id
),

-- Takes the use. The update locks the row and judges it again: where it has changed since, nothing
-- is written and the statement is run again.
consumed as (
  update promotions p set
    activation_count = p.activation_count + 1,
    period_key = case
      when (p.is_renewable and p.period_key < (select period_key from clock))
      then (select period_key from clock) else p.period_key end,
    period_uses = case
      when (p.is_renewable and p.period_key < (select period_key from clock))
      then 1 else p.period_uses + 1 end
  from facts
  where p.id = (select promotion_id from facts where verdict = 'accepted')
    and p.version = facts.version and not p.is_deleted and p.is_active
    and (p.max_uses is null or p.period_uses < p.max_uses
      or (p.is_renewable and p.period_key < (select period_key from clock)))
  returning p.id, p.period_key, p.discount_type, facts.machine_id, facts.integration_id,
    p.max_uses is not null and p.period_uses = p.max_uses as is_last_use,
    -- Rounds half a cent up.
    case p.discount_type when 'free_drink' then cast(:originalPrice as integer)
      else (cast(:originalPrice as integer) * p.discount_value + 50) / 100 end as discount
),

recorded as (
  insert into transactions (redemption_id, promotion_id, machine_id, integration_id, period_key,
    type, original_price, discount, is_last_use, created_at)
  select cast(:redemptionId as text), id, machine_id, integration_id, period_key, discount_type,
    cast(:originalPrice as integer), discount, is_last_use, (select at from clock)
  from consumed
  returning id, machine_id, type, discount
),

-- Counts a code or a machine that does not exist, for the key at the machine as it was named.
failed_at_machine as (
  insert into rate_limits as r (key, points, expire)
  select 'redeem/key/' || key_id || '/' || cast(:serialNumber as text), 1,
    (extract(epoch from now()) * 1000)::bigint + 60000
  from facts where verdict in ('unknown', 'machine_unknown')
  on conflict (key) do update set
    points = case when r.expire <= (extract(epoch from now()) * 1000)::bigint
      then 1 else r.points + 1 end,
    expire = case when r.expire <= (extract(epoch from now()) * 1000)::bigint
      then excluded.expire else r.expire end
  returning points, expire
),

-- Counts it for the key everywhere, unless the throttle at the machine rejects it.
failed_lookups as (
  insert into rate_limits as r (key, points, expire)
  select 'redeem/key/' || key_id, 1, (extract(epoch from now()) * 1000)::bigint + 60000
  from facts where exists (
    select from failed_at_machine where points <= 30)
  on conflict (key) do update set
    points = case when r.expire <= (extract(epoch from now()) * 1000)::bigint
      then 1 else r.points + 1 end,
    expire = case when r.expire <= (extract(epoch from now()) * 1000)::bigint
      then excluded.expire else r.expire end
  returning points, expire
),

newly_throttled as materialized (
  select max(expire) as until, bool_or(is_everywhere) as is_everywhere from (
    select expire, false as is_everywhere from failed_at_machine where points > 30
    union all
    select expire, true from failed_lookups, facts where points > max_failed_lookups) exceeded
),

-- Logs that the key is throttled, when a failed lookup uses its limit up.
throttle_logged as (
  insert into audit_log (actor_name, action, subject_type, subject_id, details)
  select 'System', 'integration.key_throttled', 'integration', integration_id,
    jsonb_build_object('key', key_id::text, 'last_four', last_four, 'limit', max_failed_lookups)
  from failed_lookups, facts where points = max_failed_lookups
),

-- Logs the attempt, unless it was throttled or is to be run again.
attempted as (
  insert into redemption_attempts (redemption_id, code, serial_number, original_price,
    promotion_id, machine_id, integration_id, outcome, transaction_id, created_at)
  select cast(:redemptionId as text), cast(:code as text), cast(:serialNumber as text),
    cast(:originalPrice as integer), promotion_id, facts.machine_id, integration_id, verdict,
    recorded.id, (select at from clock)
  from facts left join recorded on true
  where verdict in ('accepted', 'machine_unknown', 'unknown', 'deleted', 'inactive', 'expired',
      'used_up', 'not_assigned')
    and (verdict = 'accepted') = (recorded.id is not null)
    and (select until from newly_throttled) is null
),

machine_noted as (
  update machines m set last_qr_used_at = greatest(m.last_qr_used_at, (select at from clock))
  where m.id = (select machine_id from recorded)
),

key_noted as (
  update api_keys k set last_used_at = now() where k.id = (
    select s.id from api_keys s
    where s.id = (select key_id from facts where is_key_stale)
    for no key update skip locked)
)

select
  case when verdict = 'accepted' and recorded.id is null then 'retry'
    when newly_throttled.until is not null then 'throttled'
    else verdict end as verdict,
  first_outcome,
  greatest(1, ceil((coalesce(newly_throttled.until, throttled_until)
    - (extract(epoch from now()) * 1000)::bigint) / 1000.0))::integer as retry_after,
  coalesce(newly_throttled.is_everywhere, facts.is_everywhere) as is_everywhere,
  coalesce(recorded.id, t.id) as id, facts.serial_number, facts.human_name,
  facts.promotion_id, facts.name, facts.code,
  coalesce(recorded.type, t.type) as type, coalesce(recorded.discount, t.discount) as discount,
  coalesce(t.status, 'applied') as status, coalesce(t.created_at, clock.at) as at
from facts cross join clock cross join newly_throttled
  left join recorded on true
  left join transactions t on t.id = (select transaction_id from facts)
