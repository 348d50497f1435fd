/** The ends of a connection that no proper response has. */
import type {ServerResponse} from 'node:http';
import {setTimeout} from 'node:timers/promises';
import type {Ending} from './fault.ts';

/** A reset discards what the other side has not read yet, so it comes a little later. */
const resetDelayMs = 25;

/** Ends a response where it is; `end` ends it well, though perhaps too early. */
export async function hangUp(response: ServerResponse, ending: Ending): Promise<void> {
	if (ending === 'end') {
		response.end();
		return;
	}
	const {socket} = response;
	if (ending === 'fin') {
		socket?.destroySoon();
		return;
	}
	await setTimeout(resetDelayMs);
	socket?.resetAndDestroy();
}
