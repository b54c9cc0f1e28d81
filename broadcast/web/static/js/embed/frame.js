// The frame's side of an embed: tells the page around it how high it is, and is given events by it, if that page has
// loaded /embed.js. WordPress speaks a protocol of its own for frames of sites it does not know: a secret in the
// address says that it listens for `height` and `link`.
//
// Messages are taken from the parent window only, and answers hold nothing that is not public. Nothing is stored.

import { PollCarrier, PortCarrier, makeCarrier } from '../carriers.js';

const HOST_WITHIN = 1_000;
const HIGHEST = 4_000; // what a host gives; beyond there is a scroll bar
const content = document.querySelector('[data-part="embed"]');
const isFramed = window.parent !== window;
const secret = /[#?&]secret=([A-Za-z0-9]{1,64})(?:&|$)/.exec(location.hash)?.[1] ?? null;
const waiting = new Set(); // for a port of the host
let port = null;
let fits = false; // the host gives the frame the height it asks for
let reported = 0;
let width = 0;
let hasChanged = true;

function send(message) {
  window.parent.postMessage(message, '*');
}

function report(isAsked = false) {
  const height = Math.ceil(content.getBoundingClientRect().height);
  if (!isAsked) {
    if (height === reported) return;
    // Higher only because the frame is: content that measures itself by the frame would grow for ever.
    if (!hasChanged && innerWidth === width && height > reported) return;
  }
  [reported, width, hasChanged] = [height, innerWidth, false];
  document.documentElement.classList.toggle('is-fitted', fits && height <= HIGHEST);
  send({ twinroom: 'height', value: height });
  if (secret) send({ message: 'height', value: height, secret });
}

/** WordPress's frame may open no windows and lead the page nowhere: the page itself does, when it is asked. */
function followLink(event) {
  const link = event.target.closest?.('a[href]');
  if (!link || link.target === '_self' || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  send({ message: 'link', value: link.href, secret });
}

function receive({ source, data, ports }) {
  if (source !== window.parent || data === null || typeof data !== 'object') return;
  if (data.twinroom === 'hello') send({ twinroom: 'frame' });
  else if (data.twinroom === 'host' && ports[0]) takePort(ports[0], data.fits === true);
  else if (secret && data.message === 'ready' && data.secret === secret) report(true);
}

function takePort(given, isFitted) {
  [port, fits] = [given, isFitted];
  for (const take of waiting) take(port);
  report(true);
}

if (isFramed) {
  addEventListener('message', receive);
  if (secret) document.addEventListener('click', followLink);
  const change = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(() => (hasChanged = true)).observe(content, change);
  new ResizeObserver(() => report()).observe(content);
  addEventListener('load', () => {
    hasChanged = true;
    report();
  });
  send({ twinroom: 'frame' });
}

/** Events from the page around this one; if it does not help, from the worker that frames share; else by asking. */
class FrameCarrier {
  #carrier = null;
  #isJoined = false;

  constructor(options) {
    this.options = options;
    const take = (given) => this.#use(new PortCarrier(given, options));
    waiting.add(take);
    if (port) take(port);
    else setTimeout(() => this.#carrier ?? this.#use(makeCarrier(options, PollCarrier)), isFramed ? HOST_WITHIN : 0);
  }

  #use(carrier) {
    if (this.#isJoined) this.#carrier?.leave();
    this.#carrier = carrier;
    if (this.#isJoined) carrier.join();
  }

  join() {
    this.#isJoined = true;
    this.#carrier?.join();
  }

  leave() {
    this.#isJoined = false;
    this.#carrier?.leave();
  }

  renew(force) {
    this.#carrier?.renew(force);
  }
}

export const makeFrameCarrier = (options) => new FrameCarrier(options);

/** This page anew, as a document; null when it cannot be had. */
export async function askAnew(address = location.href) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return null;
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Puts what a fresh document holds in place of what is shown. */
export function showContent(fresh) {
  const [shown, next] = [document.getElementById('content'), fresh.getElementById('content')];
  shown.replaceChildren(...next.childNodes);
  for (const { name, value } of next.attributes) shown.setAttribute(name, value);
  document.querySelector('.embed-foot').replaceWith(fresh.querySelector('.embed-foot'));
}
