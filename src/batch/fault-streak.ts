/**
 * Tells a failing service from failing lines. Failures about the service are kept back: several in a
 * row end the run, and their lines are asked again by the next one.
 */
import type {ErrorKind} from '../errors.ts';
import {asNumber, asObject, asText, type JsonObject} from '../json.ts';

const serviceKinds: readonly string[] = [
	'auth',
	'quota',
	'busy',
	'unavailable',
] satisfies readonly ErrorKind[];

/** Failures in a row that end the run. */
export const maxFaults = 3;

/** Whether an answer failed because of the service. An error status may be about one prompt. */
export function isServiceFault(answer: JsonObject): boolean {
	const error = asObject(answer['error']);
	const kind = asText(error?.['kind']) ?? '';
	const hasStatus = asNumber(error?.['status']) !== undefined;
	return serviceKinds.includes(kind) && !(kind === 'unavailable' && hasStatus);
}
