// The worker that all tabs of a browser share: one connection for each match and encoding, told to every tab that is
// looking. Browsers allow six connections to a host, so seven tabs with one each would leave the seventh waiting.

import { Connection } from './connection.js';

const MOST_STREAMS = 3; // of six connections; pages need some too, so further matches are polled until one is free
const GONE = 35_000; // a tab says every ten seconds that it is here; one that crashed cannot say goodbye

const shared = new Map(); // by stream address: {connection, ports}
const tabs = new Map(); // by port: {streamUrl, heardAt}

function join(port, { streamUrl, pollUrl, cursor }) {
  leave(port);
  tabs.set(port, { streamUrl, heardAt: Date.now() });
  let stream = shared.get(streamUrl);
  if (!stream) {
    const ports = new Set();
    const tell = (message) => ports.forEach((each) => each.postMessage(message));
    const connection = new Connection({ streamUrl, pollUrl, mayStream: () => streaming() < MOST_STREAMS, tell });
    stream = { connection, ports };
    shared.set(streamUrl, stream);
    connection.open(cursor);
  }
  stream.ports.add(port);
  stream.connection.renew(false, cursor);
  port.postMessage({ type: 'joined', isFresh: stream.connection.continues(cursor), state: stream.connection.state });
}

function streaming() {
  return [...shared.values()].filter(({ connection }) => connection.isStreaming).length;
}

function leave(port) {
  const stream = shared.get(tabs.get(port)?.streamUrl);
  tabs.delete(port);
  stream?.ports.delete(port);
  if (stream && stream.ports.size === 0) {
    stream.connection.close();
    shared.delete([...shared].find(([, each]) => each === stream)[0]);
  }
}

function receive(port, message) {
  const tab = tabs.get(port);
  if (tab) tab.heardAt = Date.now();
  if (message.type === 'join') join(port, message);
  else if (message.type === 'leave') leave(port);
  else if (!tab) port.postMessage({ type: 'lost' });
  else if (message.type === 'renew') shared.get(tab.streamUrl).connection.renew(message.force, message.cursor);
}

addEventListener('connect', ({ ports: [port] }) => {
  port.onmessage = ({ data }) => receive(port, data);
});
setInterval(() => {
  for (const [port, { heardAt }] of tabs) if (Date.now() - heardAt > GONE) leave(port);
}, 10_000);
