/**
 * Outcomes of imports of printed codes, in the form that those of all kinds have: numbers by name, and a note for each
 * campaign.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    update imports i set outcome = jsonb_strip_nulls(jsonb_build_object(
      'counts', jsonb_build_object('mass_generations', i.outcome -> 'generations',
        'codes', i.outcome -> 'generationCodes', 'single_codes', i.outcome -> 'singles'),
      'named', (select coalesce(jsonb_agg(jsonb_build_object('name', entry ->> 'name',
          'note', concat(entry ->> 'codes', case when entry ->> 'codes' = '1' then ' code' else ' codes' end))), '[]')
        from jsonb_array_elements(i.outcome -> 'named') as entry),
      'revives', i.outcome -> 'revives',
      'stayed', case when i.outcome -> 'stayed' is not null
        then jsonb_build_object('count', i.outcome -> 'stayed', 'named', jsonb_build_array()) end))
    where i.outcome -> 'generations' is not null
  `);
}
