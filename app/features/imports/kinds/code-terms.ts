/** Terms of a row `r`: those of one campaign are equal. */
const termsSql = `r.name, r.discount_type, r.discount_value, r.is_single_use, coalesce(r.last_day, 'infinity'),
  r.machine_serials, lower(cast(r.group_names as text))`;

/**
 * Selects the codes of an import with the number of their terms, and the part of these codes, of at most `:maxCodes`,
 * that makes a campaign. Archives need the codes of a mass generation in the order of their lengths.
 */
export const numberedCodesSql = `
  select r.line, r.code, dense_rank() over (order by ${termsSql}) as terms,
    (row_number() over (partition by ${termsSql} order by length(r.code), r.line) - 1) / :maxCodes as part
  from import_rows r where r.import_id = :importId`;
