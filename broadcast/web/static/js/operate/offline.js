// The operator's service worker: a page that is loaded again without a network is the page as it last was.
//
// Kept are a room's page, its table as the server last gave it, and the styles and modules they need. All of it the
// device had already; entries that wait stand in the page's own store. The network goes first wherever it answers,
// and a link that is no longer good takes the room's copies with it.

const CACHE = 'twinroom-operate';
const PATIENCE = 4_000; // ms for the network, where there is a copy to show instead
const ROOM = /^\/operate\/[^/]+\/(open|closed)(\/table)?$/;
const STATIC = '/static/';

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** The page says what it is made of: what was loaded before this worker came. */
self.addEventListener('message', (event) => event.waitUntil(keep(event.data.keep).then(() => event.ports[0]?.postMessage('kept'))));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (ROOM.test(pathname)) event.respondWith(fresh(request));
  else if (pathname.startsWith(STATIC)) event.respondWith(kept(request));
});

async function keep(addresses) {
  const cache = await caches.open(CACHE);
  for (const { url } of await cache.keys()) {
    if (new URL(url).pathname.startsWith(STATIC) && !addresses.includes(url)) await cache.delete(url);
  }
  const missing = [];
  for (const address of addresses) if (!(await cache.match(address, { ignoreVary: true }))) missing.push(address);
  await Promise.allSettled(missing.map((address) => cache.add(address)));
}

/** From the network; from the copy when it does not answer. */
async function fresh(request) {
  const cache = await caches.open(CACHE);
  const copy = await cache.match(request.url, { ignoreVary: true });
  const asked = fetch(request).then(async (answer) => {
    if (answer.ok) await cache.put(request.url, answer.clone());
    else if (answer.status === 401 || answer.status === 403) await forget(cache, request.url);
    return answer;
  });
  if (!copy) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, copy));
  return Promise.race([asked.catch(() => copy), late]);
}

async function kept(request) {
  const copy = await (await caches.open(CACHE)).match(request.url, { ignoreVary: true });
  return copy ?? fetch(request);
}

async function forget(cache, url) {
  const room = new URL(url).pathname.split('/').slice(0, 4).join('/');
  for (const { url: each } of await cache.keys()) {
    if (new URL(each).pathname.startsWith(room)) await cache.delete(each);
  }
}
