/**
 * Inserts a fault's silences and early end into a body. Places after the body's end are never
 * reached.
 */
import type {Fault} from './fault.ts';
import type {BodyPart} from './send-body.ts';

type Break = {
	readonly unit: 'events' | 'bytes';
	/** How much of the body precedes it. */
	readonly count: number;
	readonly part: BodyPart;
};

/** @param texts whole stream events */
export function interruptStream(texts: Iterable<string>, fault: Fault): Iterable<BodyPart> {
	// Places counted in events are found first, while the events are whole.
	const breaks = findBreaks(fault).sort((a, b) => b.unit.localeCompare(a.unit));
	return insertBreaks(texts, breaks, fault);
}

/** A body without events is interrupted in its middle, where a place is counted in events. */
export function interruptText(text: string, fault: Fault): Iterable<BodyPart> {
	const half = Math.floor(Buffer.byteLength(text) / 2);
	const breaks = findBreaks(fault).map(({unit, count, part}): Break => {
		return {unit: 'bytes', count: unit === 'bytes' || count === 0 ? count : half, part};
	});
	return insertBreaks([text], breaks, fault);
}

/** The silence before the end, should both be at one place. */
function findBreaks({stall, cut}: Fault): Break[] {
	const stalls = stall === undefined ? [] : [{...stall, part: {pauseMs: stall.for ?? Infinity}}];
	const cuts = cut === undefined ? [] : [{...cut, part: {ending: cut.how ?? ('fin' as const)}}];
	return [...stalls, ...cuts].map(({after_events: events, after_bytes: bytes = 0, part}) =>
		events === undefined
			? {unit: 'bytes', count: bytes, part}
			: {unit: 'events', count: events, part},
	);
}

function* insertBreaks(
	texts: Iterable<string>,
	breaks: readonly Break[],
	{delay_first_token: delayMs}: Fault,
): Generator<BodyPart, void, undefined> {
	if (delayMs !== undefined) yield {pauseMs: delayMs};
	yield* breaks.reduce<Iterable<BodyPart>>(insertBreak, texts);
}

function* insertBreak(
	parts: Iterable<BodyPart>,
	{unit, count, part: inserted}: Break,
): Generator<BodyPart, void, undefined> {
	let left: number | undefined = count;
	for (const part of parts) {
		if (left === undefined || !(typeof part === 'string' || part instanceof Uint8Array)) {
			yield part;
			continue;
		}
		const size = unit === 'events' ? 1 : Buffer.byteLength(part);
		if (size <= left) {
			left -= size;
			yield part;
			continue;
		}
		const bytes = Buffer.from(part);
		if (left > 0) yield bytes.subarray(0, left);
		yield inserted;
		yield left > 0 ? bytes.subarray(left) : part;
		left = undefined;
	}
	if (left === 0) yield inserted;
}
