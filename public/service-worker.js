/**
 * Keeps hashed scripts and styles, and one page for when there is no connection. Pages, data and files of the
 * product are never kept. The build fills in `version`, so that each release is another worker.
 */
const version = "__VERSION__";
const offlinePage = "/offline.html";
const cacheName = `assets-${version}`;

/** Set it to true for one release to take the worker and what it keeps out of all browsers. */
const isRemoved = false;

addEventListener("install", (event) => {
  // It keeps no page, so that pages of another release may go on with it.
  skipWaiting();
  if (isRemoved) return;
  event.waitUntil(caches.open(cacheName).then((cache) => cache.add(offlinePage)));
});

addEventListener("activate", (event) => event.waitUntil(isRemoved ? remove() : takeOver()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (isRemoved || request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(loadAsset(event));
  // A file that is downloaded is no page.
  else if (request.mode === "navigate" && !pathname.includes("."))
    event.respondWith(fetch(request).catch(() => caches.match(offlinePage)));
});

/** Deletes all caches but its own and the one before, which older pages may still need, and tells all pages. */
async function takeOver() {
  const others = (await caches.keys()).filter((name) => name !== cacheName);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
  for (const page of await clients.matchAll({ type: "window" })) page.postMessage(version);
}

async function remove() {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  await registration.unregister();
}

async function loadAsset(event) {
  const known = await caches.match(event.request);
  if (known) return known;
  const response = await fetch(event.request);
  if (response.ok) {
    const copy = response.clone();
    event.waitUntil(caches.open(cacheName).then((cache) => cache.put(event.request, copy)));
  }
  return response;
}
