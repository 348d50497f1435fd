/**
 * Puts the silences and the early end of a fault where they belong in a body. A place after the end
 * of the body is never reached.
 */
import type {Fault, Place} from './fault.ts';
import type {BodyPart} from './stream-reply.ts';

type Break = {readonly place: Place; readonly part: BodyPart};

/** @param texts The events of a stream, each whole. */
export function interruptStream(texts: Iterable<string>, fault: Fault): Iterable<BodyPart> {
	// Places counted in events are found first, while the events are whole.
	const breaks = breaksOf(fault).sort((a, b) => rankOf(a.place) - rankOf(b.place));
	return delayFirst(breaks.reduce<Iterable<BodyPart>>(insertBreak, texts), fault);
}

/** A body without events is interrupted in its middle, where a place is counted in events. */
export function interruptText(text: string, fault: Fault): Iterable<BodyPart> {
	const half = Math.floor(Buffer.byteLength(text) / 2);
	const breaks = breaksOf(fault).map(({place, part}): Break => {
		const count = place.count === 0 ? 0 : half;
		return {part, place: place.unit === 'bytes' ? place : {unit: 'bytes', count}};
	});
	return delayFirst(breaks.reduce<Iterable<BodyPart>>(insertBreak, [text]), fault);
}

function rankOf({unit}: Place): number {
	return unit === 'events' ? 0 : 1;
}

/** The silence before the end, should both be at one place. */
function breaksOf({stall, cut}: Fault): Break[] {
	const breaks: Break[] = [];
	if (stall !== undefined) {
		const pauseMs = stall.ms ?? Number.POSITIVE_INFINITY;
		breaks.push({place: stall.place, part: {pauseMs}});
	}
	if (cut !== undefined) breaks.push({place: cut.place, part: {ending: cut.ending}});
	return breaks;
}

function* delayFirst(
	parts: Iterable<BodyPart>,
	{firstTokenDelayMs}: Fault,
): Generator<BodyPart, void, undefined> {
	if (firstTokenDelayMs !== undefined) yield {pauseMs: firstTokenDelayMs};
	yield* parts;
}

function* insertBreak(
	parts: Iterable<BodyPart>,
	{place, part: inserted}: Break,
): Generator<BodyPart, void, undefined> {
	let left: number | undefined = place.count;
	for (const part of parts) {
		if (left === undefined || !isData(part)) {
			yield part;
			continue;
		}
		const size = place.unit === 'events' ? 1 : Buffer.byteLength(part);
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

function isData(part: BodyPart): part is string | Uint8Array {
	return typeof part === 'string' || part instanceof Uint8Array;
}
