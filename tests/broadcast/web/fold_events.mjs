// Reads {"modules", "state", "events"} and writes the state after folding, by the page's own module.
import { pathToFileURL } from 'node:url';

let text = '';
for await (const piece of process.stdin) text += piece;
const { modules, state, events } = JSON.parse(text);
const { fold } = await import(pathToFileURL(`${modules}/fold.js`));
process.stdout.write(JSON.stringify(events.reduce(fold, state)));
