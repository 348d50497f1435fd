/** Checks how a reply is to go wrong, and that its faults can happen together. */
import type {Fault, ScriptedStatus} from '../fault.ts';
import {type Check, checkNumber, checkWord} from '../request/checks.ts';
import {invalidRequest} from '../service-error.ts';
import {
	checkClose,
	checkCut,
	checkError,
	checkHeaders,
	checkHeaderValue,
	checkKeepAlive,
	checkMalformed,
	checkRetryAfter,
	checkStall,
} from './check-fault-parts.ts';
import {checkAny, checkDuration, checkFields, checkIntegerIn} from './checks.ts';

const readFault = checkFields({
	delay: checkDuration,
	delay_first_token: checkDuration,
	rate: checkNumber(0.1, 1_000_000),
	keep_alive_comments: checkKeepAlive,
	status: checkIntegerIn(200, 599),
	body: checkAny,
	headers: checkHeaders,
	retry_after: checkRetryAfter,
	content_type: checkHeaderValue,
	close_before_head: checkClose,
	cut: checkCut,
	stall: checkStall,
	malformed: checkMalformed,
	error: checkError,
	done: checkWord(['duplicate', 'missing']),
	finish_reason: checkWord(['missing', 'no_field']),
});

type FaultFields = ReturnType<typeof readFault>;

type Key = keyof FaultFields;

/** What can still happen to a response that is no completion, and to one that never comes. */
const companionsOf: Readonly<Partial<Record<Key, readonly Key[]>>> = {
	status: [
		'delay',
		'delay_first_token',
		'body',
		'headers',
		'retry_after',
		'content_type',
		'cut',
		'stall',
	],
	close_before_head: ['delay'],
};

export const checkFault: Check<Fault> = (value, path) => {
	const read = readFault(value, path);
	checkCompanions(read, path);
	const contentType = read.content_type;
	return {
		delayMs: read.delay,
		firstTokenDelayMs: read.delay_first_token,
		tokensPerSecond: read.rate,
		keepAliveMs: read.keep_alive_comments,
		status: readStatus(read, path),
		headers: {
			...(contentType === undefined ? {} : {'content-type': contentType}),
			...read.headers,
		},
		closeBeforeHead: read.close_before_head,
		cut: read.cut,
		stall: read.stall,
		malformed: read.malformed,
		error: read.error,
		done: read.done,
		finishReason: read.finish_reason,
	};
};

function checkCompanions(read: FaultFields, path: string): void {
	const given = Object.keys(read).filter((key): key is Key => read[key as Key] !== undefined);
	for (const key of given) {
		const stranger = given.find(
			(other) => other !== key && companionsOf[key]?.includes(other) === false,
		);
		if (stranger === undefined) continue;
		const at = `${path}.${stranger}`;
		throw invalidRequest(at, `${at} cannot happen together with ${path}.${key}`);
	}
}

function readStatus(
	{status, body, retry_after: retryAfter}: FaultFields,
	path: string,
): ScriptedStatus | undefined {
	if (status !== undefined) return {code: status, body, retryAfter};
	if (body === undefined && retryAfter === undefined) return undefined;
	const alone = body === undefined ? 'retry_after' : 'body';
	throw invalidRequest(`${path}.${alone}`, `${path}.${alone} needs ${path}.status beside it`);
}
