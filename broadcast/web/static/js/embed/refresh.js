// A ladder or a list of matches in a frame: asked for anew when its stream says that something has moved, or, where
// there is no stream, now and then. Whoever is on a link with the keyboard keeps it.

import { MatchStream } from '../stream.js';
import { askAnew, makeFrameCarrier, showContent } from './frame.js';

const EVERY = 15_000;
const QUIET = 200; // what comes together is shown together
const content = document.getElementById('content');
const encoding = new URLSearchParams(location.search).get('results') === 'hidden' ? '?results=hidden' : '';
let cursor = content.dataset.cursor;
let timer = null;

async function refresh() {
  timer = null;
  const fresh = await askAnew();
  if (!fresh) return;
  const [shown, next] = [content.textContent, fresh.getElementById('content').textContent];
  if (shown !== next && !content.contains(document.activeElement)) showContent(fresh);
}

function refreshSoon() {
  timer ??= setTimeout(refresh, QUIET);
}

function follow(path) {
  const stream = new MatchStream(
    {
      streamUrl: `${path}${encoding}`,
      pollUrl: `/api${path}${encoding}`,
      cursor: () => cursor,
      onEvent: ({ id }) => {
        if (id) cursor = id;
        refreshSoon();
      },
      onState: () => {},
      onStale: async () => {
        const fresh = await askAnew();
        if (!fresh) return;
        cursor = fresh.getElementById('content').dataset.cursor;
        showContent(fresh);
      },
      glances: () => false,
    },
    makeFrameCarrier,
  );
  stream.start();
}

if (content.dataset.stream) follow(content.dataset.stream);
else {
  setInterval(() => document.hidden || refresh(), EVERY);
  document.addEventListener('visibilitychange', () => document.hidden || refresh());
}
