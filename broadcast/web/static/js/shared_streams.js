// Streams shared by many pages, each at the other end of a port: tabs of a browser (stream_worker.js), or frames on a
// page of another site (embed/host.js). Browsers allow six connections to a host, so seven tabs with one each would
// leave the seventh waiting.

import { Connection } from './connection.js';

const MOST_STREAMS = 3; // of six connections; pages need some too, so further matches are polled until one is free
const GONE = 35_000; // a page says every ten seconds that it is here; one that crashed cannot say goodbye

export class SharedStreams {
  #shared = new Map(); // by stream address: {connection, ports}
  #pages = new Map(); // by port: {streamUrl, heardAt}
  #most;

  constructor(most = MOST_STREAMS) {
    this.#most = most;
    setInterval(() => {
      for (const [port, { heardAt }] of this.#pages) if (Date.now() - heardAt > GONE) this.leave(port);
    }, 10_000);
  }

  /** Serve a page. One that may ask only of an `origin` is not given streams of another. */
  connect(port, origin = null) {
    port.onmessage = ({ data }) => this.#receive(port, data, origin);
  }

  leave(port) {
    const stream = this.#shared.get(this.#pages.get(port)?.streamUrl);
    this.#pages.delete(port);
    stream?.ports.delete(port);
    if (stream && stream.ports.size === 0) {
      stream.connection.close();
      this.#shared.delete([...this.#shared].find(([, each]) => each === stream)[0]);
    }
  }

  get #streaming() {
    return [...this.#shared.values()].filter(({ connection }) => connection.isStreaming).length;
  }

  #join(port, { streamUrl, pollUrl, cursor }) {
    this.leave(port);
    this.#pages.set(port, { streamUrl, heardAt: Date.now() });
    let stream = this.#shared.get(streamUrl);
    if (!stream) {
      const ports = new Set();
      const tell = (message) => ports.forEach((each) => each.postMessage(message));
      const mayStream = () => this.#streaming < this.#most;
      const connection = new Connection({ streamUrl, pollUrl, mayStream, tell });
      stream = { connection, ports };
      this.#shared.set(streamUrl, stream);
      connection.open(cursor);
    }
    stream.ports.add(port);
    stream.connection.renew(false, cursor);
    port.postMessage({ type: 'joined', isFresh: stream.connection.continues(cursor), state: stream.connection.state });
  }

  #receive(port, message, origin) {
    const page = this.#pages.get(port);
    if (page) page.heardAt = Date.now();
    if (message.type === 'join') {
      if (origin === null || isOf(origin, message)) this.#join(port, message);
    } else if (message.type === 'leave') this.leave(port);
    else if (!page) port.postMessage({ type: 'lost' });
    else if (message.type === 'renew') this.#shared.get(page.streamUrl).connection.renew(message.force, message.cursor);
  }
}

function isOf(origin, { streamUrl, pollUrl }) {
  try {
    return [streamUrl, pollUrl].every((url) => new URL(url).origin === origin);
  } catch {
    return false;
  }
}
