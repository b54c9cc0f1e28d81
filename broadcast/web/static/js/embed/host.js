// The side of the page that frames: the element <twinroom-embed>, and plain frames of this site on the same page.
// It fits frames to what they hold, and holds one stream for all that show the same match or ladder.
//
// A message counts only when it comes from the window of a frame that is ours, from the origin it was given. No frame
// is told anything but public events, and none can make a stream of another site be opened. Nothing is stored, no
// global is made; the element's frames are sandboxed without an origin, so that they could not store anything either.

import { SharedStreams } from '../shared_streams.js';

const NAME = 'twinroom-embed';
const CHOICES = ['show', 'theme', 'accent', 'background', 'lang', 'results', 'area', 'top', 'seat', 'hands', 'colours', 'room', 'call', 'card'];
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';
const [LOWEST, HIGHEST] = [120, 4_000];
const MOST_STREAMS = 2; // of the six that a browser opens to one host; what is beyond is polled
const site = new URL(import.meta.url).origin;
const streams = new SharedStreams(MOST_STREAMS);
const elements = new Map(); // the element of each of our frames
const ports = new WeakMap(); // the port by which a frame is given events

/** The address of the frame that shows a page of the site, or null for what is none. */
function frameAddress(element) {
  let page;
  try {
    page = new URL(element.getAttribute('src') ?? '', site);
  } catch {
    return null;
  }
  if (!/^https?:$/.test(page.protocol)) return null;
  if (!page.pathname.startsWith('/embed/')) page.pathname = `/embed${page.pathname === '/' ? '/matches' : page.pathname}`;
  for (const name of CHOICES) if (element.hasAttribute(name)) page.searchParams.set(name, element.getAttribute(name));
  return page;
}

class TwinroomEmbed extends HTMLElement {
  static observedAttributes = ['src', 'height', ...CHOICES];
  #frame = null;

  connectedCallback() {
    if (!this.shadowRoot) this.attachShadow({ mode: 'open' });
    this.#frame = document.createElement('iframe');
    this.#frame.setAttribute('sandbox', SANDBOX);
    this.#frame.title = this.getAttribute('title') || this.textContent.trim() || 'Twinroom';
    Object.assign(this.#frame.style, { display: 'block', width: '100%', minWidth: '280px', border: '0', colorScheme: 'normal' });
    Object.assign(this.style, { display: 'block' });
    this.#show();
    elements.set(this.#frame, this);
    this.shadowRoot.replaceChildren(this.#frame);
  }

  disconnectedCallback() {
    letGo(this.#frame);
    elements.delete(this.#frame);
    this.#frame = null;
  }

  attributeChangedCallback(name, before, after) {
    if (this.#frame && before !== after) this.#show();
  }

  #show() {
    const address = frameAddress(this);
    if (address && this.#frame.src !== address.href) this.#frame.src = address.href;
    this.#frame.style.height = `${within(Number(this.getAttribute('height')) || 420)}px`;
  }
}

function within(height) {
  return Math.min(HIGHEST, Math.max(LOWEST, Math.ceil(height)));
}

/** The frame of ours whose window this is: an element's, or a plain one that shows an embed of this site. */
function frameOf(source) {
  for (const frame of elements.keys()) if (frame.contentWindow === source) return frame;
  return plainFrames().find((frame) => frame.contentWindow === source);
}

function plainFrames() {
  return [...document.querySelectorAll('iframe[src]')].filter((frame) => frame.src.startsWith(`${site}/embed/`));
}

/** Whether a message from a frame's window comes from the site it was sent to. A sandbox takes the origin away. */
function isFrom(frame, origin) {
  const isOpaque = frame.hasAttribute('sandbox') && !frame.sandbox.contains('allow-same-origin');
  return origin === (isOpaque ? 'null' : new URL(frame.src).origin);
}

function receive({ source, origin, data }) {
  if (data === null || typeof data !== 'object' || !('twinroom' in data)) return;
  const frame = source && frameOf(source);
  if (!frame || !isFrom(frame, origin)) return;
  if (data.twinroom === 'frame') welcome(frame);
  else if (data.twinroom === 'height' && ports.has(frame)) fit(frame, data.value);
}

/** A height that the page's author has written is kept. */
function isFixed(frame) {
  return elements.has(frame) ? elements.get(frame).hasAttribute('height') : frame.dataset.height === 'fixed';
}

function fit(frame, value) {
  if (typeof value !== 'number' || !Number.isFinite(value) || isFixed(frame)) return;
  const isWithBorder = getComputedStyle(frame).boxSizing === 'border-box';
  frame.style.height = `${within(value) + (isWithBorder ? frame.offsetHeight - frame.clientHeight : 0)}px`;
}

function welcome(frame) {
  letGo(frame);
  const { port1, port2 } = new MessageChannel();
  ports.set(frame, port1);
  streams.connect(port1, new URL(frame.src).origin);
  frame.contentWindow.postMessage({ twinroom: 'host', fits: !isFixed(frame) }, '*', [port2]);
}

function letGo(frame) {
  const port = ports.get(frame);
  if (!port) return;
  ports.delete(frame);
  streams.leave(port);
  port.close();
}

if (!customElements.get(NAME)) {
  addEventListener('message', receive);
  customElements.define(NAME, TwinroomEmbed);
  // Frames that were there before this script have asked in vain.
  const hail = () => plainFrames().forEach((frame) => frame.contentWindow?.postMessage({ twinroom: 'hello' }, '*'));
  hail();
  addEventListener('DOMContentLoaded', hail);
}
