// The worker that all tabs of a browser share: one connection for each match and encoding, told to every tab that is
// looking.

import { SharedStreams } from './shared_streams.js';

const streams = new SharedStreams();
addEventListener('connect', ({ ports: [port] }) => streams.connect(port));
