/**
 * The store of the demo area. The twelve products are those of `DEMO_PAGES=sample`.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table demo_products (
      id bigint generated always as identity primary key,
      -- Name of a picture that the server draws.
      img text not null,
      title text not null check (length(title) <= 2000),
      subtitle text not null check (length(subtitle) <= 2000),
      price double precision not null,
      -- Percent.
      discount double precision not null,
      description_1 text not null check (length(description_1) <= 2000),
      description_2 text not null check (length(description_2) <= 2000),
      code text not null check (length(code) <= 2000),
      hashtag text not null check (length(hashtag) <= 2000),
      technology text[] not null,
      rating double precision not null,
      -- For the filters of the grid; empty for products that were created here.
      type text check (type in ('shoes', 'boots', 'trainers')),
      brand text check (brand in ('nike', 'adidas')),
      color text check (color in ('white', 'black')),
      sizes double precision[] not null default '{}',
      orders integer not null default 0,
      version integer not null default 1,
      -- A form that is posted twice creates one product.
      idempotency_key text unique check (length(idempotency_key) <= 200)
    );

    with kinds (title, subtitle, type, picture, hashtag, technology, description) as (values
      ('Trainers', 'Sneakers for every day', 'trainers', 'trainers', '#sneakers',
        array['Ollie', 'Flyknit', 'Air'],
        'Light trainers with a soft sole, made for long days on hard floors.'),
      ('Boots', 'Boots for wet weather', 'boots', 'boots', '#boots', array['Waterproof', 'Vibram'],
        'Sturdy boots that keep the water out and the warmth in.'),
      ('Flat sandals', 'Sandals for hot days', 'shoes', 'sandals', '#sandals', array['Cork', 'Leather'],
        'Open sandals with a footbed that takes the shape of the foot.')
    ), samples (number, title, price, discount, rating, brand, color, orders, sizes) as (values
      (1, 'Trainers', 76, 0, 4.6, 'adidas', 'white', 320, array[7, 8, 9]::double precision[]),
      (2, 'Boots', 112, 10, 4.1, 'nike', 'black', 210, array[9, 10, 11]::double precision[]),
      (3, 'Flat sandals', 36, 0, 3.9, 'adidas', 'black', 95, array[7, 8]::double precision[]),
      (4, 'Trainers', 84, 5, 4.8, 'nike', 'black', 412, array[8, 9, 10, 11]::double precision[]),
      (5, 'Boots', 129, 0, 4.4, 'adidas', 'white', 150, array[10, 11, 12]::double precision[]),
      (6, 'Flat sandals', 42, 15, 4.0, 'nike', 'white', 130, array[8, 9]::double precision[]),
      (7, 'Trainers', 99, 0, 4.3, 'adidas', 'black', 276, array[9, 10, 12.5]::double precision[]),
      (8, 'Boots', 140, 20, 4.7, 'nike', 'white', 188, array[11, 12, 13]::double precision[]),
      (9, 'Flat sandals', 29, 0, 3.5, 'adidas', 'white', 64, array[7]::double precision[]),
      (10, 'Trainers', 68, 0, 4.2, 'nike', 'white', 233, array[7, 9, 11]::double precision[]),
      (11, 'Boots', 118, 0, 4.5, 'adidas', 'black', 171, array[8, 10, 12.5]::double precision[]),
      (12, 'Flat sandals', 33, 5, 3.8, 'nike', 'black', 82, array[8, 9, 13]::double precision[])
    )
    insert into demo_products (img, title, subtitle, price, discount, description_1, description_2, code,
      hashtag, technology, rating, type, brand, color, sizes, orders)
    select picture || '-' || color, title, subtitle, price, discount, description,
      'The upper is stitched by hand. Clean it with a damp cloth and let it dry away from heat.',
      'DEMO-' || (100 + number), hashtag, technology, rating, type, brand, color, sizes, orders
    from samples join kinds using (title) order by number;
  `);
}
